// Rings become triangles, and triangles become small enough to follow the sphere.

import { angle, between, cross, dot, unit, vector } from "./sphere.js";

/** @typedef {import("./sphere.js").Vector} Vector */

/**
 * Land and its edges, decoded from coastline.bin; `Scripts/coastlines` describes the format.
 * @param {Uint8Array} file
 * @returns {{triangles: Float32Array, lines: Vector[][]}}
 */
export function decodeLand(file) {
  let at = 0;
  const read = () => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = file[at++];
      value |= (byte & 127) << shift;
      if (!(byte & 128)) break;
      shift += 7;
    }
    return value & 1 ? -((value + 1) >> 1) : value >> 1;
  };
  /** @type {number[]} */ const out = [];
  /** @type {Vector[][]} */ const lines = [];
  for (let rings = read(); rings > 0 && at < file.length; rings--) {
    const n = read();
    const [xs, ys] = [new Float64Array(n), new Float64Array(n)];
    for (let i = 0, x = 0, y = 0; i < n; i++) [xs[i], ys[i]] = [(x += read()) / 100, (y += read()) / 100];
    const next = Int32Array.from({ length: n }, (_, i) => (i + 1) % n);
    const before = Int32Array.from({ length: n }, (_, i) => (i + n - 1) % n);
    for (let i = 0, ear = 0; i < n - 2; i++) {
      ear += read();
      const [a, b] = [before[ear], next[ear]];
      splitFlat(out, xs[a], ys[a], xs[ear], ys[ear], xs[b], ys[b]);
      [next[a], before[b]] = [b, a];
    }
    /** @type {Vector[]} */ let line = [];
    const cut = () => {
      if (line.length > 1) lines.push(line);
      line = [];
    };
    for (let i = 0; i <= n; i++) {
      const [j, k] = [i % n, (i + 1) % n];
      line.push(vector(ys[j], xs[j]));
      if (i < n && ((Math.abs(xs[j]) === 180 && xs[j] === xs[k]) || (ys[j] <= -89.99 && ys[k] <= -89.99))) cut();
    }
    cut();
  }
  return { triangles: new Float32Array(out), lines };
}

/**
 * Splits a triangle in degrees until its edges are short, each edge by its own length, so that neighbours agree.
 * @param {number[]} out
 * @param {number} ax
 * @param {number} ay
 * @param {number} bx
 * @param {number} by
 * @param {number} cx
 * @param {number} cy
 */
function splitFlat(out, ax, ay, bx, by, cx, cy) {
  const ab = (ax - bx) ** 2 + (ay - by) ** 2;
  const bc = (bx - cx) ** 2 + (by - cy) ** 2;
  const ca = (cx - ax) ** 2 + (cy - ay) ** 2;
  const longest = Math.max(ab, bc, ca);
  if (longest <= 36) {
    out.push(...vector(ay, ax), ...vector(by, bx), ...vector(cy, cx));
  } else if (longest === ab) {
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
    splitFlat(out, ax, ay, x, y, cx, cy);
    splitFlat(out, x, y, bx, by, cx, cy);
  } else if (longest === bc) {
    const [x, y] = [(bx + cx) / 2, (by + cy) / 2];
    splitFlat(out, ax, ay, bx, by, x, y);
    splitFlat(out, ax, ay, x, y, cx, cy);
  } else {
    const [x, y] = [(cx + ax) / 2, (cy + ay) / 2];
    splitFlat(out, ax, ay, bx, by, x, y);
    splitFlat(out, x, y, bx, by, cx, cy);
  }
}

/**
 * @param {number[]} out
 * @param {Vector} a
 * @param {Vector} b
 * @param {Vector} c
 */
