// The panel "Now": what the pilot sees at the moment, how old it is, what is under way.

import { el, fill } from "../dom.js";
import { bytes, count, counted, elapsed, span, utcTime } from "../format.js";
import { ruleColor } from "../palette.js";
import { scopeLabel } from "../timeline/lanes.js";

/** @typedef {import("../session.js").Session} Session */
/** @typedef {import("../engine.js").State} State */
/** @typedef {import("../engine.js").ScopeState} ScopeState */

/**
 * @param {HTMLElement} host
 * @param {Session} session
 * @param {number} flight
 * @param {State | null} state
 * @param {{id: string, text: string}[]} rules
 */
export function showNow(host, session, flight, state, rules) {
  if (!state) return fill(host, el("p", { class: "hint", text: "This recording has no line that can be read." }));
  const recording = session.recordings[flight];
  const line = session.lines[flight];
  const sums = recording.sums(line);
  const why = (/** @type {Omit<import("../session.js").Selection, "flight" | "line">} */ selection) => () =>
    session.select({ flight, line, ...selection });
  fill(host,
    el("section", { class: "now-head" },
      el("div", { class: "now-seen" }, ...seen(state)),
      el("div", { class: "now-pills" },
        el("button", { class: `pill ${state.isOnline ? "is-good" : "is-bad"}`, onclick: why({ kind: "link" }), text: state.isOnline ? "online" : "offline" }),
        el("button", { class: "pill", onclick: why({ kind: "bytes" }), title: "What cost these bytes?" }, `↓ ${bytes(sums.down)}  ↑ ${bytes(sums.up)}`),
        el("span", { class: "pill is-plain" }, `${counted(sums.full, "full fetch").replace(/s$/, "es")}, ${sums.repair ? `${counted(sums.repair, "repair")}, ` : ""}${counted(sums.delta, "delta")}${sums.upload ? `, ${counted(sums.upload, "upload")}` : ""}`))),
    el("button", { class: "line-card", onclick: why({ kind: "line" }), title: "Why this line?" },
      el("span", { class: "line-number", text: `Line ${line + 1}` }),
      el("span", { class: "line-words", text: recording.flight.words(line).slice(0, 240) })),
    ...state.scopes.map((scope) => scopeCard(scope, state, session, flight, rules)),
    state.outbox.waiting || state.outbox.tracked ? outboxCard(state, session, flight) : null,
    airportsCard(state),
    settings(state));
}

/**
 * @param {State} state
 * @returns {(Node | string)[]}
 */
function seen(state) {
  const distinct = (/** @type {(scope: ScopeState) => {id: string}[]} */ of) => new Set(state.scopes.flatMap((scope) => of(scope).map(({ id }) => id))).size;
  const parts = [
    [reportCount(state), "report"], [distinct((s) => s.pireps), "PIREP"], [distinct((s) => s.traffic), "aircraft"],
    [state.scopes.filter((s) => s.polygons).length, "map of areas"], [state.scopes.filter((s) => s.weather).length, "forecast"],
  ];
  const shown = /** @type {[number, string][]} */ (parts).filter(([n], i) => n > 0 || i === 0);
  return [el("span", { class: "now-lead", text: "The pilot sees" }), ...shown.map(([n, noun]) =>
    el("span", { class: "now-count" }, el("b", { text: count(n) }),
      noun === "map of areas" ? (n === 1 ? " map of areas" : " maps of areas") : ` ${noun}${n === 1 || noun === "aircraft" ? "" : "s"}`))];
}

/**
 * The reports that are visible, once each even if corridor and viewport overlap.
 * @param {State} state
 */
export function reportCount({ reports }) {
  return reports.isRepeated.reduce((sum, isRepeated) => sum + 1 - isRepeated, 0);
}

/**
 * What a scope does, in a word or two.
 * @param {ScopeState} scope
 * @param {State} state
 * @returns {[string, string]}
 */
function status(scope, state) {
  if (scope.block) return [scope.block === "unauthorized" ? "refused: unauthorized" : "refused", "is-bad"];
  if (scope.inFlight) return [`request ${scope.inFlight.request} in flight`, "is-busy"];
  if (!scope.want) return ["not wanted", "is-plain"];
  // Everything that is held may be as old as what was last heard.
  if (scope.isExpired || (scope.ageS !== null && scope.ageS >= (scope.want.history ?? Infinity))) return ["expired", "is-bad"];
  if (!state.isOnline) return ["waits for the link", "is-bad"];
  if (scope.plan?.rule === "saving") return ["saves bytes", "is-warn"];
  if (scope.failures && scope.notBefore > state.at) return [`retry in ${span(scope.notBefore - state.at)}`, "is-warn"];
  const wake = scope.plan?.wakesAt;
  if (wake !== null && wake !== undefined && wake > state.at) return [`next in ${span(wake - state.at)}`, "is-good"];
  return [scope.have ? "fresh" : "nothing held", scope.have ? "is-good" : "is-plain"];
}

/**
 * @param {ScopeState} scope
 * @param {State} state
 * @param {Session} session
 * @param {number} flight
 * @param {{id: string, text: string}[]} rules
 */
