// The airport directory of the server: by an identifier, by words, or near a place.

import { ContrailError } from "./errors.js";

const timeoutSeconds = 20;
const maximumCount = 100;

/** @typedef {import("./types.js").Airport} Airport */
/** @typedef {import("./types.js").Position} Position */

/**
 * Asks the server for airports. Words find an airport with that identifier first, then those with the longest runways. A place finds the
 * nearest first. The result of a missing airport is empty.
 *
 * @param {{text?: string, near?: Position, id?: string, limit?: number}} search
 * @param {string} server
 * @param {string | null} apiKey
 * @param {import("./engine.js").Engine} engine
 * @returns {Promise<Airport[]>}
 */
export async function searchAirports({ text, near, id, limit = 25 }, server, apiKey, engine) {
  /** @type {(target: string) => Promise<Airport[]>} */
  const ask = (target) => request(server + target, apiKey, engine);
  if (id !== undefined) return id ? await ask(`/airports/${encodeURIComponent(id)}`) : [];
  const count = Math.min(Math.trunc(limit), maximumCount);
  if (!(count > 0)) return [];
  // The server sends a file of airports, which has an order of its own.
  if (near) {
    const found = await ask(`/airports/search?limit=${count}&near=${near[1]},${near[0]}`);
    return sorted(found, ({ position }) => engine.exports.geodesic(near[1], near[0], position[1], position[0], 2));
  }
  const words = (text ?? "").trim();
  if (!words) return [];
  const exact = words.length >= 2 && words.length <= 8 ? await ask(`/airports/${encodeURIComponent(words)}`) : [];
  const others = await ask(`/airports/search?limit=${count}&text=${encodeURIComponent(words)}`);
  return [...exact, ...sorted(others.filter((each) => each.id !== exact[0]?.id), ({ runways }) => -(runways[0]?.lengthFeet ?? -1))].slice(0, count);
}

/**
 * Airports by a number of each, the smallest first.
 *
 * @param {Airport[]} airports
 * @param {(airport: Airport) => number} number
 */
function sorted(airports, number) {
  return airports.sort((a, b) => number(a) - number(b) || (a.id < b.id ? -1 : 1));
}

/**
 * @param {string} url
 * @param {string | null} apiKey
 * @param {import("./engine.js").Engine} engine
 */
async function request(url, apiKey, engine) {
  let response;
  let bytes;
  try {
    response = await fetch(url, {
      headers: apiKey ? { "X-API-Key": apiKey } : {}, signal: /** @type {any} */ (AbortSignal).timeout(timeoutSeconds * 1000), cache: "no-cache",
      credentials: "omit", redirect: "error", referrerPolicy: "no-referrer",
    });
    if (response.status === 404 || response.status === 410) return [];
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new ContrailError({
      code: "network", message: `The airports can't be asked for: ${/** @type {any} */ (error)?.message ?? error}`,
      advice: "Try again when the device is online.", scope: "airports", isTransient: true,
    });
  }
  if (!response.ok) {
    throw new ContrailError({
      code: response.status === 401 ? "unauthorized" : "server", message: `The server has no airports for this (${response.status})`,
      advice: response.status === 401 ? "Set a valid key." : "Use coordinates instead.", scope: "airports", isTransient: response.status >= 500,
    });
  }
  return engine.json(engine.exports.airportFile(engine.scratch(bytes)));
}
