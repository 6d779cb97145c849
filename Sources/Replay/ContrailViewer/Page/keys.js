// Every key, in one table: what it does, and what the "?" sheet says about it.

import { byID, el, fill } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @typedef {object} Key
 * @property {string[]} keys As in `KeyboardEvent.key`, with `Shift+` and `Alt+` before it where they matter.
 * @property {string} shown
 * @property {string} text
 * @property {() => void} action
 */

/** @typedef {{title: string, keys: Key[]}} KeyGroup */

/**
 * @param {KeyGroup[]} groups
 * @param {AbortSignal} signal
 */
export function listenToKeys(groups, signal) {
  /** @type {Map<string, () => void>} */ const actions = new Map();
  for (const group of groups) for (const entry of group.keys) for (const key of entry.keys) actions.set(key, entry.action);
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isTyping = target.matches?.("input:not([type=checkbox]), select, textarea");
    if (event.key === "Escape" && isTyping) return target.blur();
    if (isTyping || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
    // A button takes space and enter itself.
    if ((event.key === " " || event.key === "Enter") && target.matches?.("button, summary, a")) return;
    const isLetter = event.key.length === 1;
    const name = `${event.altKey ? "Alt+" : ""}${event.shiftKey && !isLetter ? "Shift+" : ""}${event.key}`;
    const action = actions.get(name);
    if (!action) return;
    event.preventDefault();
    action();
  }, { signal });
}

const viewerHints = [
  "On the map: drag to move, wheel or pinch to zoom, click to ask why. On the timeline: drag to move through the flight, wheel or pinch to zoom, Shift and wheel to move along it, double-click for the whole flight.",
  "In the search: words, and kind: rule: scope: request: status: severity: with a value. Values with the same name are alternatives.",
];

/**
 * @param {KeyGroup[]} groups
 * @param {string[]} [hints]
 */
export function makeHelp(groups, hints = viewerHints) {
  const dialog = /** @type {HTMLDialogElement} */ (byID("help"));
  fill(dialog,
    el("header", null, el("h2", { id: "help-title", text: "Keys" }),
      el("button", { class: "icon-button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"))),
    el("div", { class: "help-groups" }, ...groups.map((group) => el("section", null, el("h3", { text: group.title }),
      el("dl", null, ...group.keys.flatMap((entry) => [
        el("dt", null, ...entry.shown.split(" ").map((key) => el("kbd", { text: key }))), el("dd", { text: entry.text })]))))),
    ...hints.map((text) => el("p", { class: "hint", text })));
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  return dialog;
}
