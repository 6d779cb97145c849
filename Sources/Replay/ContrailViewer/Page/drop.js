// Files that are dropped onto the page or chosen: one flight, two to compare, or the folder of a log.

import { byID } from "./dom.js";

/** @typedef {import("./engine.js").FlightSource} FlightSource */

const mostFiles = 2000;

/**
 * @param {(sources: FlightSource[]) => void} onOpen
 * @param {(message: string) => void} onError
 */
export function listenToDrops(onOpen, onError) {
  const overlay = byID("drop");
  let depth = 0;
  addEventListener("dragenter", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    depth++;
    overlay.hidden = false;
  });
  addEventListener("dragleave", () => (overlay.hidden = (depth = Math.max(0, depth - 1)) === 0));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    overlay.hidden = true;
    const items = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
    const files = [...(event.dataTransfer?.files ?? [])];
    const all = items.some((entry) => entry?.isDirectory) ? walk(items) : Promise.resolve(files);
    all.then(sources).then(onOpen).catch((error) => onError(String(error?.message ?? error)));
  });
  const input = /** @type {HTMLInputElement} */ (byID("file"));
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = "";
    sources(files).then(onOpen).catch((error) => onError(String(error?.message ?? error)));
  });
}

/**
 * The files in folders.
 * @param {(FileSystemEntry | null)[]} entries
 * @returns {Promise<File[]>}
 */
async function walk(entries) {
  /** @type {File[]} */ const files = [];
  const queue = entries.filter((entry) => entry !== null);
  for (let entry = queue.shift(); entry && files.length < mostFiles; entry = queue.shift()) {
    const each = /** @type {any} */ (entry);
    if (each.isFile) files.push(await new Promise((done, fail) => each.file(done, fail)));
    else if (each.isDirectory) {
      const reader = each.createReader();
      for (;;) {
        /** @type {FileSystemEntry[]} */ const part = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!part.length) break;
        queue.push(...part);
      }
    }
  }
  return files;
}

/**
 * Tells logs from blobs. A file named by a SHA-256 is a blob. Two files that both start with the first line of a log are
 * two flights; otherwise all are parts of one.
 * @param {File[]} files
 * @returns {Promise<FlightSource[]>}
 */
export async function sources(files) {
  /** @type {Map<string, Uint8Array>} */ const blobs = new Map();
  /** @type {{name: string, bytes: Uint8Array}[]} */ const logs = [];
  for (const file of files.slice(0, mostFiles)) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (/^[0-9a-f]{64}$/.test(file.name)) blobs.set(file.name, bytes);
    else if (/\.(scenario|accepted|md|lock)$/.test(file.name)) continue;
    else logs.push({ name: file.name, bytes });
  }
  if (!logs.length) throw new Error("There is no log among the files.");
  const whole = logs.filter((log) => isStart(log.bytes));
  if (logs.length === 2 && whole.length === 2) return whole.map((log) => ({ name: log.name, files: [log], blobs }));
  return [{ name: logs.length === 1 ? logs[0].name : `${logs.length} files`, files: logs, blobs }];
}

/** @param {Uint8Array} bytes */
function isStart(bytes) {
  // A compressed log is taken as a whole one.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return true;
  return /^\s*\{"seq":0,/.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}
