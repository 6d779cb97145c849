// The parts that `replay view` puts into the page: gzip in Base64, in elements that a browser doesn't run.

/** @typedef {import("./engine.js").FlightSource} FlightSource */

/** @param {Uint8Array} bytes */
export async function gunzip(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The unpacked bytes of an element.
 *
 * @param {Element} element
 */
async function contents(element) {
  const digits = atob(element.textContent ?? "");
  const bytes = new Uint8Array(digits.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = digits.charCodeAt(index);
  return await gunzip(bytes);
}

/**
 * The unpacked parts of a page: the engine, the flights, and files of the page that aren't text.
 *
 * @param {Document} document
 * @returns {Promise<{wasm: Uint8Array | null, flights: FlightSource[], assets: Map<string, Uint8Array>}>}
 */
export async function embedded(document) {
  const all = (/** @type {string} */ selector) => [...document.querySelectorAll(`script[type="text/plain"]${selector}`)];
  const name = (/** @type {Element} */ element) => element.getAttribute("data-name") ?? "";
  /** @type {FlightSource[]} */
  const flights = [];
  // The n-th flight of the page consists of the elements with its number.
  for (const element of all(".flight")) {
    const index = Number(element.getAttribute("data-flight") ?? 0);
    flights[index] ??= { name: element.getAttribute("data-title") ?? name(element), files: [], blobs: new Map() };
    flights[index].files.push({ name: name(element), bytes: await contents(element) });
  }
  for (const element of all(".blob")) {
    const flight = flights[Number(element.getAttribute("data-flight") ?? 0)];
    flight?.blobs?.set(name(element), await contents(element));
  }
  /** @type {Map<string, Uint8Array>} */
  const assets = new Map();
  for (const element of all(".asset")) assets.set(name(element), await contents(element));
  const engine = all("#engine")[0];
  return { wasm: engine ? await contents(engine) : null, flights, assets };
}
