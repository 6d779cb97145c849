// The parts that `replay view` puts into the page: elements of text that a browser doesn't run, in which all bytes are written with
// few more characters than there are bytes.

/** The characters that HTML changes or could understand: NUL, carriage return and `<`. */
const REPLACED = [0x00, 0x0D, 0x3C];

/**
 * The bytes of a text that DenseText.swift wrote: seven bits in each character below 128, and sixteen in each above 255, of which seven
 * are one of the characters that can't be written.
 *
 * @param {string} text
 * @param {number} count the number of bytes
 */
export function dense(text, count) {
  const out = new Uint8Array(count);
  let at = 0;
  let word = 0;
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character < 128) {
      word = (word << 7) | character;
      bits += 7;
    } else {
      const pair = character - 256;
      word = (word << 16) | (REPLACED[pair >> 9] << 9) | (pair & 511);
      bits += 16;
    }
    while (bits >= 8) {
      bits -= 8;
      out[at++] = word >> bits;
    }
    word &= 255;
  }
  return out;
}

/** @param {Uint8Array} bytes */
export async function gunzip(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The bytes of an element; unpacked, if they are gzip.
 *
 * @param {Element} element
 */
export async function part(element) {
  const bytes = dense(element.textContent ?? "", Number(element.getAttribute("data-bytes")));
  return element.getAttribute("data-encoding") === "gzip" ? await gunzip(bytes) : bytes;
}

/**
 * The elements of the page that match a selector.
 *
 * @param {Document} document
 * @param {string} selector
 */
export const parts = (document, selector) => [...document.querySelectorAll(`script[type="text/plain"]${selector}`)];