function splitRound(out, a, b, c) {
  const [ab, bc, ca] = [angle(a, b), angle(b, c), angle(c, a)];
  const longest = Math.max(ab, bc, ca);
  if (longest <= 0.1) out.push(...a, ...b, ...c);
  else if (longest === ab) {
    const m = between(a, b, 0.5);
    splitRound(out, a, m, c);
    splitRound(out, m, b, c);
  } else if (longest === bc) {
    const m = between(b, c, 0.5);
    splitRound(out, a, b, m);
    splitRound(out, a, m, c);
  } else {
    const m = between(c, a, 0.5);
    splitRound(out, a, b, m);
    splitRound(out, m, b, c);
  }
}

/**
 * The triangles of a polygon with holes, three vectors each. Rings are taken without their closing point.
 *
 * The ring is flattened around its middle, so it must fit into a hemisphere; what doesn't has no triangles.
 *
 * @param {Vector[][]} rings The outer ring, then holes.
 * @returns {number[]}
 */
export function triangulate(rings) {
  const sum = [0, 0, 0];
  for (const p of rings[0]) for (let i = 0; i < 3; i++) sum[i] += p[i];
  const middle = unit(sum);
  if (rings[0].length < 3 || rings[0].length > 2000 || rings.some((ring) => ring.some((p) => dot(p, middle) < 0.05))) return [];
  const east = unit(cross(Math.abs(middle[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], middle));
  const north = cross(middle, east);
  /**
   * @param {Vector} p
   * @returns {{x: number, y: number, v: Vector}}
   */
  const flat = (p) => {
    const s = angle(p, middle) / (Math.hypot(dot(p, east), dot(p, north)) || 1);
    return { x: dot(p, east) * s, y: dot(p, north) * s, v: p };
  };
  let ring = turned(rings[0].map(flat), 1);
  for (const hole of rings.slice(1)) if (hole.length > 2) ring = bridged(ring, turned(hole.map(flat), -1));
  /** @type {number[]} */ const out = [];
  let misses = 0;
  for (let i = 0; ring.length > 2 && misses <= ring.length; ) {
    i %= ring.length;
    const [a, b, c] = [ring[(i + ring.length - 1) % ring.length], ring[i], ring[(i + 1) % ring.length]];
    const bend = turn(a, b, c);
    const isEar = bend === 0 || (bend > 0 && !ring.some((p) => p !== a && p !== b && p !== c && holds(a, b, c, p)));
    if (!isEar) {
      misses++;
      i++;
      continue;
    }
    if (bend > 0) splitRound(out, a.v, b.v, c.v);
    ring.splice(i, 1);
    misses = 0;
  }
  return out;
}

/** @typedef {{x: number, y: number, v: Vector}} Flat */

/**
 * @param {Flat} a
 * @param {Flat} b
 * @param {Flat} c
 */
function turn(a, b, c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/**
 * @param {Flat} a
 * @param {Flat} b
 * @param {Flat} c
 * @param {Flat} p
 */
function holds(a, b, c, p) {
  if ((p.x === a.x && p.y === a.y) || (p.x === b.x && p.y === b.y) || (p.x === c.x && p.y === c.y)) return false;
  return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

/**
 * The ring in the given sense.
 * @param {Flat[]} ring
 * @param {number} sense 1 is counter-clockwise.
 */
function turned(ring, sense) {
  const area = ring.reduce((sum, p, i) => {
    const q = ring[(i + 1) % ring.length];
    return sum + p.x * q.y - q.x * p.y;
  }, 0);
  return area * sense < 0 ? ring.reverse() : ring;
}

/**
 * Joins a hole to a ring by two edges between their nearest points.
 * @param {Flat[]} ring
 * @param {Flat[]} hole
 */
function bridged(ring, hole) {
  let [best, i, j] = [Infinity, 0, 0];
  ring.forEach((a, m) =>
    hole.forEach((b, n) => {
      const d = (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
      if (d < best) [best, i, j] = [d, m, n];
    }));
  return [...ring.slice(0, i + 1), ...hole.slice(j), ...hole.slice(0, j + 1), ...ring.slice(i)];
}
