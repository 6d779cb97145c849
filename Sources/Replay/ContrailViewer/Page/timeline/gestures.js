// Drag, pinch, wheel and click on the timeline.

import { el } from "../dom.js";
import { bytes, elapsed, span, utcTime } from "../format.js";
import { margin } from "./axis.js";
import { firstIndex, requestAt } from "./lanes.js";

/** @typedef {import("./timeline.js").Timeline} Timeline */

/** @param {Timeline} timeline */
export function listenToGestures(timeline) {
  const { overlay, overview, session } = timeline;
  /** @type {Map<number, number>} */ const pointers = new Map();
  let [travelled, apart, startX] = [0, 0, 0];
  const place = (/** @type {PointerEvent | WheelEvent} */ event, /** @type {Element} */ of) => {
    const box = of.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, width: box.width };
  };
  const seek = (/** @type {number} */ x, /** @type {number} */ width) => {
    session.seek(timeline.axis.timeAt(Math.max(0, Math.min(width, x)), width));
  };
  overlay.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    overlay.setPointerCapture(event.pointerId);
    const { x, width } = place(event, overlay);
    pointers.set(event.pointerId, x);
    [travelled, startX] = [0, x];
    timeline.isDragged = true;
    session.play(false);
    if (pointers.size === 1 && event.pointerType === "mouse") seek(x, width);
    const all = [...pointers.values()];
    apart = all.length > 1 ? Math.abs(all[0] - all[1]) : 0;
  });
  overlay.addEventListener("pointermove", (event) => {
    const { x, y, width } = place(event, overlay);
    const before = pointers.get(event.pointerId);
    if (before === undefined) return hover(timeline, x, y, width, event);
    travelled = Math.max(travelled, Math.abs(x - startX));
    pointers.set(event.pointerId, x);
    const all = [...pointers.values()];
    if (all.length > 1) {
      const now = Math.abs(all[0] - all[1]);
      if (apart > 8 && now > 8) timeline.axis.zoom(now / apart, (all[0] + all[1]) / 2 / width);
      apart = now;
      timeline.draw();
    } else if (travelled > 2) seek(x, width);
  });
  const release = (/** @type {PointerEvent} */ event) => {
    if (!pointers.delete(event.pointerId)) return;
    timeline.isDragged = pointers.size > 0;
    const { x, y, width } = place(event, overlay);
    if (event.type === "pointerup" && travelled <= 3 && pointers.size === 0) {
      seek(x, width);
      choose(timeline, x, y, width);
    }
  };
  overlay.addEventListener("pointerup", release);
  overlay.addEventListener("pointercancel", release);
  overlay.addEventListener("pointerleave", () => timeline.events.onTip(null, 0, 0));
  overlay.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, width } = place(event, overlay);
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) timeline.axis.pan((event.deltaX || event.deltaY) / width);
    else timeline.axis.zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) * 0.003), x / width);
    timeline.draw();
  }, { passive: false });
  overlay.addEventListener("dblclick", () => timeline.zoomOut());
  let isPanned = false;
  const pan = (/** @type {PointerEvent} */ event) => {
    const { x, width } = place(event, overview);
    const unit = Math.max(0, Math.min(1, (x - margin) / (width - 2 * margin))) * timeline.axis.length;
    if (!timeline.axis.isZoomed) return session.seek(timeline.axis.time(unit));
    timeline.axis.place(unit - (timeline.axis.to - timeline.axis.from) / 2, timeline.axis.to - timeline.axis.from);
    timeline.draw();
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

/**
 * Asks why of what was clicked.
 * @param {Timeline} timeline
 * @param {number} x
 * @param {number} y
 * @param {number} width
 */
function choose(timeline, x, y, width) {
  const { axis, session } = timeline;
  const lane = timeline.laneAt(y);
  if (!lane) return;
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

/**
 * @param {Timeline} timeline
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {PointerEvent} event
 */
function hover(timeline, x, y, width, event) {
  const { axis, session } = timeline;
  const lane = timeline.laneAt(y);
  const time = axis.timeAt(x, width);
  const moment = (/** @type {number} */ at) => `${utcTime(at)} UTC  ${elapsed(at - session.start)}`;
  const rows = [moment(time)];
  timeline.overlay.classList.remove("is-over");
  if (lane?.kind === "scope") {
    const recording = session.recordings[lane.flight];
    const request = requestAt(recording, lane.scope, axis, session.offsets[lane.flight], width, x);
    if (request) {
      timeline.overlay.classList.add("is-over");
      const what = request.mode === "held" ? "held delta" : request.mode;
      // The request's own time, not that of the pointer beside it.
      rows[0] = `sent ${moment(request.startAt - session.offsets[lane.flight])}`;
      rows.unshift(`#${request.number} ${what} ${request.rule}`);
      rows.push(`${request.outcome}${request.status ? ` ${request.status}` : ""}, ${span(request.endAt - request.startAt)}, ↓ ${bytes(request.bytesDown)}`);
    }
  } else if (lane?.kind === "inputs") {
    const recording = session.recordings[lane.flight];
    const { at } = recording.flight.columns;
    const i = firstIndex(recording.inputs.length, (k) => at[recording.inputs[k]], axis.timeAt(x - 6, width) + session.offsets[lane.flight]);
    const input = recording.inputs[i];
    if (input !== undefined && Math.abs(axis.x(at[input] - session.offsets[lane.flight], width) - x) <= 7)
      rows.splice(0, 1, moment(at[input] - session.offsets[lane.flight])) && rows.unshift(recording.flight.words(input).slice(0, 200));
  }
  timeline.events.onTip(el("div", null, ...rows.map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }))), event.clientX, event.clientY);
}
