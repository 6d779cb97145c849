// Follows a log that grows: asks the program that serves this page for it, and shows it again when it has.

/** @typedef {import("./engine.js").FlightSource} FlightSource */

const decoder = new TextDecoder();
const [soonest, latest] = [1000, 30_000];

/**
 * Reads an answer: the length of its list, the list of names and sizes as JSON, and their bytes.
 *
 * @param {Uint8Array} bytes
 * @returns {FlightSource}
 */
export function unpackFlight(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const list = JSON.parse(decoder.decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  const part = (/** @type {{name: string, size: number}} */ { name, size }) => ({ name, bytes: bytes.slice(at, (at += size)) });
  const files = list.files.map(part);
  return { name: list.title, files, blobs: new Map(list.blobs.map(part).map((/** @type {{name: string, bytes: Uint8Array}} */ blob) => [blob.name, blob.bytes])) };
}

/**
 * Asks for the log once a second, and less often while nobody answers. It never ends.
 *
 * @param {(source: FlightSource) => Promise<void>} show
 * @param {(problem: string) => void} tell Why nothing newer is shown; empty if that is over.
 */
export async function follow(show, tell) {
  let stamp = "";
  let wait = soonest;
  for (;;) {
    try {
      const answer = await fetch("log", { cache: "no-store", headers: stamp ? { "If-None-Match": stamp } : {} });
      if (answer.status === 200) {
        await show(unpackFlight(new Uint8Array(await answer.arrayBuffer())));
        stamp = answer.headers.get("ETag") ?? "";
      }
      tell(answer.ok || answer.status === 304 ? "" : await answer.text());
      wait = soonest;
    } catch (error) {
      tell(`The program that serves this page doesn't answer: ${/** @type {any} */ (error)?.message ?? error}`);
      wait = Math.min(latest, wait * 2);
    }
    await new Promise((resume) => setTimeout(resume, wait));
  }
}
