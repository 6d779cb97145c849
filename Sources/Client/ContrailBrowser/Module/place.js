// Where the module is, and how its worker is made.

import { ContrailError } from "./errors.js";

/** The URL of the module. */
export const home = new URL("contrail.js", import.meta.url).href;

/**
 * A worker of this module. A module of another site is imported by a worker of this one.
 *
 * @param {string | URL} url
 * @returns {Worker}
 */
export function makeWorker(url) {
  const { href, origin } = new URL(url, document.baseURI);
  const options = /** @type {WorkerOptions} */ ({ type: "module", name: "contrail" });
  if (origin === location.origin) return new Worker(href, options);
  const text = `import ${JSON.stringify(href)};`;
  return new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), options);
}

/**
 * The URL of a server without a slash at its end.
 *
 * @param {string | URL} server
 * @returns {string}
 * @throws {ContrailError}
 */
export function serverText(server) {
  let url = null;
  try {
    url = new URL(server, document.baseURI);
  } catch { /* It isn't a URL. */ }
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new ContrailError({ code: "server", message: "The URL of the server is invalid", advice: "Use a URL such as https://example.com." });
  }
  return url.href.replace(/\/$/, "");
}

/**
 * Whether a server is on this device.
 *
 * @param {string} server
 */
export function isLoopback(server) {
  const { hostname } = new URL(server);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
