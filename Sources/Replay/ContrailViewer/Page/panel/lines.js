// The panel "Lines": the whole log, or what the search found, in a list that only makes the rows that are seen.

import { el, fill } from "../dom.js";
import { bytes, count, elapsed } from "../format.js";
import { flags, none16, none8 } from "../engine.js";
import { ruleColor } from "../palette.js";

/** @typedef {import("../session.js").Session} Session */

const rowHeight = 30;
/** Browsers can't scroll further than some millions of pixels, so longer lists scroll faster. */
const tallest = 8_000_000;

export class LineList {
  /**
   * @param {HTMLElement} host
   * @param {Session} session
   * @param {{id: string}[]} rules
   */
  constructor(host, session, rules) {
    this.session = session;
    this.rules = rules;
    this.rows = el("div", { class: "line-rows", role: "listbox", "aria-label": "Lines of the log", tabindex: 0 });
    this.space = el("div", { class: "line-space" });
    this.scroller = el("div", { class: "line-scroller" }, this.space, this.rows);
    this.summary = el("p", { class: "line-summary", role: "status" });
    fill(host, this.summary, this.scroller);
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.rows.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("[data-line]");
      if (!row) return;
      const line = Number(row.getAttribute("data-line"));
      session.seekLine(line);
      session.select({ kind: "line", flight: session.active, line });
    });
    this.reveal();
  }

  get total() {
    const { session } = this;
    return session.query ? session.matches.length : session.recordings[session.active].count;
  }

  /**
   * The line in a row.
   * @param {number} row
   */
  lineOf(row) {
    return this.session.query ? this.session.matches[row] : row;
  }

  /** Scrolls to the line of the moment. */
  reveal() {
    const { session, scroller } = this;
    const line = session.lines[session.active];
    let row = line;
    if (session.query) {
      row = session.matches.findIndex((each) => each >= line);
      if (row < 0) row = session.matches.length - 1;
    }
    // What is scrolled to must have its room first.
    this.space.style.height = `${this.total * this.pitch}px`;
    const seen = scroller.clientHeight || 300;
    const top = row * this.pitch;
    if (top < scroller.scrollTop || top + rowHeight > scroller.scrollTop + seen) scroller.scrollTop = top - seen / 2;
    this.draw();
  }

  /** Pixels of the scroll bar for a row. */
  get pitch() {
    return Math.min(rowHeight, tallest / Math.max(1, this.total));
  }

  draw() {
    const { session, scroller } = this;
    const recording = session.recordings[session.active];
    const { columns: c, kinds, roles, scopes } = recording.flight;
    this.space.style.height = `${this.total * this.pitch}px`;
    const text = session.query ? `${count(this.total)} of ${count(recording.count)} lines match` : `${count(recording.count)} lines`;
    if (this.summary.textContent !== text) this.summary.textContent = text;
    const first = Math.max(0, Math.floor(scroller.scrollTop / this.pitch));
    const n = Math.ceil((scroller.clientHeight || 300) / rowHeight) + 1;
    this.rows.style.transform = `translateY(${this.pitch === rowHeight ? first * rowHeight : scroller.scrollTop}px)`;
    const current = session.lines[session.active];
    const rows = [];
    for (let row = first; row < Math.min(this.total, first + n); row++) {
      const line = this.lineOf(row);
      const kind = kinds[c.kind[line]];
      const rule = c.rule[line] === none8 ? "" : this.rules[c.rule[line]]?.id ?? "";
      const dot = el("span", { class: `line-dot is-${roles[c.kind[line]]}` });
      if (rule) dot.style.background = ruleColor(rule);
      const flag = c.flags[line];
      rows.push(el("div", {
        class: `line-row${line === current ? " is-current" : ""}${flag & flags.diverges ? " is-diverging" : flag & flags.error ? " is-error" : ""}`,
        role: "option", "aria-selected": String(line === current), "data-line": line, "aria-setsize": this.total, "aria-posinset": row + 1,
      },
        el("span", { class: "line-row-number", text: count(line + 1) }),
        el("span", { class: "line-row-time", text: elapsed(c.at[line] - recording.start) }), dot,
        el("span", { class: "line-row-kind", text: kind }),
        el("span", { class: "line-row-words", text: words(recording.flight.words(line), kind) || (c.scope[line] === none16 ? "" : scopes[c.scope[line]]) }),
        c.bytesDown[line] ? el("span", { class: "line-row-bytes", text: bytes(c.bytesDown[line]) }) : null));
    }
    fill(this.rows, ...rows);
  }
}

/**
 * What a line says without its kind.
 * @param {string} text
 * @param {string} kind
 */
function words(text, kind) {
  return (text.startsWith(kind) ? text.slice(kind.length) : text).trim().slice(0, 160);
}
