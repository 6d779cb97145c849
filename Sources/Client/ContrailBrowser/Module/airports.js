// The airport directory of the server: by an identifier, by words, or near a place.

import { ContrailError } from "./errors.js";

const timeoutSeconds = 20;

/** @typedef {import("./types.js").Airport} Airport */

/**
 * Asks the server for airports. The result of a missing airport is empty.
 *
 * @param {{text?: string, near?: [number, number], id?: string, limit?: number}} search
 * @param {string} server
 * @param {string | null} apiKey
 * @param {import("./engine.js").Engine} engine
 * @returns {Promise<Airport[]>}
 */
export async function searchAirports({ text, near, id, limit = 25 }, server, apiKey, engine) {
  const count = Math.max(1, Math.min(limit, 100));
  /** @type {(target: string) => Promise<Airport[]>} */
  const ask = (target) => request(server + target, apiKey, engine);
  if (id !== undefined) return id ? await ask(`/airports/${encodeURIComponent(id)}`) : [];
  if (near) return await ask(`/airports/search?limit=${count}&near=${near[1]},${near[0]}`);
  const words = (text ?? "").trim();
  if (!words) return [];
  // An airport with that identifier comes first.
  const exact = words.length >= 2 && words.length <= 8 ? await ask(`/airports/${encodeURIComponent(words)}`) : [];
  const others = await ask(`/airports/search?limit=${count}&text=${encodeURIComponent(words)}`);
  const longest = (/** @type {Airport} */ airport) => airport.longestRunwayMeters ?? -1;
  return [...exact, ...others.filter((each) => each.id !== exact[0]?.id).sort((a, b) => longest(b) - longest(a))].slice(0, count);
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
      headers: apiKey ? { "X-API-Key": apiKey } : {}, signal: /** @type {any} */ (AbortSignal).timeout(timeoutSeconds * 1000), credentials: "omit",
      redirect: "error", referrerPolicy: "no-referrer",
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
