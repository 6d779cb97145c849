// The start of the live map: the client of this service, and the viewer's map on what it holds.

import { byID } from "../dom.js";
import { decodeLand } from "../map/triangles.js";
import { LiveApp } from "./live-app.js";

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";

async function start() {
  // The client is a module of its own, as applications load it.
  const { ContrailClient } = await import("../contrail.js");
  const server = new URL(".", location.href);
  const client = new ContrailClient({ server, directory: "map" });
  // The land is decoded once the engine is compiled, so that the worker opens the log meanwhile.
  const [geometry, coastline] = await Promise.all([client.geometry(), fetch("coastline.bin").then((response) => response.arrayBuffer())]);
  const app = new LiveApp(client, geometry, decodeLand(new Uint8Array(coastline)));
  /** @type {any} */ (globalThis).contrail = { client, app };
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  const problem = byID("problem");
  problem.hidden = false;
  problem.textContent = `This page can't start: ${error?.message ?? error}. ${error?.advice ?? ""}`;
});
