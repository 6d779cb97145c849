// The lanes of the timeline and how each is drawn. A lane draws only what is in the window, once for each pixel.

import { bytes, span } from "../format.js";
import { ruleColor } from "../palette.js";
import { roundedBox } from "./marks.js";

/** @typedef {import("../recording.js").Recording} Recording */
/** @typedef {import("./axis.js").Axis} Axis */

/**
 * @typedef {object} Ink The theme's colours, read from CSS.
 * @property {string} text
 * @property {string} faint
 * @property {string} grid
 * @property {string} good
 * @property {string} bad
 * @property {string} warn
 * @property {string} accent
 * @property {string} second
 * @property {string} surface
 */

/**
 * @typedef {object} Pen
 * @property {CanvasRenderingContext2D} context
 * @property {Axis} axis
 * @property {number} width
 * @property {number} offset Added to the axis' time to get the flight's.
 * @property {Ink} ink
 */

/**
 * @typedef {object} Lane
 * @property {string} name
 * @property {string} label
 * @property {"link" | "inputs" | "scope" | "bytes" | "age"} kind
 * @property {number} flight
 * @property {number} scope
 * @property {number} height
 * @property {(pen: Pen, y: number) => void} draw
 */

/** The heights of lanes: where there are few, where there are many, and on a phone, where a finger presses the name of a scope. */
const heights = { roomy: { link: 14, inputs: 18, scope: 26, bytes: 44, age: 40 }, phone: { link: 14, inputs: 18, scope: 40, bytes: 44, age: 40 }, tight: { link: 12, inputs: 18, scope: 20, bytes: 28, age: 26 } };

/** The share of its lane that a request takes. A held request is a wait more than a transfer, so it is thin. */
export const tallness = { full: 1, repair: 0.8, delta: 0.58, upload: 0.58, held: 0.22 };

/**
 * @param {Recording} recording
 * @param {number} flight
 * @param {boolean} isTight Whether there are many lanes.
 * @returns {Lane[]}
 */
export function lanesOf(recording, flight, isTight) {
  const { scopes, histories } = recording.flight;
  const height = matchMedia("(max-width: 860px)").matches ? heights.phone : isTight ? heights.tight : heights.roomy;
  /** @type {Lane[]} */
  const lanes = [
    { name: "link", label: "Link", kind: "link", flight, scope: -1, height: height.link, draw: (pen, y) => drawLink(pen, y, recording) },
    { name: "inputs", label: "App inputs", kind: "inputs", flight, scope: -1, height: height.inputs, draw: (pen, y) => drawInputs(pen, y, recording) },
  ];
  scopes.forEach((name, scope) => {
    const own = recording.requests.filter((request) => request.scope === scope);
    if (own.length)
      lanes.push({ name, label: scopeLabel(name), kind: "scope", flight, scope, height: height.scope, draw: (pen, y) => drawRequests(pen, y, own, height.scope) });
  });
  lanes.push({ name: "bytes", label: "Bytes", kind: "bytes", flight, scope: -1, height: height.bytes, draw: (pen, y) => drawBytes(pen, y, recording, height.bytes) });
  if (histories.some((history) => history.watermark.some((/** @type {number} */ w) => w >= 0)))
    lanes.push({ name: "age", label: "Age of data", kind: "age", flight, scope: -1, height: height.age, draw: (pen, y) => drawAge(pen, y, recording, height.age - 6) });
  return lanes;
}

/**
 * `global.7200` as people say it.
 * @param {string} name
 */
