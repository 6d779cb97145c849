// The messages between a tab and its worker: calls with answers, what is watched, and news.

import { asContrailError, stoppedError } from "./errors.js";

/**
 * @typedef {object} Watcher What takes the messages about something that is watched.
 * @property {() => void} [signal] There is another result.
 * @property {() => void} [again] Another tab runs the engine now, and begins anew.
 * @property {(value: any, error: any) => void} [value]
 * @property {() => void} end
 */

export class Connection {
  /**
   * @param {Worker} worker
   * @param {(news: any) => void} onNews
   */
  constructor(worker, onNews) {
    this.#worker = worker;
    this.#onNews = onNews;
    worker.onmessage = ({ data }) => this.#hear(data);
  }

  #worker;
  #onNews;
  #number = 0;
  #isEnded = false;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #calls = new Map();
  /** @type {Map<number, Watcher>} */
  #watches = new Map();

  /** Whether nothing more is sent. */
  get isEnded() {
    return this.#isEnded;
  }

  /**
   * Sends a message that needs no answer.
   * @param {any} message
   */
  post(message) {
    if (!this.#isEnded) this.#worker.postMessage(message);
  }

  /**
   * Sends a message, and waits for its answer.
   *
   * @param {any} message
   * @returns {Promise<any>}
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) return reject(stoppedError());
      const number = ++this.#number;
      this.#calls.set(number, { resolve, reject });
      this.#worker.postMessage({ ...message, number });
    });
  }

  /**
   * Calls the engine.
   *
   * @param {string} name
   * @param {any[]} args
   * @returns {Promise<any>}
   */
  call(name, args) {
    return this.ask({ do: "call", name, args });
  }

  /**
   * Begins to watch, and returns the number of what is watched.
   *
   * @param {"observe" | "monitor"} name
   * @param {any} query
   * @param {(watch: number) => Watcher} make
   */
  watch(name, query, make) {
    if (this.#isEnded) throw stoppedError();
    const watch = ++this.#number;
    this.#watches.set(watch, make(watch));
    this.post({ do: "watch", watch, name, query });
  }

  /** @param {number} watch */
  unwatch(watch) {
    if (this.#watches.delete(watch)) this.post({ do: "unwatch", watch });
  }

  /**
   * Sends a last message, and ends everything when it is answered.
   * @param {any} message
   */
  async end(message) {
    const answer = this.ask(message);
    this.#isEnded = true;
    await answer;
    for (const { reject } of this.#calls.values()) reject(stoppedError());
    for (const watcher of [...this.#watches.values()]) watcher.end();
  }

  /** @param {any} data */
  #hear(data) {
    if ("answer" in data) {
      const call = this.#calls.get(data.answer);
      this.#calls.delete(data.answer);
      return data.error ? call?.reject(asContrailError(data.error)) : call?.resolve(data.value);
    }
    if ("ready" in data) return this.#watches.get(data.ready)?.signal?.();
    if ("again" in data) return this.#watches.get(data.again)?.again?.();
    if ("watched" in data) return this.#watches.get(data.watched)?.value?.(data.value, data.error);
    this.#onNews(data.news);
  }
}
