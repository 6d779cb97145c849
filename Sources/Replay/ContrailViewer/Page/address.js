// Keeps the address and the page alike: each follows the other.

import { read, readWhy, write, writeWhy } from "./permalink.js";

/** @typedef {import("./app.js").App} App */

export class Address {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.fragment = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    addEventListener("hashchange", () => this.follow(), { signal: app.ending.signal });
  }

  /** Writes the address soon, once for many changes. */
  writeSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), 300);
  }

  write() {
    const { session, deck, ending, tab } = this.app;
    if (ending.signal.aborted) return;
    const recording = session.recordings[session.active];
    const line = session.lines[session.active];
    const isExact = recording.flight.columns.at[line] - session.offsets[session.active] === session.at;
    const fragment = write({
      line, at: isExact ? null : session.at, flight: session.active, map: deck.view, projection: deck.projection,
      query: session.query, why: writeWhy(session.selection), tab,
      hidden: session.shown.severities.map((shown, s) => (shown ? -1 : s)).filter((s) => s >= 0),
    });
    if (fragment === this.fragment) return;
    this.fragment = fragment;
    history.replaceState(null, "", `#${fragment}`);
  }

  /** Shows what the address says. */
  follow() {
    const { app } = this;
    const { session, deck } = app;
    if (location.hash.replace(/^#/, "") === this.fragment) return;
    const link = read(location.hash);
    if (link.flight < session.recordings.length) session.active = link.flight;
    if (link.line !== null) session.seekLine(link.line);
    if (link.at !== null) session.seek(link.at);
    if (link.projection && link.projection !== deck.projection) app.setProjection(link.projection);
    if (link.map) deck.view = link.map;
    if (link.hidden.length) {
      link.hidden.forEach((s) => (session.shown.severities[s] = false));
      session.changed("filter");
    }
    if (link.query) app.searchBox.set(link.query);
    const why = link.why && readWhy(link.why, session.active, session.lines[session.active]);
    if (why) session.select(why);
    if (link.tab) app.showTab(link.tab);
  }
}