export function scopeLabel(name) {
  const [head, ...rest] = name.split(".");
  const tail = rest.join(".");
  if (head === "global") return `Areas ${span(Number(tail) * 1000)}`;
  if (head === "weather") return `Weather ${tail.split(",").reverse().map((part) => Number(part).toFixed(1)).join(", ")}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/**
 * The first index whose time isn't before another.
 * @param {number} length
 * @param {(i: number) => number} timeOf
 * @param {number} time
 */
export function firstIndex(length, timeOf, time) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {Pen} pen */
function windowOf({ axis, offset }) {
  return { from: axis.time(axis.from) + offset, to: axis.time(axis.to) + offset };
}

/**
 * @param {Pen} pen
 * @param {number} y
 * @param {Recording} recording
 */
function drawLink(pen, y, recording) {
  const { context, axis, width, offset, ink } = pen;
  const { link } = recording;
  const { from, to } = windowOf(pen);
  const first = Math.max(0, firstIndex(link.length, (k) => link[k].at, from) - 1);
  let last = -9;
  for (let i = first; i < link.length && link[i].at <= to; i++) {
    const change = link[i];
    const [x0, x1] = [axis.x(change.at - offset, width), axis.x((link[i + 1]?.at ?? recording.end) - offset, width)];
    if (x1 < 0 || x1 - last < 0.5) continue;
    last = x1;
    const [left, right] = [Math.max(0, x0), Math.min(width, Math.max(x1, x0 + 1))];
    context.fillStyle = change.isOnline ? ink.good : ink.bad;
    context.globalAlpha = change.isOnline ? 0.55 : 0.28;
    context.fillRect(left, y + (change.isOnline ? 5 : 2), right - left, change.isOnline ? 4 : 10);
    context.globalAlpha = 1;
    if (change.isOnline || right - left < 44) continue;
    context.fillStyle = ink.bad;
    context.font = "600 10px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillText("offline", left + 5, y + 7.5);
  }
}

/**
 * @param {Pen} pen
 * @param {number} y
 * @param {Recording} recording
 */
function drawInputs(pen, y, recording) {
  const { context, axis, width, offset, ink } = pen;
  const { at } = recording.flight.columns;
  const { from, to } = windowOf(pen);
  const lines = recording.inputs;
  let last = -9;
  context.fillStyle = ink.second;
  for (let i = firstIndex(lines.length, (k) => at[lines[k]], from); i < lines.length && at[lines[i]] <= to; i++) {
    const x = axis.x(at[lines[i]] - offset, width);
    if (x - last < 1) continue;
    last = x;
    context.beginPath();
    context.moveTo(x, y + 4);
    context.lineTo(x + 5, y + 9);
    context.lineTo(x, y + 14);
    context.lineTo(x - 5, y + 9);
    context.fill();
  }
}

/**
 * @param {Pen} pen
 * @param {number} y
 * @param {import("../recording.js").Request[]} requests
 * @param {number} laneHeight
 */
function drawRequests(pen, y, requests, laneHeight) {
  const { context, axis, width, offset, ink } = pen;
  const { from, to } = windowOf(pen);
  // A request may have begun long before the window; one that lasts an hour is rare enough to look back for.
  const first = firstIndex(requests.length, (k) => requests[k].startAt, from - 3_600_000);
  context.fillStyle = ink.grid;
  const base = y + laneHeight - 3;
  context.fillRect(0, base, width, 1);
  let [lastX, lastLook] = [-9, ""];
  for (let i = first; i < requests.length && requests[i].startAt <= to; i++) {
    const request = requests[i];
    const x = axis.x(request.startAt - offset, width);
    const end = axis.x(request.endAt - offset, width);
    if (end < -4) continue;
    const isLost = request.outcome === "failed" || request.outcome === "refused";
    const isHeld = request.mode === "held";
    const look = request.rule + request.mode + request.outcome;
    // A gap between a held request and the next, so that both lengths are seen.
    const size = Math.max(2.5, end - x - (isHeld ? 1 : 0));
    if (size === 2.5 && x - lastX < 1 && look === lastLook) continue;
    [lastX, lastLook] = [x, look];
    const height = Math.round((laneHeight - 7) * tallness[request.mode]);
    const top = base - height;
    context.fillStyle = ruleColor(request.rule);
    context.globalAlpha = request.outcome === "cancelled" ? 0.3 : request.outcome === "unchanged" ? 0.5 : 1;
    context.beginPath();
    roundedBox(context, x, top, size, height, Math.min(2, size / 2));
    context.fill();
    context.globalAlpha = 1;
    if (isLost) {
      context.fillStyle = ink.bad;
      context.fillRect(x - 1, top - 3, Math.max(4, size + 2), 3);
    }
    if (size > 58) {
      const text = `${request.rule} #${request.number}`;
      const from = Math.max(x, 0) + 5;
      context.fillStyle = isHeld ? ink.faint : ink.surface;
      context.font = "600 10px system-ui, sans-serif";
      context.textBaseline = "middle";
      if (from + context.measureText(text).width < x + size) context.fillText(text, from, isHeld ? top - 6 : top + height / 2 + 0.5);
    }
  }
}

/**
 * The request at a place of a lane; null if there is none.
 * @param {Recording} recording
 * @param {number} scope
 * @param {Axis} axis
 * @param {number} offset
 * @param {number} width
 * @param {number} x
 */
export function requestAt(recording, scope, axis, offset, width, x) {
  const time = axis.timeAt(x + 6, width) + offset;
  const { requests } = recording;
  let best = null;
  let nearest = 6;
  for (let i = firstIndex(requests.length, (k) => requests[k].startAt, time + 1) - 1; i >= 0; i--) {
    const request = requests[i];
    if (request.scope !== scope) continue;
    const left = axis.x(request.startAt - offset, width);
    const right = Math.max(left + 2.5, axis.x(request.endAt - offset, width));
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < nearest) [best, nearest] = [request, away];
    if (left < x - 40 && request.startAt < time - 3_600_000) break;
  }
  return best;
}

/**
 * @param {Pen} pen
 * @param {number} y
 * @param {Recording} recording
 * @param {number} laneHeight
 */
