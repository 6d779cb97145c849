// The legend of the map. It is also the filter: severities and bands of altitude can be taken away.

import { el, fill } from "./dom.js";
import { count } from "./format.js";
import { bandOf, bands, css, severities } from "./palette.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./engine.js").State} State */

export class Legend {
  /**
   * @param {HTMLElement} host
   * @param {Session} session
   * @param {boolean} opens Whether it opens where there is room.
   */
  constructor(host, session, opens) {
    this.session = session;
    const { shown } = session;
    this.severityButtons = severities.map((severity, i) => {
      const swatch = el("span", { class: "swatch" });
      swatch.style.background = css(severity.color, severity.alpha);
      swatch.style.borderColor = css(severity.border, severity.borderAlpha);
      const number = el("span", { class: "legend-count" });
      return { number, button: el("button", {
        class: "legend-item", "aria-pressed": "true", title: `Show or hide (key ${i + 1})`, onclick: () => this.toggleSeverity(i),
      }, swatch, el("span", { class: "legend-name", text: severity.name }), number) };
    });
    this.bandRows = bands.map((band, i) => {
      const bar = el("span", { class: "band-bar" });
      return { bar, button: el("button", {
        class: "band", "aria-pressed": "true",
        title: `${band.from * 10 || 0 ? `From FL${String(band.from * 10).padStart(3, "0")}` : "From the ground"}${band.to < 255 ? ` to FL${String(band.to * 10).padStart(3, "0")}` : " up"}: show or hide. Double-click for this band alone.`,
        onclick: () => this.toggleBand(i), ondblclick: () => this.onlyBand(i),
      }, el("span", { class: "band-name", text: band.name }), bar) };
    });
    const symbols = el("ul", { class: "legend-lines" },
      ...[["corridor", "Corridor"], ["viewport", "Viewport"], ["route", "Route"], ["pirep", "PIREP"], ["aircraft", "Aircraft"], ["own", "Own report"], ["ownship", "Own aircraft"]]
        .map(([name, text]) => el("li", { class: `key-${name}` }, text)));
    fill(host, el("details", { class: "legend-box", open: opens && matchMedia("(min-width: 900px)").matches },
      el("summary", null, "Legend"),
      el("div", { class: "legend-part", role: "group", "aria-label": "Severity" }, ...this.severityButtons.map((each) => each.button)),
      el("div", { class: "legend-part bands", role: "group", "aria-label": "Altitude" }, ...this.bandRows.map((each) => each.button)),
      symbols));
    session.subscribe((change) => change === "filter" && this.showPressed());
    this.shown = shown;
    this.showPressed();
  }

  showPressed() {
    this.severityButtons.forEach(({ button }, i) => button.setAttribute("aria-pressed", String(this.session.shown.severities[i])));
    this.bandRows.forEach(({ button }, i) => button.setAttribute("aria-pressed", String(this.session.shown.bands[i])));
  }

  /** @param {number} i */
  toggleSeverity(i) {
    const { severities: all } = this.session.shown;
    all[i] = !all[i];
    this.session.changed("filter");
  }

  /** @param {number} i */
  toggleBand(i) {
    const { bands: all } = this.session.shown;
    all[i] = !all[i];
    this.session.changed("filter");
  }

  /** @param {number} i */
  onlyBand(i) {
    const { bands: all } = this.session.shown;
    const isAlone = all.every((shown, k) => shown === (k === i));
    all.forEach((_, k) => (all[k] = isAlone || k === i));
    this.session.changed("filter");
  }

  /**
   * Counts what is seen.
   * @param {(State | null)[]} states
   */
  count(states) {
    const cells = new Int32Array(bands.length * 5);
    for (const state of states) {
      if (!state) continue;
      const { severity, altitude, isRepeated } = state.reports;
      for (let i = 0; i < severity.length; i++) if (!isRepeated[i]) cells[bandOf[altitude[i]] * 5 + Math.min(4, severity[i])]++;
    }
    const byBand = bands.map((_, band) => [...cells.subarray(band * 5, band * 5 + 5)]);
    const bySeverity = severities.map((_, s) => byBand.reduce((sum, row) => sum + row[s], 0));
    this.severityButtons.forEach(({ number }, i) => (number.textContent = bySeverity[i] ? count(bySeverity[i]) : ""));
    const most = Math.max(1, ...byBand.map((row) => row.reduce((a, b) => a + b, 0)));
    this.bandRows.forEach(({ bar, button }, i) => {
      const total = byBand[i].reduce((a, b) => a + b, 0);
      let at = 0;
      const stops = severities.flatMap((severity, s) => {
        const from = at;
        at += (byBand[i][s] / Math.max(1, total)) * 100;
        return [`${css(severity.color, severity.alpha)} ${from}%`, `${css(severity.color, severity.alpha)} ${at}%`];
      });
      bar.style.width = `${(total / most) * 100}%`;
      bar.style.backgroundImage = total ? `linear-gradient(90deg, ${stops.join(", ")})` : "none";
      button.classList.toggle("is-empty", total === 0);
    });
  }
}
