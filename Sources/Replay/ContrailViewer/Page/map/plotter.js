// Draws without WebGL2: lines and hexagons on a plain canvas, without land, night or areas' fills. The same calls as
// painter.js.

/** @typedef {import("./sphere.js").Vector} Vector */
/** @typedef {{texture: WebGLTexture, pieces: number, paths?: Vector[][]}} Lines */

import { cellsPerRow, texelsPerCell, trianglesPerCell } from "./shaders.js";
import { css } from "../palette.js";

export class Plotter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.texels = new Float32Array(0);
    this.items = new Uint32Array(0);
    this.count = 0;
    this.symbols = new Float32Array(0);
    /** @type {import("./camera.js").Camera | null} */ this.camera = null;
  }

  setLand() {}
  setAreas() {}
  setCorridor() {}
  drawCorridor() {}
  drawNight() {}
  drawAreas() {}

  /**
   * @param {Lines | null} _
   * @param {Vector[][]} paths
   * @returns {Lines}
   */
  lines(_, paths) {
    return { texture: /** @type {any} */ (null), pieces: paths.length, paths };
  }

  /** @param {Float32Array} texels */
  setCells(texels) {
    this.texels = texels;
  }

  /**
   * @param {Uint32Array} items
   * @param {number} count
   */
  setHexagons(items, count) {
    this.items = items;
    this.count = count;
  }

  /** @param {Float32Array} symbols */
  setSymbols(symbols) {
    this.symbols = symbols;
  }

  /**
   * @param {import("./camera.js").Camera} camera
   * @param {number} ratio
   */
  begin(camera, ratio) {
    this.camera = camera;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** @param {Record<string, number[]>} theme */
  drawBackdrop(theme) {
    const { context, camera } = this;
    if (!camera) return;
    context.fillStyle = css(theme.space);
    context.fillRect(0, 0, camera.width, camera.height);
    context.fillStyle = css(theme.ocean);
    context.beginPath();
    context.arc(camera.width / 2, camera.height / 2, Math.min(camera.limb, 1e5), 0, 7);
    context.fill();
  }

  /** @param {number[]} _ */
  drawLand(_) {}

  /**
   * @param {Lines | null} lines
   * @param {{color: number[], alpha?: number, width: number, dash?: number}} style
   */
  drawLines(lines, style) {
    const { context, camera } = this;
    if (!camera) return;
    context.strokeStyle = css(style.color, style.alpha ?? 1);
    context.lineWidth = style.width;
    context.setLineDash(style.dash ? [style.dash * 0.58, style.dash * 0.42] : []);
    context.beginPath();
    for (const path of lines?.paths ?? []) {
      let isDown = false;
      for (const v of path) {
        const p = camera.project(v);
        if (p && isDown) context.lineTo(p[0], p[1]);
        else if (p) context.moveTo(p[0], p[1]);
        isDown = p !== null;
      }
    }
    context.stroke();
    context.setLineDash([]);
  }

  /**
   * @param {{color: number[], alpha: number, border: number[], borderAlpha: number}[]} styles
   * @param {number[]} _
   * @param {number} smallest
   */
  drawHexagons(styles, _, smallest) {
    const { context, camera, texels } = this;
    if (!camera || cellsPerRow < 1) return;
    for (let i = 0; i < this.count; i++) {
      const base = this.items[2 * i] * texelsPerCell * 4;
      const style = styles[Math.min(4, this.items[2 * i + 1] & 7)];
      const alpha = this.items[2 * i + 1] & 16 ? style.alpha * 0.22 : style.alpha;
      const middle = camera.project(texels.subarray(base, base + 3));
      if (!middle) continue;
      context.fillStyle = css(style.color, alpha);
      const radius = texels[base + 3] * camera.scale;
      context.beginPath();
      if (radius < smallest) context.arc(middle[0], middle[1], smallest, 0, 7);
      else
        for (let k = 1; k <= trianglesPerCell; k++) {
          const p = camera.project(texels.subarray(base + 4 * k, base + 4 * k + 3));
          if (p) context.lineTo(p[0], p[1]);
        }
      context.fill();
      if (radius < 4) continue;
      context.closePath();
      context.strokeStyle = css(style.border, style.borderAlpha);
      context.lineWidth = 1;
      context.stroke();
    }
  }

  /** @param {number[]} ink */
  drawSymbols(ink) {
    const { context, camera, symbols } = this;
    if (!camera) return;
    for (let i = 0; i < symbols.length; i += 12) {
      const p = camera.project(symbols.subarray(i, i + 3));
      if (!p) continue;
      context.fillStyle = css([symbols[i + 4] * 255, symbols[i + 5] * 255, symbols[i + 6] * 255]);
      context.strokeStyle = css(ink);
      context.beginPath();
      context.arc(p[0], p[1], symbols[i + 8] * 0.7, 0, 7);
      context.fill();
      context.stroke();
    }
  }
}
