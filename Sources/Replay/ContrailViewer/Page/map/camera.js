// How the sphere meets the screen. One family of projections leads from the globe (orthographic, seen from afar) to the
// flat chart (stereographic, as polar and en-route charts are): `morph` goes from 0 to 1. The chart is always centred
// on the view, so neither 180° nor the poles are an edge.

import { angle, cross, dot, earthRadius, latLon, unit, vector } from "./sphere.js";

/** @typedef {import("./sphere.js").Vector} Vector */

export class Camera {
  /**
   * The direction of the centre of the view.
   * @type {Vector}
   */
  center = vector(30, 0);
  /**
   * The direction that is up on the screen.
   * @type {Vector}
   */
  up = [0, 0, 1];
  /** @type {Vector} */ right = [0, 1, 0];
  metresPerPoint = 12_000;
  morph = 0;
  width = 1;
  height = 1;

  constructor() {
    this.level();
  }

  /** Points to a radian at the centre. */
  get scale() {
    return earthRadius / this.metresPerPoint;
  }

  /** What lies further away than this on the viewer's axis isn't seen. */
  get horizon() {
    return Math.max(-this.morph, -0.965);
  }

  /** The radius of the globe's outline in points; infinite on the chart. */
  get limb() {
    return this.morph > 0.999 ? Infinity : this.scale * Math.sqrt((1 + this.morph) / (1 - this.morph));
  }

  /** Turns north up. */
  level() {
    const [lat, lon] = latLon(this.center);
    const polar = Math.abs(lat) > 89.99;
    this.up = polar ? vector(0, lat > 0 ? lon + 180 : lon) : unit(cross(cross(this.center, [0, 0, 1]), this.center));
    this.right = cross(this.up, this.center);
  }

  /** How far north is turned clockwise from up, in radians. */
  get bearing() {
    const north = unit(cross(cross(this.center, [0, 0, 1]), this.center));
    return Math.atan2(dot(north, this.right), dot(north, this.up));
  }

  /**
   * @param {Vector} center
   * @param {boolean} [level]
   */
  lookAt(center, level = true) {
    this.center = unit(center);
    if (level) this.level();
    else {
      this.right = unit(cross(this.up, this.center));
      this.up = cross(this.center, this.right);
    }
  }

  /**
   * The place on the screen in points; null if it is behind the horizon.
   * @param {ArrayLike<number>} v
   * @returns {[number, number] | null}
   */
  project(v) {
    const z = dot(v, this.center);
    if (z < this.horizon) return null;
    const s = (this.scale * (1 + this.morph)) / (1 + this.morph * z);
    return [this.width / 2 + dot(v, this.right) * s, this.height / 2 - dot(v, this.up) * s];
  }

  /**
   * The direction at a place of the screen; null beside the globe.
   * @param {number} x
   * @param {number} y
   * @returns {Vector | null}
   */
  unproject(x, y) {
    const [px, py] = [(x - this.width / 2) / this.scale, (this.height / 2 - y) / this.scale];
    const [m, r2] = [this.morph, px * px + py * py];
    const a = r2 * m * m + (1 + m) * (1 + m);
    const half = r2 * m;
    const root = half * half - a * (r2 - (1 + m) * (1 + m));
    if (root < 0) return null;
    const z = (Math.sqrt(root) - half) / a;
    const s = (1 + m * z) / (1 + m);
    const [r, u, c] = [this.right, this.up, this.center];
    const [dx, dy] = [px * s, py * s];
    return unit([r[0] * dx + u[0] * dy + c[0] * z, r[1] * dx + u[1] * dy + c[1] * z, r[2] * dx + u[2] * dy + c[2] * z]);
  }

  /**
   * Turns the sphere so that what was at one direction comes to another. Near the poles north may turn away from up.
   * @param {Vector} from
   * @param {Vector} to
   */
  drag(from, to) {
    const turn = angle(to, from);
    if (turn < 1e-12) return;
    const axis = unit(cross(to, from));
    /**
     * @param {Vector} v
     * @returns {Vector}
     */
    const spin = (v) => {
      const [c, s] = [Math.cos(turn), Math.sin(turn)];
      const [n, k] = [cross(axis, v), dot(axis, v) * (1 - c)];
      return unit([v[0] * c + n[0] * s + axis[0] * k, v[1] * c + n[1] * s + axis[1] * k, v[2] * c + n[2] * s + axis[2] * k]);
    };
    this.center = spin(this.center);
    this.up = spin(this.up);
    this.lookAt(this.center, Math.abs(this.center[2]) < 0.9);
  }

  /**
   * Zooms and keeps what is at a place of the screen there.
   * @param {number} factor
   * @param {number} x
   * @param {number} y
   */
  zoomAt(factor, x, y) {
    const anchor = this.unproject(x, y);
    this.metresPerPoint = Math.min(40_000, Math.max(60, this.metresPerPoint / factor));
    const now = anchor && this.unproject(x, y);
    if (anchor && now) this.drag(anchor, now);
  }

  /**
   * Centres on points, as large as they fit.
   *
   * @param {Vector[]} points
   * @param {number} [left] Points of the screen on the left that are covered.
   */
  fit(points, left = 0) {
    const share = 0.86;
    const free = this.width - left;
    if (!points.length) return;
    // The middle of the smallest cap around the points (Bădoiu and Clarkson, 2003): none of them is behind the horizon then.
    let cap = points[0];
    for (let i = 3; i < 60; i++) {
      const far = points.reduce((a, b) => (dot(b, cap) < dot(a, cap) ? b : a));
      cap = unit([cap[0] + (far[0] - cap[0]) / i, cap[1] + (far[1] - cap[1]) / i, cap[2] + (far[2] - cap[2]) / i]);
    }
    this.lookAt(cap);
    for (let round = 0; round < 4; round++) {
      let [west, east, south, north] = [Infinity, -Infinity, Infinity, -Infinity];
      for (const p of points) {
        const z = Math.max(dot(p, this.center), this.horizon);
        const s = (1 + this.morph) / (1 + this.morph * z);
        const [x, y] = [dot(p, this.right) * s, dot(p, this.up) * s];
        [west, east, south, north] = [Math.min(west, x), Math.max(east, x), Math.min(south, y), Math.max(north, y)];
      }
      const wanted = Math.max((east - west) / free, (north - south) / this.height, 2e-5) / share;
      this.metresPerPoint = Math.min(26_000, Math.max(200, wanted * earthRadius));
      const middle = this.unproject(
        this.width / 2 + ((west + east) / 2) * this.scale - left / 2, this.height / 2 - ((south + north) / 2) * this.scale);
      if (middle) this.lookAt(middle);
    }
  }
}
