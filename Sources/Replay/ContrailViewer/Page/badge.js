// The badge: whether the engine in this page took the decisions and digests that the recording holds.

import { el } from "./dom.js";
import { count, counted } from "./format.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./engine.js").Verdict} Verdict */

/**
 * @param {Session} session
 * @param {number} flight
 * @returns {HTMLElement}
 */
export function badge(session, flight) {
  const { verdict } = session.recordings[flight].flight;
  const look = verdict.isSame ? (verdict.tornTail ? "is-warn" : "is-good") : verdict.divergence ? "is-bad" : "is-warn";
  const tag = session.recordings.length > 1 ? `${"AB"[flight]} ` : "";
  const words = verdict.divergence ? `${count(verdict.decisionsDiffering + verdict.digestsDiffering)} differ` :
    verdict.problem ? "damaged" : verdict.isSame ? (verdict.tornTail ? "same, last line cut off" : "replays the same") : "differs";
  const id = `verdict-${flight}`;
  /** @type {HTMLDivElement & {hidePopover?: () => void}} */
  const popover = el("div", { id, popover: "auto", class: "verdict", role: "dialog", "aria-label": "Decided again" }, ...details(session, flight, verdict, () => popover.hidePopover?.()));
  const button = el("button", {
    class: `badge ${look}`, popovertarget: id, "data-same": String(verdict.isSame), "data-digest": verdict.digest,
    title: "This page decided the flight again with its own engine",
  }, el("span", { class: "badge-mark", "aria-hidden": "true", text: verdict.isSame ? "✓" : "✗" }), el("span", { text: `${tag}${words}` }));
  return el("span", { class: "badge-box" }, button, popover);
}

/**
 * @param {Session} session
 * @param {number} flight
 * @param {Verdict} verdict
 * @param {() => void} close
 */
function details(session, flight, verdict, close) {
  const go = (/** @type {number} */ line, /** @type {string} */ text) => el("button", {
    class: "text-button", onclick: () => {
      close();
      session.seekLine(line, flight);
      session.select({ kind: "line", flight, line });
    },
  }, text);
  const row = (/** @type {string} */ name, /** @type {string} */ text) => [el("dt", { text: name }), el("dd", { text })];
  const share = (/** @type {number} */ all, /** @type {number} */ bad) => (bad ? `${count(all - bad)} of ${count(all)} same` : `${count(all)}, all same`);
  const { divergence, problem, tornTail } = verdict;
  return [
    el("h2", { text: verdict.isSame ? "The engine in this page decided the same" : divergence ? "The engine in this page decides otherwise" : "The recording can't be read to its end" }),
    el("dl", null, ...row("decisions", share(verdict.decisions, verdict.decisionsDiffering)), ...row("digests", share(verdict.digests, verdict.digestsDiffering)),
      ...row("lines with CRC", count(verdict.crcLines)), ...row("final state", verdict.digest),
      ...(verdict.unwritten ? row("not written", `${counted(verdict.unwritten, "decision")} before the process ended`) : [])),
    divergence && el("section", { class: "verdict-part" }, el("h3", { text: `First difference: ${divergence.kind}, ${divergence.scope || "control state"} ${divergence.rule}` }),
      el("dl", null, ...row("recorded", divergence.recorded), ...row("decided now", divergence.decided), ...row("after", divergence.cause)),
      go(divergence.line, `Go to line ${count(divergence.line + 1)}`), divergence.causeLine >= 0 ? go(divergence.causeLine, "Go to its cause") : null),
    problem && el("section", { class: "verdict-part" }, el("h3", { text: `${problem.file}${problem.line ? `:${problem.line}` : ""}` }), el("p", { text: `${problem.reason}. ${problem.advice}` })),
    tornTail && el("p", { class: "hint", text: `The last line of ${tornTail.file} is cut off after ${counted(tornTail.bytes, "byte")}: the process ended while it wrote.` }),
    ...verdict.losses.map((loss) => el("p", { class: "hint", text: `Lines ${count(loss.firstSeq)} to ${count(loss.lastSeq)} of ${loss.file} were lost by a failed sync.` })),
  ].filter(Boolean);
}
