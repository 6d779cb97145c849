// The timeline: lanes under one clock, the window that zooms, and the moment that is dragged along it.

import { el, fill, fitCanvas } from "../dom.js";
import { elapsed, utcMinute, utcTime } from "../format.js";
import { ruleColor } from "../palette.js";
import { Axis, margin } from "./axis.js";
import { listenToGestures } from "./gestures.js";
import { lanesOf, tallness } from "./lanes.js";
import { drawGap, drawMarks, gapLabel, roundedBox, rulerHeight } from "./marks.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("./lanes.js").Lane} Lane */
/** @typedef {import("./lanes.js").Ink} Ink */

export class Timeline {
  /**
   * @param {HTMLElement} host
   * @param {Session} session
   * @param {{onTip: (content: Node | null, x: number, y: number) => void}} events
   */
  constructor(host, session, events) {
    this.host = host;
    this.session = session;
    this.events = events;
    this.folds = true;
    /** Whether the moment is dragged now. */
    this.isDragged = false;
    this.overview = el("canvas", { class: "timeline-overview", "aria-hidden": "true" });
    this.labels = el("div", { class: "timeline-labels" });
    this.canvas = el("canvas", { class: "timeline-canvas", "aria-hidden": "true" });
    this.overlay = el("canvas", {
      class: "timeline-overlay", tabindex: 0, role: "slider", "aria-label": "Moment of the flight", "aria-orientation": "horizontal",
    });
    this.lanesBox = el("div", { class: "timeline-lanes" }, this.labels, el("div", { class: "timeline-plot" }, this.canvas, this.overlay));
    fill(host, el("div", { class: "timeline-top" }, el("span", { class: "timeline-corner" }), this.overview), this.lanesBox);
    const isTight = session.recordings.length > 1 || session.recordings[0].flight.scopes.length > 3;
    /** @type {Lane[]} */
    this.lanes = session.recordings.flatMap((recording, i) => lanesOf(recording, i, isTight));
    this.axis = this.makeAxis();
    this.makeLabels();
    listenToGestures(this);
    new ResizeObserver(() => this.draw()).observe(this.overlay);
    session.subscribe((change) => {
      if (change === "time") this.followTime();
      if (change === "search" || change === "theme" || change === "filter") this.draw();
      if (change === "filter") this.makeLabels();
    });
  }

  makeAxis() {
    const { session } = this;
    const times = session.recordings.flatMap((recording, i) => {
      const { at } = recording.flight.columns;
      const out = Array.from(at, (time) => time - session.offsets[i]);
      return out;
    });
    if (session.recordings.length > 1) times.sort((a, b) => a - b);
    return new Axis(session.start, session.end, times, this.folds);
  }

  /** Folds idle stretches, or shows them at length. */
  toggleFolding() {
    this.folds = !this.folds;
    this.axis = this.makeAxis();
    this.draw();
  }

  makeLabels() {
    const many = this.session.recordings.length > 1;
    fill(this.labels, el("div", { class: "timeline-label is-ruler" }), ...this.lanes.map((lane) => {
      const isFirst = many && lane.name === "link";
      const text = isFirst ? `${"AB"[lane.flight]} · ${lane.label}` : lane.label;
      const isScope = lane.kind === "scope";
      const hidden = this.session.shown.hiddenScopes.has(lane.name);
      const label = el(isScope ? "button" : "div", {
        class: `timeline-label is-${lane.kind}${hidden ? " is-hidden" : ""}${isFirst ? " is-first" : ""}`,
        title: isScope ? `Show or hide what ${lane.label} holds on the map` : null,
        "aria-pressed": isScope ? String(!hidden) : null,
        onclick: isScope ? () => this.session.toggleScope(lane.name) : null,
      }, text);
      label.style.height = `${lane.height}px`;
      return label;
    }));
  }

  /** The height of the lanes. */
  get height() {
    return rulerHeight + this.lanes.reduce((sum, lane) => sum + lane.height, 0);
  }

  /** @returns {Ink} */
  ink() {
    const style = getComputedStyle(this.host);
    const read = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim() || "#888";
    return {
      text: read("text"), faint: read("faint"), grid: read("grid"), good: read("good"), bad: read("bad"), warn: read("warn"),
      accent: read("accent"), second: read("second"), surface: read("surface"),
    };
  }

  draw() {
    const plot = /** @type {HTMLElement} */ (this.canvas.parentElement);
    plot.style.height = `${this.height}px`;
    this.inkCache = this.ink();
    this.drawLanes();
    this.drawOverview();
    this.drawOverlay();
  }

  drawLanes() {
    const { width, height, ratio } = fitCanvas(this.canvas);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const { axis, session } = this;
    const ink = (this.inkCache ??= this.ink());
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const spacing = 84;
    const gapLabels = axis.pieces.filter((piece) => piece.isGap).map((piece) => gapLabel(context, axis, piece, width));
    let lastLabel = -spacing;
    for (const tick of axis.ticks(width, spacing)) {
      context.fillStyle = ink.grid;
      context.fillRect(Math.round(tick.x), rulerHeight - 6, 1, height);
      if (tick.x - lastLabel < 44 || tick.x > width - 34) continue;
      const text = axis.to - axis.from < 600_000 ? utcTime(tick.time) : utcMinute(tick.time);
      const [from, to] = [tick.x + 4, tick.x + 4 + context.measureText(text).width];
      if (gapLabels.some((label) => label && from < label.to + 4 && to > label.from - 4)) continue;
      lastLabel = tick.x;
      context.fillStyle = ink.faint;
      context.fillText(text, from, 12);
    }
    for (const piece of axis.pieces) if (piece.isGap) drawGap(context, axis, piece, width, height, ink);
    let y = rulerHeight;
    for (const lane of this.lanes) {
      if (lane.flight > 0 && lane.name === "link") {
        context.fillStyle = ink.faint;
        context.fillRect(0, y, width, 1);
      }
      lane.draw({ context, axis, width, offset: session.offsets[lane.flight], ink }, y);
      y += lane.height;
    }
    drawMarks(context, session, axis, width, height, ink);
  }

