// The panel "Why": the chain of lines behind what was chosen. Each row with a line leads there.

import { el, fill } from "../dom.js";
import { icon } from "../icons.js";
import { bytes, counted, elapsed, place, span, utcTime } from "../format.js";
import { reportText, reportsOf } from "../reports.js";
import { scopeLabel } from "../timeline/lanes.js";
import { showLine } from "./line.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../session.js").Selection} Selection */
/** @typedef {{name: string, text: string, line: number | null}} Row */
/** @typedef {{title: string, facts?: string[], lead?: string, rows: Row[], line?: number}} Story */

const reasons = /** @type {Record<string, string>} */ ({
  visible: "reports are visible", outside: "the place is outside its area", notAsked: "its types don't include turbulence",
  notFetched: "nothing was fetched yet", filtered: "reports are held, but severity, altitude or history hide them",
  expired: "the reports that were here are older than the history", neverReported: "no report of this place was ever received",
});

/**
 * @param {HTMLElement} host
 * @param {Session} session
 */
export function showWhy(host, session) {
  const { selection } = session;
  if (!selection) {
    return fill(host, el("p", { class: "hint" }, "Click anything: a hexagon, an empty place, a request, the bytes, an age. You get the lines that led to it."));
  }
  const recording = session.recordings[selection.flight];
  const { columns: c } = recording.flight;
  const story = tell(session, selection);
  const rows = story.rows.map((row) => {
    const content = [el("span", { class: "why-name", text: row.name }), el("span", { class: "why-text", text: row.text.slice(0, 2000) })];
    if (row.line === null || row.line < 0 || row.line >= recording.count) return el("li", { class: "why-row" }, ...content);
    const line = row.line;
    return el("li", { class: "why-row is-link" }, el("button", {
      onclick: () => session.seekLine(line, selection.flight), title: "Go to this line",
    }, ...content, el("span", { class: "why-line", text: `line ${line + 1} · ${elapsed(c.at[line] - recording.start)}` })));
  });
  fill(host,
    el("header", { class: "why-head" },
      el("h2", { text: story.title.slice(0, 300) }),
      el("button", { class: "icon-button", "aria-label": "Close", title: "Close (Esc)", onclick: () => session.select(null) }, icon("close"))),
    story.facts?.length ? el("ul", { class: "why-facts" }, ...story.facts.map((text) => el("li", { text }))) : null,
    story.lead ? el("p", { class: "why-lead", text: story.lead }) : null,
    rows.length ? el("ol", { class: "why-chain" }, ...rows) : el("p", { class: "hint", text: "No line led to this." }),
    story.line !== undefined && story.line >= 0 && story.line < recording.count ? showLine(recording, story.line, session, selection.flight) : null);
}

/**
 * @param {Session} session
 * @param {Selection} selection
 * @returns {Story}
 */
function tell(session, selection) {
  const recording = session.recordings[selection.flight];
  const { flight } = recording;
  const many = session.recordings.length > 1 ? `${"AB"[selection.flight]}: ` : "";
  switch (selection.kind) {
    case "request": {
      const why = flight.whyRequest(selection.request ?? 0);
      if (!why) return { title: `There is no request ${selection.request}.`, rows: [] };
      return { title: many + why.title, rows: why.rows, line: recording.byNumber.get(selection.request ?? 0)?.startLine };
    }
    case "cell":
    case "nothing": {
      const where = selection.place ? place(...selection.place) : "";
      if (!selection.cell) return { title: "Why is nothing here?", lead: `${where} is in no cell.`, rows: [] };
      const why = flight.whyCell(selection.line, selection.cell);
      const rows = [...why.rows];
      for (const scope of rows.length ? [] : why.scopes) {
        const text = reasons[scope.reason] ?? scope.reason;
        rows.push({ name: scopeLabel(scope.scope), text: `${text}${scope.held ? ` (${scope.visible} of ${scope.held} visible)` : ""}`, line: scope.since ?? scope.lostAt });
      }
      const state = flight.seek(selection.line, Math.max(session.time(selection.flight), flight.columns.at[selection.line]));
      const found = reportsOf(state, selection.cell);
      const facts = found.slice(0, 12).map((i) => reportText(state, i));
      if (found.length > facts.length) facts.push(`and ${counted(found.length - facts.length, "report")} more`);
      return { facts, title: many + why.title, lead: `Cell ${why.cell.id}${where ? `, ${where}` : ""}, at ${utcTime(flight.columns.at[selection.line])} UTC.`, rows };
    }
    case "bytes": return bytesStory(session, selection);
    case "age": return ageStory(session, selection);
    case "link": {
      const { kinds, columns: c } = flight;
      let line = selection.line;
      while (line >= 0 && kinds[c.kind[line]] !== "connectivity.changed") line--;
      const change = recording.link.filter((each) => each.at <= c.at[selection.line]).pop();
      const title = change ? `${change.isOnline ? "Online" : "Offline"} for ${span(c.at[selection.line] - change.at)}` : "The link";
      if (line < 0) return { title: many + title, rows: [{ name: "before", text: "No line has said anything about the link yet.", line: null }] };
      return { title: many + title, rows: [{ name: "because", text: flight.words(line), line }], line };
    }
    case "mark":
    case "area": return { title: many + (selection.title ?? ""), lead: selection.text, rows: selection.scope ? ageStory(session, selection).rows : [] };
    default: {
      const why = flight.whyLine(selection.line);
      return { title: many + why.title, rows: why.rows, line: selection.line };
    }
  }
}

