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

/** The value in `columns.kind`, `rule` and `scope` of a line that has none. */
export const none8 = 255;
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
 * @property {string} rule Such as `P14`; empty for a digest.
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
 * @property {Uint32Array} bytesUp Bytes of the body that the engine sends for this request, before compression.
 * @property {Int32Array} cause The line of the input that led to a decision, or -1.
 * @property {Int32Array} started For a response, failure or cancellation: the line that started the request, or -1.
 * @property {Uint8Array} flags See `flags`.
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
 * @property {Float64Array} observedAt Seconds since 1970.
 * @property {Uint8Array} scope Index into `state.scopes`.
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
 * @property {{waiting: number, tracked: number, request: number | null, failures: number, notBefore: number}} outbox
 * @property {object} airports As in a snapshot: `inUse`, `waiting`, `download`, `lastCheck`, `failure`, where present.
 *
 * @typedef {object} Why
 * @property {string} title One line.
 * @property {{name: string, text: string, line: number | null}[]} rows What led to it; `line` is where to look.
 *
 * @typedef {object} CellWhy Why reports of a cell are seen, or aren't.
 * @property {{lo: number, hi: number, id: string}} cell
 * @property {string} title
 * @property {{name: string, text: string, line: number | null}[]} rows
 * @property {{scope: string, inArea: boolean, held: number, visible: number, reason: string,
 *   since: number | null, lostAt: number | null}[]} scopes `reason` is one of `visible`, `outside`, `notAsked`,
 *   `notFetched`, `filtered`, `expired`, `neverReported`; `since` is the line that brought what is visible, `lostAt`
 *   the line after which the last report was gone.
 */

/** An error with a code and a sentence that can be shown. */
export class EngineError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Compiles the engine. One engine opens any number of flights, each with memory of its own.
 *
 * @param {Uint8Array | ArrayBuffer | WebAssembly.Module} wasm
 * @returns {Promise<Engine>}
 */
export async function createEngine(wasm) {
  throw new EngineError("notBuilt", `The engine isn't built: ${typeof wasm}.`);
}

/** The compiled engine. */
export class Engine {
  /**
   * The rules of the planner, in order of evaluation.
   * @type {{id: string, name: string, text: string}[]}
   */
  rules = [];

  /**
   * Folds a recording, in slices of some milliseconds between which the page can draw.
   *
   * It doesn't throw for anything in the recording: what can't be read is `flight.verdict.problem`.
   *
   * @param {FlightSource} source
   * @param {{onProgress?: (progress: Progress) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<Flight>}
   */
  async open(source, options) {
    throw new EngineError("notBuilt", `The engine isn't built: ${source.name} ${options}`);
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
    throw new EngineError("notBuilt", `${lo.length} ${hi.length}`);
  }

  /**
   * The cell of the reports' resolution (5) at a place.
   * @param {number} lat
   * @param {number} lon
   * @returns {{lo: number, hi: number, id: string} | null} Null if the place is none.
   */
  cellAt(lat, lon) {
    throw new EngineError("notBuilt", `${lat} ${lon}`);
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
    throw new EngineError("notBuilt", `${from} ${to} ${count}`);
  }
}

/** An opened recording. */
export class Flight {
  /** @type {string} */ name = "";
  /** @type {string[]} */ files = [];
  /** The lines that could be read. */
  lineCount = 0;
  /** @type {Verdict} */ verdict = /** @type {any} */ (null);
  /** @type {Columns} */ columns = /** @type {any} */ (null);
  /** Such as `response.received`. @type {string[]} */ kinds = [];
  /** What a line of each kind is. @type {("input" | "decision" | "mark")[]} */ roles = [];
  /** @type {string[]} */ scopes = [];
  /** By scope, in the order of `scopes`. @type {ScopeHistory[]} */ histories = [];

  /** The text of a line, without its line feed. Longer ones are cut at `limit` bytes.
   * @param {number} line @param {number} [limit] @returns {string} */
  text(line, limit = 1 << 20) {
    throw new EngineError("notBuilt", `${line} ${limit}`);
  }

  /** What a line says, in a few words, as `replay inspect` tells it: `history.changed 2h → 4h`.
   * @param {number} line @returns {string} */
  words(line) {
    throw new EngineError("notBuilt", `${line}`);
  }

  /** The file of a line and its number there, from 1. @param {number} line @returns {{file: string, line: number}} */
  place(line) {
    throw new EngineError("notBuilt", `${line}`);
  }

  /** The last line at or before a time; -1 if there is none. @param {number} at @returns {number} */
  lineAt(at) {
    throw new EngineError("notBuilt", `${at}`);
  }

  /**
   * What holds after a line, and what the pilot sees. Synchronous.
   * @param {number} line
   * @param {number} [at] Milliseconds of the log's clock, from the line's to the next one's: data ages in between.
   * @returns {State}
   */
  seek(line, at) {
    throw new EngineError("notBuilt", `${line} ${at}`);
  }

  /**
   * Why a request was sent, and what came of it, as `replay why` tells it.
   * @param {number} request @returns {Why | null} Null if there is no such request.
   */
  whyRequest(request) {
    throw new EngineError("notBuilt", `${request}`);
  }

  /** Which lines led to a line: its cause, the request it answers, and theirs. @param {number} line @returns {Why} */
  whyLine(line) {
    throw new EngineError("notBuilt", `${line}`);
  }

  /** Why reports of a cell are seen after a line, or why none is.
   * @param {number} line @param {{lo: number, hi: number}} cell @returns {CellWhy} */
  whyCell(line, cell) {
    throw new EngineError("notBuilt", `${line} ${cell}`);
  }
}

/**
 * What `replay view` put into the page, unpacked: the data elements that its HTML writer makes.
 *
 * @param {Document} document
 * @returns {Promise<{wasm: Uint8Array | null, flights: FlightSource[], assets: Map<string, Uint8Array>}>}
 */
export async function embedded(document) {
  throw new EngineError("notBuilt", `${document}`);
}
