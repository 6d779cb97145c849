// The bridge to the engine: the app's own Swift code, compiled to WebAssembly, behind plain JavaScript values.
//
//   const engine = await createEngine(wasmBytes);
//   const flight = await engine.open({ name: "atlantic.jsonl", files: [{ name: "atlantic.jsonl", bytes }] });
//   flight.verdict.isSame;                    // the same decisions and digests as recorded?
//   const state = flight.seek(flight.lineCount - 1);
//   state.reports.severity;                   // what the pilot saw after the last line
//
// Lines are numbered from 0 through all files of a recording; the line number within its file is `flight.place(line)`.
// Every array that a call returns is a copy: it stays valid, and changing it changes nothing else.

import { gunzip } from "./parts.js";
import { stateOf } from "./state.js";

/** The value in `columns.rule` of a line that has none. */
export const none8 = 255;
/** The value in `columns.scope` of a line that has none. */
export const none16 = 65535;

/** The bits in `columns.flags`. */
export const flags = Object.freeze({
  /** The line is the place of a decision or digest that differs. */
  diverges: 1,
  /** The line is the first difference. */
  first: 2,
  /** `error.reported` or `query.rejected`. */
  error: 4,
  /** `session.started` although the log doesn't begin here: the process died or was quit before this line. */
  relaunch: 8,
  /** Lines before this one were lost by a failed sync, and a snapshot replaces them. */
  loss: 16,
  /** The device is online after this line. */
  online: 32,
  /** The line starts a request for all data. */
  full: 64,
  /** The line starts a request that the server may hold. */
  held: 128,
  /** The line answers a delta without new records, so the stored data is current. */
  unchanged: 256,
  /** The line starts a request for the records that differ from the server's. */
  repair: 512,
});

