// Numbers, times and places as text. English with the reader's own digits grouping is left to Intl.

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "UTC" });
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const integer = new Intl.NumberFormat("en-GB");

/**
 * The time of an hour that isn't one: a log may hold any number.
 * @param {Intl.DateTimeFormat} format
 * @param {number} at
 */
function safely(format, at) {
  return Math.abs(at) <= 8.64e15 ? format.format(at) : "–";
}

/**
 * `14:05:09`
 * @param {number} at Milliseconds since 1970.
 */
export function utcTime(at) {
  return safely(clock, at);
}

/**
 * `14:05`
 * @param {number} at Milliseconds since 1970.
 */
export function utcMinute(at) {
  return safely(minute, at);
}

/**
 * `15 Jan 2026`
 * @param {number} at Milliseconds since 1970.
 */
export function utcDay(at) {
  return safely(day, at);
}

/**
 * `1,234`
 * @param {number} value
 */
export function count(value) {
  return integer.format(value);
}

/**
 * `1 report`, `2 reports`
 * @param {number} value
 * @param {string} noun
 */
export function counted(value, noun) {
  return `${count(value)} ${noun}${value === 1 || noun === "aircraft" ? "" : noun.endsWith("y") ? "" : "s"}`;
}

/**
 * `940 B`, `3.4 KB`, `38 KB`, `1.2 MB`
 * @param {number} value
 */
export function bytes(value) {
  const size = Math.abs(value);
  if (size < 1000) return `${value} B`;
  const [scaled, unit] = size < 999_500 ? [value / 1000, "KB"] : [value / 1e6, "MB"];
  return `${Math.abs(scaled) < 10 ? scaled.toFixed(1) : count(Math.round(scaled))} ${unit}`;
}

/**
 * `+1:02:03`, the time since the start of a flight.
 * @param {number} milliseconds
 */
export function elapsed(milliseconds) {
  const sign = milliseconds < 0 ? "−" : "+";
  const seconds = Math.floor(Math.abs(milliseconds) / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${sign}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/**
 * `850 ms`, `12 s`, `4 min 10 s`, `2 h 05 min`, `3 d 4 h`
 * @param {number} milliseconds
 */
export function span(milliseconds) {
  const size = Math.abs(milliseconds);
  if (size < 1000) return `${Math.round(milliseconds)} ms`;
  if (size < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(size / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min${seconds % 60 ? ` ${seconds % 60} s` : ""}`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${String(minutes % 60).padStart(2, "0")} min` : ""}`;
  return `${Math.floor(minutes / 1440)} d ${Math.floor((minutes % 1440) / 60)} h`;
}

/**
 * `52.3600° N 13.5100° E`
 * @param {number} lat
 * @param {number} lon
 */
export function place(lat, lon) {
  return `${Math.abs(lat).toFixed(2)}° ${lat < 0 ? "S" : "N"} ${Math.abs(lon).toFixed(2)}° ${lon < 0 ? "W" : "E"}`;
}

/**
 * `410` thousand feet as flight level.
 * @param {number} thousands
 */
export function flightLevel(thousands) {
  return `FL${String(Math.round(thousands * 10)).padStart(3, "0")}`;
}

/**
 * `120 km`, `850 m`
 * @param {number} metres
 */
export function distance(metres) {
  return metres >= 1000 ? `${count(Math.round(metres / 1000))} km` : `${Math.round(metres)} m`;
}
