// Puts the parts together: maps, timeline, panels, and what connects them.

import { badge } from "./badge.js";
import { cellKey, cellsOf, firstDifferences, showCompare } from "./compare.js";
import { byID, el, fill, onChange } from "./dom.js";
import { count, flightLevel, place, span, utcDay } from "./format.js";
import { listenToKeys, makeHelp } from "./keys.js";
import { Legend } from "./legend.js";
import { faint, marked } from "./map/scene.js";
import { latLon, vector } from "./map/sphere.js";
import { MapView } from "./map/view.js";
import { severities } from "./palette.js";
import { LineList } from "./panel/lines.js";
import { showNow, spoken } from "./panel/now.js";
import { showWhy } from "./panel/why.js";
import { read, readWhy, write, writeWhy } from "./permalink.js";
import { Search, toggled } from "./search.js";
import { Session } from "./session.js";
import { showTip } from "./tip.js";
import { Timeline } from "./timeline/timeline.js";
import { Transport } from "./transport.js";

/** @typedef {import("./recording.js").Recording} Recording */
/** @typedef {import("./engine.js").State} State */
/** @typedef {import("./map/view.js").Pick} Pick */
/** @typedef {"now" | "why" | "lines" | "compare"} Tab */

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

export class App {
  /**
   * @param {import("./engine.js").Engine} engine
   * @param {import("./map/view.js").Land} land
   * @param {Recording[]} recordings
   */
  constructor(engine, land, recordings) {
    this.engine = engine;
    this.ending = new AbortController();
    this.session = new Session(recordings);
    /** @type {(State | null)[]} */ this.states = [];
    /** @type {Tab} */ this.tab = "now";
    this.isFading = false;
    this.makeMaps(land);
    this.makeTabs();
    fill(byID("badges"), ...recordings.map((_, i) => badge(this.session, i)));
    byID("title").title = recordings.map((r) => `${r.flight.name}, ${utcDay(r.start)}, ${span(r.end - r.start)}`).join("\n");
    this.timeline = new Timeline(byID("timeline"), this.session, { onTip: showTip });
    this.transport = new Transport(this.session, this.timeline);
    this.lineList = new LineList(byID("pane-lines"), this.session, engine.rules);
    this.search = new Search(this.session, engine.rules);
    this.makeSearch();
    this.makeTools();
    this.ownReports = recordings.map((recording) => ownReports(recording));
    if (recordings.length > 1) this.differences = firstDifferences(this.session);
    const groups = this.keyGroups();
    this.help = makeHelp(groups);
    listenToKeys(groups, this.ending.signal);
    this.session.subscribe((change) => this.changed(change));
    this.ending.signal.addEventListener("abort", onChange(darkQuery, () => this.setTheme()));
    addEventListener("hashchange", () => this.follow(), { signal: this.ending.signal });
    this.setTheme();
    this.render();
    this.fit();
    this.follow();
    if (recordings.length > 1 && !read(location.hash).tab) this.showTab("compare");
  }

  /** Ends everything that outlives its elements. */
  close() {
    this.session.play(false);
    this.ending.abort();
    if (this.frame) cancelAnimationFrame(this.frame);
    clearTimeout(this.linkTimer);
  }

  // MARK: Parts

  /** @param {import("./map/view.js").Land} land */
  makeMaps(land) {
    const { session, engine } = this;
    fill(byID("maps"));
    this.maps = session.recordings.map((recording, flight) => {
      const box = el("div", { class: "map", "data-flight": "AB"[flight] });
      if (session.recordings.length > 1)
        box.append(el("div", { class: "map-name" }, el("span", { class: `flight-tag is-${"ab"[flight]}`, text: "AB"[flight] }), el("span", { text: recording.flight.name.slice(-60) })));
      byID("maps").append(box);
      return new MapView(box, engine, land, session.shown, {
        onPick: (pick) => this.pick(pick, flight),
        onHover: (pick, x, y) => this.hover(pick, x, y, flight),
        onMove: () => this.moved(flight),
      });
    });
    const legend = el("div", { class: "legend" });
    byID("maps").append(legend);
    this.legend = new Legend(legend, session);
  }

