// What the map, its legend and the profile read of a running client: as a session of the viewer with one flight that is always at its end.

import { bands } from "../palette.js";

/** @typedef {import("../engine.js").Profile} Profile */
/** @typedef {import("../engine.js").State} State */
/** @typedef {import("../session.js").Change} Change */

export class LiveSession {
  /** @param {(widthNM: number) => Promise<Profile | null>} ask Asks the client for the profile of its route. */
  constructor(ask) {
    this.ask = ask;
    /** @type {import("../map/scene.js").Shown} */
    this.shown = { severities: [true, true, true, true, true], bands: bands.map(() => true), hiddenScopes: new Set() };
    this.lines = [0];
    this.active = 0;
    this.isPlaying = false;
    /** @type {((change: Change) => void)[]} */
    this.listeners = [];
    /** @type {Profile | null} */
    this.profile = null;
    this.widthNM = 40;
    /** After another profile has come. */
    this.onProfile = () => {};
    const flight = {
      name: "this flight", profile: (/** @type {number} */ _line, /** @type {number} */ _at, /** @type {number} */ widthNM) => this.profileOf(widthNM),
      // Own reports and pointed hexagons aren't placed on the route here.
      placesOnRoute: (/** @type {Uint32Array} */ lo) => new Float64Array(2 * lo.length).fill(-1),
    };
    this.recordings = [{ flight, ownReports: [] }];
  }

  /** @param {(change: Change) => void} listener */
  subscribe(listener) {
    this.listeners.push(listener);
  }

  /** @param {Change} change */
  changed(change) {
    for (const listener of this.listeners) listener(change);
  }

  /**
   * The last profile; another width is asked for.
   *
   * @param {number} widthNM
   */
  profileOf(widthNM) {
    if (widthNM !== this.widthNM) {
      this.widthNM = widthNM;
      void this.renew();
    }
    return this.profile;
  }

  /** Asks for the profile of now. */
  async renew() {
    const { widthNM } = this;
    const profile = await this.ask(widthNM);
    if (widthNM !== this.widthNM) return;
    this.profile = profile;
    this.onProfile();
  }
}