/**
 * @typedef {object} FlightSource
 * @property {string} name What the recording is called, as given by the user.
 * @property {{name: string, bytes: Uint8Array}[]} files One JSON-lines log, or the segments of a directory in any order.
 *   A file that starts with the magic number of gzip is unpacked. One that starts with that of .xz is a problem that
 *   names `replay view FILE`, because browsers can't unpack it.
 * @property {Map<string, Uint8Array>} [blobs] Bodies that aren't in the log, by their SHA-256 in hexadecimal.
 *
 * @typedef {object} Progress
 * @property {"unpacking" | "folding"} phase
 * @property {number} lines
 * @property {number} bytes
 * @property {number} totalBytes
 *
 * @typedef {object} Problem Why the recording can't be read further. What comes before it is shown.
 * @property {string} code Such as `damagedLine`, `sequenceBroken`, `cutShort`, `notALog`, `unknownKind`.
 * @property {string} file
 * @property {number | null} line The line within the file, from 1.
 * @property {number | null} seq
 * @property {string} reason A clause without a full stop.
 * @property {string} advice A sentence.
 *
 * @typedef {object} Verdict As `replay run` judges: by the same code.
 * @property {boolean} isSame Whether every decision and digest is the recorded one, and every line could be read.
 * @property {number} decisions The recorded decisions.
 * @property {number} decisionsDiffering
 * @property {number} unwritten Decisions that a process made but didn't write before it ended: no difference.
 * @property {number} digests The `state.digested` marks that were verified.
 * @property {number} digestsDiffering
 * @property {number} crcLines The lines whose CRC was verified.
 * @property {string} digest The digest of the final state, 16 hexadecimal digits.
 * @property {Divergence | null} divergence
 * @property {Problem | null} problem Damage: the lines after it are not shown.
 * @property {{file: string, line: number, bytes: number} | null} tornTail A truncated last line, which is no damage.
 * @property {{file: string, firstSeq: number, lastSeq: number}[]} losses Lines lost by failed syncs.
 *
 * @typedef {object} Divergence The first difference.
 * @property {number} line
 * @property {number} seq
 * @property {"decision" | "missing" | "unexpected" | "records" | "control"} kind
 * @property {string} scope Empty if it is the control state.
 * @property {string} rule Such as `due`; empty for a digest.
 * @property {string} recorded In words.
 * @property {string} decided In words.
 * @property {string} cause The input that led to it, in words.
 * @property {number} causeLine -1 if there is none.
 *
 * @typedef {object} Columns One element a line.
 * @property {Float64Array} seq
 * @property {Float64Array} at Milliseconds since 1970 by the log's clock, which never decreases.
 * @property {Float64Array} serverAt The same moment by the server's clock, as estimated then: the wall clock to show.
 * @property {Uint8Array} kind Index into `flight.kinds`.
 * @property {Uint16Array} scope Index into `flight.scopes`, or `none16`.
 * @property {Uint8Array} rule Index into `engine.rules`, or `none8`.
 * @property {Uint32Array} request The request that the line starts, cancels or answers; 0 if none.
 * @property {Uint16Array} status The HTTP status of a response; 0 otherwise.
 * @property {Uint32Array} bytesDown Bytes on the wire of a response.
 * @property {Uint32Array} bytesUp Bytes of the request: those that the log counts, otherwise those of its body before compression.
 * @property {Int32Array} cause The line of the input that led to a decision, or -1.
 * @property {Int32Array} started For a response, failure or cancellation: the line that started the request, or -1.
 * @property {Uint16Array} flags See `flags`.
 * @property {Uint16Array} file Index into `flight.files`.
 * @property {Float64Array} offset Of the line's first byte in its (unpacked) file.
 * @property {Uint32Array} length In bytes, without the line feed.
 *
 * @typedef {object} ScopeHistory How a scope changed: one element a change, in order of lines.
 * @property {string} name Such as `corridor`, `viewport`, `global.7200`, `outbox`, `weather.52.36,13.51`, `airports`.
 * @property {Int32Array} line After this line, the scope is as follows.
 * @property {Float64Array} watermark The server's time up to which data is held, in seconds since 1970; -1 if none is.
 * @property {Uint32Array} records Reports, PIREPs and aircraft held.
 * @property {Uint32Array} inFlight The number of the request in flight; 0 if none.
 * @property {Uint16Array} failures Failed attempts in a row.
 *
 * @typedef {object} Reports The turbulence reports that the pilot sees, one element a report.
 * @property {Uint32Array} lo The lower half of the H3 index of the cell.
 * @property {Uint32Array} hi The upper half.
 * @property {Uint8Array} altitude In thousands of feet.
 * @property {Uint8Array} severity 0 none, 1 light, 2 light–moderate, 3 moderate, 4 moderate–severe.
 * @property {Uint16Array} edr Eddy dissipation rate, times 10,000.
 * @property {Uint32Array} observedAt Seconds since 1970.
 * @property {Uint8Array} scope Index into `state.scopes`.
 * @property {Uint8Array} isRepeated 1 if an earlier scope shows the same report: it counts once.
 *
 * @typedef {object} PIREP
 * @property {string} id
 * @property {number} lat
 * @property {number} lon
 * @property {number} [fl]
 * @property {number} [sev]
 * @property {boolean} urgent
 * @property {number} observedAt Seconds since 1970.
 * @property {number} updatedAt Seconds since 1970.
 * @property {string} text
 *
 * @typedef {object} Aircraft
 * @property {string} id
 * @property {string} callsign
 * @property {number} lat
 * @property {number} lon
 * @property {number} [alt] Feet.
 * @property {number} [gs] Knots.
 * @property {number} [track] Degrees.
 * @property {number} observedAt Seconds since 1970.
 *
 * @typedef {[number, number][]} Path Latitude and longitude in degrees, a pair a point.
 *
 * @typedef {object} Spec What is asked of a scope, or held.
 * @property {string[]} types
 * @property {number[]} sevs
 * @property {[number, number]} altitudes Thousands of feet.
 * @property {number} history Seconds.
 * @property {Path | null} area Null for the whole world.
 *
 * @typedef {object} ScopeState
 * @property {string} name
 * @property {Spec | null} want Null if nothing is wanted any more.
 * @property {(Spec & {watermark: number, broken: string | null}) | null} have Null if nothing is held.
 * @property {number | null} ageS How old what is held is, in seconds of the server's clock.
 * @property {{request: number, mode: string, reason: string, since: number | null, line: number} | null} inFlight
 *   `line` is that of its `fetch.started`.
 * @property {{rule: string, wakesAt: number | null} | null} plan The rule by which it rests or acts now, and the next attempt.
 * @property {number} failures
 * @property {number} notBefore No retry before this time, in milliseconds; 0 if none failed.
 * @property {number | null} lastSuccessAt Milliseconds.
 * @property {string | null} block `unauthorized` or `badRequest`.
 * @property {boolean} isExpired Of weather.
 * @property {{reports: number, pireps: number, traffic: number}} held
 * @property {{reports: number, pireps: number, traffic: number}} visible
 * @property {PIREP[]} pireps Visible ones.
 * @property {Aircraft[]} traffic Visible ones.
 * @property {object | null} polygons The visible turbulence areas: a GeoJSON FeatureCollection whose features have
 *   `severity`, `baseAltitude`, `topAltitude` and `count`.
 * @property {object | null} weather The body of the weather response.
 * @property {string} digest
 *
 * @typedef {object} State What holds after a line.
 * @property {number} line
 * @property {number} at
 * @property {number} serverNow
 * @property {boolean} isOnline
 * @property {{engine: string, id: string} | null} session
 * @property {number} history Seconds.
 * @property {string} frequency
 * @property {{types: string[], viewportTypes: string[] | null, sevs: number[], altitudes: [number, number] | null,
 *   globalEnabled: boolean, isUpTo: boolean, route: Path | null, routeWidthNM: number | null, polygon: Path | null,
 *   viewport: Path | null, corridor: Path | null, weather: object | null}} query The app's settings.
 * @property {Path | null} corridor The last valid corridor: what is asked for.
 * @property {ScopeState[]} scopes
 * @property {Reports} reports
 * @property {{waiting: number, tracked: number, request: number | null, failures: number, notBefore: number,
 *   plan: {rule: string, wakesAt: number | null}}} outbox
 * @property {object} airports As in a snapshot: `inUse`, `waiting`, `download`, `lastCheck`, `failure`, where present.
 *
 * @typedef {object} Why
 * @property {string} title One line.
 * @property {{name: string, text: string, line: number | null}[]} rows What led to it; `line` is where to look.
 *
 * @typedef {object} Profile The turbulence along the app's route.
 * @property {string} [problem] Why there is none; then nothing else is there.
 * @property {number} lengthNM
 * @property {number} binNM
 * @property {number} widthNM
 * @property {number} bins
 * @property {number} asOf Seconds since 1970, by the server's clock.
 * @property {{alongNM: number, offNM: number, level: number | null, pirep: PIREP}[]} pireps
 * @property {{severity: number | null, levels: [number, number], bins: number[]}[]} areas
 * @property {Uint32Array} cells Eight numbers a cell with reports, see `profileCell`. All other cells are unknown.
 * @property {Float64Array} edges The boundaries of the bins: latitudes and longitudes in turn.
 *
 * @typedef {object} CellWhy Why reports of a cell are seen, or aren't.
 * @property {{lo: number, hi: number, id: string}} cell
 * @property {string} title
 * @property {{name: string, text: string, line: number | null}[]} rows
 * @property {{scope: string, inArea: boolean, held: number, visible: number, reason: string,
 *   since: number | null, lostAt: number | null}[]} scopes `reason` is one of `visible`, `outside`, `notAsked`,
 *   `notFetched`, `filtered`, `expired`, `replaced`, `neverReported`; `since` is the line that brought what is visible, `lostAt`
 *   the line after which the last report was gone.
 */