  makeTabs() {
    /** @type {[Tab, string][]} */
    const tabs = [["now", "Now"], ["why", "Why"], ["lines", "Lines"]];
    if (this.session.recordings.length > 1) tabs.push(["compare", "Compare"]);
    fill(byID("tabs"), ...tabs.map(([tab, name]) => el("button", {
      id: `tab-${tab}`, role: "tab", "aria-controls": `pane-${tab}`, "aria-selected": String(tab === this.tab), onclick: () => this.showTab(tab),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const next = tabs[(tabs.findIndex(([each]) => each === tab) + step + tabs.length) % tabs.length][0];
        this.showTab(next);
        byID(`tab-${next}`).focus();
      },
    }, name)));
    this.showTab("now");
  }

  /** @param {Tab} tab */
  showTab(tab) {
    if (!document.getElementById(`tab-${tab}`)) tab = "now";
    this.tab = tab;
    for (const each of ["now", "why", "lines", "compare"]) {
      byID(`pane-${each}`).hidden = each !== tab;
      const button = document.getElementById(`tab-${each}`);
      button?.setAttribute("aria-selected", String(each === tab));
      if (button) button.tabIndex = each === tab ? 0 : -1;
    }
    this.showPanel();
    this.linkLater();
  }

  makeTools() {
    const button = (/** @type {string} */ label, /** @type {string} */ text, /** @type {() => void} */ action, /** @type {string} */ id) =>
      el("button", { id, class: "bar-button", title: label, "aria-label": label, onclick: action }, text);
    this.projectionButton = button("Globe or flat chart (g)", "Globe", () => this.toggleProjection(), "projection");
    this.layerButton = button("Hexagons, areas, or by scale (l)", "Auto", () => this.nextLayer(), "layer");
    fill(byID("tools"), this.projectionButton, this.layerButton, button("Whole flight on the map (m)", "Fit", () => this.fit(), "fit"),
      button("Dark or light (d)", "◐", () => this.toggleTheme(), "theme"), button("Keys (?)", "?", () => this.help?.showModal(), "keys"));
  }

  makeSearch() {
    const input = /** @type {HTMLInputElement} */ (byID("search"));
    input.value = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */ let timer;
    const set = () => {
      this.search?.set(input.value);
      if (input.value.trim()) this.showTab("lines");
    };
    input.oninput = () => {
      clearTimeout(timer);
      timer = setTimeout(set, 150);
    };
    input.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      if (!this.session.step("match", event.shiftKey ? -1 : 1) && this.session.matches.length) this.session.seekLine(this.session.matches[0]);
    };
    const popover = byID("filter");
    popover.addEventListener("beforetoggle", () => this.fillFilter(), { signal: this.ending.signal });
  }

  fillFilter() {
    const input = /** @type {HTMLInputElement} */ (byID("search"));
    const { flight } = this.session.recordings[this.session.active];
    const used = new Set(flight.columns.rule);
    /** @type {[string, string, string[]][]} */
    const groups = [
      ["Kind", "kind", [...flight.kinds].sort()], ["Rule", "rule", this.engine.rules.filter((_, i) => used.has(i)).map((rule) => rule.id)],
      ["Scope", "scope", flight.scopes], ["Severity", "severity", ["0", "1", "2", "3", "4"]],
    ];
    fill(byID("filter"), ...groups.map(([title, key, values]) => el("fieldset", null, el("legend", { text: title }),
      ...values.slice(0, 60).map((value) => {
        const term = `${key}:${value}`;
        const box = el("input", { type: "checkbox", onchange: () => this.setQuery(toggled(input.value, key, value)) });
        box.checked = input.value.split(/\s+/).includes(term);
        return el("label", { class: "check" }, box, el("span", { text: key === "severity" ? severities[Number(value)].name : value }));
      }))));
  }

  /** @param {string} query */
  setQuery(query) {
    const input = /** @type {HTMLInputElement} */ (byID("search"));
    input.value = query;
    this.search?.set(query);
    if (query.trim()) this.showTab("lines");
  }

  // MARK: What changes

  /** @param {import("./session.js").Change} change */
  changed(change) {
    if (change === "time") return this.renderLater();
    if (change === "selection") {
      if (this.session.selection) this.showTab("why");
      this.showSelection();
      this.timeline?.drawOverlay();
      this.showPanel();
    }
    if (change === "filter") {
      for (const map of this.maps ?? []) {
        map.refilter();
        map.draw();
      }
    }
    if (change === "search") this.lineList?.draw();
    if (change === "play" && !this.session.isPlaying) this.showPanel();
    this.linkLater();
  }

  renderLater() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.render();
    });
  }

  /** Shows the moment: folds to it, draws it, and tells the panels. */
  render() {
    const began = performance.now();
    const { session } = this;
    this.states = session.recordings.map((_, i) => session.state(i));
    this.compareCells();
    this.maps?.forEach((map, i) => {
      const state = this.states[i];
      if (!state) return;
      map.extraMarks = this.ownMarks(i, map);
      map.setState(state);
      map.draw();
    });
    this.legend?.count(this.states);
    const now = performance.now();
    if (!session.isPlaying || now - (this.panelAt ?? 0) > 150) {
      this.panelAt = now;
      this.showPanel();
    }
    if (!session.isPlaying) this.linkLater();
    performance.clearMeasures("contrail-frame");
    performance.measure("contrail-frame", { start: began });
  }

  compareCells() {
    if (this.states.length < 2) return;
    /** @type {[Set<number>, Set<number>]} */
    this.cells = [cellsOf(this.states[0]), cellsOf(this.states[1])];
    this.maps?.forEach((map, i) => {
      const other = /** @type {[Set<number>, Set<number>]} */ (this.cells)[1 - i];
      map.extraStyle = (slot) => (other.has(cellKey(map.cells.lo[slot], map.cells.hi[slot])) ? (this.isFading ? faint : 0) : marked);
    });
  }

  showPanel() {
    const { session, tab } = this;
    if (tab === "now") showNow(byID("pane-now"), session, session.active, this.states[session.active] ?? null, this.engine.rules);
    else if (tab === "why") {
      if (this.shownSelection !== session.selection) showWhy(byID("pane-why"), session);
      this.shownSelection = session.selection;
    } else if (tab === "lines") this.lineList?.reveal();
    else if (this.differences && this.cells)
      showCompare(byID("pane-compare"), session, this.states, this.differences, this.cells, { isFading: this.isFading, onFade: (fades) => this.fade(fades) });
    if (tab !== "why") this.shownSelection = undefined;
    const live = byID("live");
    if (!session.isPlaying) {
      clearTimeout(this.liveTimer);
      this.liveTimer = setTimeout(() => (live.textContent = spoken(session, this.states[session.active] ?? null)), 600);
    }
  }

  /** @param {boolean} fades */
  fade(fades) {
    this.isFading = fades;
    this.render();
  }

  showSelection() {
    const { selection } = this.session;
    this.maps?.forEach((map, i) => map.select(selection && selection.flight === i ? selection.cell ?? null : null, null));
  }

  /** Own reports up to the moment. @param {number} flight @param {MapView} map @returns {import("./map/scene.js").Mark[]} */
  ownMarks(flight, map) {
    const line = this.session.lines[flight];
    return (this.ownReports?.[flight] ?? []).filter((report) => report.line <= line).map((report) => {
      const slot = map.cells.slots(Uint32Array.of(report.lo), Uint32Array.of(report.hi))[0];
      return {
        vector: map.cells.middle(slot), shape: 3, size: 7, heading: 0, color: map.theme.own, alpha: 1, scope: "",
        title: `Own report, ${severities[report.severity].name.toLowerCase()}`, detail: `${flightLevel(report.altitude)}, line ${report.line + 1}`, time: report.at,
      };
    });
  }

  // MARK: The map

  /** @param {Pick} pick @param {number} flight */
  pick(pick, flight) {
    const { session } = this;
    session.active = flight;
    const line = session.lines[flight];
    /** @type {[number, number]} */ const at = [pick.lat, pick.lon];
    if (pick.kind === "mark" && pick.mark) {
      const { mark } = pick;
      return session.select({ kind: "mark", flight, line, title: mark.title, text: `${mark.detail}. ${span(Math.max(0, (this.states[flight]?.serverNow ?? 0) - mark.time * 1000))} old.`, scope: mark.scope });
    }
    if (pick.kind === "area") return session.select({ kind: "area", flight, line, title: "Area of turbulence", text: pick.text, scope: this.states[flight]?.scopes.find((s) => s.polygons)?.name });
    const cell = pick.cell ?? this.engine.cellAt(pick.lat, pick.lon);
    session.select({ kind: pick.kind === "cell" ? "cell" : "nothing", flight, line, cell: cell && { lo: cell.lo, hi: cell.hi }, place: at });
  }

  /** @param {Pick | null} pick @param {number} x @param {number} y @param {number} flight */
  hover(pick, x, y, flight) {
    const state = this.states[flight];
    const box = this.maps?.[flight].canvas.getBoundingClientRect();
    if (!pick || !state || !box) return showTip(null, 0, 0);
    const rows = [pick.mark?.title ?? (pick.kind === "area" ? pick.text : "")];
    if (pick.mark) rows.push(pick.mark.detail.slice(0, 300));
    if (pick.cell) {
      const { lo, hi, severity, altitude, edr, observedAt } = state.reports;
      const found = [];
      for (let i = 0; i < lo.length; i++) if (lo[i] === pick.cell.lo && hi[i] === pick.cell.hi) found.push(i);
      found.sort((a, b) => severity[b] - severity[a] || altitude[b] - altitude[a]);
      rows[0] = `${severities[Math.min(4, severity[found[0]])]?.name ?? "Report"}, ${place(pick.lat, pick.lon)}`;
      for (const i of found.slice(0, 6))
        rows.push(`${flightLevel(altitude[i])} ${severities[Math.min(4, severity[i])].short}, EDR ${(edr[i] / 10_000).toFixed(2)}, ${span(Math.max(0, state.serverNow - observedAt[i] * 1000))} old`);
      if (found.length > 6) rows.push(`and ${count(found.length - 6)} more`);
    }
    showTip(el("div", null, ...rows.filter(Boolean).map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }))), box.left + x, box.top + y);
  }

  /** @param {number} flight */
  moved(flight) {
    const from = this.maps?.[flight].camera;
    if (!from) return;
    this.maps?.forEach((map, i) => {
      if (i === flight) return;
      const { width, height } = map.camera;
      Object.assign(map.camera, from, { width, height });
      map.draw();
    });
    this.linkLater();
  }

  fit() {
    const [first] = this.maps ?? [];
    if (!first) return;
    first.fit((this.maps ?? []).flatMap((map) => map.points()));
    this.moved(0);
  }

  toggleProjection() {
    this.setProjection(this.projection === "flat" ? "globe" : "flat");
  }

  /** @param {"globe" | "flat"} projection */
  setProjection(projection) {
    this.projection = projection;
    for (const map of this.maps ?? []) map.setProjection(projection);
    if (this.projectionButton) this.projectionButton.textContent = projection === "flat" ? "Flat" : "Globe";
    this.linkLater();
  }

  nextLayer() {
    const all = /** @type {const} */ (["auto", "hexagons", "areas"]);
    const next = all[(all.indexOf(this.maps?.[0].layer ?? "auto") + 1) % 3];
    for (const map of this.maps ?? []) {
      map.layer = next;
      map.draw();
    }
    if (this.layerButton) this.layerButton.textContent = next.charAt(0).toUpperCase() + next.slice(1);
  }

  // MARK: Theme

  get isDark() {
    return this.theme ? this.theme === "dark" : darkQuery.matches;
  }

  toggleTheme() {
    this.theme = this.isDark ? "light" : "dark";
    this.setTheme();
  }

  setTheme() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    for (const map of this.maps ?? []) {
      map.isDark = this.isDark;
      map.layMarks();
      map.draw();
    }
    this.session.changed("theme");
  }

  // MARK: The address

  linkLater() {
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => this.link(), 300);
  }

  link() {
    const { session } = this;
    const camera = this.maps?.[0].camera;
    if (!camera || this.ending.signal.aborted) return;
    const recording = session.recordings[session.active];
    const line = session.lines[session.active];
    const isExact = recording.count && recording.flight.columns.at[line] - session.offsets[session.active] === session.at;
    const [lat, lon] = latLon(camera.center);
    const fragment = write({
      line: recording.count ? line : null, at: isExact ? null : session.at, flight: session.active, map: [lat, lon, camera.metresPerPoint],
      projection: this.projection ?? "globe", query: session.query, why: writeWhy(session.selection), tab: this.tab,
      hidden: session.shown.severities.map((shown, s) => (shown ? -1 : s)).filter((s) => s >= 0),
    });
    if (fragment === this.fragment) return;
    this.fragment = fragment;
    history.replaceState(null, "", `#${fragment}`);
  }

  /** Shows what the address says. */
  follow() {
    const { session } = this;
    if (location.hash.replace(/^#/, "") === this.fragment) return;
    const link = read(location.hash);
    if (link.flight < session.recordings.length) session.active = link.flight;
    if (link.line !== null) session.seekLine(link.line);
    if (link.at !== null) session.seek(link.at);
    if (link.projection) this.setProjection(link.projection);
    if (link.map) {
      const [lat, lon, scale] = link.map;
      for (const map of this.maps ?? []) {
        map.camera.lookAt(vector(Math.max(-90, Math.min(90, lat)), lon));
        map.camera.metresPerPoint = Math.max(60, Math.min(40_000, scale));
        map.draw();
      }
    }
    if (link.hidden.length) {
      link.hidden.forEach((s) => (session.shown.severities[s] = false));
      session.changed("filter");
    }
    if (link.query) this.setQuery(link.query);
    const why = link.why && readWhy(link.why, session.active, session.lines[session.active]);
    if (why) session.select(why);
    if (link.tab) this.showTab(/** @type {Tab} */ (link.tab));
  }

  // MARK: Keys

  /** @returns {import("./keys.js").KeyGroup[]} */
  keyGroups() {
    const { session, timeline, transport } = this;
    const step = (/** @type {import("./session.js").Step} */ by, /** @type {1 | -1} */ direction) => () => {
      session.play(false);
      session.step(by, direction);
    };
    const key = (/** @type {string[]} */ keys, /** @type {string} */ shown, /** @type {string} */ text, /** @type {() => void} */ action) => ({ keys, shown, text, action });
    return [
      { title: "Time", keys: [
        key([" "], "Space", "Play or pause", () => session.play(!session.isPlaying)),
        key(["ArrowRight"], "→", "Next line", step("line", 1)), key(["ArrowLeft"], "←", "Line before", step("line", -1)),
        key(["Shift+ArrowRight", "j"], "⇧→ j", "Next decision", step("decision", 1)), key(["Shift+ArrowLeft", "k"], "⇧← k", "Decision before", step("decision", -1)),
        key(["]", "Alt+ArrowRight"], "]", "Next request", step("request", 1)), key(["[", "Alt+ArrowLeft"], "[", "Request before", step("request", -1)),
        key(["p"], "p", "Next problem: a difference, an error, a relaunch", step("mark", 1)), key(["P"], "⇧P", "Problem before", step("mark", -1)),
        key(["Home"], "Home", "Start", () => session.seek(session.start)), key(["End"], "End", "End", () => session.seek(session.end)),
        key(["."], ".", "Faster", () => transport?.changeSpeed(1)), key([","], ",", "Slower", () => transport?.changeSpeed(-1)),
      ] },
      { title: "Timeline", keys: [
        key(["+", "="], "+", "Zoom in", () => timeline?.zoom(1.6)), key(["-"], "-", "Zoom out", () => timeline?.zoom(1 / 1.6)),
        key(["0"], "0", "Whole flight", () => timeline?.zoomOut()), key(["f"], "f", "Fold idle stretches, or not", () => timeline?.toggleFolding()),
      ] },
      { title: "Map", keys: [
        key(["g"], "g", "Globe or flat", () => this.toggleProjection()), key(["m"], "m", "Whole flight", () => this.fit()),
        key(["l"], "l", "Hexagons, areas, or by scale", () => this.nextLayer()),
        ...severities.map((severity, i) => key([String(i + 1)], String(i + 1), `Show or hide ${severity.name.toLowerCase()}`, () => this.legend?.toggleSeverity(i))),
      ] },
      { title: "Asking", keys: [
        key(["w"], "w", "Why this line?", () => session.select({ kind: "line", flight: session.active, line: session.lines[session.active] })),
        key(["/"], "/", "Search", () => byID("search").focus()), key(["n"], "n", "Next match", step("match", 1)), key(["N"], "⇧N", "Match before", step("match", -1)),
        key(["c"], "c", "First difference of two flights", () => this.showDifference()),
        key(["Escape"], "Esc", "Close", () => session.select(null)), key(["d"], "d", "Dark or light", () => this.toggleTheme()),
        key(["?"], "?", "This sheet", () => this.help?.showModal()),
      ] },
    ];
  }

  showDifference() {
    const found = this.differences?.decision ?? this.differences?.event;
    if (!found) return;
    if (found.a >= 0) this.session.seekLine(found.a, 0);
    else this.session.seekLine(found.b, 1);
    this.showTab("compare");
  }
}

/** The reports that this aircraft made. @param {Recording} recording
 * @returns {{line: number, at: number, lo: number, hi: number, severity: number, altitude: number}[]} */
function ownReports(recording) {
  const { columns: c, kinds } = recording.flight;
  const out = [];
  for (const line of recording.inputs) {
    if (kinds[c.kind[line]] !== "report.tracked" || out.length >= 5000) continue;
    const report = /"report":\{"id":"([0-9a-f]{8,16})","alt":(\d+),"sev":([0-4])/.exec(recording.flight.text(line, 1000));
    if (!report) continue;
    const id = report[1].padStart(16, "0");
    out.push({ line, at: c.at[line] / 1000, hi: parseInt(id.slice(0, 8), 16), lo: parseInt(id.slice(8), 16), altitude: Number(report[2]), severity: Number(report[3]) });
  }
  return out;
}
