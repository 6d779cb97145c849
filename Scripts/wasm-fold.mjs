// Folds recordings with the engine of the page, through the page's own bridge, and says what differs.
//
//   node Scripts/wasm-fold.mjs ENGINE.wasm.gz FOLDER [--repeat N]
//
// The decisions and digests in a recording are those of the native engine, which CI replays before this. The engine of
// the page must take the same ones, and find the same CRCs.
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { loadEngine } from "./page-engine.mjs";

const [enginePath, folder, , repeat] = process.argv.slice(2);
const { engine, flags } = await loadEngine(enginePath);
const blobs = new Map();
if (existsSync(join(folder, "blobs"))) {
  for (const name of readdirSync(join(folder, "blobs"))) blobs.set(name, readFileSync(join(folder, "blobs", name)));
}
let flight;
const total = { files: 0, failed: 0, decisions: 0, digests: 0, lines: 0, bytes: 0, ms: 0 };
const recordings = readdirSync(folder).filter((name) => name.endsWith(".jsonl")).sort();
for (const name of recordings) {
  const bytes = readFileSync(join(folder, name));
  const lineCount = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  for (let turn = 0; turn < Number(repeat ?? 1); turn++) {
    const start = performance.now();
    // As the page does when another log is dropped onto it.
    flight?.close();
    flight = await engine.open({ name, files: [{ name, bytes }], blobs });
    total.ms += performance.now() - start;
    total.bytes += bytes.length;
  }
  const { verdict } = flight;
  const faults = [];
  if (!verdict.isSame) faults.push(JSON.stringify(verdict.divergence ?? verdict.problem));
  if (flight.lineCount !== lineCount) faults.push(`${flight.lineCount} of ${lineCount} lines`);
  // A recording made by a program has a CRC in its first line, and then in all.
  const sealed = /"crc":"[0-9a-f]{8}"}$/.test(flight.text(0));
  if (verdict.crcLines !== (sealed ? lineCount : 0)) faults.push(`${verdict.crcLines} CRCs of ${lineCount} lines`);
  if (flight.columns.flags.some((bits) => bits & flags.diverges)) faults.push("a line is marked as different");
  // Every state that is folded again from a keyframe is the one of the first pass.
  const last = flight.seek(flight.lineCount - 1);
  const again = (flight.seek(0), flight.seek(flight.lineCount - 1));
  if (JSON.stringify(last) !== JSON.stringify(again)) faults.push("the last state differs when it is folded again");
  // Embedded Swift can't print every value, and says so instead.
  for (let line = 0; line < flight.lineCount; line++) {
    const words = flight.words(line);
    if (words === "" || words.includes("embedded Swift")) faults.push(`line ${line}: '${words}'`);
  }
  if (faults.length > 0) {
    total.failed++;
    console.log(`${name}: ${faults.join("; ")}`);
  }
  total.files++;
  total.lines += lineCount;
  total.decisions += verdict.decisions;
  total.digests += verdict.digests;
}
const speed = (total.bytes / 1e3 / total.ms).toFixed(1);
console.log(
  `wasm: ${total.files} recordings, ${total.lines} lines, ${total.decisions} decisions and ${total.digests} digests; ` +
    `${total.failed} recordings differ; ${speed} MB/s`,
);
process.exit(total.failed === 0 && total.files > 0 ? 0 : 1);