function scopeCard(scope, state, session, flight, rules) {
  const [words, look] = status(scope, state);
  const line = session.lines[flight];
  const history = scope.want?.history ?? scope.have?.history ?? 7200;
  const share = scope.ageS === null ? 0 : Math.min(1, scope.ageS / history);
  const bar = el("span", { class: "age-bar" });
  const part = el("span", { class: `age-part${share > 0.9 ? " is-bad" : share > 0.5 ? " is-warn" : ""}` });
  part.style.width = `${share * 100}%`;
  bar.append(part);
  const rule = scope.plan && rules.find((each) => each.id === scope.plan?.rule);
  const { held, visible } = scope;
  const rows = [];
  const kinds = /** @type {["reports" | "pireps" | "traffic", string][]} */ ([["reports", "reports"], ["pireps", "PIREPs"], ["traffic", "aircraft"]]);
  for (const [key, name] of kinds)
    if (held[key]) rows.push(row(name, visible[key] === held[key] ? `${count(held[key])}, all visible` : `${count(visible[key])} of ${count(held[key])} held are visible`));
  if (scope.polygons) rows.push(row("areas", counted(/** @type {any} */ (scope.polygons).features?.length ?? 0, "area")));
  if (scope.weather) rows.push(row("weather", weatherText(scope.weather)));
  if (scope.have?.broken) rows.push(row("no delta", scope.have.broken));
  if (scope.failures) rows.push(row("failed", `${counted(scope.failures, "time")} in a row`));
  if (rule) rows.push(row(rule.id, rule.text, ruleColor(rule.id)));
  return el("section", { class: "scope-card" },
    el("header", null, el("h3", { text: scopeLabel(scope.name) }),
      el("button", {
        class: `pill ${look}`, title: scope.inFlight ? "Why was it sent?" : "Why?",
        onclick: () => session.select(scope.inFlight
          ? { kind: "request", flight, line, request: scope.inFlight.request }
          : { kind: "age", flight, line, scope: scope.name }),
      }, words)),
    scope.ageS === null ? null : el("button", {
      class: "age-row", title: "Why is it this old?", onclick: () => session.select({ kind: "age", flight, line, scope: scope.name }),
    }, el("span", { text: `${span(scope.ageS * 1000)} old` }), bar, el("span", { class: "faint", text: `of ${span(history * 1000)}` })),
    el("dl", null, ...rows.flat()));
}

/**
 * @param {string} name
 * @param {string} text
 * @param {string} [color]
 */
function row(name, text, color) {
  const term = el("dt", { text: name });
  if (color) {
    const dot = el("span", { class: "dot" });
    dot.style.background = color;
    term.prepend(dot);
  }
  return [term, el("dd", { text })];
}

/** @param {object} weather */
function weatherText(weather) {
  const now = /** @type {any} */ (weather)?.result?.realtime;
  if (!now) return "held";
  const parts = [];
  if (typeof now.skycon === "string") parts.push(now.skycon.slice(0, 40).toLowerCase().replaceAll("_", " "));
  if (Number.isFinite(now.temperature)) parts.push(`${now.temperature}°`);
  if (Number.isFinite(now.wind?.speed)) parts.push(`wind ${now.wind.speed} from ${Math.round(now.wind.direction)}°`);
  return parts.join(", ") || "held";
}

/**
 * @param {State} state
 * @param {Session} session
 * @param {number} flight
 */
function outboxCard(state, session, flight) {
  const { outbox } = state;
  const line = session.lines[flight];
  return el("section", { class: "scope-card" },
    el("header", null, el("h3", { text: "Outbox" }), outbox.request
      ? el("button", { class: "pill is-busy", onclick: () => session.select({ kind: "request", flight, line, request: outbox.request ?? 0 }) }, `request ${outbox.request} in flight`)
      : el("span", { class: `pill ${outbox.failures ? "is-warn" : "is-good"}`, text: outbox.failures ? `${outbox.failures} failed` : outbox.waiting ? "waits" : "empty" })),
    el("dl", null, ...row("waiting", counted(outbox.waiting, "report")), ...row("tracked", counted(outbox.tracked, "report"))));
}

/** @param {State} state */
function airportsCard(state) {
  const airports = /** @type {any} */ (state.airports);
  const rows = [];
  for (const [key, name] of [["inUse", "in use"], ["waiting", "waiting"], ["download", "downloaded"], ["failure", "failed"]]) {
    const value = airports?.[key];
    if (value) rows.push(...row(name, `cycle ${String(value.cycle ?? value.edition?.cycle ?? "").slice(0, 12)}${value.count ? `, ${counted(value.count, "airport")}` : ""}`));
  }
  return rows.length ? el("section", { class: "scope-card" }, el("header", null, el("h3", { text: "Airports" })), el("dl", null, ...rows)) : null;
}

/** @param {State} state */
function settings(state) {
  const { query } = state;
  const names = ["smooth", "light", "light–moderate", "moderate", "severe"];
  const rows = [
    ...row("types", query.types.join(", ") || "none"),
    ...row("severities", query.sevs.length === 5 ? "all" : query.sevs.map((s) => names[s] ?? s).join(", ") || "none"),
    ...row("history", span(state.history * 1000)),
    ...row("updates", state.frequency),
  ];
  if (query.altitudes) rows.push(...row("altitudes", `${query.altitudes[0]},000–${query.altitudes[1]},000 ft`));
  if (query.routeWidthNM) rows.push(...row("corridor", `${query.routeWidthNM} NM wide`));
  return el("details", { class: "settings" }, el("summary", { text: "What the app asks for" }), el("dl", null, ...rows));
}

/**
 * The moment in words, for those who don't see the map.
 * @param {Session} session
 * @param {State | null} state
 */
export function spoken(session, state) {
  if (!state) return "";
  return `${utcTime(session.at)} UTC, ${elapsed(session.at - session.start)}. ${counted(reportCount(state), "report")} visible. ${state.isOnline ? "Online" : "Offline"}.`;
}
