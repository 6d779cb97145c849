// Turbulence ahead of the aircraft.

import { Stream } from "./streams.js";

/**
 * Watches for turbulence ahead: give it positions, and read what begins, changes and ends by `for await`.
 *
 * @extends {Stream<{event: "began" | "changed" | "ended", alert: import("./types.js").TurbulenceAlert}>}
 */
export class TurbulenceMonitor extends Stream {
  /**
   * @param {(position: any) => Promise<void>} send
   * @param {() => void} onEnd
   */
  constructor(send, onEnd) {
    super({ onEnd });
    this.#send = send;
  }

  #send;

  /**
   * Sets where the aircraft is.
   *
   * @param {{position: [number, number], altitudeFeet?: number, trackDegrees?: number, groundSpeedKnots?: number}} position
   * @returns {Promise<void>}
   */
  async update(position) {
    await this.#send(position);
  }
}
