// The time of the device, as the engine takes it: a clock that only moves forward, and the wall clock, which can be set.

/** A jump of the wall clock against the other, in milliseconds, that isn't rounding. */
const jumpMS = 2000;

/**
 * A clock that also counts the time while the device slept.
 *
 * Some browsers stop `performance.now()` meanwhile. Then the wall clock runs ahead, which looks as if it was set. Both are taken as
 * time that has passed: data is then hidden too early at most, and never shown too long. The next answer of the server tells the time.
 */
export class Clock {
  constructor() {
    this.#wall = Date.now();
    this.#steady = performance.now();
    this.#now = this.#wall;
  }

  #wall;
  #steady;
  #now;

  /** The time that only moves forward, in milliseconds since 1970. */
  get now() {
    const [wall, steady] = [Date.now(), performance.now()];
    const [byWall, bySteady] = [wall - this.#wall, Math.max(0, steady - this.#steady)];
    this.#now += byWall - bySteady > jumpMS ? byWall : bySteady;
    [this.#wall, this.#steady] = [wall, steady];
    return this.#now;
  }

  /** The wall clock, in milliseconds since 1970. */
  get wall() {
    return Date.now();
  }
}

/** The longest wait of one browser timer. A device that wakes is noticed after it. */
const sliceMS = 10_000;

/** One timer at a time of a clock. */
export class Timer {
  /**
   * @param {Clock} clock
   * @param {() => void} fire
   */
  constructor(clock, fire) {
    this.clock = clock;
    this.fire = fire;
  }

  /** @type {number | null} */
  #at = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #handle = undefined;

  /**
   * Fires at a time; null for never. It replaces the time before.
   * @param {number | null} at
   */
  set(at) {
    this.#at = at;
    this.#wait();
  }

  /** Looks at the clock: a sleeping tab or device delays timers. */
  check() {
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#handle);
    const at = this.#at;
    if (at === null) return;
    this.#handle = setTimeout(() => {
      if (this.clock.now < at) return this.#wait();
      this.#at = null;
      this.fire();
    }, Math.min(at - this.clock.now, sliceMS));
  }
}
