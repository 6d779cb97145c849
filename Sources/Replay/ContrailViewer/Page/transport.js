// Playing and stepping: the row of buttons above the timeline.

import { byID, el, fill } from "./dom.js";
import { elapsed, utcDay, utcTime } from "./format.js";
import { icon } from "./icons.js";
import { ruleColor } from "./palette.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./timeline/timeline.js").Timeline} Timeline */

/** Seconds of the flight in a second. */
const speeds = [1, 10, 60, 300, 1200, 3600];

/**
 * How requests are drawn.
 *
 * @type {[import("./recording.js").Mode, string][]}
 */
const modes = [["full", "all data, tall"], ["repair", "the records that differ, less tall"], ["delta", "a delta, low"], ["held", "held, thin"], ["upload", "own reports"]];

export class Transport {
  /**
   * @param {Session} session
   * @param {Timeline} timeline
   * @param {{id: string, text: string}[]} rules
   */
  constructor(session, timeline, rules) {
    this.session = session;
    this.timeline = timeline;
    this.speed = 300;
    const button = (/** @type {string} */ label, /** @type {Parameters<typeof icon>[0]} */ name, /** @type {() => void} */ action) =>
      el("button", { class: "icon-button", "aria-label": label, title: label, onclick: action }, icon(name));
    this.playButton = button("Play (space)", "play", () => session.play(!session.isPlaying));
    this.playButton.classList.add("is-play");
    this.stepBy = el("select", { "aria-label": "Step by", title: "What the step buttons go to" },
      ...["line", "decision", "request", "mark"].map((name) => el("option", { value: name, text: name === "mark" ? "problem" : name })));
    this.stepBy.value = "decision";
    this.speedBox = el("select", {
      "aria-label": "Speed", title: "Speed ( , and . )",
      onchange: () => (this.speed = Number(this.speedBox.value)),
    }, ...speeds.map((speed) => el("option", { value: speed, text: `${speed}×` })));
    this.speedBox.value = String(this.speed);
    this.time = el("output", { class: "transport-time", "aria-live": "off" });
    this.elapsed = el("output", { class: "transport-elapsed" });
    this.line = el("output", { class: "transport-line" });
    const step = (/** @type {1 | -1} */ direction) => {
      session.play(false);
      session.step(/** @type {import("./session.js").Step} */ (this.stepBy.value), direction);
    };
    fill(byID("transport"),
      el("div", { class: "transport-buttons", role: "group", "aria-label": "Play and step" },
        button("To the start (Home)", "start", () => session.seekLine(0)), button("Step back (←)", "back", () => step(-1)), this.playButton,
        button("Step forward (→)", "forward", () => step(1)), button("To the end (End)", "end", () => session.seek(session.end))),
      el("label", { class: "transport-choice" }, el("span", { text: "Step by" }), this.stepBy),
      el("label", { class: "transport-choice" }, el("span", { text: "Speed" }), this.speedBox),
      el("div", { class: "transport-clock" }, this.time, this.elapsed, this.line),
      el("div", { class: "transport-zoom", role: "group", "aria-label": "Zoom of the timeline" },
        button("Zoom out (-)", "minus", () => timeline.zoom(1 / 1.6)), button("Zoom in (+)", "plus", () => timeline.zoom(1.6)),
        el("button", { class: "bar-button", popovertarget: "colors", title: "What the colours of the timeline mean" }, "Colours"), this.makeColors(rules),
        button("Whole flight (0)", "whole", () => timeline.zoomOut()), button("Fold idle stretches (f)", "fold", () => timeline.toggleFolding())));
    session.subscribe((change) => {
      if (change === "time") this.show();
      if (change === "play") this.run();
    });
    this.show();
  }

  /**
   * The key for the colours of the timeline, with the rules that occur.
   *
   * @param {{id: string, text: string}[]} rules
   */
  makeColors(rules) {
    /** @type {Map<string, Set<import("./recording.js").Mode>>} */
    const used = new Map();
    for (const { rule, mode } of this.session.recordings.flatMap((recording) => recording.requests)) {
      const all = used.get(rule) ?? new Set();
      used.set(rule, all.add(mode));
    }
    const modesOf = (/** @type {string} */ rule) => modes.filter(([mode]) => used.get(rule)?.has(mode)).map(([, words]) => words).join("; ");
    const row = (/** @type {string} */ color, /** @type {string} */ name, /** @type {string} */ text) => {
      const dot = el("span", { class: "dot" });
      dot.style.background = color;
      return [el("dt", null, dot, name), el("dd", { text })];
    };
    return el("div", { id: "colors", class: "verdict", popover: "auto", role: "dialog", "aria-label": "Colours of the timeline" },
      el("h2", { text: "Colours of the timeline" }),
      el("dl", null,
        ...row("var(--good)", "link", "online"), ...row("var(--bad)", "link", "offline; above a request: it failed"),
        ...row("var(--second)", "inputs", "a call of the app, such as a new query"),
        ...rules.filter((rule) => used.has(rule.id)).flatMap((rule) => row(ruleColor(rule.id), rule.id, `${rule.text}; ${modesOf(rule.id)}`)),
        ...row("var(--faint)", "pale", "a request that brought nothing new; paler: it was cancelled"),
        ...row("var(--accent)", "bytes", "received, by the square root"), ...row("var(--second)", "bytes", "sent, below the line"),
        ...row("var(--warn)", "age", "of the first scope's data; other scopes have other colours")));
  }

  show() {
    const { session } = this;
    const { at, start } = session;
    this.time.textContent = `${utcTime(at)} UTC`;
    this.time.title = utcDay(at);
    this.elapsed.textContent = elapsed(at - start);
    const recording = session.recordings[session.active];
    this.line.textContent = recording.count ? `line ${session.lines[session.active] + 1} of ${recording.count}` : "no lines";
  }

  /** @param {1 | -1} direction */
  changeSpeed(direction) {
    const i = Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(this.speed) + direction));
    this.speed = speeds[i];
    this.speedBox.value = String(this.speed);
  }

  run() {
    const { session, timeline } = this;
    fill(this.playButton, icon(session.isPlaying ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", session.isPlaying ? "Pause (space)" : "Play (space)");
    if (!session.isPlaying || this.frame) return;
    let last = performance.now();
    const tick = (/** @type {number} */ now) => {
      this.frame = 0;
      if (!session.isPlaying) return;
      const { axis } = timeline;
      const passed = Math.min(200, Math.max(0, now - last)) * this.speed;
      last = now;
      // Along the axis, so that a folded stretch takes no longer than it looks.
      session.seek(axis.time(Math.min(axis.length, axis.unit(session.at) + passed)));
      if (session.at >= session.end) return session.play(false);
      this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }
}
