// The maps of all flights: they move together, and tell what is under the pointer of any of them.

import { cellKey, cellsOf } from "../compare.js";
import { el, fill } from "../dom.js";
import { count, flightLevel, place, span } from "../format.js";
import { severities } from "../palette.js";
import { reportText, reportsOf } from "../reports.js";
import { showTip } from "../tip.js";
import { faint, marked } from "./scene.js";
import { courseFrom, dot, latLon, vector } from "./sphere.js";
import { MapView } from "./view.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../engine.js").State} State */
/** @typedef {import("./view.js").Pick} Pick */
/** @typedef {import("../recording.js").OwnReport} OwnReport */

export class MapDeck {
  /**
   * @param {HTMLElement} host
   * @param {Session} session
   * @param {import("../engine.js").Engine} engine
   * @param {import("./view.js").Land} land
   * @param {() => void} onMove After the reader moved the maps.
   */
  constructor(host, session, engine, land, onMove) {
    this.session = session;
    this.engine = engine;
    this.onMove = onMove;
    /** @type {(State | null)[]} */
    this.states = [];
    /** @type {[Set<number>, Set<number>]} The cells that each of two flights sees. */
    this.cells = [new Set(), new Set()];
    /** Whether the hexagons that both flights have are drawn faintly. */
    this.isFading = false;
    /** @type {"globe" | "flat"} */
    this.projection = "globe";
    /**
     * After the pointer moved over a hexagon, or off it.
     * @type {(flight: number, cell: {lo: number, hi: number} | null, level: number) => void}
     */
    this.onHoverCell = () => {};
    fill(host);
    this.maps = session.recordings.map((recording, flight) => {
      const box = el("div", { class: "map", "data-flight": "AB"[flight] });
      if (session.recordings.length > 1)
        box.append(el("div", { class: "map-name" },
          el("span", { class: `flight-tag is-${"ab"[flight]}`, text: "AB"[flight] }), el("span", { text: recording.flight.name.slice(-60) })));
      host.append(box);
      const map = new MapView(box, engine, land, session.shown, {
        onPick: (pick) => this.pick(pick, flight),
        onHover: (pick, x, y) => this.hover(pick, x, y, flight),
        onMove: () => this.moved(flight),
      });
      map.markColor = flight ? [167, 139, 250] : [76, 184, 255];
      return map;
    });
  }

  /**
   * Shows the states of a moment.
   *
   * @param {(State | null)[]} states
   */
  show(states) {
    this.states = states;
    if (states.length > 1) this.compare();
    this.maps.forEach((map, i) => {
      const state = states[i];
      if (!state) return;
      map.extraMarks = this.ownMarks(i, map);
      map.setState(state);
      map.draw();
    });
  }

  /** Marks the hexagons that only one flight has. */
  compare() {
    this.cells = [cellsOf(this.states[0]), cellsOf(this.states[1])];
    this.maps.forEach((map, i) => {
      const other = this.cells[1 - i];
      map.extraStyle = (/** @type {number} */ slot) =>
        other.has(cellKey(map.cells.lo[slot], map.cells.hi[slot])) ? (this.isFading ? faint : 0) : marked;
    });
  }

  /** Lays the maps again after a filter changed. */
  refilter() {
    for (const map of this.maps) {
      map.refilter();
      map.draw();
    }
  }

  /** Marks the cell that was chosen. */
  showSelection() {
    const { selection } = this.session;
    this.maps.forEach((map, i) => map.select(selection && selection.flight === i ? selection.cell ?? null : null));
  }

  /**
   * Marks a piece of the route.
   *
   * @param {number} flight
   * @param {import("../engine.js").Path | null} piece
   */
  showPiece(flight, piece) {
    const map = this.maps[flight];
    map.setLines("piece", piece);
    map.draw();
  }

  /**
   * The own reports up to the moment.
   *
   * @param {number} flight
   * @param {MapView} map
   * @returns {import("./scene.js").Mark[]}
   */
  ownMarks(flight, map) {
    const line = this.session.lines[flight];
    const reports = this.session.recordings[flight].ownReports.filter((report) => report.line <= line);
    if (!reports.length) return [];
    const slots = map.cells.slots(Uint32Array.from(reports, (r) => r.lo), Uint32Array.from(reports, (r) => r.hi));
    /** @type {import("./scene.js").Mark[]} */
    const marks = reports.map((report, i) => ({
      vector: map.cells.middle(slots[i]), shape: 3, size: 7, heading: 0, color: map.theme.own, alpha: 1, scope: "",
      title: `Own report, ${severities[report.severity].name.toLowerCase()}`,
      detail: `${flightLevel(report.altitude)}, line ${report.line + 1}`, time: report.at / 1000,
    }));
    // The own aircraft is where it reported last: a log has no other positions.
    const last = marks[marks.length - 1];
    const before = marks.findLast((mark) => dot(mark.vector, last.vector) < 1 - 1e-9);
    marks.push({
      ...last, shape: 2, size: 13, heading: before ? courseFrom(last.vector, before.vector) + Math.PI : 0, title: "Own aircraft",
      detail: `At its last report: ${last.detail}`,
    });
    return marks;
  }