  drawOverview() {
    const { width, height, ratio } = fitCanvas(this.overview);
    const context = /** @type {CanvasRenderingContext2D} */ (this.overview.getContext("2d"));
    const { axis, session } = this;
    const ink = (this.inkCache ??= this.ink());
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const scale = (width - 2 * margin) / axis.length;
    const x = (/** @type {number} */ time) => margin + axis.unit(time) * scale;
    session.recordings.forEach((recording, flight) => {
      const rows = session.recordings.length;
      const [top, tall] = [3 + (flight * (height - 6)) / rows, (height - 6) / rows - 1];
      let last = -9;
      for (const request of recording.requests) {
        const p = x(request.startAt - session.offsets[flight]);
        if (p - last < 1.5 && request.mode !== "full") continue;
        last = p;
        context.fillStyle = ruleColor(request.rule);
        context.globalAlpha = request.mode === "full" ? 1 : 0.55;
        const share = tallness[request.mode];
        context.fillRect(p, top + tall * (1 - share), 1.5, tall * share);
      }
      context.globalAlpha = 1;
    });
    const [left, right] = [margin + axis.from * scale, margin + axis.to * scale];
    if (axis.isZoomed) {
      context.fillStyle = ink.surface;
      context.globalAlpha = 0.6;
      context.fillRect(0, 0, left, height);
      context.fillRect(right, 0, width - right, height);
      context.globalAlpha = 1;
      context.strokeStyle = ink.accent;
      context.lineWidth = 1.5;
      context.beginPath();
      roundedBox(context, left + 0.75, 0.75, Math.max(4, right - left - 1.5), height - 1.5, 3);
      context.stroke();
    }
    context.fillStyle = ink.text;
    context.fillRect(x(session.at) - 0.75, 0, 1.5, height);
  }

  drawOverlay() {
    const { width, height, ratio } = fitCanvas(this.overlay);
    const context = /** @type {CanvasRenderingContext2D} */ (this.overlay.getContext("2d"));
    const { axis, session } = this;
    const ink = (this.inkCache ??= this.ink());
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const selected = session.selection?.request !== undefined ? session.recordings[session.selection.flight]?.byNumber.get(session.selection.request) : null;
    if (selected && session.selection) {
      let y = rulerHeight;
      for (const lane of this.lanes) {
        if (lane.kind === "scope" && lane.scope === selected.scope && lane.flight === session.selection.flight) {
          const offset = session.offsets[lane.flight];
          const left = axis.x(selected.startAt - offset, width);
          const right = Math.max(left + 2.5, axis.x(selected.endAt - offset, width));
          context.strokeStyle = ink.text;
          context.lineWidth = 1.5;
          context.beginPath();
          roundedBox(context, left - 3, y + 1, right - left + 6, lane.height - 3, 4);
          context.stroke();
        }
        y += lane.height;
      }
    }
    const x = axis.x(session.at, width);
    context.fillStyle = ink.text;
    context.fillRect(x - 0.75, 4, 1.5, height);
    context.beginPath();
    roundedBox(context, x - 6, 2, 12, 12, 4);
    context.fill();
    context.beginPath();
    context.moveTo(x - 6, 10);
    context.lineTo(x + 6, 10);
    context.lineTo(x, 18);
    context.fill();
  }

  followTime() {
    const { session, axis } = this;
    const [from] = [axis.from];
    if (!this.isDragged) axis.reveal(session.at);
    if (axis.from !== from) this.draw();
    else {
      this.drawOverlay();
      this.drawOverview();
    }
    this.overlay.setAttribute("aria-valuemin", "0");
    this.overlay.setAttribute("aria-valuemax", String(Math.round((session.end - session.start) / 1000)));
    this.overlay.setAttribute("aria-valuenow", String(Math.round((session.at - session.start) / 1000)));
    this.overlay.setAttribute("aria-valuetext", `${utcTime(session.at)} UTC, ${elapsed(session.at - session.start)}, line ${session.lines[session.active] + 1}`);
  }

  /** @param {number} factor */
  zoom(factor) {
    const { axis, session } = this;
    const share = (axis.unit(session.at) - axis.from) / (axis.to - axis.from);
    axis.zoom(factor, Math.max(0, Math.min(1, share)));
    this.draw();
  }

  zoomOut() {
    this.axis.reset();
    this.draw();
  }

  /**
   * @param {number} y
   * @returns {Lane | null}
   */
  laneAt(y) {
    let top = rulerHeight;
    for (const lane of this.lanes) {
      if (y >= top && y < top + lane.height) return lane;
      top += lane.height;
    }
    return null;
  }
}
