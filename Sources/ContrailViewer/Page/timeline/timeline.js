// The timeline: lanes under one clock, the window that zooms, and the moment that is dragged along it.

import { el, fill, fitCanvas } from "../dom.js";
import { bytes, elapsed, span, utcMinute, utcTime } from "../format.js";
import { ruleColor } from "../palette.js";
import { Axis } from "./axis.js";
import { firstIndex, lanesOf, requestAt } from "./lanes.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("./lanes.js").Lane} Lane */
/** @typedef {import("./lanes.js").Ink} Ink */

const rulerHeight = 26;

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
    this.overview = el("canvas", { class: "timeline-overview", "aria-hidden": "true" });
    this.labels = el("div", { class: "timeline-labels" });
    this.canvas = el("canvas", { class: "timeline-canvas", "aria-hidden": "true" });
    this.overlay = el("canvas", {
      class: "timeline-overlay", tabindex: 0, role: "slider", "aria-label": "Moment of the flight", "aria-orientation": "horizontal",
    });
    this.lanesBox = el("div", { class: "timeline-lanes" }, this.labels, el("div", { class: "timeline-plot" }, this.canvas, this.overlay));
    fill(host, el("div", { class: "timeline-top" }, el("span", { class: "timeline-corner" }), this.overview), this.lanesBox);
    /** @type {Lane[]} */
    this.lanes = session.recordings.flatMap((recording, i) => lanesOf(recording, i));
    this.makeAxis();
    this.makeLabels();
    this.listen();
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
    this.axis = new Axis(session.start, session.end, times, this.folds);
  }

  /** Folds idle stretches, or shows them at length. */
  toggleFolding() {
    this.folds = !this.folds;
    this.makeAxis();
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
    if (!axis) return;
    const ink = (this.inkCache ??= this.ink());
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    const spacing = 84;
    let lastLabel = -spacing;
    for (const tick of axis.ticks(width, spacing)) {
      context.fillStyle = ink.grid;
      context.fillRect(Math.round(tick.x), rulerHeight - 6, 1, height);
      if (tick.x - lastLabel < 44 || tick.x > width - 34) continue;
      lastLabel = tick.x;
      const seconds = axis.to - axis.from < 600_000;
      context.fillStyle = ink.faint;
      context.fillText(seconds ? utcTime(tick.time) : utcMinute(tick.time), tick.x + 4, 12);
    }
    for (const piece of axis.pieces) if (piece.isGap) this.drawGap(context, piece, width, height, ink);
    let y = rulerHeight;
    for (const lane of this.lanes) {
      if (lane.flight > 0 && lane.name === "link") {
        context.fillStyle = ink.faint;
        context.fillRect(0, y, width, 1);
      }
      lane.draw({ context, axis, width, offset: session.offsets[lane.flight], ink }, y);
      y += lane.height;
    }
    this.drawMarks(context, width, height, ink);
  }

  /** @param {CanvasRenderingContext2D} context @param {import("./axis.js").Piece} piece @param {number} width
   * @param {number} height @param {Ink} ink */
  drawGap(context, piece, width, height, ink) {
    const { axis } = this;
    if (!axis) return;
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
    context.fillStyle = ink.faint;
    context.textAlign = "center";
    const text = span(piece.t1 - piece.t0);
    if (context.measureText(text).width < x1 - x0 + 30) context.fillText(text, (x0 + x1) / 2, 12);
    context.textAlign = "left";
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {Ink} ink */
  drawMarks(context, width, height, ink) {
    const { axis, session } = this;
    if (!axis) return;
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

  drawOverview() {
    const { width, height, ratio } = fitCanvas(this.overview);
    const context = /** @type {CanvasRenderingContext2D} */ (this.overview.getContext("2d"));
    const { axis, session } = this;
    if (!axis) return;
    const ink = (this.inkCache ??= this.ink());
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const x = (/** @type {number} */ time) => (axis.unit(time) / axis.length) * width;
    session.recordings.forEach((recording, flight) => {
      const rows = session.recordings.length;
      const [top, tall] = [3 + (flight * (height - 6)) / rows, (height - 6) / rows - 1];
      let last = -9;
      for (const request of recording.requests) {
        const p = x(request.startAt - session.offsets[flight]);
        if (p - last < 1.5 && !request.isFull) continue;
        last = p;
        context.fillStyle = ruleColor(request.rule);
        context.globalAlpha = request.isFull ? 1 : 0.55;
        context.fillRect(p, top + (request.isFull ? 0 : tall * 0.4), 1.5, tall * (request.isFull ? 1 : 0.6));
      }
      context.globalAlpha = 1;
    });
    const [left, right] = [(axis.from / axis.length) * width, (axis.to / axis.length) * width];
    if (axis.isZoomed) {
      context.fillStyle = ink.surface;
      context.globalAlpha = 0.6;
      context.fillRect(0, 0, left, height);
      context.fillRect(right, 0, width - right, height);
      context.globalAlpha = 1;
      context.strokeStyle = ink.accent;
      context.lineWidth = 1.5;
      context.beginPath();
      context.roundRect(left + 0.75, 0.75, Math.max(4, right - left - 1.5), height - 1.5, 3);
      context.stroke();
    }
    context.fillStyle = ink.text;
    context.fillRect(x(session.at) - 0.75, 0, 1.5, height);
  }

  drawOverlay() {
    const { width, height, ratio } = fitCanvas(this.overlay);
    const context = /** @type {CanvasRenderingContext2D} */ (this.overlay.getContext("2d"));
    const { axis, session } = this;
    if (!axis) return;
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
          context.roundRect(left - 3, y + 1, right - left + 6, lane.height - 3, 4);
          context.stroke();
        }
        y += lane.height;
      }
    }
    const x = axis.x(session.at, width);
    context.fillStyle = ink.text;
    context.fillRect(x - 0.75, 4, 1.5, height);
    context.beginPath();
    context.roundRect(x - 6, 2, 12, 12, 4);
    context.fill();
    context.beginPath();
    context.moveTo(x - 6, 10);
    context.lineTo(x + 6, 10);
    context.lineTo(x, 18);
    context.fill();
  }

  followTime() {
    const { session, axis } = this;
    if (!axis) return;
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

  // MARK: Gestures

  listen() {
    const { overlay, overview, session } = this;
    /** @type {Map<number, number>} */ const pointers = new Map();
    let [travelled, apart, startX] = [0, 0, 0];
    const place = (/** @type {PointerEvent | WheelEvent} */ event, /** @type {Element} */ of) => {
      const box = of.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
    };
    const seek = (/** @type {number} */ x, /** @type {number} */ width) => {
      if (this.axis) session.seek(this.axis.timeAt(Math.max(0, Math.min(width, x)), width));
    };
    overlay.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      overlay.setPointerCapture(event.pointerId);
      const { x, width } = place(event, overlay);
      pointers.set(event.pointerId, x);
      [travelled, startX] = [0, x];
      this.isDragged = true;
      session.play(false);
      if (pointers.size === 1 && event.pointerType === "mouse") seek(x, width);
      const all = [...pointers.values()];
      apart = all.length > 1 ? Math.abs(all[0] - all[1]) : 0;
    });
    overlay.addEventListener("pointermove", (event) => {
      const { x, y, width } = place(event, overlay);
      const before = pointers.get(event.pointerId);
      if (before === undefined) return this.hover(x, y, width, event);
      travelled = Math.max(travelled, Math.abs(x - startX));
      pointers.set(event.pointerId, x);
      const all = [...pointers.values()];
      if (all.length > 1 && this.axis) {
        const now = Math.abs(all[0] - all[1]);
        if (apart > 8 && now > 8) this.axis.zoom(now / apart, (all[0] + all[1]) / 2 / width);
        apart = now;
        this.draw();
      } else if (travelled > 2) seek(x, width);
    });
    const release = (/** @type {PointerEvent} */ event) => {
      if (!pointers.delete(event.pointerId)) return;
      this.isDragged = pointers.size > 0;
      const { x, y, width } = place(event, overlay);
      if (event.type === "pointerup" && travelled <= 3 && pointers.size === 0) {
        seek(x, width);
        this.choose(x, y, width);
      }
    };
    overlay.addEventListener("pointerup", release);
    overlay.addEventListener("pointercancel", release);
    overlay.addEventListener("pointerleave", () => this.events.onTip(null, 0, 0));
    overlay.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (!this.axis) return;
      const { x, width } = place(event, overlay);
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.axis.pan((event.deltaX || event.deltaY) / width);
      else this.axis.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) * 0.003), x / width);
      this.draw();
    }, { passive: false });
    overlay.addEventListener("dblclick", () => this.zoomOut());
    let isPanned = false;
    const pan = (/** @type {PointerEvent} */ event) => {
      const { x, width } = place(event, overview);
      if (!this.axis) return;
      if (!this.axis.isZoomed) return session.seek(this.axis.time((Math.max(0, Math.min(width, x)) / width) * this.axis.length));
      this.axis.place((x / width) * this.axis.length - (this.axis.to - this.axis.from) / 2, this.axis.to - this.axis.from);
      this.draw();
    };
    overview.addEventListener("pointerdown", (event) => {
      overview.setPointerCapture(event.pointerId);
      isPanned = true;
      pan(event);
    });
    overview.addEventListener("pointermove", (event) => isPanned && pan(event));
    overview.addEventListener("pointerup", () => (isPanned = false));
    overview.addEventListener("pointercancel", () => (isPanned = false));
  }

  /** @param {number} factor */
  zoom(factor) {
    const { axis, session } = this;
    if (!axis) return;
    const share = (axis.unit(session.at) - axis.from) / (axis.to - axis.from);
    axis.zoom(factor, Math.max(0, Math.min(1, share)));
    this.draw();
  }

  zoomOut() {
    this.axis?.reset();
    this.draw();
  }

  /** @param {number} y @returns {Lane | null} */
  laneAt(y) {
    let top = rulerHeight;
    for (const lane of this.lanes) {
      if (y >= top && y < top + lane.height) return lane;
      top += lane.height;
    }
    return null;
  }

  /** Asks why of what was clicked. @param {number} x @param {number} y @param {number} width */
  choose(x, y, width) {
    const { axis, session } = this;
    const lane = this.laneAt(y);
    if (!axis || !lane) return;
    const recording = session.recordings[lane.flight];
    session.active = lane.flight;
    const line = session.lines[lane.flight];
    if (lane.kind === "scope") {
      const request = requestAt(recording, lane.scope, axis, session.offsets[lane.flight], width, x);
      if (!request) return;
      session.seekLine(request.startLine, lane.flight);
      session.select({ kind: "request", flight: lane.flight, line: request.startLine, request: request.number });
    } else if (lane.kind === "bytes") session.select({ kind: "bytes", flight: lane.flight, line });
    else if (lane.kind === "age") session.select({ kind: "age", flight: lane.flight, line });
    else if (lane.kind === "link") session.select({ kind: "link", flight: lane.flight, line });
    else {
      const { at } = recording.flight.columns;
      const time = axis.timeAt(x - 6, width) + session.offsets[lane.flight];
      const i = firstIndex(recording.inputs.length, (k) => at[recording.inputs[k]], time);
      const input = recording.inputs[i];
      if (input === undefined || Math.abs(axis.x(at[input] - session.offsets[lane.flight], width) - x) > 7) return;
      session.seekLine(input, lane.flight);
      session.select({ kind: "line", flight: lane.flight, line: input });
    }
  }

  /** @param {number} x @param {number} y @param {number} width @param {PointerEvent} event */
  hover(x, y, width, event) {
    const { axis, session } = this;
    if (!axis) return;
    const lane = this.laneAt(y);
    const time = axis.timeAt(x, width);
    const rows = [`${utcTime(time)} UTC  ${elapsed(time - session.start)}`];
    this.overlay.classList.remove("is-over");
    if (lane?.kind === "scope") {
      const recording = session.recordings[lane.flight];
      const request = requestAt(recording, lane.scope, axis, session.offsets[lane.flight], width, x);
      if (request) {
        this.overlay.classList.add("is-over");
        const what = request.rule === "P14" ? "delta" : request.rule === "P19" ? "upload" : "full";
        rows.unshift(`#${request.number} ${what} ${request.rule}`);
        rows.push(`${request.outcome}${request.status ? ` ${request.status}` : ""}, ${span(request.endAt - request.startAt)}, ↓ ${bytes(request.bytesDown)}`);
      }
    } else if (lane?.kind === "inputs") {
      const recording = session.recordings[lane.flight];
      const { at } = recording.flight.columns;
      const i = firstIndex(recording.inputs.length, (k) => at[recording.inputs[k]], axis.timeAt(x - 6, width) + session.offsets[lane.flight]);
      const input = recording.inputs[i];
      if (input !== undefined && Math.abs(axis.x(at[input] - session.offsets[lane.flight], width) - x) <= 7) rows.unshift(recording.flight.words(input).slice(0, 200));
    }
    this.events.onTip(el("div", null, ...rows.map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }))), event.clientX, event.clientY);
  }
}
