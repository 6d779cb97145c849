// Lets a page and its modules start without a link. Import it in the page, from the folder of the page:
//
//   import "./contrail-offline.js";
//
// The same file is the service worker, and a part of an application's own: importScripts("contrail-offline.js"). It keeps the files that the
// page loaded, as one version, and never an answer of the service. The next load with a link brings the next version, for the load after it.

(() => {
  const cacheName = "contrail-page";
  const scope = /** @type {any} */ (globalThis);

  // MARK: In the page

  if (typeof document !== "undefined") {
    const name = "contrail-offline.js";
    /** The page, and the scripts, styles and pictures that it loaded from its own site. */
    const files = () => {
      const entries = /** @type {PerformanceResourceTiming[]} */ (performance.getEntriesByType("resource"));
      // Without a status, as in older browsers, the file counts as loaded.
      const loaded = entries.filter((entry) => !(entry.responseStatus >= 400)).map((entry) => entry.name);
      const own = [location.href.split("#")[0], ...loaded, new URL("contrail.wasm", document.baseURI).href].filter((url) => new URL(url).origin === location.origin);
      return [...new Set(own)].filter((url) => url.endsWith("/") || /\.(js|mjs|css|wasm|bin|html|svg|png|woff2)$/.test(new URL(url).pathname));
    };
    const keep = async () => {
      await navigator.serviceWorker.register(new URL(name, document.baseURI));
      const { active } = await navigator.serviceWorker.ready;
      active?.postMessage({ contrail: "keep", files: files() });
    };
    const start = () => void keep().catch(() => { /* A private window has no service worker. The page works with a link. */ });
    // Modules and data may still be loaded when the page is.
    const later = () => setTimeout(start, 2000);
    if (!navigator.serviceWorker) return;
    if (document.readyState === "complete") later();
    else addEventListener("load", later);
    return;
  }

  // MARK: In the service worker

  /**
   * Fetches the files, and replaces those that are kept if all came and one has changed.
   * @param {string[]} files
   */
  const renew = async (files) => {
    const cache = await caches.open(cacheName);
    const answers = await Promise.all(files.map((url) => fetch(url, { cache: "no-cache" }).catch(() => null)));
    if (answers.some((answer) => !answer?.ok)) return;
    await Promise.all(files.map((url, i) => cache.put(url, /** @type {Response} */ (answers[i]))));
    for (const request of await cache.keys()) if (!files.includes(request.url)) await cache.delete(request);
  };

  scope.addEventListener("install", () => scope.skipWaiting());
  scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data?.contrail === "keep") event.waitUntil(renew(event.data.files));
  });
  scope.addEventListener("fetch", (/** @type {any} */ event) => {
    const { request } = event;
    if (request.method !== "GET" || request.headers.has("Range")) return;
    const url = request.url.split("#")[0];
    if (new URL(url).origin !== scope.location.origin) return;
    if (request.mode !== "navigate" && !["script", "style", "worker", "font", "image"].includes(request.destination) && !/\.(wasm|bin)$/.test(new URL(url).pathname)) return;
    event.respondWith((async () => {
      const cache = await caches.open(cacheName);
      return (await cache.match(url, { ignoreVary: true })) ?? (await fetch(request));
    })());
  });
})();
