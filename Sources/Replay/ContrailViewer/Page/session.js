// What the reader looks at: the flights, the moment, the selection, the filters. Everything else follows from it.

import { bands } from "./palette.js";
import { Recording } from "./recording.js";

/** @typedef {"time" | "selection" | "filter" | "theme" | "search" | "play" | "view"} Change */
/** @typedef {"line" | "decision" | "request" | "mark" | "match"} Step */

/**
 * @typedef {object} Selection What "why" is asked of.
 * @property {"line" | "request" | "cell" | "nothing" | "bytes" | "age" | "mark" | "link" | "area"} kind
 * @property {number} flight Index of the flight.
 * @property {number} line The line at which it was asked.
 * @property {number} [request]
 * @property {{lo: number, hi: number} | null} [cell]
 * @property {[number, number]} [place]
 * @property {string} [scope]
 * @property {string} [title]
 * @property {string} [text]
 */

export class Session {
  /** @param {Recording[]} recordings One or two. */
  constructor(recordings) {
    this.recordings = recordings;
    const [a, b] = recordings;
    /** What is added to the clock of the first flight to get that of each: nothing if they were flown at the same time. */
    this.offsets = recordings.map((r) => (b && (b.start > a.end || b.end < a.start) ? r.start - a.start : 0));
    this.start = Math.min(...recordings.map((r, i) => r.start - this.offsets[i]));
    this.end = Math.max(...recordings.map((r, i) => r.end - this.offsets[i]));
    /** The moment, by the clock of the first flight. */
    this.at = this.start;
    /** The line of each flight. */
    this.lines = recordings.map(() => 0);
    /** The flight that is stepped through. */
    this.active = 0;
    /** @type {Selection | null} */ this.selection = null;
    /** @type {import("./map/scene.js").Shown} */
    this.shown = { severities: [true, true, true, true, true], bands: bands.map(() => true), hiddenScopes: new Set() };
    this.isPlaying = false;
    /** @type {number[]} Lines of the active flight that match the search. */ this.matches = [];
    this.query = "";
    /** @type {((change: Change) => void)[]} */ this.listeners = [];
    this.seek(this.start);
    // A flight that was decided otherwise opens where that begins.
    const flight = recordings.findIndex((recording) => recording.flight.verdict.divergence);
    const divergence = recordings[flight]?.flight.verdict.divergence;
    if (divergence) this.seekLine(divergence.line, flight);
  }

  /** @param {(change: Change) => void} listener */
  subscribe(listener) {
    this.listeners.push(listener);
  }

  /** @param {Change} change */
  changed(change) {
    for (const listener of this.listeners) listener(change);
  }

  /**
   * Goes to a moment.
   * @param {number} at
   */
  seek(at) {
    this.at = Math.max(this.start, Math.min(this.end, at));
    this.lines = this.recordings.map((r, i) => r.lineAt(this.at + this.offsets[i]));
    this.changed("time");
  }

  /**
   * Goes to a line of a flight.
   * @param {number} line
   * @param {number} [flight]
   */
  seekLine(line, flight = this.active) {
    const recording = this.recordings[flight];
    if (!recording.count) return;
    line = Math.max(0, Math.min(recording.count - 1, line));
    this.at = recording.flight.columns.at[line] - this.offsets[flight];
    this.lines = this.recordings.map((r, i) => (i === flight ? line : r.lineAt(this.at + this.offsets[i])));
    this.active = flight;
    this.changed("time");
  }

  /**
   * @param {Step} step
   * @param {1 | -1} direction
   * @returns {boolean} Whether there was anything to go to.
   */
  step(step, direction) {
    const recording = this.recordings[this.active];
    const line = this.lines[this.active];
    const lines = {
      decision: () => recording.decisions,
      request: () => recording.requestLines,
      mark: () => [...recording.divergences, ...recording.errors, ...recording.relaunches, ...recording.losses].sort((a, b) => a - b),
      match: () => this.matches,
      line: () => [],
    }[step]();
    const next = step === "line" ? line + direction : Recording.next(lines, line, direction);
    if (next < 0 || next >= recording.count) return false;
    this.seekLine(next);
    return true;
  }

  /**
   * The time of a flight's clock.
   * @param {number} flight
   */
  time(flight) {
    return this.at + this.offsets[flight];
  }

  /** @param {number} flight */
  state(flight) {
    const recording = this.recordings[flight];
    if (!recording.count) return null;
    const [line, at] = [this.lines[flight], this.time(flight)];
    return recording.flight.seek(line, Math.max(at, recording.flight.columns.at[line]));
  }

  /** @param {Selection | null} selection */
  select(selection) {
    this.selection = selection;
    this.changed("selection");
  }

  /** @param {string} scope */
  toggleScope(scope) {
    const { hiddenScopes } = this.shown;
    if (!hiddenScopes.delete(scope)) hiddenScopes.add(scope);
    this.changed("filter");
  }

  /** @param {boolean} isPlaying */
  play(isPlaying) {
    if (isPlaying && this.at >= this.end) this.seek(this.start);
    this.isPlaying = isPlaying;
    this.changed("play");
  }
}
