// The map of one flight: the canvas, its gestures and keys, what is under the pointer.

import { el, fitCanvas, prefersLessMotion } from "../dom.js";
import { distance } from "../format.js";
import { mapThemes, severities } from "../palette.js";
import { Camera } from "./camera.js";
import { Cells } from "./cells.js";
import { listenToGestures } from "./gestures.js";
import { Painter } from "./painter.js";
import { Plotter } from "./plotter.js";
import { areaVertices, areas, curve, layHexagons, markData, marks, parallels } from "./scene.js";
import { triangulate } from "./triangles.js";
import { dot, isInside, latLon, sunDirection } from "./sphere.js";

/** @typedef {import("./sphere.js").Vector} Vector */
/** @typedef {import("../engine.js").State} State */
/** @typedef {import("./scene.js").Mark} Mark */

/** From this scale on, areas of turbulence are drawn, as the SDK's documentation advises. */
export const areasFromMetresPerPoint = 3320;

/**
 * @typedef {object} Pick What is at a place of the map.
 * @property {"cell" | "mark" | "area" | "nothing"} kind
 * @property {number} lat
 * @property {number} lon
 * @property {{lo: number, hi: number} | null} cell
 * @property {Mark | null} mark
 * @property {string} text
 */

/**
 * @typedef {object} Land
 * @property {Float32Array} triangles
 * @property {Vector[][]} lines
 */

