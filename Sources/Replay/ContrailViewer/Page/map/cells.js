// The shapes of hexagons: each cell is asked from the engine once, and keeps its slot.

import { cellsPerRow, texelsPerCell } from "./shaders.js";
import { angle, dot, isInside, unit, vector } from "./sphere.js";

/** @typedef {import("./sphere.js").Vector} Vector */
/** @typedef {{boundaries(lo: Uint32Array, hi: Uint32Array): {latLon: Float64Array, start: Uint32Array}}} Geometry */

export class Cells {
  /** @param {Geometry} geometry */
  constructor(geometry) {
    this.geometry = geometry;
    this.count = 0;
    /** Slot + 1 by hash. */
    this.table = new Int32Array(1 << 12);
    this.lo = new Uint32Array(1 << 11);
    this.hi = new Uint32Array(1 << 11);
    this.texels = new Float32Array(cellsPerRow * texelsPerCell * 4);
    this.rows = 1;
    /** Whether the texture must be sent again. */
    this.isChanged = true;
  }

  /**
   * The slots of cells; unknown ones are added.
   * @param {Uint32Array} lo
   * @param {Uint32Array} hi
   * @returns {Uint32Array}
   */
  slots(lo, hi) {
    const out = new Uint32Array(lo.length);
    const first = this.count;
    for (let i = 0; i < lo.length; i++) out[i] = this.slot(lo[i], hi[i]);
    if (this.count > first) this.describe(first);
    return out;
  }

  /**
   * The slot of a cell that was seen before; -1 otherwise.
   * @param {number} lo
   * @param {number} hi
   */
  find(lo, hi) {
    const mask = this.table.length - 1;
    for (let at = hash(lo, hi) & mask; ; at = (at + 1) & mask) {
      const slot = this.table[at] - 1;
      if (slot < 0 || (this.lo[slot] === lo && this.hi[slot] === hi)) return slot;
    }
  }

  /**
   * @param {number} lo
   * @param {number} hi
   */
  slot(lo, hi) {
    const found = this.find(lo, hi);
    if (found >= 0) return found;
    if (this.count === this.lo.length) this.grow();
    const slot = this.count++;
    this.lo[slot] = lo;
    this.hi[slot] = hi;
    this.put(slot);
    return slot;
  }

  /** @param {number} slot */
  put(slot) {
    const mask = this.table.length - 1;
    let at = hash(this.lo[slot], this.hi[slot]) & mask;
    while (this.table[at]) at = (at + 1) & mask;
    this.table[at] = slot + 1;
  }

  grow() {
    const [lo, hi] = [this.lo, this.hi];
    this.lo = new Uint32Array(lo.length * 2);
    this.hi = new Uint32Array(lo.length * 2);
    this.lo.set(lo);
    this.hi.set(hi);
    this.table = new Int32Array(this.table.length * 2);
    for (let slot = 0; slot < this.count; slot++) this.put(slot);
  }

  /**
   * Asks for the shapes of the slots from `first` on.
   * @param {number} first
   */
  describe(first) {
    const { latLon, start } = this.geometry.boundaries(this.lo.slice(first, this.count), this.hi.slice(first, this.count));
    const rows = Math.ceil(this.count / cellsPerRow);
    if (rows > this.rows) {
      this.rows = Math.max(rows, this.rows * 2);
      const texels = new Float32Array(this.rows * cellsPerRow * texelsPerCell * 4);
      texels.set(this.texels);
      this.texels = texels;
    }
    const { texels } = this;
    for (let i = 0; i < start.length - 1; i++) {
      const n = Math.min(start[i + 1] - start[i], 10);
      if (!n) continue;
      const base = (first + i) * texelsPerCell * 4;
      const sum = [0, 0, 0];
      const corner = vector(latLon[2 * start[i]], latLon[2 * start[i] + 1]);
      for (let k = 0; k < 10; k++) {
        // The rest repeats the first vertex: triangles without area.
        const v = k === 0 || k >= n ? corner : vector(latLon[2 * (start[i] + k)], latLon[2 * (start[i] + k) + 1]);
        for (let j = 0; j < 3; j++) {
          texels[base + 4 * (k + 1) + j] = v[j];
          if (k < n) sum[j] += v[j];
        }
      }
      const middle = unit(sum);
      for (let j = 0; j < 3; j++) texels[base + j] = middle[j];
      texels[base + 3] = angle(middle, corner);
    }
    this.isChanged = true;
  }

  /**
   * @param {number} slot
   * @returns {Vector}
   */
  middle(slot) {
    const base = slot * texelsPerCell * 4;
    return [this.texels[base], this.texels[base + 1], this.texels[base + 2]];
  }

  /**
   * @param {number} slot
   * @returns {Vector[]}
   */
  ring(slot) {
    /** @type {Vector[]} */ const ring = [];
    const base = slot * texelsPerCell * 4;
    for (let k = 1; k <= 10; k++) {
      const at = base + 4 * k;
      if (k > 1 && this.texels[at] === this.texels[base + 4] && this.texels[at + 1] === this.texels[base + 5]) break;
      ring.push([this.texels[at], this.texels[at + 1], this.texels[at + 2]]);
    }
    return ring;
  }

  /**
   * The one of `slots` that holds a point, or whose middle is within `reach`; -1 if none does.
   * @param {Vector} point
   * @param {ArrayLike<number>} slots
   * @param {number} count
   * @param {number} reach Radians.
   */
  at(point, slots, count, reach) {
    let [best, nearest] = [-1, Math.cos(Math.max(reach, 0.0045))];
    for (let i = 0; i < count; i++) {
      const near = dot(this.middle(slots[i]), point);
      if (near > nearest) [best, nearest] = [slots[i], near];
    }
    if (best < 0 || nearest >= Math.cos(reach) || isInside(point, this.ring(best))) return best;
    return -1;
  }
}

/**
 * @param {number} lo
 * @param {number} hi
 */
function hash(lo, hi) {
  // The lower 20 bits of a cell of resolution 5 are all set.
  const mixed = Math.imul((lo >>> 20) ^ Math.imul(hi, 0x9e3779b1), 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
