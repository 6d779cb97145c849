// The reports of a hexagon, as text.

import { flightLevel, span } from "./format.js";
import { severities } from "./palette.js";

/** @typedef {import("./engine.js").State} State */

/**
 * The reports of a cell, once each, the severest first.
 *
 * @param {State} state
 * @param {{lo: number, hi: number}} cell
 */
export function reportsOf({ reports }, cell) {
  const { lo, hi, severity, altitude, isRepeated } = reports;
  const found = [];
  for (let i = 0; i < lo.length; i++) if (lo[i] === cell.lo && hi[i] === cell.hi && !isRepeated[i]) found.push(i);
  return found.sort((a, b) => severity[b] - severity[a] || altitude[b] - altitude[a]);
}

/**
 * `Moderate, FL360, EDR 0.31, 12 min old`
 *
 * @param {State} state
 * @param {number} i
 */
export function reportText({ reports, serverNow }, i) {
  const age = span(Math.max(0, serverNow - reports.observedAt[i] * 1000));
  return `${severities[Math.min(4, reports.severity[i])].name}, ${flightLevel(reports.altitude[i])}, EDR ${(reports.edr[i] / 10_000).toFixed(2)}, ${age} old`;
}
