// Folds logs with the engine of the page. Reads paths of logs from the standard input, one a line, and prints the verdict of the fold
// for each, after the path and a tab.
//
//   node Tests/SameBits/fold.mjs ENGINE.wasm.gz
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { loadEngine } from "../../Scripts/page-engine.mjs";

const { engine } = await loadEngine(process.argv[2]);
for (const path of readFileSync(0, "utf8").split("\n").filter((line) => line !== "")) {
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const names = isFolder ? readdirSync(path).filter((name) => statSync(join(path, name)).isFile()).sort() : [basename(path)];
  const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const blobs = new Map();
  if (existsSync(join(folder, "blobs"))) {
    for (const name of readdirSync(join(folder, "blobs"))) blobs.set(name, readFileSync(join(folder, "blobs", name)));
  }
  const { verdict } = await engine.open({ name: basename(path), files, blobs });
  console.log(`${path}\t${JSON.stringify(verdict)}`);
}
