// The field of the search and the list of filters. Both write the same text.

import { byID, el, fill } from "./dom.js";
import { severities } from "./palette.js";
import { Search, toggled } from "./search.js";

/** @typedef {import("./session.js").Session} Session */

export class SearchBox {
  /**
   * @param {Session} session
   * @param {{id: string}[]} rules
   * @param {() => void} onSearch After something is sought.
   * @param {AbortSignal} signal
   */
  constructor(session, rules, onSearch, signal) {
    this.session = session;
    this.rules = rules;
    this.onSearch = onSearch;
    this.search = new Search(session, rules);
    this.input = /** @type {HTMLInputElement} */ (byID("search"));
    this.input.value = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    this.input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.set(this.input.value), 150);
    }, { signal });
    this.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (!session.step("match", event.shiftKey ? -1 : 1) && session.matches.length) session.seekLine(session.matches[0]);
    }, { signal });
    byID("filter").addEventListener("beforetoggle", () => this.fillFilter(), { signal });
  }

  /** @param {string} query */
  set(query) {
    if (this.input.value !== query) this.input.value = query;
    this.search.set(query);
    if (query.trim()) this.onSearch();
  }

  fillFilter() {
    const { session, input } = this;
    const { flight } = session.recordings[session.active];
    const used = new Set(flight.columns.rule);
    const happened = new Set(flight.columns.kind);
    /** @type {[string, string, string[]][]} */
    const groups = [
      ["Kind", "kind", flight.kinds.filter((_, i) => happened.has(i)).sort()],
      ["Rule", "rule", this.rules.filter((_, i) => used.has(i)).map((rule) => rule.id)],
      ["Scope", "scope", flight.scopes],
      ["Severity", "severity", ["0", "1", "2", "3", "4"]],
    ];
    fill(byID("filter"), ...groups.map(([title, key, values]) => el("fieldset", null, el("legend", { text: title }),
      ...values.slice(0, 60).map((value) => {
        const box = el("input", { type: "checkbox", onchange: () => this.set(toggled(input.value, key, value)) });
        box.checked = input.value.split(/\s+/).includes(`${key}:${value}`);
        return el("label", { class: "check" }, box, el("span", { text: key === "severity" ? severities[Number(value)].name : value }));
      }))));
  }
}