/** An error with a code and a sentence that can be shown. */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How long a slice of the fold may take, in milliseconds: the page draws in between. */
const sliceMs = 12;
/** The bytes of the log that are folded between two looks at the clock. */
const stepBytes = 32 << 10;

/** The mathematical functions that the module takes from the browser; only geometry uses them, no decision does. */
const mathematics = {
  acos: Math.acos, asin: Math.asin, atan: Math.atan, atan2: Math.atan2, atanh: Math.atanh, cbrt: Math.cbrt,
  cos: Math.cos, exp: Math.exp, fmod: (/** @type {number} */ x, /** @type {number} */ y) => x % y, hypot: Math.hypot,
  log: Math.log, pow: Math.pow, sin: Math.sin, tan: Math.tan,
};

/** The columns of `LineColumns` in Swift, in its order. */
const lineColumns = /** @type {const} */ ([
  ["seq", Float64Array], ["at", Float64Array], ["serverAt", Float64Array], ["kind", Uint8Array], ["scope", Uint16Array],
  ["rule", Uint8Array], ["request", Uint32Array], ["status", Uint16Array], ["bytesDown", Uint32Array],
  ["bytesUp", Uint32Array], ["cause", Int32Array], ["started", Int32Array], ["flags", Uint16Array],
  ["file", Uint16Array], ["offset", Float64Array], ["length", Uint32Array],
]);

