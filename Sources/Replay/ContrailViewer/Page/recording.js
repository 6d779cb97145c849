// What the page derives once from the columns of a flight: requests, sums, and the lines at which something happened.

import { flags, none16, none8 } from "./engine.js";

/** @typedef {"full" | "repair" | "delta" | "held" | "upload"} Mode What a request asks for: all data, the records that differ, what is new, what is new once there is something, or nothing. */
/** @typedef {import("./engine.js").Flight} Flight */
/** @typedef {import("./engine.js").State} State */

/**
 * @typedef {object} Request
 * @property {number} number
 * @property {number} scope Index into `flight.scopes`; -1 if the line names none.
 * @property {string} rule Such as `due`.
 * @property {Mode} mode
 * @property {number} startLine
 * @property {number} startAt
 * @property {number} endLine The line of the response, failure or cancellation; -1 if there is none.
 * @property {number} endAt
 * @property {"answered" | "unchanged" | "refused" | "failed" | "cancelled" | "open"} outcome `unchanged`: the answer says that what is held is current.
 * @property {number} status
 * @property {number} bytesDown
 * @property {number} bytesUp
 */

/** @typedef {{line: number, at: number, lo: number, hi: number, severity: number, altitude: number}} OwnReport */

/** Inputs that aren't the app's: the network's, the clock's, the process's. */
const foreign = new Set(["response.received", "response.failed", "clock.ticked", "connectivity.changed", "session.started"]);

export class Recording {
  /**
   * @param {Flight} flight
   * @param {{id: string}[]} rules
   */
  constructor(flight, rules) {
    this.flight = flight;
    const { columns: c, lineCount: n } = flight;
    this.count = n;
    this.start = n ? c.at[0] : 0;
    this.end = n ? c.at[n - 1] : 0;
    /** Bytes up to and including a line. */
    this.downTo = new Float64Array(n);
    this.upTo = new Float64Array(n);
    /** @type {Request[]} */ this.requests = [];
    /** Index into `requests` by line of its start or end; -1 elsewhere. */
    this.requestOf = new Int32Array(n).fill(-1);
    /** @type {Map<number, Request>} */ this.byNumber = new Map();
    /**
     * Lines of the app's inputs.
     * @type {number[]}
     */
    this.inputs = [];
    /** @type {number[]} */ this.decisions = [];
    /** @type {number[]} */ this.divergences = [];
    /** @type {number[]} */ this.errors = [];
    /** @type {number[]} */ this.relaunches = [];
    /** @type {number[]} */ this.losses = [];
    /**
     * Where the link changes.
     * @type {{at: number, isOnline: boolean}[]}
     */
    this.link = [];
    const roles = flight.roles;
    const kinds = flight.kinds;
    const sends = kinds.map((kind) => kind === "fetch.started" || kind === "upload.started");
    const isApp = kinds.map((kind, i) => roles[i] === "input" && !foreign.has(kind));
    let [down, up, wasOnline] = [0, 0, false];
    for (let i = 0; i < n; i++) {
      this.downTo[i] = down += c.bytesDown[i];
      this.upTo[i] = up += c.bytesUp[i];
      const [kind, flag] = [c.kind[i], c.flags[i]];
      const isOnline = (flag & flags.online) !== 0;
      if (isOnline !== wasOnline || i === 0) this.link.push({ at: c.at[i], isOnline });
      wasOnline = isOnline;
      if (flag & flags.diverges) this.divergences.push(i);
      if (flag & flags.error) this.errors.push(i);
      if (flag & flags.loss) this.losses.push(i);
      if (flag & flags.relaunch) {
        this.relaunches.push(i);
        this.close(c.at[i], i);
      }
      if (roles[kind] === "decision") this.decisions.push(i);
      if (isApp[kind]) this.inputs.push(i);
      if (sends[kind]) this.begin(i, rules);
      else if (c.started[i] >= 0) this.finish(i);
    }
    this.close(this.end, -1);
    this.requestLines = this.requests.map((request) => request.startLine);
    this.ownReports = this.findOwnReports();
  }

