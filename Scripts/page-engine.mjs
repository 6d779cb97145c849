// Loads the engine of the page in Node, through the page's own modules.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/**
 * @param {string} path engine.wasm.gz
 * @returns the engine, and the `flags` of its lines
 */
export async function loadEngine(path) {
  const scratch = mkdtempSync(join(tmpdir(), "contrail-engine-"));
  try {
    // Node takes these files for modules only beside such a package.
    writeFileSync(join(scratch, "package.json"), '{"type":"module"}');
    for (const name of ["engine.js", "parts.js"]) {
      writeFileSync(join(scratch, name), readFileSync(new URL(`../Sources/Replay/ContrailViewer/Page/${name}`, import.meta.url)));
    }
    const { createEngine, flags } = await import(join(scratch, "engine.js"));
    return { engine: await createEngine(gunzipSync(readFileSync(path))), flags };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