function drawBytes(pen, y, recording, laneHeight) {
  const { context, axis, width, offset, ink } = pen;
  const { columns: c, lineCount } = recording.flight;
  const { from, to } = windowOf(pen);
  const slot = 4;
  const n = Math.ceil(width / slot);
  const [down, up] = [new Float64Array(n), new Float64Array(n)];
  let [mostDown, mostUp] = [1, 1];
  for (let i = firstIndex(lineCount, (k) => c.at[k], from); i < lineCount && c.at[i] <= to; i++) {
    if (!c.bytesDown[i] && !c.bytesUp[i]) continue;
    const k = Math.max(0, Math.min(n - 1, Math.floor(axis.x(c.at[i] - offset, width) / slot)));
    mostDown = Math.max(mostDown, (down[k] += c.bytesDown[i]));
    mostUp = Math.max(mostUp, (up[k] += c.bytesUp[i]));
  }
  const base = y + Math.round(laneHeight * 0.73);
  context.fillStyle = ink.grid;
  context.fillRect(0, base, width, 1);
  for (let k = 0; k < n; k++) {
    // By the square root, so that a delta is still seen beside a full fetch.
    const tall = down[k] ? Math.max(2, Math.sqrt(down[k] / mostDown) * (laneHeight * 0.73 - 3)) : 0;
    const deep = up[k] ? Math.max(1.5, Math.sqrt(up[k] / mostUp) * laneHeight * 0.2) : 0;
    context.fillStyle = ink.accent;
    if (tall) context.fillRect(k * slot, base - tall, slot - 1, tall);
    context.fillStyle = ink.second;
    if (deep) context.fillRect(k * slot, base + 1, slot - 1, deep);
  }
  drawScale(pen, y, `↓ ${bytes(mostDown)}`);
}

/**
 * What the top of a lane stands for, at its right end.
 *
 * @param {Pen} pen
 * @param {number} y
 * @param {string} text
 */
function drawScale({ context, width, ink }, y, text) {
  context.font = "10px system-ui, sans-serif";
  context.textBaseline = "top";
  context.textAlign = "right";
  const measured = context.measureText(text).width;
  context.fillStyle = ink.surface;
  context.globalAlpha = 0.8;
  context.fillRect(width - measured - 8, y + 1, measured + 8, 13);
  context.globalAlpha = 1;
  context.fillStyle = ink.faint;
  context.fillText(text, width - 4, y + 3);
  context.textAlign = "left";
}

/**
 * How old what is held of a scope is, in milliseconds; -1 if nothing is.
 * @param {Recording} recording
 * @param {number} scope
 * @param {number} line
 * @param {number} at
 */
export function ageAt(recording, scope, line, at) {
  const history = recording.flight.histories[scope];
  const i = firstIndex(history.line.length, (k) => history.line[k], line + 1) - 1;
  if (i < 0 || history.watermark[i] < 0) return -1;
  const { columns: c } = recording.flight;
  return Math.max(0, c.serverAt[line] + (at - c.at[line]) - history.watermark[i] * 1000);
}

/**
 * @param {Pen} pen
 * @param {number} y
 * @param {Recording} recording
 * @param {number} height
 */
function drawAge(pen, y, recording, height) {
  const { context, axis, width, offset, ink } = pen;
  const scopes = recording.flight.histories.map((_, i) => i).filter((i) => recording.flight.histories[i].watermark.some((/** @type {number} */ w) => w >= 0));
  const step = Math.max(1, Math.round(width / 700));
  const all = scopes.map((scope) => {
    const ages = new Float64Array(Math.ceil(width / step) + 1);
    for (let k = 0; k < ages.length; k++) {
      const at = axis.timeAt(Math.min(width, k * step), width) + offset;
      ages[k] = at > recording.end + 1 ? -1 : ageAt(recording, scope, recording.lineAt(at), at);
    }
    return ages;
  });
  const oldest = Math.max(60_000, ...all.map((ages) => ages.reduce((a, b) => Math.max(a, b), 0)));
  context.fillStyle = ink.grid;
  context.fillRect(0, y + height + 3, width, 1);
  all.forEach((ages, i) => {
    const colour = i === 0 ? ink.warn : [ink.second, ink.accent, ink.good][(i - 1) % 3];
    let isDown = false;
    let startX = 0;
    const finish = (/** @type {number} */ x) => {
      if (!isDown) return;
      context.strokeStyle = colour;
      context.lineWidth = 1.4;
      context.stroke();
      context.lineTo(x, y + height + 3);
      context.lineTo(startX, y + height + 3);
      context.fillStyle = colour;
      context.globalAlpha = all.length > 1 ? 0.08 : 0.16;
      context.fill();
      context.globalAlpha = 1;
      isDown = false;
    };
    ages.forEach((age, k) => {
      const x = k * step;
      if (age < 0) return finish(x - step);
      const top = y + height + 3 - (age / oldest) * height;
      if (!isDown) {
        context.beginPath();
        context.moveTo(x, top);
        [isDown, startX] = [true, x];
      } else context.lineTo(x, top);
    });
    finish(width);
  });
  drawScale(pen, y, span(oldest));
}
