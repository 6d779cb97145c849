// Unpacks a .lzma file: browsers unpack gzip themselves, which would make the engine half as large again.
//
// The format is that of the LZMA specification (Igor Pavlov, 2015, https://www.7-zip.org/sdk.html, lzma-specification.txt); the names are
// its names. `xz --format=lzma` writes such files.

const MATCH_BITS = 4 << 6;
const KINDS = 12;
const FIRST_ALIGNED_SLOT = 14;
const END_MARKER = 0xFFFFFFFF;
const SHORTEST_MATCH = 2;
const MAXIMUM_SIZE = 16 << 20;

/** Bits as they were coded: each with the probability that was adapted by those before it. */
class RangeDecoder {
  /** @param {Uint8Array} bytes @param {number} offset */
  constructor(bytes, offset) {
    if (bytes.length < offset + 5 || bytes[offset] !== 0) throw new Error("The packed engine is damaged at its beginning.");
    this.bytes = bytes;
    this.next = offset + 5;
    this.range = 0xFFFFFFFF;
    this.code = new DataView(bytes.buffer, bytes.byteOffset + offset + 1, 4).getUint32(0);
  }

  refill() {
    if (this.next >= this.bytes.length) throw new Error("The packed engine is cut.");
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.bytes[this.next++]) >>> 0;
  }

  /** @param {Uint16Array} probabilities @param {number} index */
  bit(probabilities, index) {
    const probability = probabilities[index];
    const bound = (this.range >>> 11) * probability;
    let bit = 0;
    if (this.code < bound) {
      this.range = bound;
      probabilities[index] = probability + ((2048 - probability) >> 5);
    } else {
      this.range = (this.range - bound) >>> 0;
      this.code = (this.code - bound) >>> 0;
      probabilities[index] = probability - (probability >> 5);
      bit = 1;
    }
    if (this.range < 0x1000000) this.refill();
    return bit;
  }

  /** A number of so many bits that are as likely 0 as 1. @param {number} count */
  direct(count) {
    let value = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const isOne = this.code >= this.range;
      if (isOne) this.code = (this.code - this.range) >>> 0;
      value = ((value << 1) | Number(isOne)) >>> 0;
      if (this.range < 0x1000000) this.refill();
    }
    return value;
  }

  /** A number of so many bits, the highest first. @param {Uint16Array} tree @param {number} start @param {number} count */
  number(tree, start, count) {
    let node = 1;
    for (let index = 0; index < count; index++) node = (node << 1) | this.bit(tree, start + node);
    return node - (1 << count);
  }

  /** A number of so many bits, the lowest first. @param {Uint16Array} tree @param {number} start @param {number} count */
  reversed(tree, start, count) {
    let node = 1;
    let value = 0;
    for (let index = 0; index < count; index++) {
      const bit = this.bit(tree, start + node);
      node = (node << 1) | bit;
      value |= bit << index;
    }
    return value;
  }
}

/** @param {number} count */
const even = (count) => new Uint16Array(count).fill(1024);

/** The lengths of matches. */
class Lengths {
  choices = even(2);
  low = even(16 << 3);
  middle = even(16 << 3);
  high = even(256);

  /** @param {RangeDecoder} coder @param {number} place */
  next(coder, place) {
    if (!coder.bit(this.choices, 0)) return coder.number(this.low, place << 3, 3);
    if (!coder.bit(this.choices, 1)) return 8 + coder.number(this.middle, place << 3, 3);
    return 16 + coder.number(this.high, 0, 8);
  }
}

/**
 * @param {Uint8Array} bytes a .lzma file that says how many bytes it holds, at most 16 MiB
 * @returns {Uint8Array}
 */
export function unlzma(bytes) {
  const properties = bytes[0];
  const size = bytes.length < 13 ? Infinity : Number(new DataView(bytes.buffer, bytes.byteOffset + 5, 8).getBigUint64(0, true));
  if (!(properties < 225) || size > MAXIMUM_SIZE) throw new Error("The engine isn't packed as LZMA.");
  const lc = properties % 9;
  const lp = Math.floor(properties / 9) % 5;
  const pb = Math.floor(properties / 45);
  const coder = new RangeDecoder(bytes, 13);
  const out = new Uint8Array(size);
  const literals = even(0x300 << (lc + lp));
  const isMatch = even(MATCH_BITS);
  const [isRep, isRepG0, isRepG1, isRepG2] = [even(KINDS), even(KINDS), even(KINDS), even(KINDS)];
  const isRep0Long = even(MATCH_BITS);
  const slots = even(4 << 6);
  const distances = even(128);
  const aligned = even(16);
  const [lengths, repLengths] = [new Lengths(), new Lengths()];
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  let state = 0;
  let at = 0;
  while (true) {
    const place = at & ((1 << pb) - 1);
    if (!coder.bit(isMatch, (state << 4) + place)) {
      if (at === size) throw new Error("The packed engine is larger than it says.");
      const before = at > 0 ? out[at - 1] : 0;
      const start = 0x300 * (((at & ((1 << lp) - 1)) << lc) + (before >> (8 - lc)));
      let symbol = 1;
      if (state >= 7) {
        let matched = out[at - rep0 - 1];
        while (symbol < 0x100) {
          const expected = (matched >> 7) & 1;
          matched <<= 1;
          const bit = coder.bit(literals, start + ((1 + expected) << 8) + symbol);
          symbol = (symbol << 1) | bit;
          if (bit !== expected) break;
        }
      }
      while (symbol < 0x100) symbol = (symbol << 1) | coder.bit(literals, start + symbol);
      out[at++] = symbol & 0xFF;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let length = SHORTEST_MATCH;
    if (!coder.bit(isRep, state)) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      const step = lengths.next(coder, place);
      length += step;
      state = state < 7 ? 7 : 10;
      const slot = coder.number(slots, Math.min(step, 3) << 6, 6);
      rep0 = slot;
      if (slot >= 4) {
        const count = (slot >> 1) - 1;
        rep0 = ((2 | (slot & 1)) << count) >>> 0;
        if (slot < FIRST_ALIGNED_SLOT) rep0 += coder.reversed(distances, rep0 - slot, count);
        else rep0 = (rep0 + ((coder.direct(count - 4) << 4) >>> 0) + coder.reversed(aligned, 0, 4)) >>> 0;
      }
      if (rep0 === END_MARKER) break;
    } else {
      let isShort = false;
      if (!coder.bit(isRepG0, state)) {
        isShort = !coder.bit(isRep0Long, (state << 4) + place);
      } else if (!coder.bit(isRepG1, state)) {
        [rep0, rep1] = [rep1, rep0];
      } else if (!coder.bit(isRepG2, state)) {
        [rep0, rep1, rep2] = [rep2, rep0, rep1];
      } else {
        [rep0, rep1, rep2, rep3] = [rep3, rep0, rep1, rep2];
      }
      if (isShort) {
        length = 1;
        state = state < 7 ? 9 : 11;
      } else {
        length += repLengths.next(coder, place);
        state = state < 7 ? 8 : 11;
      }
    }
    if (rep0 >= at || length > size - at) throw new Error("The packed engine is damaged.");
    for (const end = at + length; at < end; at++) out[at] = out[at - rep0 - 1];
  }
  if (at !== size) throw new Error("The packed engine is smaller than it says.");
  return out;
}