/** The columns of `ScopeHistory`. */
const historyColumns = /** @type {const} */ ([
  ["line", Int32Array], ["watermark", Float64Array], ["records", Uint32Array], ["inFlight", Uint32Array],
  ["failures", Uint16Array],
]);

/** The columns of `ReportColumns`. */
const reportColumns = /** @type {const} */ ([
  ["lo", Uint32Array], ["hi", Uint32Array], ["altitude", Uint8Array], ["severity", Uint8Array], ["edr", Uint16Array],
  ["observedAt", Uint32Array], ["scope", Uint8Array], ["isRepeated", Uint8Array],
]);

/** One instance of the module: its exports, and copies into and out of its memory. */
class Instance {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    /** @type {any} */
    this.exports = new WebAssembly.Instance(module, { env: mathematics }).exports;
  }

  /**
   * @param {number} address
   * @param {Uint8Array} bytes
   */
  write(address, bytes) {
    new Uint8Array(this.exports.memory.buffer).set(bytes, address);
  }

  /**
   * Puts bytes into the scratch buffer and returns their number.
   * @param {Uint8Array} bytes
   */
  scratch(bytes) {
    this.write(this.exports.scratch(bytes.length), bytes);
    return bytes.length;
  }

  /**
   * @template {Float64Array | Uint8Array | Uint16Array | Uint32Array | Int32Array} T
   * @param {{new (buffer: ArrayBuffer, offset: number, count: number): T}} type
   * @param {number} address @param {number} count @returns {T}
   */
  copy(type, address, count) {
    return /** @type {T} */ (new type(this.exports.memory.buffer, count === 0 ? 0 : address, count).slice());
  }

  /**
   * The bytes of the output.
   * @param {number} count
   */
  output(count) {
    return new Uint8Array(this.exports.memory.buffer, this.exports.output(), count);
  }

  /**
   * The output as text.
   * @param {number} count
   */
  text(count) {
    return count === 0 ? "" : decoder.decode(this.output(count));
  }

  /**
   * The output as JSON.
   * @param {number} count
   */
  json(count) {
    return JSON.parse(this.text(count));
  }

  /**
   * @param {readonly (readonly [string, any])[]} columns
   * @param {(index: number) => number} address @param {number} count
   */
  table(columns, address, count) {
    /** @type {any} */
    const table = {};
    columns.forEach(([name, type], index) => (table[name] = this.copy(type, address(index), count)));
    return table;
  }
}

/**
 * Compiles the engine. One engine opens any number of flights, each with memory of its own.
 *
 * @param {Uint8Array | ArrayBuffer | WebAssembly.Module} wasm
 * @returns {Promise<Engine>}
 */
export async function createEngine(wasm) {
  const module =
    wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(/** @type {BufferSource} */ (wasm));
  return new Engine(module);
}

