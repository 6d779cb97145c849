// Shapes for maps: hexagons and geodesics, by the engine's own geometry on the page's thread.

import { Engine } from "./engine.js";
import { ContrailError } from "./errors.js";
import { MemoryFiles } from "./files.js";

export class Geometry {
  #engine;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#engine = new Engine(module, new MemoryFiles());
  }

  /**
   * The vertices of hexagons. Those of cell `i` are from `start[i]` up to `start[i + 1]`, counter-clockwise, each a latitude and a
   * longitude in degrees in `latLon` (at `2 * vertex`). Longitudes may cross 180°: subtract to compare.
   *
   * @param {Uint32Array} lo The lower halves of the H3 indexes.
   * @param {Uint32Array} hi The upper halves.
   * @returns {{latLon: Float64Array, start: Uint32Array}}
   */
  boundaries(lo, hi) {
    const count = Math.min(lo.length, hi.length);
    const { exports } = this.#engine;
    const halves = new Uint32Array(2 * count);
    halves.set(lo.subarray(0, count));
    halves.set(hi.subarray(0, count), count);
    this.#engine.scratch(new Uint8Array(halves.buffer));
    const vertices = exports.boundaries(count);
    return {
      latLon: this.#engine.copy(Float64Array, exports.vertices(), 2 * vertices),
      start: this.#engine.copy(Uint32Array, exports.starts(), count + 1),
    };
  }

  /**
   * The cell of the reports' resolution (5) at a place; null if the place is none.
   *
   * @param {number} latitude
   * @param {number} longitude
   * @returns {{lo: number, hi: number, id: string} | null}
   */
  cellAt(latitude, longitude) {
    const cell = this.#engine.exports.cellAt(latitude, longitude);
    if (cell === 0n) return null;
    return { lo: Number(cell & 0xffffffffn), hi: Number(cell >> 32n), id: cell.toString(16) };
  }

  /**
   * Points at equal distances on the geodesic of WGS 84 between two places.
   *
   * @param {import("./types.js").Position} from
   * @param {import("./types.js").Position} to
   * @param {number} count At least 2.
   * @returns {{positions: import("./types.js").Position[], metres: number}}
   */
  geodesic(from, to, count) {
    const { exports } = this.#engine;
    const points = Math.max(2, Math.min(count, 10_000));
    const metres = exports.geodesic(from[1], from[0], to[1], to[0], points);
    if (metres < 0) {
      throw new ContrailError({ code: "invalidQuery", message: `${from} or ${to} isn't a position`, advice: "Give longitude and latitude in degrees." });
    }
    const latLon = this.#engine.copy(Float64Array, exports.vertices(), 2 * points);
    return { positions: Array.from({ length: points }, (_, i) => [latLon[2 * i + 1], latLon[2 * i]]), metres };
  }
}
