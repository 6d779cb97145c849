// Sequences of values for `for await`.

/**
 * A sequence that ends when the reader leaves the loop, or the client stops.
 *
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class Stream {
  /**
   * @param {{isNewestOnly?: boolean, onEnd?: () => void}} [options] `isNewestOnly`: a slow reader gets only the newest value.
   */
  constructor(options = {}) {
    const { isNewestOnly = false, onEnd = () => {} } = options;
    this.#isNewestOnly = isNewestOnly;
    this.#onEnd = onEnd;
  }

  #isNewestOnly;
  #onEnd;
  /** @type {T[]} */
  #values = [];
  /** @type {((result: IteratorResult<T>) => void)[]} */
  #readers = [];
  #isEnded = false;
  /**
   * Why the sequence has ended.
   * @type {Error | null}
   */
  #error = null;

  /** @param {T} value */
  push(value) {
    if (this.#isEnded) return;
    const reader = this.#readers.shift();
    if (reader) return reader({ done: false, value });
    if (this.#isNewestOnly) this.#values.length = 0;
    this.#values.push(value);
  }

  end() {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  /**
   * Ends the sequence with an error, which the loop of the reader throws.
   * @param {Error} error
   */
  fail(error) {
    this.#error = error;
    this.end();
  }

  /** @returns {Promise<IteratorResult<T>>} */
  async next() {
    const value = this.#values.shift();
    if (value !== undefined) return { done: false, value };
    /** @type {IteratorResult<T>} */
    const result = this.#isEnded ? { done: true, value: undefined } : await new Promise((resolve) => this.#readers.push(resolve));
    if (result.done && this.#error) throw this.#error;
    return result;
  }

  /** @returns {Promise<IteratorResult<T>>} */
  return() {
    this.end();
    this.#values.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/**
 * What the reader of an observed query takes, change by change, for `for await`.
 *
 * A slow reader misses no change, because those in between are combined into one.
 *
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class Observation {
  /**
   * @param {() => Promise<T | null>} take
   * @param {() => void} onEnd
   */
  constructor(take, onEnd) {
    this.#take = take;
    /** @type {Stream<true>} */
    this.#signals = new Stream({ isNewestOnly: true, onEnd });
  }

  #take;
  #signals;
  #isAgain = false;

  /** The result has changed. */
  signal() {
    this.#signals.push(true);
  }

  /** Another tab runs the engine now: the next result is whole. */
  again() {
    this.#isAgain = true;
  }

  end() {
    this.#signals.end();
  }

  /**
   * Ends the sequence with an error, which the loop of the reader throws.
   * @param {Error} error
   */
  fail(error) {
    this.#signals.fail(error);
  }

  /**
   * @param {T} taken
   * @param {boolean} _isAgain Whether it is a whole result after another one.
   * @returns {T | null} What the reader gets; null for nothing.
   */
  change(taken, _isAgain) {
    return taken;
  }

  /** @returns {Promise<IteratorResult<T>>} */
  async next() {
    for (;;) {
      const { done } = await this.#signals.next();
      if (done) return { done: true, value: undefined };
      const isAgain = this.#isAgain;
      let taken;
      try {
        taken = await this.#take();
      } catch (error) {
        if (/** @type {any} */ (error)?.code === "stopped") return { done: true, value: undefined };
        throw error;
      }
      if (!taken) continue;
      if (isAgain) this.#isAgain = false;
      const value = this.change(taken, isAgain);
      if (value) return { done: false, value };
    }
  }

  /** @returns {Promise<IteratorResult<T>>} */
  return() {
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

/**
 * The changes of a query's result: first the result, as inserted items, then each change.
 *
 * @template {{id: string}} T
 * @extends {Observation<{inserted: T[], changed: T[], removed: string[]}>}
 */
export class Changes extends Observation {
  /**
   * The items that the reader has, as text by their identifiers.
   * @type {Map<string, string>}
   */
  #held = new Map();

  /**
   * @param {{inserted: T[], changed: T[], removed: string[]}} taken
   * @param {boolean} isAgain
   */
  change(taken, isAgain) {
    const change = isAgain ? this.#difference(taken.inserted) : taken;
    for (const id of change.removed) this.#held.delete(id);
    for (const item of [...change.inserted, ...change.changed]) this.#held.set(item.id, JSON.stringify(item));
    const isEmpty = !change.inserted.length && !change.changed.length && !change.removed.length;
    return isAgain && isEmpty ? null : change;
  }

  /** @param {T[]} items The whole result. */
  #difference(items) {
    const ids = new Set(items.map((item) => item.id));
    return {
      inserted: items.filter((item) => !this.#held.has(item.id)),
      changed: items.filter((item) => this.#held.has(item.id) && this.#held.get(item.id) !== JSON.stringify(item)),
      removed: [...this.#held.keys()].filter((id) => !ids.has(id)),
    };
  }
}