  // MARK: Under the pointer

  /**
   * @param {Pick} pick
   * @param {number} flight
   */
  pick(pick, flight) {
    const { session } = this;
    session.active = flight;
    const line = session.lines[flight];
    const state = this.states[flight];
    if (pick.kind === "mark" && pick.mark) {
      const { mark } = pick;
      const age = span(Math.max(0, (state?.serverNow ?? 0) - mark.time * 1000));
      return session.select({ kind: "mark", flight, line, title: mark.title, text: `${mark.detail}. ${age} old.`, scope: mark.scope });
    }
    if (pick.kind === "area") {
      const scope = state?.scopes.find((each) => each.polygons)?.name;
      return session.select({ kind: "area", flight, line, title: "Area of turbulence", text: pick.text, scope });
    }
    const cell = pick.cell ?? this.engine.cellAt(pick.lat, pick.lon);
    session.select({
      kind: pick.kind === "cell" ? "cell" : "nothing", flight, line, cell: cell && { lo: cell.lo, hi: cell.hi },
      place: [pick.lat, pick.lon],
    });
  }

  /**
   * @param {Pick | null} pick
   * @param {number} x
   * @param {number} y
   * @param {number} flight
   */
  hover(pick, x, y, flight) {
    const state = this.states[flight];
    const found = pick?.cell && state ? reportsOf(state, pick.cell) : [];
    this.onHoverCell(flight, found.length ? pick?.cell ?? null : null, state && found.length ? state.reports.altitude[found[0]] : 0);
    if (!pick || !state) return showTip(null, 0, 0);
    const box = this.maps[flight].canvas.getBoundingClientRect();
    const rows = [pick.mark?.title ?? (pick.kind === "area" ? pick.text : "")];
    if (pick.mark) rows.push(pick.mark.detail.slice(0, 300));
    if (pick.cell) {
      rows[0] = `${severities[Math.min(4, state.reports.severity[found[0]])]?.name ?? "Report"}, ${place(pick.lat, pick.lon)}`;
      for (const i of found.slice(0, 6)) rows.push(reportText(state, i));
      if (found.length > 6) rows.push(`and ${count(found.length - 6)} more`);
    }
    const content = rows.filter(Boolean).map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }));
    showTip(el("div", null, ...content), box.left + x, box.top + y);
  }

  // MARK: Moving

  /**
   * Moves the other maps along.
   *
   * @param {number} flight
   */
  moved(flight) {
    const from = this.maps[flight].camera;
    this.maps.forEach((map, i) => {
      if (i === flight) return;
      const { width, height } = map.camera;
      Object.assign(map.camera, from, { width, height });
      map.draw();
    });
    this.onMove();
  }

  /** Shows the whole flight, or both. */
  fit() {
    const [first] = this.maps;
    first.fit(this.maps.flatMap((map) => map.points()), this.maps.length > 1 ? 0 : coveredLeft(first.host));
    this.moved(0);
  }

  /** @param {"globe" | "flat"} projection */
  setProjection(projection) {
    this.projection = projection;
    for (const map of this.maps) map.setProjection(projection);
    this.onMove();
  }

  /** Goes on to the next choice: by scale, hexagons always, areas always. */
  nextLayer() {
    const next = this.layer === "auto" ? "hexagons" : this.layer === "hexagons" ? "areas" : "auto";
    for (const map of this.maps) {
      map.layer = next;
      map.draw();
    }
  }

  /** What is drawn: hexagons, areas, or one of them by scale. */
  get layer() {
    return this.maps[0].layer;
  }

  /** @param {boolean} isDark */
  setTheme(isDark) {
    for (const map of this.maps) {
      map.isDark = isDark;
      map.layMarks();
      map.draw();
    }
  }

  /**
   * Latitude, longitude and metres a point of the view.
   *
   * @returns {[number, number, number]}
   */
  get view() {
    const { camera } = this.maps[0];
    const [lat, lon] = latLon(camera.center);
    return [lat, lon, camera.metresPerPoint];
  }

  /** @param {[number, number, number]} view */
  set view([lat, lon, scale]) {
    for (const map of this.maps) {
      map.camera.lookAt(vector(Math.max(-90, Math.min(90, lat)), lon));
      map.camera.metresPerPoint = Math.max(60, Math.min(40_000, scale));
      map.draw();
    }
  }
}

/**
 * How much of a map the open legend covers.
 *
 * @param {HTMLElement} host
 */
function coveredLeft(host) {
  const legend = document.querySelector(".legend-box[open]");
  return legend && host.clientWidth > 700 ? legend.clientWidth + 16 : 0;
}
