// The fragment of the address: the moment, the view, the choice and the search, so that a link shows the same.

/**
 * @typedef {object} Link
 * @property {number | null} line
 * @property {number | null} at Milliseconds of the first flight's clock.
 * @property {number} flight
 * @property {[number, number, number] | null} map Latitude, longitude, metres a point.
 * @property {"globe" | "flat" | null} projection
 * @property {string} query
 * @property {string} why `request.12`, `cell.hex.hex`, `line`, `bytes`, `age.corridor`, `link`.
 * @property {string} tab
 * @property {number[]} hidden Severities that are hidden.
 */

/**
 * @param {string} fragment
 * @returns {Link}
 */
export function read(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, "").slice(0, 4000));
  const number = (/** @type {string} */ name) => {
    const text = parameters.get(name);
    return text !== null && text !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
  };
  const map = (parameters.get("map") ?? "").split(",").map(Number);
  const projection = parameters.get("projection");
  const line = number("line");
  return {
    line: line === null ? null : line - 1,
    at: number("at"),
    flight: parameters.get("flight") === "B" ? 1 : 0,
    map: map.length === 3 && map.every(Number.isFinite) ? [map[0], map[1], map[2]] : null,
    projection: projection === "flat" || projection === "globe" ? projection : null,
    query: parameters.get("q") ?? "",
    why: parameters.get("why") ?? "",
    tab: parameters.get("tab") ?? "",
    hidden: (parameters.get("hide") ?? "").split("").map(Number).filter((s) => s >= 0 && s < 5),
  };
}

/**
 * @param {Link} link
 * @returns {string}
 */
export function write(link) {
  const parts = [];
  if (link.line !== null) parts.push(`line=${link.line + 1}`);
  if (link.at !== null) parts.push(`at=${Math.round(link.at)}`);
  if (link.flight === 1) parts.push("flight=B");
  if (link.map) parts.push(`map=${link.map[0].toFixed(3)},${link.map[1].toFixed(3)},${Math.round(link.map[2])}`);
  if (link.projection === "flat") parts.push("projection=flat");
  if (link.query) parts.push(`q=${encodeURIComponent(link.query)}`);
  if (link.why) parts.push(`why=${encodeURIComponent(link.why)}`);
  if (link.tab && link.tab !== "now") parts.push(`tab=${link.tab}`);
  if (link.hidden.length) parts.push(`hide=${link.hidden.join("")}`);
  return parts.join("&");
}

/** @param {import("./session.js").Selection | null} selection */
export function writeWhy(selection) {
  if (!selection) return "";
  switch (selection.kind) {
    case "request": return `request.${selection.request}`;
    case "cell":
    case "nothing": return selection.cell ? `cell.${selection.cell.hi.toString(16)}.${selection.cell.lo.toString(16)}` : "";
    case "age": return selection.scope ? `age.${selection.scope}` : "age";
    case "mark":
    case "area": return "";
    default: return selection.kind;
  }
}

/**
 * @param {string} text
 * @param {number} flight
 * @param {number} line
 * @returns {import("./session.js").Selection | null}
 */
export function readWhy(text, flight, line) {
  const [kind, ...rest] = text.split(".");
  if (kind === "request" && /^\d{1,9}$/.test(rest[0] ?? "")) return { kind, flight, line, request: Number(rest[0]) };
  if (kind === "cell" && rest.length === 2 && rest.every((part) => /^[0-9a-f]{1,8}$/.test(part)))
    return { kind, flight, line, cell: { hi: parseInt(rest[0], 16), lo: parseInt(rest[1], 16) } };
  if (kind === "age") return { kind, flight, line, scope: rest.join(".") || undefined };
  if (kind === "line" || kind === "bytes" || kind === "link") return { kind, flight, line };
  return null;
}