/** The compiled engine. */
export class Engine {
  #module;
  #geometry;
  /** @type {Instance | null} Of a flight that was closed: its memory is used again. */
  #spare = null;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
    this.#geometry = new Instance(module);
    const names = this.#geometry.json(this.#geometry.exports.names());
    /**
     * The rules of the planner, in order of evaluation.
     * @type {{id: string, name: string, text: string}[]}
     */
    this.rules = names.rules;
    /**
     * The kinds of lines, such as `response.received`.
     * @type {string[]}
     */
    this.kinds = names.kinds;
    /**
     * What a line of each kind is.
     * @type {("input" | "decision" | "mark")[]}
     */
    this.roles = names.roles;
  }

  /**
   * Folds a recording, in slices of some milliseconds between which the page can draw.
   *
   * It doesn't throw for anything in the recording: what can't be read is `flight.verdict.problem`.
   *
   * @param {FlightSource} source
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<Flight>}
   * @throws {EngineError} `aborted`.
   */
  async open(source, options = {}) {
    const report = options.onProgress ?? (() => {});
    report({ phase: "unpacking", lines: 0, bytes: 0, totalBytes: 0 });
    /** @type {{name: string, bytes: Uint8Array}[]} */
    const files = [];
    /** @type {Problem | null} */
    let problem = null;
    for (const file of source.files) {
      const unpacked = await unpack(file.name, file.bytes);
      if ("code" in unpacked) problem ??= unpacked;
      else files.push({ name: file.name.replace(/\.gz$/, ""), bytes: unpacked.bytes });
    }
    if (files.length === 0 || problem) return this.#flight(new Instance(this.#module), source.name, problem);

    const totalBytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const opened = () => {
      const instance = this.#spare ?? new Instance(this.#module);
      this.#spare = null;
      instance.exports.open(instance.scratch(encoder.encode(place(instance, source, files))));
      return instance;
    };
    let instance;
    let steps = 0;
    try {
      instance = opened();
      let hasMore = true;
      while (hasMore) {
        const start = performance.now();
        for (; hasMore && performance.now() - start < sliceMs; steps++) hasMore = instance.exports.step(stepBytes) === 1;
        const { lineCount, byteCount } = instance.exports;
        report({ phase: "folding", lines: lineCount(), bytes: byteCount(), totalBytes });
        if (options.signal?.aborted) throw new EngineError("aborted", "Opening the recording was stopped.");
        if (hasMore) await pause();
      }
    } catch (error) {
      if (error instanceof EngineError) throw error;
      problem = {
        code: "engineStopped", file: source.name, line: null, seq: null,
        reason: `the engine stopped: ${error instanceof Error ? error.message : error}`,
        advice: "If the recording is very large, replay it with 'replay run'. Otherwise report a bug.",
      };
      // Memory ran out, or a fault of ours. The instance is unusable; another one folds what came before.
      try {
        instance = opened();
        for (; steps > 0; steps--) instance.exports.step(stepBytes);
      } catch {
        instance = new Instance(this.#module);
      }
    }
    return this.#flight(instance, source.name, problem);
  }

  /**
   * @param {Instance} instance @param {string} name @param {Problem | null} problem
   */
  #flight(instance, name, problem) {
    return new Flight(this, instance, name, problem, () => (this.#spare = instance));
  }

  /**
   * The vertices of hexagons. Those of cell `i` are from `start[i]` up to `start[i + 1]`, counter-clockwise, each a
   * latitude and a longitude in degrees in `latLon` (at `2 * vertex`). Longitudes may cross 180°: subtract to compare.
   *
   * @param {Uint32Array} lo
   * @param {Uint32Array} hi
   * @returns {{latLon: Float64Array, start: Uint32Array}}
   */
  boundaries(lo, hi) {
    const count = Math.min(lo.length, hi.length);
    const { exports } = this.#geometry;
    const halves = new Uint32Array(2 * count);
    halves.set(lo.subarray(0, count));
    halves.set(hi.subarray(0, count), count);
    this.#geometry.scratch(new Uint8Array(halves.buffer));
    const vertices = exports.boundaries(count);
    return {
      latLon: this.#geometry.copy(Float64Array, exports.vertices(), 2 * vertices),
      start: this.#geometry.copy(Uint32Array, exports.starts(), count + 1),
    };
  }

  /**
   * The cell of the reports' resolution (5) at a place.
   * @param {number} lat
   * @param {number} lon
   * @returns {{lo: number, hi: number, id: string} | null} Null if the place is none.
   */
  cellAt(lat, lon) {
    const cell = BigInt.asUintN(64, this.#geometry.exports.cellAt(lat, lon));
    if (cell === 0n) return null;
    return { lo: Number(cell & 0xffffffffn), hi: Number(cell >> 32n), id: cell.toString(16) };
  }

  /**
   * `count` points (at least 2) at equal distances on the geodesic of WGS 84 between two places: latitudes and
   * longitudes in turn, and the distance in metres.
   * @param {[number, number]} from Latitude and longitude.
   * @param {[number, number]} to
   * @param {number} count
   * @returns {{latLon: Float64Array, metres: number}}
   */
  geodesic(from, to, count) {
    const { exports } = this.#geometry;
    const points = Math.max(2, Math.min(count, 10_000));
    const metres = exports.geodesic(from[0], from[1], to[0], to[1], points);
    if (metres < 0) throw new EngineError("notAPlace", `${from} or ${to} isn't a latitude and a longitude in degrees.`);
    return { latLon: this.#geometry.copy(Float64Array, exports.vertices(), 2 * points), metres };
  }
}

/** An opened recording. */
export class Flight {
  #instance;
  #documents = new Map();
  /** @type {Map<number, number> | null} */
  #starts = null;

  /**
   * @param {Engine} engine @param {Instance} instance @param {string} name
   * @param {Problem | null} problem Why nothing could be folded.
   * @param {() => void} close
   */
  constructor(engine, instance, name, problem, close) {
    this.#instance = instance;
    /** Gives the memory to the next flight. Afterwards, nothing may be asked of this one. */
    this.close = close;
    const { exports } = instance;
    /** What the recording is called. */
    this.name = name;
    this.engine = engine;
    /** Such as `response.received`. */
    this.kinds = engine.kinds;
    /** What a line of each kind is. */
    this.roles = engine.roles;
    /**
     * The lines that could be read.
     * @type {number}
     */
    this.lineCount = exports.lineCount();
    /** @type {Columns} */
    this.columns = instance.table(lineColumns, (index) => exports.column(index), this.lineCount);
    const summary = instance.json(exports.summary());
    /** @type {string[]} */
    this.files = summary.files ?? [];
    /** @type {string[]} */
    this.scopes = summary.scopes ?? [];
    /**
     * By scope, in the order of `scopes`.
     * @type {ScopeHistory[]}
     */
    this.histories = this.scopes.map((name, scope) => ({
      name,
      ...instance.table(historyColumns, (index) => exports.history(scope, index), exports.historyCount(scope)),
    }));
    /** @type {Verdict} */
    this.verdict = summary.verdict ?? {
      isSame: false, decisions: 0, decisionsDiffering: 0, unwritten: 0, digests: 0, digestsDiffering: 0, crcLines: 0,
      digest: "", divergence: null, problem: null, tornTail: null, losses: [],
    };
    if (problem) this.verdict = { ...this.verdict, isSame: false, problem };
  }

  /**
   * The text of a line, without its line feed. Longer ones are cut at `limit` bytes.
   * @param {number} line
   * @param {number} [limit]
   * @returns {string}
   */
  text(line, limit = 1 << 20) {
    return this.#instance.text(this.#instance.exports.text(line, limit));
  }

  /**
   * What a line says, in a few words: `history.changed 2h → 4h`.
   * @param {number} line
   * @returns {string}
   */
  words(line) {
    return this.#instance.text(this.#instance.exports.words(line));
  }

  /**
   * The file of a line and its number there, from 1.
   * @param {number} line
   * @returns {{file: string, line: number}}
   */
  place(line) {
    const { file } = this.columns;
    let [low, high] = [0, line];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (file[middle] < file[line]) low = middle + 1;
      else high = middle;
    }
    return { file: this.files[file[line]], line: line - low + 1 };
  }

  /**
   * The last line at or before a time; -1 if there is none.
   * @param {number} at
   * @returns {number}
   */
  lineAt(at) {
    let [low, high] = [0, this.lineCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.columns.at[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * The line that starts a request; -1 if there is none.
   * @param {number} request
   * @returns {number}
   */
  startOf(request) {
    if (!this.#starts) {
      this.#starts = new Map();
      const kinds = ["fetch.started", "upload.started"].map((kind) => this.kinds.indexOf(kind));
      for (let line = 0; line < this.lineCount; line++) {
        if (kinds.includes(this.columns.kind[line])) this.#starts.set(this.columns.request[line], line);
      }
    }
    return this.#starts.get(request) ?? -1;
  }

  /**
   * What holds after a line, and what the pilot sees. Synchronous.
   * @param {number} line
   * @param {number} [at] Milliseconds of the log's clock, from the line's to the next one's: data ages in between.
   * @returns {State}
   */
  seek(line, at = 0) {
    const { exports } = this.#instance;
    const view = this.#instance.json(exports.view(line, at) || this.#none());
    const reports = this.#instance.table(reportColumns, (index) => exports.reportColumn(index), exports.reportCount());
    const documents = view.scopes.map((/** @type {any} */ scope, /** @type {number} */ index) => ({
      polygons: this.#document(scope.polygons, index, line), weather: this.#document(scope.weather, index, line),
    }));
    return stateOf(view, { line, reports, documents, startOf: (request) => this.startOf(request) });
  }

  /**
   * What is known along the app's route after a line; null if the app has no route.
   * @param {number} line
   * @param {number} at As in `seek`.
   * @param {number} widthNM
   * @returns {Profile | null}
   */
  profile(line, at, widthNM) {
    const { exports } = this.#instance;
    const count = exports.profile(line, at, widthNM);
    if (!count) return null;
    const profile = this.#instance.json(count);
    if (profile.problem) return profile;
    return {
      ...profile,
      cells: this.#instance.copy(Uint32Array, exports.profileCells(), 8 * exports.profileCount()),
      edges: this.#instance.copy(Float64Array, exports.vertices(), 2 * profile.bins + 2),
    };
  }

  /**
   * Where the centres of cells are on the route of the last profile: distances along it and from it in nautical miles, in turn.
   * @param {Uint32Array} lo
   * @param {Uint32Array} hi
   * @returns {Float64Array}
   */
  placesOnRoute(lo, hi) {
    const halves = new Uint32Array(2 * lo.length);
    halves.set(lo);
    halves.set(hi, lo.length);
    this.#instance.scratch(new Uint8Array(halves.buffer));
    this.#instance.exports.placesOnRoute(lo.length);
    return this.#instance.copy(Float64Array, this.#instance.exports.vertices(), 2 * lo.length);
  }

  /** Without a recording, the state is that of an engine that was never started. */
  #none() {
    this.#instance.exports.open(this.#instance.scratch(encoder.encode("none")));
    return this.#instance.exports.view(-1, 0);
  }

  /**
   * Polygons or weather, read once.
   * @param {string | null} digest
   * @param {number} scope
   * @param {number} line
   */
  #document(digest, scope, line) {
    if (digest === null) return null;
    if (!this.#documents.has(digest)) {
      if (this.#documents.size >= 64) this.#documents.clear();
      const text = this.#instance.text(this.#instance.exports.document(scope, line));
      let document = null;
      try {
        document = JSON.parse(text);
      } catch {
        // What the engine passes on unread may be anything; there is nothing to draw then.
      }
      this.#documents.set(digest, document);
    }
    return this.#documents.get(digest);
  }

  /**
   * Why a request was sent, and what came of it, as `replay why` tells it.
   * @param {number} request @returns {Why | null} Null if there is no such request.
   */
  whyRequest(request) {
    const count = this.#instance.exports.whyRequest(request);
    return count === 0 ? null : this.#instance.json(count);
  }

  /**
   * Which lines led to a line: its cause, the request it answers, and theirs.
   * @param {number} line
   * @returns {Why}
   */
  whyLine(line) {
    const count = this.#instance.exports.whyLine(line);
    return count === 0 ? { title: "", rows: [] } : this.#instance.json(count);
  }

  /**
   * Why reports of a cell are seen after a line, or why none is.
   * @param {number} line
   * @param {{lo: number, hi: number}} cell
   * @returns {CellWhy}
   */
  whyCell(line, cell) {
    const count = this.#instance.exports.whyCell(cell.lo, cell.hi, line);
    const id = ((BigInt(cell.hi) << 32n) | BigInt(cell.lo)).toString(16);
    const why = count === 0 ? { title: "", rows: [], scopes: [] } : this.#instance.json(count);
    return { cell: { lo: cell.lo, hi: cell.hi, id }, ...why };
  }
}

// MARK: Files

/**
 * Lets the page draw and take input. A timer of zero milliseconds waits for four.
 * @returns {Promise<void>}
 */
function pause() {
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/**
 * Puts the files and blobs into an instance and returns the path of the recording there.
 * @param {Instance} instance
 * @param {FlightSource} source
 * @param {{name: string, bytes: Uint8Array}[]} files
 */
function place(instance, source, files) {
  const isDirectory = files.length > 1;
  const folder = isDirectory ? "log/" : "";
  /**
   * @param {string} path
   * @param {Uint8Array} bytes
   */
  const add = (path, bytes) => {
    const count = instance.scratch(encoder.encode(path));
    instance.write(instance.exports.addFile(count, bytes.length), bytes);
  };
  for (const file of files) add(folder + file.name, file.bytes);
  for (const [name, bytes] of source.blobs ?? []) add(`${folder}blobs/${name}`, bytes);
  return isDirectory ? "log" : files[0].name;
}

/**
 * Unpacks a file if it is gzip.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<{bytes: Uint8Array} | Problem>}
 */
async function unpack(name, bytes) {
  const starts = (/** @type {number[]} */ ...magic) => magic.every((byte, index) => bytes[index] === byte);
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)) {
    return {
      code: "compressed", file: name, line: null, seq: null,
      reason: "it is compressed with xz, which browsers can't unpack",
      advice: "Make a page of it with 'replay view FILE', or unpack it with 'xz -d' first.",
    };
  }
  if (!starts(0x1f, 0x8b)) return { bytes };
  try {
    return { bytes: await gunzip(bytes) };
  } catch {
    return {
      code: "damagedArchive", file: name, line: null, seq: null, reason: "its gzip data is damaged or truncated",
      advice: "Restore the file from a copy.",
    };
  }
}
