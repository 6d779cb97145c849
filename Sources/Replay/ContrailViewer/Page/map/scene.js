// What of a state is drawn: hexagons by severity, rings, areas, symbols. Turned into buffers once a state.

import { bandOf, severities as severityStyles } from "../palette.js";
import { between, angle, vector } from "./sphere.js";
import { triangulate } from "./triangles.js";

/** @typedef {import("../engine.js").State} State */
/** @typedef {import("../engine.js").Path} Path */
/** @typedef {import("./sphere.js").Vector} Vector */

/**
 * @typedef {object} Shown What the reader wants to see.
 * @property {boolean[]} severities
 * @property {boolean[]} bands
 * @property {Set<string>} hiddenScopes
 */

/** The style bits of a hexagon beside its severity. */
export const faint = 16;
export const marked = 32;

/**
 * A path as vectors, its edges split so that they follow the great circle.
 * @param {Path | null} path
 * @returns {Vector[]}
 */
export function curve(path) {
  /** @type {Vector[]} */ const out = [];
  for (const [lat, lon] of path ?? []) {
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) continue;
    const v = vector(lat, lon);
    const last = out[out.length - 1];
    if (last) {
      const steps = Math.min(64, Math.ceil(angle(last, v) / 0.02));
      for (let i = 1; i < steps; i++) out.push(between(last, v, i / steps));
    }
    out.push(v);
  }
  return out;
}

/**
 * A ring as vectors, its edges split so that they are straight in longitude and latitude, each the shorter way around.
 * @param {Path | null} path
 * @returns {Vector[]}
 */
export function parallels(path) {
  /** @type {Vector[]} */ const out = [];
  const points = (path ?? []).filter(([lat, lon]) => Number.isFinite(lat) && Number.isFinite(lon));
  const isPlain = points.every(([, lon]) => Math.abs(lon) <= 180);
  points.forEach(([lat, lon], i) => {
    if (i) {
      const [fromLat, fromLon] = points[i - 1];
      const turn = isPlain ? Math.round((lon - fromLon) / 360) * 360 : 0;
      const [up, across] = [lat - fromLat, lon - turn - fromLon];
      const steps = Math.min(180, Math.ceil(Math.hypot(up, across)));
      for (let k = 1; k < steps; k++) out.push(vector(fromLat + (up * k) / steps, fromLon + (across * k) / steps));
    }
    out.push(vector(lat, lon));
  });
  return out;
}

/**
 * The hexagons to draw, the severest last, so that it lies on top: the SDK shows one report a tile, the severest.
 *
 * @param {State["reports"]} reports
 * @param {Uint32Array} slots Of the reports' cells.
 * @param {Shown} shown
 * @param {(i: number) => boolean} isScopeShown
 * @param {{highest: Int8Array, items: Uint32Array}} scratch
 * @param {((slot: number) => number) | null} extra Further style bits of a cell.
 * @returns {number} How many are in `scratch.items`.
 */
export function layHexagons(reports, slots, shown, isScopeShown, scratch, extra) {
  const { severity, altitude, scope } = reports;
  const { highest, items } = scratch;
  // Tables, because this loop runs over every report in every frame.
  const severities = Uint8Array.from({ length: 256 }, (_, s) => (s < 5 && shown.severities[s] ? 1 : 0));
  const altitudes = Uint8Array.from(bandOf, (band) => (shown.bands[band] ? 1 : 0));
  const scopes = Uint8Array.from({ length: 256 }, (_, i) => (isScopeShown(i) ? 1 : 0));
  for (let i = 0; i < slots.length; i++) highest[slots[i]] = -1;
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < slots.length; i++) {
    const s = severity[i];
    if (!(severities[s] & altitudes[altitude[i]] & scopes[scope[i]])) continue;
    const before = highest[slots[i]];
    if (s <= before) continue;
    if (before >= 0) counts[before]--;
    counts[s]++;
    highest[slots[i]] = s;
  }
  const at = [0, 0, 0, 0, 0];
  for (let s = 1; s < 5; s++) at[s] = at[s - 1] + counts[s - 1];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i];
    const s = highest[slot];
    if (s < 0) continue;
    highest[slot] = -2;
    const k = at[s]++;
    items[2 * k] = slot;
    items[2 * k + 1] = s | (extra ? extra(slot) : 0);
  }
  return counts[0] + counts[1] + counts[2] + counts[3] + counts[4];
}

/**
 * @typedef {object} Area An area of turbulence.
 * @property {Vector[][]} rings
 * @property {number} severity
 * @property {string} text
 */

/**
 * The areas of the scopes' GeoJSON. What isn't a polygon is passed over.
 * @param {State} state
 * @returns {Area[]}
 */