export class MapView {
  /**
   * @param {HTMLElement} host
   * @param {import("./cells.js").Geometry} geometry
   * @param {Land} land
   * @param {import("./scene.js").Shown} shown
   * @param {{onPick: (pick: Pick) => void, onHover: (pick: Pick | null, x: number, y: number) => void, onMove: (byUser: boolean) => void}} events
   */
  constructor(host, geometry, land, shown, events) {
    this.host = host;
    this.land = land;
    this.shown = shown;
    this.events = events;
    this.camera = new Camera();
    this.cells = new Cells(geometry);
    this.canvas = el("canvas", {
      class: "map-canvas", tabindex: 0, role: "application", "aria-roledescription": "map",
      "aria-label": "Map. Arrow keys move it, plus and minus zoom, Enter asks why at the centre.",
    });
    this.scale = el("div", { class: "map-scale", "aria-hidden": "true" });
    this.scaleBar = el("span", { class: "map-scale-bar" });
    this.scaleText = el("span");
    this.scale.append(this.scaleBar, this.scaleText);
    this.notice = el("div", { class: "map-notice", role: "status" });
    host.append(this.canvas, this.scale, this.notice);
    /** @type {Painter | Plotter} */
    this.painter = Painter.make(this.canvas) ?? new Plotter(this.canvas);
    this.isDark = true;
    /** The border of hexagons that only this flight has. */
    this.markColor = [76, 184, 255];
    /**
     * What is drawn: hexagons, and areas by scale; or always one of them.
     * @type {"auto" | "hexagons" | "areas"}
     */
    this.layer = "auto";
    /** @type {State | null} */ this.state = null;
    this.slots = new Uint32Array(0);
    this.hexagonCount = 0;
    this.scratch = { highest: new Int8Array(1024), items: new Uint32Array(2048) };
    /** @type {import("./scene.js").Area[]} */ this.areas = [];
    /** @type {Mark[]} */ this.marks = [];
    /** @type {Mark[]} */ this.extraMarks = [];
    /** @type {((slot: number) => number) | null} Further style bits of a cell's slot. */
    this.extraStyle = null;
    /** @type {Record<string, string>} What was laid last, so that it isn't laid again. */
    this.keys = {};
    /** Whether it is drawn when the caller is done. */
    this.isWaiting = false;
    /** Whether nothing is drawn yet. */
    this.isConcealed = false;
    /** @type {import("./painter.js").Lines[]} The edges of areas by severity. */
    this.outlines = [];
    this.makeStatic();
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.painter = Painter.make(this.canvas) ?? this.painter;
      this.keys = {};
      this.cells.isChanged = true;
      this.makeStatic();
      if (this.state) this.setState(this.state);
      this.draw();
    });
    listenToGestures(this);
    new ResizeObserver(() => {
      const { width, height } = this.camera;
      if (width !== this.canvas.clientWidth || height !== this.canvas.clientHeight) this.draw();
    }).observe(this.canvas);
  }

  /** The colours of the map. */
  get theme() {
    return this.isDark ? mapThemes.dark : mapThemes.light;
  }

  makeStatic() {
    this.painter.setLand(this.land.triangles);
    this.coast = this.painter.lines(null, this.land.lines);
    /** @type {Vector[][]} */ const grid = [];
    for (let lon = -180; lon < 180; lon += 15) grid.push(curve([[-85, lon], [-45, lon], [0, lon], [45, lon], [85, lon]]));
    for (let lat = -75; lat <= 75; lat += 15)
      grid.push(Array.from({ length: 145 }, (_, i) => curve([[lat, i * 2.5 - 180]])[0]));
    this.graticule = this.painter.lines(null, grid);
    this.corridor = this.painter.lines(null, []);
    this.viewport = this.painter.lines(null, []);
    this.route = this.painter.lines(null, []);
    this.piece = this.painter.lines(null, []);
    this.outlines = severities.map(() => this.painter.lines(null, []));
    this.selection = this.painter.lines(null, []);
  }

  // MARK: What is shown

  /** @param {State} state */
  setState(state) {
    const before = this.state;
    this.state = state;
    this.slots = this.cells.slots(state.reports.lo, state.reports.hi);
    this.layHexagons();
    this.setLines("corridor", state.corridor);
    this.setLines("viewport", state.query.viewport);
    this.setLines("route", state.query.route);
    const key = state.scopes.map((s) => (s.polygons ? `${s.name}:${s.digest}` : "")).join() + state.history;
    if (key !== this.keys.areas || !before) {
      this.keys.areas = key;
      this.areas = areas(state);
      this.layAreas();
    }
    this.layMarks();
  }

  /** Lays what the filters hide or show. */
  refilter() {
    if (!this.state) return;
    this.layHexagons();
    this.layAreas();
    this.layMarks();
  }

  layHexagons() {
    const { state, scratch, cells } = this;
    if (!state) return;
    if (scratch.highest.length < cells.count) scratch.highest = new Int8Array(cells.count * 2);
    if (scratch.items.length < 2 * this.slots.length) scratch.items = new Uint32Array(4 * this.slots.length);
    const hidden = state.scopes.map((scope) => this.shown.hiddenScopes.has(scope.name));
    this.hexagonCount = layHexagons(state.reports, this.slots, this.shown, (i) => !hidden[i], scratch, this.extraStyle);
    if (cells.isChanged) {
      this.painter.setCells(cells.texels, cells.rows);
      cells.isChanged = false;
    }
    this.painter.setHexagons(scratch.items, this.hexagonCount);
  }

  layAreas() {
    this.painter.setAreas(areaVertices(this.areas, this.shown.severities));
    this.outlines = severities.map((_, s) =>
      this.painter.lines(this.outlines[s] ?? null, this.shown.severities[s]
        ? this.areas.filter((a) => a.severity === s).flatMap((a) => a.rings.map((r) => [...r, r[0]])) : []));
  }

  layMarks() {
    if (!this.state) return;
    this.marks = [...marks(this.state, this.shown, this.theme), ...this.extraMarks];
    this.painter.setSymbols(markData(this.marks));
  }

  /**
   * @param {"corridor" | "viewport" | "route" | "piece"} name
   * @param {import("../engine.js").Path | null} path
   */
  setLines(name, path) {
    const key = path ? `${path.length}:${path[0]}:${path[path.length >> 1]}:${path[path.length - 1]}` : "";
    if (this.keys[name] === key) return;
    this.keys[name] = key;
    // The edges of an area are straight in longitude and latitude, as the server reads them; a route follows great circles.
    const line = name === "corridor" || name === "viewport" ? parallels(path) : curve(path);
    this[name] = this.painter.lines(this[name] ?? null, [line]);
    if (name === "corridor") this.painter.setCorridor(new Float32Array(line.length > 3 ? triangulate([line.slice(0, -1)]) : []));
  }

  /**
   * Marks a cell.
   *
   * @param {{lo: number, hi: number} | null} cell
   */
  select(cell) {
    const slot = cell ? this.cells.slots(Uint32Array.of(cell.lo), Uint32Array.of(cell.hi))[0] : -1;
    const ring = slot >= 0 ? this.cells.ring(slot) : [];
    this.selection = this.painter.lines(this.selection ?? null, ring.length > 2 ? [[...ring, ring[0]]] : []);
    this.draw();
  }

  /**
   * What the whole flight is about: corridor, route, viewport, or what is seen.
   * @param {Vector[]} extra
   */
  points(extra = []) {
    const { state } = this;
    if (!state) return extra;
    const points = [...parallels(state.corridor), ...curve(state.query.route), ...parallels(state.query.viewport), ...extra];
    if (points.length) return points;
    return Array.from(this.slots.subarray(0, 5000), (slot) => this.cells.middle(slot));
  }

  /** Whether areas are drawn now: by scale, below the hexagons. */
  get showsAreas() {
    if (this.layer !== "auto") return this.layer === "areas";
    return this.areas.length > 0 && (this.camera.metresPerPoint >= areasFromMetresPerPoint || this.hexagonCount === 0);
  }

  /** Whether hexagons are drawn now. */
  get showsHexagons() {
    return this.layer !== "areas";
  }

  // MARK: Drawing

  /** Draws nothing until `reveal`: without a graphics processor, a frame can take longer than the first data. */
  conceal() {
    this.isConcealed = true;
    this.canvas.style.visibility = "hidden";
  }

  reveal() {
    if (!this.isConcealed) return;
    this.isConcealed = false;
    this.canvas.style.visibility = "";
    this.draw();
  }

  /**
   * Fits the canvas and the camera to the page.
   * @returns {number} Pixels to a point.
   */
  measure() {
    const { width, height, ratio } = fitCanvas(this.canvas);
    this.camera.width = width;
    this.camera.height = height;
    return ratio;
  }

  /** Draws once for all changes that the caller makes. */
  draw() {
    if (this.isWaiting || this.isConcealed) return;
    this.isWaiting = true;
    queueMicrotask(() => {
      this.isWaiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const ratio = this.measure();
    const { camera, painter, theme } = this;
    painter.begin(camera, ratio);
    painter.drawBackdrop(theme);
    painter.drawLand(theme.land);
    if (this.state) painter.drawNight(sunDirection(this.state.serverNow), this.isDark ? [2, 4, 10, 0.42] : [30, 50, 90, 0.13]);
    painter.drawLines(this.graticule ?? null, { color: theme.graticule, alpha: theme.graticule[3], width: 1 });
    painter.drawLines(this.coast ?? null, { color: theme.coast, alpha: 0.9, width: 1 });
    painter.drawCorridor(theme.corridor, this.isDark ? 0.13 : 0.12);
    painter.drawLines(this.corridor ?? null, { color: theme.corridor, alpha: 1, width: 1.5 });
    painter.drawLines(this.viewport ?? null, { color: theme.viewport, alpha: 0.95, width: 1.5, dash: 10 });
    painter.drawLines(this.route ?? null, { color: theme.route, alpha: 0.7, width: 1.4, dash: 7 });
    if (this.showsAreas) {
      painter.drawAreas();
      this.outlines.forEach((lines, s) => painter.drawLines(lines, { color: severities[s].color, alpha: 0.9, width: 1.2 }));
    }
    if (this.showsHexagons) {
      const light = severities.map((s) => ({ ...s, alpha: s.alpha + 0.06 }));
      painter.drawHexagons(this.isDark ? severities : light, this.markColor, camera.metresPerPoint > 2500 ? 3.4 : 2.4);
    }
    painter.drawLines(this.piece ?? null, { color: theme.own, alpha: 1, width: 5 });
    painter.drawSymbols(theme.ink);
    painter.drawLines(this.selection ?? null, { color: theme.route, alpha: 1, width: 2.5 });
    this.drawScale();
  }

  drawScale() {
    const metres = this.camera.metresPerPoint * 90;
    const power = 10 ** Math.floor(Math.log10(metres));
    const round = [5, 2, 1].map((n) => n * power).find((n) => n <= metres) ?? power;
    this.scaleBar.style.width = `${round / this.camera.metresPerPoint}px`;
    this.scaleText.textContent = distance(round);
    const isFar = this.camera.metresPerPoint >= areasFromMetresPerPoint;
    const notice = this.layer === "areas" && this.hexagonCount ? "Hexagons are hidden." : this.layer === "auto" && isFar && this.state?.query.types.includes("turbulencePolygons") && !this.areas.length ? "No areas held." : "";
    if (this.notice.textContent !== notice) this.notice.textContent = notice;
  }

  // MARK: Moving

  /**
   * Shows points, as large as they fit.
   *
   * @param {Vector[]} points
   * @param {number} left Points of the screen on the left that are covered.
   */
  fit(points, left) {
    this.measure();
    this.camera.fit(points, left);
    this.draw();
  }

  /** @param {"globe" | "flat"} projection */
  setProjection(projection) {
    const target = projection === "flat" ? 1 : 0;
    const from = this.camera.morph;
    if (from === target) return;
    const start = performance.now();
    const length = prefersLessMotion() ? 0 : 450;
    const step = () => {
      const share = length ? Math.min(1, (performance.now() - start) / length) : 1;
      const eased = share * share * (3 - 2 * share);
      this.camera.morph = from + (target - from) * eased;
      this.draw();
      if (share < 1) requestAnimationFrame(step);
      else this.events.onMove(true);
    };
    step();
  }

  moved() {
    this.draw();
    this.events.onMove(true);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  hover(x, y) {
    const pick = this.pick(x, y);
    this.canvas.classList.toggle("is-over", pick !== null && pick.kind !== "nothing");
    this.events.onHover(pick && pick.kind !== "nothing" ? pick : null, x, y);
  }

  /**
   * What is at a place of the screen; null beside the globe.
   * @param {number} x
   * @param {number} y
   * @returns {Pick | null}
   */
  pick(x, y) {
    const { camera } = this;
    const point = camera.unproject(x, y);
    if (!point) return null;
    const [lat, lon] = latLon(point);
    const reach = 9 / camera.scale;
    /** @type {Mark | null} */ let mark = null;
    let nearest = Math.cos(reach);
    for (const each of this.marks) {
      const near = dot(each.vector, point);
      if (near > nearest) [mark, nearest] = [each, near];
    }
    if (mark) return { kind: "mark", lat, lon, cell: null, mark, text: `${mark.title}. ${mark.detail}` };
    if (this.showsHexagons) {
      const slots = Uint32Array.from({ length: this.hexagonCount }, (_, i) => this.scratch.items[2 * i]);
      const slot = this.cells.at(point, slots, slots.length, 3 / camera.scale);
      if (slot >= 0) return { kind: "cell", lat, lon, cell: { lo: this.cells.lo[slot], hi: this.cells.hi[slot] }, mark: null, text: "" };
    }
    if (this.showsAreas) {
      const area = [...this.areas].reverse().find((a) => holds(a.rings, point));
      if (area) return { kind: "area", lat, lon, cell: null, mark: null, text: area.text };
    }
    return { kind: "nothing", lat, lon, cell: null, mark: null, text: "" };
  }
}

/**
 * Whether a point lies in the outer ring and in no hole, by the angles at which the ring is seen.
 * @param {Vector[][]} rings
 * @param {Vector} point
 */
function holds(rings, point) {
  return rings.every((ring, i) => {
    if (ring.length === 3 && i === 0) return isInside(point, ring);
    let sum = 0;
    ring.forEach((a, k) => {
      const b = ring[(k + 1) % ring.length];
      const [u, v] = [tangent(a, point), tangent(b, point)];
      const s = dot([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], point);
      sum += Math.atan2(s, dot(u, v));
    });
    const winds = Math.abs(sum) > Math.PI && dot(ring[0], point) > 0;
    return i === 0 ? winds : !winds;
  });
}

/**
 * @param {Vector} a
 * @param {Vector} p
 * @returns {Vector}
 */
function tangent(a, p) {
  const d = dot(a, p);
  return [a[0] - d * p[0], a[1] - d * p[1], a[2] - d * p[2]];
}
