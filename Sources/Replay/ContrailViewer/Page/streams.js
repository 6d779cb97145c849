// Puts a WebAssembly module together from the streams that Scripts/wasm-streams.py made of it.

// The operands of an instruction by its code: n a number, l a local variable, c a function, o an offset, i and j constants, 4 and 8 bytes,
// t a table of branches, s types, x another code.
const operands = new Array(256).fill("");
for (const code of [0x02, 0x03, 0x04, 0x0C, 0x0D, 0x23, 0x24, 0x25, 0x26, 0x3F, 0x40, 0xD0, 0xD2]) operands[code] = "n";
for (const code of [0x20, 0x21, 0x22]) operands[code] = "l";
for (let code = 0x28; code < 0x3F; code++) operands[code] = "no";
Object.assign(operands, { 0x0E: "t", 0x10: "c", 0x11: "nn", 0x1C: "s", 0x41: "i", 0x42: "j", 0x43: "4", 0x44: "8", 0xFC: "x" });
const extended = ["", "", "", "", "", "", "", "", "nn", "n", "nn", "n", "nn", "n", "nn", "n", "n", "n"];
const names = "nlcoij";
const opensBlock = (/** @type {number} */ code) => code >= 0x02 && code <= 0x04;
const END = 0x0B;
const HEAD = 40;
const MAXIMUM_SIZE = 16 << 20;

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function joined(bytes) {
  if (bytes.length < HEAD) throw new Error("The engine is cut.");
  const head = new Uint32Array(bytes.slice(0, HEAD).buffer);
  const [size, first, bodies] = head;
  if (size > MAXIMUM_SIZE || head.subarray(3).reduce((sum, length) => sum + length, HEAD) !== bytes.length) throw new Error("The engine is damaged.");
  const frame = bytes.subarray(HEAD, HEAD + head[3]);
  // Where each stream goes on.
  const places = new Map();
  let end = HEAD + head[3];
  for (let index = 0; index < names.length; index++) {
    places.set(names[index], end);
    end += head[4 + index];
  }
  const out = new Uint8Array(size);
  out.set(frame.subarray(0, first));
  let at = first;

  /** @param {string} stream @param {number} count */
  const copy = (stream, count) => {
    const place = places.get(stream);
    if (at + count > size) throw new Error("The engine is damaged.");
    for (let index = 0; index < count; index++) out[at++] = bytes[place + index];
    places.set(stream, place + count);
  };
  /** Copies a number and returns it, as far as it has 32 bits. @param {string} stream */
  const number = (stream) => {
    let place = places.get(stream);
    let value = 0;
    let shift = 0;
    let byte;
    do {
      byte = bytes[place++];
      if (at >= size || !(byte >= 0)) throw new Error("The engine is damaged.");
      out[at++] = byte;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte >= 128);
    places.set(stream, place);
    return value >>> 0;
  };
  /** @param {string} letters */
  const follow = (letters) => {
    for (const letter of letters) {
      if (letter === "t") for (let count = number("n") + 1; count > 0; count--) number("n");
      else if (letter === "s") for (let count = number("n"); count > 0; count--) number("n");
      else if (letter === "x") follow(extended[number("n")] ?? "");
      else if (letter === "4" || letter === "8") copy("n", Number(letter));
      else number(letter);
    }
  };

  for (let body = 0; body < bodies; body++) {
    const start = at;
    for (let count = number("n"); count > 0; count--) {
      number("n");
      copy("n", 1);
    }
    for (let depth = 1; depth > 0; ) {
      copy("n", 1);
      const code = out[at - 1];
      if (code === END) depth--;
      else if (opensBlock(code)) depth++;
      follow(operands[code]);
    }
    // The body stands after its size.
    const length = [];
    for (let rest = at - start; ; rest >>= 7) {
      length.push(rest < 128 ? rest : (rest & 127) | 128);
      if (rest < 128) break;
    }
    out.copyWithin(start + length.length, start, at);
    out.set(length, start);
    at += length.length;
  }
  out.set(frame.subarray(first), at);
  if (at + frame.length - first !== size) throw new Error("The engine is damaged.");
  return out;
}
