// Time to pixels. Long stretches without a line are folded: they take a short length, however long they last.

/** A stretch of time and where it lies on the axis, both in milliseconds.
 * @typedef {{t0: number, t1: number, u0: number, u1: number, isGap: boolean}} Piece */

/** Pixels that stay free on both sides, so that the moment can be grabbed at the ends. */
export const margin = 10;

export class Axis {
  /**
   * @param {number} start
   * @param {number} end
   * @param {number[]} times Of what happens, in order.
   * @param {boolean} folds
   */
  constructor(start, end, times, folds) {
    const span = Math.max(1, end - start);
    const least = Math.max(600_000, span / 24);
    /** @type {Piece[]} */ this.pieces = [];
    let [t, u] = [start, 0];
    const add = (/** @type {number} */ to, /** @type {number} */ length, /** @type {boolean} */ isGap) => {
      if (to <= t) return;
      this.pieces.push({ t0: t, t1: to, u0: u, u1: u + length, isGap });
      [t, u] = [to, u + length];
    };
    if (folds) {
      const short = span / 60;
      for (let i = 1; i < times.length; i++) {
        const gap = times[i] - times[i - 1];
        if (gap < least) continue;
        const margin = Math.min(gap / 20, short / 4);
        add(times[i - 1] + margin, times[i - 1] + margin - t, false);
        add(times[i] - margin, short, true);
      }
    }
    add(Math.max(end, start + 1), Math.max(end, start + 1) - t, false);
    /** The length of the axis. */
    this.length = u;
    /** The window: the part of the axis that is shown. */
    this.from = 0;
    this.to = u;
  }

  /** Shows everything. */
  reset() {
    this.from = 0;
    this.to = this.length;
  }

  /** @param {number} time */
  unit(time) {
    const piece = this.find((p) => p.t1 >= time);
    return piece.u0 + ((time - piece.t0) / (piece.t1 - piece.t0)) * (piece.u1 - piece.u0);
  }

  /** @param {number} unit */
  time(unit) {
    const piece = this.find((p) => p.u1 >= unit);
    return piece.t0 + ((unit - piece.u0) / (piece.u1 - piece.u0)) * (piece.t1 - piece.t0);
  }

  /**
   * @param {(piece: Piece) => boolean} reaches
   * @returns {Piece}
   */
  find(reaches) {
    let [low, high] = [0, this.pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reaches(this.pieces[middle])) high = middle;
      else low = middle + 1;
    }
    return this.pieces[low];
  }

  /**
   * The pixel of a time.
   * @param {number} time
   * @param {number} width
   */
  x(time, width) {
    return margin + ((this.unit(time) - this.from) / (this.to - this.from)) * (width - 2 * margin);
  }

  /**
   * @param {number} x
   * @param {number} width
   */
  timeAt(x, width) {
    const unit = this.from + ((x - margin) / (width - 2 * margin)) * (this.to - this.from);
    return this.time(Math.max(0, Math.min(this.length, unit)));
  }

  /**
   * @param {number} factor
   * @param {number} share Where of the window stays, 0–1.
   */
  zoom(factor, share) {
    const size = this.to - this.from;
    const next = Math.max(Math.min(500, this.length), Math.min(this.length, size / factor));
    this.place(this.from + (size - next) * share, next);
  }

  /** @param {number} share Of the window. */
  pan(share) {
    const size = this.to - this.from;
    this.place(this.from + share * size, size);
  }

  /**
   * @param {number} from
   * @param {number} size
   */
  place(from, size) {
    this.from = Math.max(0, Math.min(this.length - size, from));
    this.to = this.from + size;
  }

  /**
   * Moves the window, if needed, so that a time is in it.
   * @param {number} time
   */
  reveal(time) {
    const unit = this.unit(time);
    const size = this.to - this.from;
    if (unit < this.from || unit > this.to) this.place(unit - size / 2, size);
  }

  /** Whether less than everything is shown. */
  get isZoomed() {
    return this.to - this.from < this.length * 0.999;
  }

  /**
   * The marks of the ruler that are in the window: round times, about `spacing` pixels apart.
   * @param {number} width
   * @param {number} spacing
   * @returns {{time: number, x: number}[]}
   */
  ticks(width, spacing) {
    const perPixel = (this.to - this.from) / width;
    const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800];
    const step = (steps.find((s) => s * 1000 >= perPixel * spacing) ?? 2_592_000) * 1000;
    /** @type {{time: number, x: number}[]} */ const out = [];
    for (const piece of this.pieces) {
      if (piece.isGap || piece.u1 < this.from || piece.u0 > this.to) continue;
      const first = Math.max(piece.t0, this.time(Math.max(this.from, piece.u0)));
      const last = Math.min(piece.t1, this.time(Math.min(this.to, piece.u1)));
      for (let time = Math.ceil(first / step) * step; time <= last && out.length < 400; time += step)
        out.push({ time, x: this.x(time, width) });
    }
    return out;
  }
}
