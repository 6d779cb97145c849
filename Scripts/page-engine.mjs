// Loads the engine of the page in Node, through the page's own modules.
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
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
    const page = new URL("../Sources/Replay/ContrailViewer/Page/", import.meta.url);
    for (const name of readdirSync(page)) {
      if (name.endsWith(".js")) copyFileSync(new URL(name, page), join(scratch, name));
    }
    const { createEngine, flags } = await import(join(scratch, "engine.js"));
    return { engine: await createEngine(gunzipSync(readFileSync(path))), flags };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
