// Two flights on one clock: where they part, which hexagons only one has, what each cost.

import { el, fill } from "./dom.js";
import { bytes, count, elapsed, span } from "./format.js";
import { scopeLabel } from "./timeline/lanes.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./recording.js").Recording} Recording */
/** @typedef {import("./engine.js").State} State */

/**
 * A pair of lines that differ; -1 where a recording has ended.
 * @typedef {{a: number, b: number, field: string}} Difference
 */

/**
 * A number for a cell, exact below 2^53.
 * @param {number} lo
 * @param {number} hi
 */
export function cellKey(lo, hi) {
  return hi * 4096 + (lo >>> 20);
}

/**
 * Lines that both write, without what only numbers them.
 * @param {Recording} recording
 * @param {number} line
 */
function essence(recording, line) {
  return recording.flight.text(line).replace(/"(seq|at|cause|through|crc)":("[^"]*"|\d+),?/g, "");
}

/**
 * The first events and the first decisions that differ. Marks are passed over, as `replay diff` does.
 *
 * @param {Session} session
 * @returns {{event: Difference | null, decision: Difference | null}}
 */
export function firstDifferences(session) {
  const [a, b] = session.recordings;
  const zero = session.offsets[1] - session.offsets[0];
  const eventsOf = (/** @type {Recording} */ r) => lines(r, (role) => role !== "mark");
  const decisionsOf = (/** @type {Recording} */ r) => lines(r, (role) => role === "decision");
  const first = (/** @type {number[]} */ one, /** @type {number[]} */ other) => {
    for (let i = 0; i < Math.max(one.length, other.length); i++) {
      const [m, n] = [one[i] ?? -1, other[i] ?? -1];
      if (m < 0 || n < 0) return { a: m, b: n, field: "one recording has ended" };
      const [ca, cb] = [a.flight.columns, b.flight.columns];
      const [ka, kb] = [a.flight.kinds[ca.kind[m]], b.flight.kinds[cb.kind[n]]];
      if (ka !== kb) return { a: m, b: n, field: "kind" };
      if (ca.at[m] + zero !== cb.at[n]) return { a: m, b: n, field: "time" };
      if (essence(a, m) !== essence(b, n)) return { a: m, b: n, field: "content" };
    }
    return null;
  };
  return { event: first(eventsOf(a), eventsOf(b)), decision: first(decisionsOf(a), decisionsOf(b)) };
}

/**
 * @param {Recording} recording
 * @param {(role: string) => boolean} wanted
 */
function lines(recording, wanted) {
  const { columns: c, roles } = recording.flight;
  const table = roles.map(wanted);
  /** @type {number[]} */ const out = [];
  for (let i = 0; i < recording.count; i++) if (table[c.kind[i]]) out.push(i);
  return out;
}

/**
 * The cells that the pilot sees.
 * @param {State | null} state
 * @returns {Set<number>}
 */
export function cellsOf(state) {
  /** @type {Set<number>} */ const out = new Set();
  if (state) for (let i = 0; i < state.reports.lo.length; i++) out.add(cellKey(state.reports.lo[i], state.reports.hi[i]));
  return out;
}

/**
 * The panel "Compare".
 * @param {HTMLElement} host
 * @param {Session} session
 * @param {(State | null)[]} states
 * @param {ReturnType<typeof firstDifferences>} differences
 * @param {[Set<number>, Set<number>]} cells
 * @param {{isFading: boolean, onFade: (isFading: boolean) => void}} options
 */
export function showCompare(host, session, states, differences, cells, options) {
  const [a, b] = session.recordings;
  const sums = session.recordings.map((recording, i) => recording.sums(session.lines[i]));
  const onlyIn = (/** @type {Set<number>} */ one, /** @type {Set<number>} */ other) => {
    let n = 0;
    for (const key of one) if (!other.has(key)) n++;
    return n;
  };
  const apart = sums[1].down - sums[0].down;
  const table = el("table", { class: "compare-table" },
    el("thead", null, el("tr", null, el("th", { scope: "col" }, ""), el("th", { scope: "col", title: a.flight.name }, el("span", { class: "flight-tag is-a" }, "A")), el("th", { scope: "col", title: b.flight.name }, el("span", { class: "flight-tag is-b" }, "B")))),
    el("tbody", null,
      line("received", bytes(sums[0].down), bytes(sums[1].down)), line("sent", bytes(sums[0].up), bytes(sums[1].up)),
      line("full fetches", count(sums[0].full), count(sums[1].full)), line("deltas", count(sums[0].delta), count(sums[1].delta)),
      ...sums.some((each) => each.repair) ? [line("repairs", count(sums[0].repair), count(sums[1].repair))] : [],
      line("hexagons", count(cells[0].size), count(cells[1].size)),
      line("only here", count(onlyIn(cells[0], cells[1])), count(onlyIn(cells[1], cells[0]))),
      line("link", linkText(states[0]), linkText(states[1])), ...ages(states)));
  const fade = el("input", { type: "checkbox", onchange: () => options.onFade(fade.checked) });
  fade.checked = options.isFading;
  fill(host,
    el("p", { class: "compare-lead" }, apart === 0 ? "Both have received the same number of bytes." :
      `B has received ${bytes(Math.abs(apart))} ${apart > 0 ? "more" : "less"} than A.`),
    table,
    el("label", { class: "check" }, fade, el("span", { text: "Fade the hexagons that both have" })),
    el("h3", { text: "Where they part" }),
    differenceView(session, "First different event", differences.event),
    differenceView(session, "First different decision", differences.decision));
}

/** @param {State | null} state */
function linkText(state) {
  return state ? (state.isOnline ? "online" : "offline") : "–";
}

/** @param {(State | null)[]} states */
function ages(states) {
  const names = [...new Set(states.flatMap((state) => state?.scopes.map((scope) => scope.name) ?? []))];
  return names.map((name) => {
    const [x, y] = states.map((state) => {
      const age = state?.scopes.find((scope) => scope.name === name)?.ageS;
      return age === null || age === undefined ? "–" : span(age * 1000);
    });
    return line(`age, ${scopeLabel(name)}`, x, y);
  });
}

/**
 * @param {string} name
 * @param {string} x
 * @param {string} y
 */
function line(name, x, y) {
  return el("tr", { class: x === y ? "" : "is-different" }, el("th", { scope: "row", text: name }), el("td", { text: x }), el("td", { text: y }));
}

/**
 * @param {Session} session
 * @param {string} title
 * @param {Difference | null} difference
 */
function differenceView(session, title, difference) {
  if (!difference) return el("p", { class: "hint" }, `${title}: none.`);
  const side = (/** @type {number} */ flight, /** @type {number} */ at) => {
    const tag = el("span", { class: `flight-tag is-${"ab"[flight]}` }, "AB"[flight]);
    if (at < 0) return el("div", { class: "difference-side" }, tag, el("span", { class: "faint", text: "has ended" }));
    const recording = session.recordings[flight];
    return el("button", {
      class: "difference-side", onclick: () => {
        session.seekLine(at, flight);
        session.select({ kind: "line", flight, line: at });
      },
    }, tag, el("span", { text: recording.flight.words(at).slice(0, 160) }),
    el("span", { class: "faint", text: `line ${at + 1} · ${elapsed(recording.flight.columns.at[at] - recording.start)}` }));
  };
  return el("section", { class: "difference" }, el("h4", { text: `${title}: ${difference.field}` }), side(0, difference.a), side(1, difference.b));
}