/**
 * What cost the bytes up to a line.
 * @param {Session} session
 * @param {Selection} selection
 * @returns {Story}
 */
function bytesStory(session, selection) {
  const recording = session.recordings[selection.flight];
  const { flight } = recording;
  const sums = recording.sums(selection.line);
  /** @type {Map<string, {down: number, up: number, n: number, largest: import("../recording.js").Request}>} */
  const groups = new Map();
  for (const request of recording.requests) {
    if (request.startLine > selection.line) break;
    const key = `${request.scope < 0 ? "outbox" : flight.scopes[request.scope]} ${request.rule}`;
    const group = groups.get(key) ?? { down: 0, up: 0, n: 0, largest: request };
    const isHere = request.endLine >= 0 && request.endLine <= selection.line;
    group.down += isHere ? request.bytesDown : 0;
    group.up += request.bytesUp;
    group.n++;
    if (isHere && request.bytesDown > group.largest.bytesDown) group.largest = request;
    groups.set(key, group);
  }
  const rows = [...groups].sort((a, b) => b[1].down + b[1].up - a[1].down - a[1].up).map(([key, group]) => ({
    name: key.split(" ")[1], line: group.largest.endLine >= 0 ? group.largest.endLine : group.largest.startLine,
    text: `${scopeLabel(key.split(" ")[0])}: ${counted(group.n, "request")}, ↓ ${bytes(group.down)}, ↑ ${bytes(group.up)}; the largest is request ${group.largest.number} with ${bytes(group.largest.bytesDown)}`,
  }));
  return { title: `${bytes(sums.down)} received, ${bytes(sums.up)} sent`, lead: `Since the start of the recording, by scope and rule. Sent bytes are those that the log counts, head and compressed body; where it doesn't, those of the body before compression.`, rows };
}

/**
 * Which response is seen, and why no newer one.
 * @param {Session} session
 * @param {Selection} selection
 * @returns {Story}
 */
function ageStory(session, selection) {
  const recording = session.recordings[selection.flight];
  const { flight } = recording;
  const state = flight.seek(selection.line);
  const scope = state.scopes.find((each) => each.name === selection.scope) ?? state.scopes.find((each) => each.ageS !== null) ?? state.scopes[0];
  if (!scope) return { title: "Nothing is wanted yet", rows: [] };
  /** @type {Row[]} */ const rows = [];
  const history = flight.histories[flight.scopes.indexOf(scope.name)];
  let brought = -1;
  if (history)
    for (let i = 0; i < history.line.length && history.line[i] <= selection.line; i++)
      if (history.watermark[i] >= 0 && (i === 0 || history.watermark[i] !== history.watermark[i - 1])) brought = history.line[i];
  if (brought >= 0) {
    rows.push({ name: "brought by", text: flight.words(brought), line: brought });
    const started = flight.columns.started[brought];
    if (started >= 0) rows.push({ name: "asked by", text: flight.words(started), line: started });
  } else rows.push({ name: "held", text: "Nothing has been received for this scope.", line: null });
  // What came after it and brought nothing.
  const later = recording.requests.filter((r) => flight.scopes[r.scope] === scope.name && r.startLine > brought && r.startLine <= selection.line);
  const failed = later.filter((r) => r.endLine >= 0 && r.endLine <= selection.line && r.outcome !== "answered" && r.outcome !== "unchanged");
  for (const request of failed.slice(-5)) rows.push({ name: "not newer", text: `request ${request.number} ${request.outcome}${request.status ? ` ${request.status}` : ""}`, line: request.endLine });
  if (failed.length > 5) rows.push({ name: "", text: `${failed.length - 5} earlier attempts brought nothing either`, line: failed[0].endLine });
  if (scope.inFlight) rows.push({ name: "under way", text: `request ${scope.inFlight.request}, ${scope.inFlight.mode}, ${scope.inFlight.reason}`, line: scope.inFlight.line });
  if (!state.isOnline) {
    const { kinds, columns: c } = flight;
    let line = selection.line;
    while (line > 0 && kinds[c.kind[line]] !== "connectivity.changed") line--;
    rows.push({ name: "link", text: "offline", line });
  }
  if (scope.plan) {
    const wake = scope.plan.wakesAt;
    rows.push({ name: "now", text: `${scope.plan.rule}${wake !== null && wake > state.at ? `, next attempt in ${span(wake - state.at)}` : ""}`, line: null });
  }
  const age = scope.ageS === null ? "nothing held" : `${span(scope.ageS * 1000)} old`;
  return { title: `${scopeLabel(scope.name)}: ${age}`, lead: `At ${utcTime(state.at)} UTC, by the server's clock.`, rows };
}
