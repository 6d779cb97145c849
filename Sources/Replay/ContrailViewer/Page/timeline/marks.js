// What is drawn over all lanes: folded stretches, problems, matches of the search.

import { span } from "../format.js";

/** @typedef {import("./axis.js").Axis} Axis */
/** @typedef {import("./lanes.js").Ink} Ink */

/** The height of the ruler above the lanes. */
export const rulerHeight = 26;

/**
 * Adds a box with round corners to the path.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function roundedBox(context, x, y, width, height, radius) {
  /** @type {any} */ (context).roundRect(x, y, width, height, radius);
}

/**
 * A folded stretch: shaded between torn edges, with its length.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Axis} axis
 * @param {import("./axis.js").Piece} piece
 * @param {number} width
 * @param {number} height
 * @param {Ink} ink
 */
export function drawGap(context, axis, piece, width, height, ink) {
  const [x0, x1] = [axis.x(piece.t0, width), axis.x(piece.t1, width)];
  if (x1 < 0 || x0 > width) return;
  context.fillStyle = ink.grid;
  context.fillRect(x0, rulerHeight, x1 - x0, height - rulerHeight);
  context.strokeStyle = ink.faint;
  context.lineWidth = 1;
  context.beginPath();
  for (const side of [x0, x1])
    for (let y = rulerHeight; y <= height; y += 6) context[y === rulerHeight ? "moveTo" : "lineTo"](side + ((y / 6) % 2 ? 1.5 : -1.5), y);
  context.stroke();
  const label = gapLabel(context, axis, piece, width);
  context.fillStyle = ink.faint;
  if (label) context.fillText(label.text, label.from, 12);
}

/**
 * The label of a folded stretch on the ruler, and the pixels that it takes; null if it has no room.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Axis} axis
 * @param {import("./axis.js").Piece} piece
 * @param {number} width
 */
export function gapLabel(context, axis, piece, width) {
  const [x0, x1] = [axis.x(piece.t0, width), axis.x(piece.t1, width)];
  const text = span(piece.t1 - piece.t0);
  const length = context.measureText(text).width;
  const from = (x0 + x1 - length) / 2;
  return length < x1 - x0 + 30 && from >= 0 && from + length <= width ? { text, from, to: from + length } : null;
}

/**
 * What went wrong, and what the search found, on the ruler.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {import("../session.js").Session} session
 * @param {Axis} axis
 * @param {number} width
 * @param {number} height
 * @param {Ink} ink
 */
export function drawMarks(context, session, axis, width, height, ink) {
  session.recordings.forEach((recording, flight) => {
    const { at } = recording.flight.columns;
    const x = (/** @type {number} */ line) => axis.x(at[line] - session.offsets[flight], width);
    const draw = (/** @type {number[]} */ lines, /** @type {string} */ color, /** @type {string} */ shape) => {
      let last = -9;
      for (const line of lines) {
        const p = x(line);
        if (p < -6 || p > width + 6 || p - last < 1.5) continue;
        last = p;
        context.fillStyle = color;
        if (shape === "line") {
          for (let y = rulerHeight - 6; y < height; y += 7) context.fillRect(p - 0.75, y, 1.5, 4);
          context.font = "600 10px system-ui, sans-serif";
          context.fillText("✕", p - 4, rulerHeight - 9);
          continue;
        }
        context.globalAlpha = 0.35;
        if (shape === "flag") context.fillRect(p - 0.5, rulerHeight - 6, 1, height);
        context.globalAlpha = 1;
        context.beginPath();
        if (shape === "flag") {
          context.moveTo(p - 5, rulerHeight - 14);
          context.lineTo(p + 5, rulerHeight - 14);
          context.lineTo(p, rulerHeight - 4);
        } else context.arc(p, rulerHeight - 7, 3.2, 0, 7);
        context.fill();
      }
    };
    if (flight === session.active) {
      context.globalAlpha = 0.9;
      let last = -9;
      for (const line of session.query ? session.matches : []) {
        const p = x(line);
        if (p < 0 || p > width || p - last < 1) continue;
        last = p;
        context.fillStyle = ink.accent;
        context.fillRect(p - 0.5, rulerHeight - 3, 1.5, 4);
      }
      context.globalAlpha = 1;
    }
    draw(recording.losses, ink.bad, "line");
    draw(recording.relaunches, ink.text, "line");
    draw(recording.errors, ink.warn, "dot");
    draw(recording.divergences, ink.bad, "flag");
  });
}
