// The types of the client, for documentation and checks.

/**
 * @typedef {[longitude: number, latitude: number]} Position In degrees, as in GeoJSON.
 *
 * @typedef {"turbulence" | "pireps" | "traffic" | "turbulencePolygons"} DataType
 * @typedef {"none" | "light" | "lightModerate" | "moderate" | "moderateSevere"} Severity
 *
 * @typedef {"corridor" | "viewport" | "outbox" | "airports" | string} ScopeID A unit of data that is fetched by itself: also
 *   `global.7200` for the areas of a history of two hours, and `weather.52.36,13.51` for a place.
 *
 * @typedef {object} Configuration
 * @property {string | URL} server The server's URL. Its path, if any, precedes the path of each request.
 * @property {string | null} [apiKey] The key, if the server requires one. It is kept in memory and never stored.
 * @property {string} [directory] The name of the log. Tabs of a site with the same name share it. The default is `flight`.
 * @property {{server: string | URL, token?: string} | null} [weather] A weather service of its own; null if the server has the weather.
 * @property {boolean} [isOnline] Whether the client may use the link at first. The default is true.
 * @property {boolean} [followsSystemLink] Whether the client follows what the browser says of the network. The default is true, except
 *   for a server on this device, which needs no network.
 * @property {boolean} [followsAppLifecycle] Whether updates pause while no tab of the client is visible. The default is true.
 * @property {"opfs" | "memory"} [storage] Where the log is. In memory, it is gone with the tab. The default is the origin's private file
 *   system, and memory where the browser refuses it.
 * @property {string | URL} [worker] The URL of this module for the worker. The default is where it came from.
 * @property {string | URL} [wasm] The URL of the engine. The default is `contrail.wasm` beside this module.
 *
 * @typedef {object} WorkerConfiguration
 * @property {string} server
 * @property {string | null} weather
 * @property {string | null} apiKey
 * @property {string | null} weatherToken
 * @property {string} directory
 * @property {boolean} isOnline
 * @property {boolean} hasLink
 * @property {boolean} followsAppLifecycle
 * @property {boolean} isVisible
 * @property {"opfs" | "memory"} storage
 * @property {string} wasm
 *
 * @typedef {object} WeatherSettings
 * @property {Position[]} places
 * @property {object} [spec]
 *
 * @typedef {object} Settings The settings of the client, as they are kept in the log.
 * @property {object} dataQuery
 * @property {number} dataHistoryTime Seconds.
 * @property {string} dataUpdateFrequency
 * @property {object} listening
 * @property {object} byteBudget
 * @property {object} [linkCost]
 * @property {boolean} isOnline
 * @property {boolean} hasLink
 *
 * @typedef {object} ClientUpdate What the client tells: as `ClientUpdate` of the Swift client.
 * @property {"opened" | "stored" | "data" | "confirmed" | "filtered" | "expired" | "failed" | "recovered" | "status" | "saving"} kind
 * @property {ScopeID} [scope]
 * @property {DataType[]} [types]
 * @property {import("./errors.js").ContrailError} [error]
 *
 * @typedef {object} ScopeStatus
 * @property {ScopeID} scope
 * @property {string} phase
 * @property {number | null} freshAsOf Milliseconds since 1970, by the device's clock.
 * @property {number | null} lastUpdate
 * @property {number | null} nextAttempt
 * @property {number} failures
 * @property {object | null} lastError
 * @property {number} sessionBytes
 *
 * @typedef {"everywhere" | {polygon: Position[]} | {viewport: [west: number, south: number, east: number, north: number]} |
 *   {route: Position[], widthNM: number}} QueryArea
 *
 * @typedef {object} Query A query for stored data. It fetches nothing.
 * @property {QueryArea} [area]
 * @property {[low: number, high: number]} [altRange] Feet.
 * @property {Severity[]} [sevs]
 * @property {Severity} [minimumSeverity]
 * @property {number} [dataHistoryTime] Seconds.
 * @property {boolean} [aggregate] Whether a hexagon is one item, with its severest report.
 * @property {ScopeID} [scope]
 * @property {"server" | "own" | "all"} [origin]
 * @property {string} [aircraft]
 *
 * @typedef {object} Item A record, with its identifier.
 * @property {string} id
 *
 * @typedef {object} ResultChange How a result has changed.
 * @property {Item[]} inserted
 * @property {Item[]} changed
 * @property {string[]} removed Identifiers.
 *
 * @typedef {object} ProfileQuery A query for the turbulence along a route.
 * @property {Position[]} [route] The default is the route of the data query.
 * @property {number} [widthNM] The whole width of the band, in nautical miles. The default is 40.
 * @property {number} [binNM] The length of a bin, in nautical miles.
 * @property {[low: number, high: number]} [altRange] Feet.
 * @property {number} [dataHistoryTime] Seconds.
 * @property {ScopeID} [scope]
 * @property {"server" | "own" | "all"} [origin]
 * @property {string} [category] A class or type of aircraft, whose thresholds decide the severities.
 * @property {{position: Position, altitudeFeet?: number, trackDegrees?: number, groundSpeedKnots?: number}} [aircraft] Where it is.
 *
 * @typedef {object} Profile The turbulence along a route, by distance and flight level. Where no cell is, nothing was reported.
 * @property {number} lengthNM
 * @property {number} binNM
 * @property {number} widthNM
 * @property {number} bins The number of bins.
 * @property {number} asOf Seconds since 1970, by the server's clock.
 * @property {Uint32Array} cells Eight numbers for each cell with reports: bin, level in thousands of feet, highest and newest severity,
 *   highest and newest eddy dissipation rate times 10,000, number of reports, and the time of the newest.
 * @property {Float64Array} edges Latitude and longitude of each boundary of a bin.
 * @property {{alongNM: number, offNM: number, level: number | null, pirep: any}[]} pireps
 * @property {{severity: number | null, levels: [low: number, high: number], bins: number[]}[]} areas
 *
 * @typedef {object} ProfileChange A profile, and how it is shown differently.
 * @property {boolean} isFirst
 * @property {number[]} changedBins In ascending order; all at first. Ages don't count.
 * @property {Profile} profile The whole profile.
 *
 * @typedef {object} TurbulenceColumns Turbulence as typed arrays, an element an item.
 * @property {Uint32Array} lo The lower half of the H3 index of the cell.
 * @property {Uint32Array} hi The upper half.
 * @property {Uint8Array} altitude Thousands of feet.
 * @property {Uint8Array} severity 0 to 4.
 * @property {Uint16Array} edr Eddy dissipation rate, times 10,000.
 * @property {Uint32Array} observedAt Seconds since 1970.
 * @property {Uint32Array} count Reports of the hexagon.
 * @property {Uint8Array} ownState 0 none, 1 waiting, 2 sending, 3 confirmed, 4 refused, 5 confirmed and kept from others.
 *
 * @typedef {object} OwnshipReport A report that the aircraft makes.
 * @property {Position} position
 * @property {number} altitudeFeet
 * @property {Severity} severity
 * @property {number} edr
 * @property {number} [observedAt] Seconds since 1970; now without it.
 *
 * @typedef {object} Airport
 * @property {string} id The identifier of its record.
 * @property {string} locationID
 * @property {string | null} icaoID
 * @property {string | null} iataID
 * @property {string} name
 * @property {string | null} city
 * @property {Position} position
 * @property {number} [elevationFeet]
 * @property {number} [variationDegrees] Positive to the east.
 * @property {string | null} timeZone
 * @property {Runway[]} runways The directions, longest first.
 *
 * @typedef {object} Runway A direction of a runway.
 * @property {string} name
 * @property {number} [lengthFeet]
 * @property {number} [widthFeet]
 * @property {number} [trueHeadingDegrees]
 */

export const types = null;
