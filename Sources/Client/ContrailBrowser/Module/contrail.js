// Contrail for browsers: the client of the Swift package as one module. See the page "In a browser" of its documentation.

import { startWorker } from "./worker.js";

export { ContrailClient } from "./client.js";
export { ContrailError } from "./errors.js";
export { Geometry } from "./geometry.js";
export { DataHistoryTime, DataQuery, DataUpdateFrequency, severities } from "./query.js";

// The same module is the worker.
if (typeof document === "undefined" && /** @type {any} */ (globalThis).name === "contrail") startWorker();