export function areas(state) {
  /** @type {Area[]} */ const out = [];
  const seen = new Set();
  for (const scope of state.scopes) {
    // The areas of a longer history hold those of a shorter one.
    if (!scope.polygons || !scope.name.startsWith(`global.${state.history}`) && state.scopes.some((s) => s.polygons && s.name === `global.${state.history}`)) continue;
    const features = /** @type {any} */ (scope.polygons).features;
    if (!Array.isArray(features) || seen.has(features)) continue;
    seen.add(features);
    for (const feature of features) {
      const severity = Math.min(4, Math.max(0, Math.trunc(Number(feature?.properties?.severity) || 0)));
      const geometry = feature?.geometry;
      const polygons = geometry?.type === "Polygon" ? [geometry.coordinates] : geometry?.type === "MultiPolygon" ? geometry.coordinates : [];
      if (!Array.isArray(polygons)) continue;
      for (const polygon of polygons) {
        const rings = Array.isArray(polygon) ? polygon.map(ringOf).filter((ring) => ring.length > 2) : [];
        const p = feature.properties ?? {};
        const text = `${severityStyles[severity].name}, FL${Number(p.baseAltitude) * 10 || 0}–FL${Number(p.topAltitude) * 10 || 0}, reports: ${Number(p.count) || 0}`;
        if (rings.length) out.push({ rings, severity, text });
      }
    }
  }
  return out.sort((a, b) => a.severity - b.severity);
}

/**
 * @param {any} coordinates
 * @returns {Vector[]}
 */
function ringOf(coordinates) {
  const ring = Array.isArray(coordinates) ? parallels(coordinates.map((point) => [Number(point?.[1]), Number(point?.[0])])) : [];
  const [first, last] = [ring[0], ring[ring.length - 1]];
  if (ring.length > 1 && angle(first, last) < 1e-9) ring.pop();
  return ring;
}

/**
 * Vertices with colours, as the painter takes them.
 * @param {Area[]} all
 * @param {boolean[]} shown By severity.
 * @returns {Float32Array}
 */
export function areaVertices(all, shown) {
  /** @type {number[]} */ const out = [];
  for (const area of all) {
    if (!shown[area.severity]) continue;
    const { color } = severityStyles[area.severity];
    const vertices = triangulate(area.rings);
    for (let i = 0; i < vertices.length; i += 3)
      out.push(vertices[i], vertices[i + 1], vertices[i + 2], color[0] / 255, color[1] / 255, color[2] / 255, 0.42);
  }
  return new Float32Array(out);
}

/** @typedef {{vector: Vector, shape: number, size: number, heading: number, color: number[], alpha: number,
 *   title: string, detail: string, scope: string, time: number}} Mark */

/**
 * PIREPs and aircraft as symbols.
 * @param {State} state
 * @param {Shown} shown
 * @param {Record<string, any>} theme
 * @returns {Mark[]}
 */
export function marks(state, shown, theme) {
  /** @type {Mark[]} */ const out = [];
  for (const scope of state.scopes) {
    if (shown.hiddenScopes.has(scope.name)) continue;
    for (const p of scope.pireps) {
      const known = p.sev !== undefined && p.sev >= 0 && p.sev <= 4;
      out.push({
        vector: vector(p.lat, p.lon), shape: 1, size: p.urgent ? 9 : 7, heading: 0,
        color: known && p.sev !== 0 ? severityStyles[p.sev ?? 0].color : theme.pirep, alpha: 1,
        title: `${p.urgent ? "Urgent PIREP" : "PIREP"}${p.fl !== undefined ? `, FL${p.fl}` : ""}`,
        detail: p.text, scope: scope.name, time: p.observedAt,
      });
    }
    for (const a of scope.traffic)
      out.push({
        vector: vector(a.lat, a.lon), shape: 2, size: 8, heading: ((a.track ?? 0) * Math.PI) / 180,
        color: theme.traffic, alpha: 1, title: a.callsign || a.id,
        detail: [a.alt !== undefined ? `${a.alt} ft` : "", a.gs !== undefined ? `${a.gs} kt` : "", a.track !== undefined ? `${a.track}°` : ""].filter(Boolean).join(", "),
        scope: scope.name, time: a.observedAt,
      });
  }
  return out;
}

/**
 * @param {Mark[]} all
 * @returns {Float32Array}
 */
export function markData(all) {
  const data = new Float32Array(all.length * 12);
  all.forEach((m, i) => data.set([...m.vector, m.shape, m.color[0] / 255, m.color[1] / 255, m.color[2] / 255, m.alpha, m.size, m.heading], i * 12));
  return data;
}