  /**
   * The reports that this aircraft made: their cells are only in the text.
   *
   * @returns {OwnReport[]}
   */
  findOwnReports() {
    const { columns: c, kinds } = this.flight;
    /** @type {OwnReport[]} */
    const out = [];
    for (const line of this.inputs) {
      if (kinds[c.kind[line]] !== "report.tracked" || out.length >= 5000) continue;
      const report = /"report":\{"id":"([0-9a-f]{8,16})","alt":(\d+),"sev":([0-4])/.exec(this.flight.text(line, 1000));
      if (!report) continue;
      const id = report[1].padStart(16, "0");
      const [hi, lo] = [parseInt(id.slice(0, 8), 16), parseInt(id.slice(8), 16)];
      out.push({ line, at: c.at[line], hi, lo, altitude: Number(report[2]), severity: Number(report[3]) });
    }
    return out;
  }

  /**
   * @param {number} i
   * @param {{id: string}[]} rules
   */
  begin(i, rules) {
    const { columns: c, kinds } = this.flight;
    const flag = c.flags[i];
    /** @type {Mode} */
    const mode = kinds[c.kind[i]] === "upload.started" ? "upload" : flag & flags.full ? "full" : flag & flags.repair ? "repair" : flag & flags.held ? "held" : "delta";
    const rule = c.rule[i] === none8 ? "" : rules[c.rule[i]]?.id ?? "";
    /** @type {Request} */
    const request = {
      number: c.request[i], scope: c.scope[i] === none16 ? -1 : c.scope[i], rule, mode,
      startLine: i, startAt: c.at[i], endLine: -1, endAt: this.end, outcome: "open", status: 0, bytesDown: 0, bytesUp: c.bytesUp[i],
    };
    this.requestOf[i] = this.requests.length;
    this.requests.push(request);
    this.byNumber.set(request.number, request);
  }

  /** @param {number} i */
  finish(i) {
    const { columns: c, kinds } = this.flight;
    const index = this.requestOf[c.started[i]];
    const request = this.requests[index];
    if (!request) return;
    this.requestOf[i] = index;
    request.bytesDown += c.bytesDown[i];
    if (request.endLine >= 0) return;
    request.endLine = i;
    request.endAt = c.at[i];
    request.status = c.status[i];
    const kind = kinds[c.kind[i]];
    request.outcome = kind === "fetch.cancelled" ? "cancelled" : kind === "response.failed" ? "failed" :
      request.status === 304 || c.flags[i] & flags.unchanged ? "unchanged" : request.status < 400 ? "answered" : "refused";
  }

  /**
   * Ends the requests that a process left open.
   * @param {number} at
   * @param {number} line
   */
  close(at, line) {
    for (let i = this.requests.length - 1; i >= 0 && i > this.requests.length - 64; i--) {
      const request = this.requests[i];
      if (request.outcome === "open" && request.endLine < 0) request.endAt = at;
      if (request.outcome === "open" && line >= 0) request.outcome = "failed";
    }
  }

  /**
   * The last line at or before a time; the first one before the start.
   * @param {number} at
   */
  lineAt(at) {
    return Math.max(0, Math.min(this.count - 1, this.flight.lineAt(at)));
  }

  /**
   * The nearest line before or after another in a sorted list; -1 if there is none.
   * @param {number[]} lines
   * @param {number} line
   * @param {1 | -1} direction
   */
  static next(lines, line, direction) {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (direction > 0 ? lines[middle] <= line : lines[middle] < line) low = middle + 1;
      else high = middle;
    }
    return lines[direction > 0 ? low : low - 1] ?? -1;
  }

  /**
   * Requests that were sent up to a line, and what they cost.
   * @param {number} line
   */
  sums(line) {
    const [down, up] = line < 0 || !this.count ? [0, 0] : [this.downTo[line], this.upTo[line]];
    const sent = { full: 0, repair: 0, delta: 0, held: 0, upload: 0 };
    for (const request of this.requests) {
      if (request.startLine > line) break;
      sent[request.mode]++;
    }
    return { down, up, full: sent.full, repair: sent.repair, delta: sent.delta + sent.held, upload: sent.upload };
  }
}
