// Draws with WebGL2: programs, buffers and the order of layers. Knows nothing of flights.

import { Camera } from "./camera.js";
import { backdrop, cellsPerRow, fill, hexagon, line, night, symbol, texelsPerCell, texelsPerRow, trianglesPerCell } from "./shaders.js";
import { dot } from "./sphere.js";

/** @typedef {import("./sphere.js").Vector} Vector */

/**
 * Lines, each piece of a line two texels.
 * @typedef {{texture: WebGLTexture, pieces: number}} Lines
 */

export class Painter {
  /**
   * @param {HTMLCanvasElement} canvas
   * @returns {Painter | null} Null without WebGL2.
   */
  static make(canvas) {
    // The programs smooth the edges that are seen. Samples would double the time of a frame without a graphics processor.
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, powerPreference: "low-power" });
    return gl && new Painter(gl);
  }

  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.programs = {
      backdrop: this.program(backdrop), night: this.program(night), fill: this.program(fill),
      line: this.program(line), hexagon: this.program(hexagon), symbol: this.program(symbol),
    };
    this.vertexArray = gl.createVertexArray();
    gl.bindVertexArray(this.vertexArray);
    this.landBuffer = this.buffer();
    this.landCount = 0;
    this.areaBuffer = this.buffer();
    this.areaCount = 0;
    this.corridorBuffer = this.buffer();
    this.corridorCount = 0;
    this.hexagonTexture = this.texture();
    this.hexagonCount = 0;
    this.symbolTexture = this.texture();
    this.symbolCount = 0;
    this.cellTexture = this.texture();
    this.camera = new Camera();
    this.ratio = 1;
    this.size = [1, 1];
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** @returns {WebGLBuffer} */
  buffer() {
    return /** @type {WebGLBuffer} */ (this.gl.createBuffer());
  }

  /** @returns {WebGLTexture} A texture whose texels are fetched by number. */
  texture() {
    const { gl } = this;
    const texture = /** @type {WebGLTexture} */ (gl.createTexture());
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  /** @param {{vertex: string, fragment: string}} source */
  program(source) {
    const { gl } = this;
    const program = /** @type {WebGLProgram} */ (gl.createProgram());
    for (const [kind, text] of /** @type {[number, string][]} */ ([[gl.VERTEX_SHADER, source.vertex], [gl.FRAGMENT_SHADER, source.fragment]])) {
      const shader = /** @type {WebGLShader} */ (gl.createShader(kind));
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const logs = gl.getAttachedShaders(program)?.map((each) => gl.getShaderInfoLog(each)).join("\n");
      throw new Error(`A shader doesn't link: ${gl.getProgramInfoLog(program)} ${logs}`);
    }
    /** @type {Record<string, WebGLUniformLocation | null>} */ const uniforms = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0;
    for (let i = 0; i < count; i++) {
      const name = gl.getActiveUniform(program, i)?.name.replace("[0]", "") ?? "";
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
  }

  // MARK: What is drawn

  /** @param {Float32Array} triangles Three vectors each. */
  setLand(triangles) {
    this.upload(this.landBuffer, triangles, this.gl.STATIC_DRAW);
    this.landCount = triangles.length / 3;
  }

  /** @param {Float32Array} triangles Three vectors each. */
  setCorridor(triangles) {
    this.upload(this.corridorBuffer, triangles, this.gl.DYNAMIC_DRAW);
    this.corridorCount = triangles.length / 3;
  }

  /** @param {Float32Array} vertices A vector and a colour with opacity (0–1) each. */
  setAreas(vertices) {
    this.upload(this.areaBuffer, vertices, this.gl.DYNAMIC_DRAW);
    this.areaCount = vertices.length / 7;
  }

  /**
   * @param {Lines | null} lines What to replace.
   * @param {Vector[][]} paths
   * @returns {Lines}
   */
  lines(lines, paths) {
    let pieces = 0;
    for (const path of paths) pieces += Math.max(0, path.length - 1);
    const data = new Float32Array(pieces * 8);
    let at = 0;
    for (const path of paths) {
      let run = 0;
      for (let i = 1; i < path.length; i++) {
        const [a, b] = [path[i - 1], path[i]];
        for (let k = 0; k < 3; k++) [data[at + k], data[at + 4 + k]] = [a[k], b[k]];
        data[at + 3] = run;
        run += Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        data[at + 7] = run;
        at += 8;
      }
    }
    const texture = lines?.texture ?? this.texture();
    this.setList(texture, data, 2 * pieces);
    return { texture, pieces };
  }

  /**
   * Adds the shapes of cells from a slot on.
   * @param {Float32Array} texels Of whole rows.
   * @param {number} rows
   */
  setCells(texels, rows) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.cellTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, cellsPerRow * texelsPerCell, rows, 0, gl.RGBA, gl.FLOAT, texels);
  }

  /**
   * @param {Uint32Array} items Slot and style of each hexagon.
   * @param {number} count
   */
  setHexagons(items, count) {
    this.setList(this.hexagonTexture, items, count);
    this.hexagonCount = count;
  }

  /** @param {Float32Array} symbols A vector and shape, a colour with opacity, and size, heading, 0, 0 each. */
  setSymbols(symbols) {
    this.symbolCount = symbols.length / 12;
    this.setList(this.symbolTexture, symbols, 3 * this.symbolCount);
  }

  /**
   * Puts a list into the rows of a texture.
   * @param {WebGLTexture} texture
   * @param {Float32Array | Uint32Array} data Four floating-point numbers or two integers for each texel, or more than needed.
   * @param {number} texels
   */
  setList(texture, data, texels) {
    const { gl } = this;
    if (!texels) return;
    const [inner, format, type, numbers] =
      data instanceof Uint32Array ? [gl.RG32UI, gl.RG_INTEGER, gl.UNSIGNED_INT, 2] : [gl.RGBA32F, gl.RGBA, gl.FLOAT, 4];
    const rows = Math.floor(texels / texelsPerRow);
    const rest = texels % texelsPerRow;
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, inner, rows ? texelsPerRow : rest, rest ? rows + 1 : rows, 0, format, type, null);
    if (rows) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, texelsPerRow, rows, format, type, data, 0);
    if (rest) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, rows, rest, 1, format, type, data, rows * texelsPerRow * numbers);
  }

  /**
   * @param {WebGLBuffer} buffer
   * @param {ArrayBufferView} data
   * @param {number} use
   */
  upload(buffer, data, use) {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, data, use);
  }

  // MARK: A frame

  /**
   * @param {Camera} camera
   * @param {number} ratio Pixels to a point.
   */
  begin(camera, ratio) {
    const { gl } = this;
    this.camera = camera;
    this.ratio = ratio;
    this.size = [camera.width * ratio, camera.height * ratio];
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.bindVertexArray(this.vertexArray);
  }

  /** @param {keyof Painter["programs"]} name */
  use(name) {
    const { gl, camera } = this;
    const { program, uniforms: u } = this.programs[name];
    gl.useProgram(program);
    const [r, t, c] = [camera.right, camera.up, camera.center];
    if (u.turn) gl.uniformMatrix3fv(u.turn, false, [...r, ...t, ...c]);
    if (u.zoom) gl.uniform2f(u.zoom, (camera.scale * 2) / camera.width, (camera.scale * 2) / camera.height);
    if (u.morph) gl.uniform1f(u.morph, camera.morph);
    if (u.horizon) gl.uniform1f(u.horizon, camera.horizon);
    if (u.size) gl.uniform2f(u.size, this.size[0], this.size[1]);
    if (u.scale) gl.uniform1f(u.scale, camera.scale * this.ratio);
    if (u.ratio) gl.uniform1f(u.ratio, this.ratio);
    if (u.limb) gl.uniform1f(u.limb, camera.limb * this.ratio > 1e5 ? -1 : camera.limb * this.ratio);
    for (let i = 0; i < 2; i++) gl.disableVertexAttribArray(i);
    return u;
  }

  /**
   * @param {number} index
   * @param {number} size
   * @param {number} stride Bytes.
   * @param {number} offset Bytes.
   */
  attribute(index, size, stride, offset) {
    const { gl } = this;
    gl.enableVertexAttribArray(index);
    gl.vertexAttribPointer(index, size, gl.FLOAT, false, stride, offset);
  }

  /** @param {Record<string, number[]>} theme */
  drawBackdrop(theme) {
    const { gl } = this;
    const u = this.use("backdrop");
    gl.uniform3fv(u.space, part(theme.space));
    gl.uniform3fv(u.ocean, part(theme.ocean));
    gl.uniform3fv(u.edge, part(theme.oceanEdge));
    gl.uniform3fv(u.glow, part(theme.glow));
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /**
   * @param {Vector} sun
   * @param {number[]} shade Colour and opacity.
   */
  drawNight(sun, shade) {
    const { gl, camera } = this;
    const u = this.use("night");
    gl.uniform3f(u.sun, dot(sun, camera.right), dot(sun, camera.up), dot(sun, camera.center));
    gl.uniform4f(u.shade, shade[0] / 255, shade[1] / 255, shade[2] / 255, shade[3]);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** @param {number[]} color */
  drawLand(color) {
    this.drawTriangles(this.landBuffer, this.landCount, color, 1);
  }

  /**
   * @param {number[]} color
   * @param {number} alpha
   */
  drawCorridor(color, alpha) {
    this.drawTriangles(this.corridorBuffer, this.corridorCount, color, alpha);
  }

  /**
   * @param {WebGLBuffer} buffer
   * @param {number} count
   * @param {number[]} color
   * @param {number} alpha
   */
  drawTriangles(buffer, count, color, alpha) {
    if (!count) return;
    const { gl } = this;
    this.use("fill");
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    this.attribute(0, 3, 12, 0);
    gl.vertexAttrib4f(1, color[0] / 255, color[1] / 255, color[2] / 255, alpha);
    gl.drawArrays(gl.TRIANGLES, 0, count);
  }

  drawAreas() {
    if (!this.areaCount) return;
    const { gl } = this;
    this.use("fill");
    gl.bindBuffer(gl.ARRAY_BUFFER, this.areaBuffer);
    this.attribute(0, 3, 28, 0);
    this.attribute(1, 4, 28, 12);
    gl.drawArrays(gl.TRIANGLES, 0, this.areaCount);
  }

  /**
   * @param {Lines | null} lines
   * @param {{color: number[], alpha?: number, width: number, dash?: number}} style
   */
  drawLines(lines, style) {
    if (!lines?.pieces) return;
    const { gl } = this;
    const u = this.use("line");
    gl.bindTexture(gl.TEXTURE_2D, lines.texture);
    gl.uniform1f(u.width, style.width * this.ratio);
    gl.uniform1f(u.dash, (style.dash ?? 0) * this.ratio);
    gl.uniform4f(u.tint, style.color[0] / 255, style.color[1] / 255, style.color[2] / 255, style.alpha ?? 1);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * lines.pieces);
  }

  /**
   * @param {{color: number[], alpha: number, border: number[], borderAlpha: number}[]} styles
   * @param {number[]} mark
   * @param {number} smallest Points.
   */
  drawHexagons(styles, mark, smallest) {
    if (!this.hexagonCount) return;
    const { gl } = this;
    const u = this.use("hexagon");
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.cellTexture);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.hexagonTexture);
    gl.uniform1i(u.cells, 1);
    gl.uniform1f(u.smallest, smallest * this.ratio);
    gl.uniform4fv(u.fills, styles.flatMap((s) => [...part(s.color), s.alpha]));
    gl.uniform4fv(u.borders, styles.flatMap((s) => [...part(s.border), s.borderAlpha]));
    gl.uniform4f(u.mark, mark[0] / 255, mark[1] / 255, mark[2] / 255, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3 * trianglesPerCell * this.hexagonCount);
  }

  /** @param {number[]} ink */
  drawSymbols(ink) {
    if (!this.symbolCount) return;
    const { gl } = this;
    const u = this.use("symbol");
    gl.uniform3fv(u.ink, part(ink));
    gl.bindTexture(gl.TEXTURE_2D, this.symbolTexture);
    gl.drawArrays(gl.TRIANGLES, 0, 6 * this.symbolCount);
  }
}

/** @param {number[]} color 0–255. */
function part(color) {
  return [color[0] / 255, color[1] / 255, color[2] / 255];
}
