// The engine: the client of the Swift package without its shell, compiled to WebAssembly, behind plain JavaScript values.

import { asContrailError, ContrailError } from "./errors.js";

/** @typedef {import("./files.js").Files} Files */

/** The mathematical functions that the module takes from the browser; only geometry uses them, no decision does. */
const mathematics = {
  acos: Math.acos, asin: Math.asin, atan: Math.atan, atan2: Math.atan2, atanh: Math.atanh, cbrt: Math.cbrt,
  cos: Math.cos, exp: Math.exp, fmod: (/** @type {number} */ x, /** @type {number} */ y) => x % y, hypot: Math.hypot,
  log: Math.log, pow: Math.pow, sin: Math.sin, tan: Math.tan,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The columns of `view`, as the viewer's engine has them. */
const reportColumns = /** @type {const} */ ([
  ["lo", Uint32Array], ["hi", Uint32Array], ["altitude", Uint8Array], ["severity", Uint8Array], ["edr", Uint16Array],
  ["observedAt", Uint32Array], ["scope", Uint8Array], ["isRepeated", Uint8Array],
]);

/** The columns of a query for turbulence. */
const itemColumns = /** @type {const} */ ([
  ["lo", Uint32Array], ["hi", Uint32Array], ["altitude", Uint8Array], ["severity", Uint8Array], ["edr", Uint16Array],
  ["observedAt", Uint32Array], ["count", Uint32Array], ["ownState", Uint8Array],
]);

/**
 * Loads and compiles the engine. Also a file that a host serves as gzip without saying so.
 *
 * @param {string | URL} url
 * @returns {Promise<WebAssembly.Module>}
 */
export async function loadModule(url) {
  let response;
  try {
    response = await fetch(url);
    if (!response.ok) throw new Error(`the server answered with status ${response.status}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!isPacked) return await WebAssembly.compile(bytes);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await WebAssembly.compile(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new ContrailError({
      code: "module", message: `The engine at ${url} can't be loaded: ${/** @type {any} */ (error).message}`,
      advice: "Serve contrail.wasm beside contrail.js, or configure its URL.", isTransient: !response?.ok,
    });
  }
}

/** One instance of the module: its exports, and copies into and out of its memory. */
export class Engine {
  /** @type {any} */
  exports;
  #files;
  /** What an import has prepared for `fs_take`. */
  #prepared = new Uint8Array(0);

  /**
   * @param {WebAssembly.Module} module
   * @param {Files} files Geometry needs none: those in memory will do.
   */
  constructor(module, files) {
    this.#files = files;
    this.exports = new WebAssembly.Instance(module, { env: { ...mathematics, ...this.#imports() } }).exports;
  }

  // MARK: Memory

  /**
   * @param {number} address
   * @param {number} count
   */
  #memory(address, count) {
    return new Uint8Array(this.exports.memory.buffer, address, count);
  }

  /**
   * Puts bytes into the scratch buffer and returns their number.
   * @param {Uint8Array} bytes
   */
  scratch(bytes) {
    this.#memory(this.exports.scratch(bytes.length), bytes.length).set(bytes);
    return bytes.length;
  }

  /**
   * Puts a value as JSON into the scratch buffer.
   * @param {unknown} value
   */
  scratchJSON(value) {
    return this.scratch(encoder.encode(JSON.stringify(value)));
  }

  /** @param {string} text */
  scratchText(text) {
    return this.scratch(encoder.encode(text));
  }

  /**
   * The output of a call as JSON, from the size that it returned.
   *
   * @param {number} size
   * @returns {any}
   * @throws {ContrailError} The error that the call put out.
   */
  json(size) {
    const { exports } = this;
    const text = decoder.decode(this.#memory(exports.output(), size));
    const value = text ? JSON.parse(text) : null;
    if (value?.error) throw asContrailError(value.error);
    return value;
  }

  /**
   * The bytes beside the JSON of the last call, copied.
   *
   * @param {number} offset
   * @param {number} size
   */
  bytes(offset, size) {
    return this.#memory(this.exports.bytes() + offset, size).slice();
  }

  /**
   * @template {Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array} T
   * @param {{new (buffer: ArrayBuffer, offset: number, count: number): T}} type
   * @param {number} address
   * @param {number} count
   * @returns {T}
   */
  copy(type, address, count) {
    return /** @type {T} */ (new type(this.exports.memory.buffer, count === 0 ? 0 : address, count).slice());
  }

  /** The reports of the last view. */
  reports() {
    return this.#table(reportColumns, this.exports.reportColumn, this.exports.reportCount());
  }

  /**
   * The items of the last query for columns.
   * @param {number} count
   */
  items(count) {
    return this.#table(itemColumns, this.exports.itemColumn, count);
  }

  /**
   * A profile with the cells and the places beside its JSON.
   * @param {any} profile
   * @returns {import("./types.js").Profile}
   */
  profile(profile) {
    const { exports } = this;
    return {
      ...profile, cells: this.copy(Uint32Array, exports.profileCells(), 8 * exports.profileCount()),
      edges: this.copy(Float64Array, exports.vertices(), 2 * profile.bins + 2),
    };
  }

  /**
   * @param {readonly (readonly [string, any])[]} columns
   * @param {(index: number) => number} address
   * @param {number} count
   */
  #table(columns, address, count) {
    /** @type {any} */
    const table = {};
    columns.forEach(([name, type], index) => (table[name] = this.copy(type, address(index), count)));
    return table;
  }

  // MARK: Files

  #imports() {
    const files = this.#files;
    const text = (/** @type {number} */ address, /** @type {number} */ count) => decoder.decode(this.#memory(address, count).slice());
    const prepare = (/** @type {string} */ value) => (this.#prepared = encoder.encode(value)).length;
    /** @type {Record<string, (...numbers: number[]) => number | void>} */
    const imports = {
      fs_kind: (path, n) => files.kindOf(text(path, n)),
      fs_names: (path, n) => prepare(files.names(text(path, n)).map((name) => `${name}\n`).join("")),
      fs_open: (path, n, mode) => files.open(text(path, n), mode),
      fs_size: (file) => files.size(file),
      fs_read: (file, address, n, offset) => files.read(file, this.#memory(address, n), offset),
      fs_write: (file, address, n, offset) => files.write(file, this.#memory(address, n), offset),
      fs_truncate: (file, size) => files.truncate(file, size),
      fs_sync: (file) => files.sync(file),
      fs_close: (file) => files.close(file),
      fs_rename: (path, n, other, m) => files.rename(text(path, n), text(other, m)),
      fs_remove: (path, n) => files.remove(text(path, n)),
      // Directories are parts of paths. The handles of the pool are the lock.
      fs_make_directory: () => 0,
      fs_sync_directory: () => files.syncDirectory(),
      fs_lock: () => 1 << 20,
      fs_error: () => prepare(files.lastError),
      fs_take: (address) => this.#memory(address, this.#prepared.length).set(this.#prepared),
    };
    return imports;
  }
}
