// One line of the log, as a tree that opens: members, values, and links to the lines that it names.

import { el } from "../dom.js";
import { count } from "../format.js";

/** @typedef {import("../recording.js").Recording} Recording */

const textLimit = 200_000;
const childLimit = 200;

/**
 * @param {Recording} recording
 * @param {number} line
 * @param {import("../session.js").Session} session
 * @param {number} flight
 */
export function showLine(recording, line, session, flight) {
  const length = recording.flight.columns.length[line];
  const { file, line: number } = recording.flight.place(line);
  const text = recording.flight.text(line, textLimit);
  const body = el("div", { class: "json" });
  let value;
  try {
    value = length <= textLimit ? JSON.parse(text) : undefined;
  } catch {
    value = undefined;
  }
  if (value !== null && typeof value === "object")
    body.append(members(value, 0, (key, entry) => (key === "cause" && typeof entry === "number" ? bySeq(recording, entry, session, flight) : null)));
  else body.append(el("pre", { text: text.slice(0, 20_000) }), length > 20_000 ? el("p", { class: "hint", text: `The line has ${count(length)} bytes; the first 20,000 are shown.` }) : "");
  return el("section", { class: "line-view" },
    el("header", null, el("h3", { text: `${file.slice(-80)}:${number}` }), el("span", { class: "faint", text: `${count(length)} bytes` }),
      el("button", {
        class: "text-button", onclick: (/** @type {Event} */ event) => {
          const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
          navigator.clipboard?.writeText(recording.flight.text(line)).then(() => (button.textContent = "Copied"), () => (button.textContent = "Not allowed"));
        },
      }, "Copy")),
    body);
}

/**
 * A link to a line by its seq.
 * @param {Recording} recording
 * @param {number} seq
 * @param {import("../session.js").Session} session
 * @param {number} flight
 */
function bySeq(recording, seq, session, flight) {
  const { seq: all } = recording.flight.columns;
  let [low, high] = [0, recording.count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle] < seq) low = middle + 1;
    else high = middle;
  }
  if (all[low] !== seq) return null;
  return el("button", { class: "json-link", onclick: () => session.seekLine(low, flight) }, String(seq));
}

/**
 * @param {any} value
 * @param {number} depth
 * @param {(key: string, value: any) => Node | null} link
 * @returns {HTMLElement}
 */
function members(value, depth, link) {
  const list = el("ul");
  const entries = Array.isArray(value) ? value.map((each, i) => [String(i), each]) : Object.entries(value);
  const isArray = Array.isArray(value);
  for (const [key, entry] of entries.slice(0, childLimit)) {
    const name = el("span", { class: isArray ? "json-index" : "json-key", text: key.slice(0, 200) });
    if (entry !== null && typeof entry === "object") {
      const size = Array.isArray(entry) ? entry.length : Object.keys(entry).length;
      const isShort = size <= 12 && Object.values(entry).every((each) => each === null || typeof each !== "object") && JSON.stringify(entry).length < 64;
      if (isShort) list.append(el("li", null, name, el("span", { class: "json-value", text: JSON.stringify(entry) })));
      else {
        const summary = el("summary", null, name, el("span", { class: "faint", text: Array.isArray(entry) ? `[${count(size)}]` : `{${count(size)}}` }));
        const details = el("details", null, summary);
        const open = () => {
          if (details.open && details.children.length === 1) details.append(members(entry, depth + 1, link));
        };
        details.addEventListener("toggle", open);
        if (depth < 1 && size <= 8 && !Array.isArray(entry)) {
          details.open = true;
          details.append(members(entry, depth + 1, link));
        }
        list.append(el("li", null, details));
      }
    } else {
      const target = link(key, entry);
      const text = typeof entry === "string" ? JSON.stringify(entry) : String(entry);
      list.append(el("li", null, name, target ?? el("span", { class: `json-value is-${entry === null ? "null" : typeof entry}`, text: text.slice(0, 5000) })));
    }
  }
  if (entries.length > childLimit) list.append(el("li", { class: "faint", text: `… and ${count(entries.length - childLimit)} more` }));
  return list;
}
