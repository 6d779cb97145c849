// The settings of the client, as an application reads and sets them.

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").DataType} DataType */
/** @typedef {import("./types.js").Severity} Severity */
/** @typedef {import("./types.js").WeatherSettings} WeatherSettings */

/** History times in seconds, by their names in the Swift client. */
export const DataHistoryTime = Object.freeze({
  halfHour: 1800, hour: 3600, twoHours: 7200, fourHours: 14_400, sixHours: 21_600,
});

/** Frequencies of updates: never, every 15 minutes, every 5 minutes, every minute. */
export const DataUpdateFrequency = Object.freeze({ none: "none", minimal: "minimal", medium: "medium", fast: "fast" });

/** Severities, from the least to the severest. */
export const severities = Object.freeze(/** @type {Severity[]} */ (["none", "light", "lightModerate", "moderate", "moderateSevere"]));

/**
 * @template T
 * @param {T} value
 * @returns {T} A copy that can't be changed.
 */
function frozen(value) {
  const copy = structuredClone(value);
  const freeze = (/** @type {any} */ each) => {
    if (each && typeof each === "object") Object.values(Object.freeze(each)).forEach(freeze);
    return each;
  };
  return freeze(copy);
}

/**
 * The data that the application wants. Set one member or all; the client derives the requests.
 *
 * ```js
 * client.dataQuery.types = ["turbulence", "turbulencePolygons"];
 * client.dataQuery.route = [[-0.46, 51.47], [-73.78, 40.64]];
 * client.dataQuery.routeWidth = 100;
 * ```
 *
 * Members that are set in one turn cost one request. What a member returns can't be changed in place.
 */
export class DataQuery {
  /**
   * @param {Record<string, any>} values
   * @param {(change: Record<string, any>) => void} onChange
   */
  constructor(values, onChange) {
    this.#values = { ...values };
    this.#onChange = onChange;
  }

  #values;
  #onChange;

  /**
   * @param {string} name
   * @param {any} value
   */
  #set(name, value) {
    this.#values[name] = frozen(value);
    this.#onChange({ [name]: this.#values[name] });
  }

  /**
   * Takes what the engine has.
   * @param {Record<string, any>} values
   */
  follow(values) {
    for (const [name, value] of Object.entries(values)) this.#values[name] = frozen(value);
  }

  /**
   * The kinds of data to fetch. The default is turbulence.
   * @returns {DataType[]}
   */
  get types() { return this.#values.types ?? ["turbulence"]; }
  set types(value) { this.#set("types", value); }

  /**
   * The kinds of data to fetch inside `viewport`. Null means `types`.
   * @returns {DataType[] | null}
   */
  get viewportTypes() { return this.#values.viewportTypes ?? null; }
  set viewportTypes(value) { this.#set("viewportTypes", value); }

  /**
   * The severities of turbulence to fetch. The default is all.
   * @returns {Severity[]}
   */
  get sevs() { return this.#values.sevs ?? severities; }
  set sevs(value) { this.#set("sevs", value); }

  /**
   * The area to fetch data for: a closed ring of 4 to 250 positions. It takes precedence over the route.
   * @returns {Position[] | null}
   */
  get polygon() { return this.#values.polygon ?? null; }
  set polygon(value) { this.#set("polygon", value); }

  /**
   * The visible area of the map: a closed ring.
   * @returns {Position[] | null}
   */
  get viewport() { return this.#values.viewport ?? null; }
  set viewport(value) { this.#set("viewport", value); }

  /**
   * The route, connected by great circles. With `routeWidth` it defines the corridor.
   * @returns {Position[] | null}
   */
  get route() { return this.#values.route ?? null; }
  set route(value) { this.#set("route", value); }

  /**
   * The full width of the corridor, in nautical miles; 50 to 150 is usual.
   * @returns {number | null}
   */
  get routeWidth() { return this.#values.routeWidth ?? null; }
  set routeWidth(value) { this.#set("routeWidth", value); }

  /**
   * The altitudes to fetch turbulence for, in feet. Null means all.
   * @returns {[number, number] | null}
   */
  get altRange() { return this.#values.altRange ?? null; }
  set altRange(value) { this.#set("altRange", value); }

  /**
   * Whether to fetch areas of turbulence for the whole world, or only for `polygon`. The default is true.
   * @returns {boolean}
   */
  get globalEnabled() { return this.#values.globalEnabled ?? true; }
  set globalEnabled(value) { this.#set("globalEnabled", value); }

  /**
   * Whether to fetch areas of all history times up to the selected one.
   * @returns {boolean}
   */
  get globalTurbulencePolygonsUpToEnabled() { return this.#values.globalTurbulencePolygonsUpToEnabled ?? false; }
  set globalTurbulencePolygonsUpToEnabled(value) { this.#set("globalTurbulencePolygonsUpToEnabled", value); }

  /**
   * The places to fetch weather for.
   * @returns {WeatherSettings}
   */
  get weather() { return this.#values.weather ?? { places: [] }; }
  set weather(value) { this.#set("weather", value); }

  /**
   * Sets several members at once.
   * @param {Record<string, any>} values
   */
  set(values) {
    for (const [name, value] of Object.entries(values)) /** @type {any} */ (this)[name] = value;
  }
}
