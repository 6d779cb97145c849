// Carries the engine's requests to the server by `fetch`, and its answers back, block by block.

/** The codes of failures, as the engine takes them. */
const failures = { network: 0, timeout: 2, tooLarge: 4, cancelled: 6 };

/**
 * @typedef {object} Sending A request of the engine.
 * @property {number} exchange
 * @property {string} method
 * @property {string} target
 * @property {[string, string][]} headers
 * @property {Uint8Array} bytes The body.
 * @property {boolean} gzip
 * @property {"server" | "weather"} service
 * @property {number} timeoutSeconds
 * @property {number} limit
 *
 * @typedef {object} Receiver What takes the answers.
 * @property {(exchange: number, status: number, headers: [string, string][]) => void} head
 * @property {(exchange: number, block: Uint8Array) => void} body
 * @property {(exchange: number, encoded: number, sentBody: number) => void} end
 * @property {(exchange: number, code: number, message: string, sentBody: number) => void} failed
 */

/** @param {Uint8Array} bytes */
async function gzip(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Transport {
  /**
   * @param {{server: string, weather: string | null}} bases The URLs without a slash at their end.
   * @param {Receiver} receiver
   */
  constructor(bases, receiver) {
    this.bases = bases;
    this.receiver = receiver;
  }

  /**
   * The requests under way, and the sizes of their bodies as sent.
   * @type {Map<number, {controller: AbortController, sentBody: number}>}
   */
  #exchanges = new Map();

  /** @param {Sending} sending */
  async send(sending) {
    const { exchange, limit } = sending;
    const { receiver } = this;
    const controller = new AbortController();
    const entry = { controller, sentBody: 0 };
    this.#exchanges.set(exchange, entry);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, sending.timeoutSeconds * 1000);
    const isCurrent = () => this.#exchanges.get(exchange) === entry;
    const fail = (/** @type {number} */ code, /** @type {string} */ message) => {
      if (!isCurrent()) return;
      this.#exchanges.delete(exchange);
      controller.abort();
      receiver.failed(exchange, code, message, entry.sentBody);
    };
    try {
      const body = sending.gzip && sending.bytes.length ? await gzip(sending.bytes) : sending.bytes;
      if (!isCurrent()) return;
      entry.sentBody = body.length;
      const base = sending.service === "weather" && this.bases.weather !== null ? this.bases.weather : this.bases.server;
      const response = await fetch(base + sending.target, {
        method: sending.method, headers: sending.headers,
        body: body.length ? /** @type {BodyInit} */ (body) : undefined, signal: controller.signal, cache: "no-store", credentials: "omit",
        redirect: "manual", referrerPolicy: "no-referrer",
      });
      if (!isCurrent()) return;
      // A browser hides where a redirect leads, and its status. The engine never follows one.
      const status = response.type === "opaqueredirect" ? 302 : response.status;
      receiver.head(exchange, status, [...response.headers]);
      let count = 0;
      const reader = response.body?.getReader();
      while (reader && isCurrent()) {
        const { done, value } = await reader.read();
        if (done || !isCurrent()) break;
        count += value.length;
        if (count > limit) return fail(failures.tooLarge, `the response is larger than ${limit} bytes`);
        receiver.body(exchange, value);
      }
      if (!isCurrent()) return;
      this.#exchanges.delete(exchange);
      const length = response.headers.get("Content-Encoding") === null ? null : response.headers.get("Content-Length");
      receiver.end(exchange, length === null ? -1 : Number(length), body.length);
    } catch (error) {
      if (isLate) fail(failures.timeout, `no answer within ${sending.timeoutSeconds} seconds`);
      else fail(failures.network, `the browser couldn't reach the server: ${/** @type {Error} */ (error).message}`);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Aborts a request of the engine, and reports that it was cancelled.
   *
   * @param {number} exchange
   */
  abort(exchange) {
    const entry = this.#exchanges.get(exchange);
    this.#exchanges.delete(exchange);
    entry?.controller.abort();
    if (entry) queueMicrotask(() => this.receiver.failed(exchange, failures.cancelled, "the request was cancelled", entry.sentBody));
  }

  /** Aborts all requests. Their results aren't reported. */
  end() {
    for (const { controller } of this.#exchanges.values()) controller.abort();
    this.#exchanges.clear();
  }
}
