// An archive of the log's folder, in the format of POSIX (ustar), which every system unpacks.

const blockBytes = 512;
const encoder = new TextEncoder();

/**
 * The parts of an archive.
 *
 * @param {string} folder
 * @param {{path: string, bytes: Uint8Array}[]} files
 * @returns {Uint8Array[]}
 */
export function tar(folder, files) {
  /** @type {Uint8Array[]} */
  const parts = [];
  for (const { path, bytes } of files) {
    const head = new Uint8Array(blockBytes);
    const put = (/** @type {string} */ text, /** @type {number} */ at) => head.set(encoder.encode(text), at);
    const octal = (/** @type {number} */ value, /** @type {number} */ digits) => value.toString(8).padStart(digits, "0");
    put(`${folder}/${path.split("/").filter(Boolean).slice(1).join("/")}`.slice(0, 100), 0);
    put(`${octal(0o644, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0${octal(bytes.length, 11)}\0${octal(0, 11)}\0        0`, 100);
    put("ustar\x0000", 257);
    put(`${octal(head.reduce((sum, byte) => sum + byte, 0), 6)}\0 `, 148);
    parts.push(head, bytes, new Uint8Array((blockBytes - (bytes.length % blockBytes)) % blockBytes));
  }
  parts.push(new Uint8Array(2 * blockBytes));
  return parts;
}
