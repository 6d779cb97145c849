// The types of the client, for documentation and checks.

/**
 * @typedef {[longitude: number, latitude: number]} Position In degrees, as in GeoJSON.
 *
 * @typedef {"turbulence" | "pireps" | "traffic" | "turbulencePolygons"} DataType
 * @typedef {"none" | "light" | "lightModerate" | "moderate" | "moderateSevere"} Severity
 *
 * @typedef {"corridor" | "viewport" | "outbox" | "airports" | string} ScopeID A unit of data that is fetched by itself: also
 *   `global.7200` for the areas of a history of two hours, and `weather.13.5100,52.3600` for a place, by longitude and latitude.
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
 *
 * @typedef {object} WeatherSettings
 * @property {Position[]} places
 * @property {object} [spec]
 *
 * @typedef {object} ListeningSettings Which news is urgent, and how long silence may last. A member that isn't given has its default.
 * @property {boolean} [isEnabled] Whether requests are held, if the server can. The default is true.
 * @property {Severity | null} [urgentSeverity] The least severity of turbulence that is answered at once; null for none. The default is
 *   moderate.
 * @property {[low: number, high: number]} [urgentAltitudes] Feet. The default is all.
 * @property {number | null} [confirmationMinutes] The longest time without a confirmation of the data.
 *
 * @typedef {object} ByteBudget How many bytes may be used. A member that isn't given has its default.
 * @property {number | null} [bytes] The default is null: no limit.
 * @property {string | null} [flight] A name of the flight that the bytes are for, of which 1,024 characters count; null for each day in UTC, which is the default.
 * @property {boolean} [savesOnExpensiveLink] The default is true.
 * @property {boolean} [savesOnConstrainedLink] The default is true.
 *
 * @typedef {object} LinkCost What is known of the link's cost. A member that isn't given is false.
 * @property {boolean} [isExpensive]
 * @property {boolean} [isConstrained]
 *
 * @typedef {object} Settings The settings of the client, as they are kept in the log.
 * @property {object} dataQuery
 * @property {number} dataHistoryTime Seconds.
 * @property {string} dataUpdateFrequency
 * @property {ListeningSettings} listening
 * @property {ByteBudget} byteBudget
 * @property {LinkCost} [linkCost]
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
 * @property {number | null} ageMS
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
 * @property {string} [aircraft] A class or type of aircraft, whose thresholds decide the severities.
 * @property {boolean} [includesUnknownAltitude] Of PIREPs and aircraft. The default is true.
 * @property {number} [maximumAgeSeconds] Of aircraft.
 *
 * @typedef {object} TurbulenceItem A hexagon with its severest report, or a report if nothing is aggregated.
 * @property {string} id
 * @property {string} h3 The H3 index of the cell, in hexadecimal.
 * @property {number} alt Thousands of feet.
 * @property {0 | 1 | 2 | 3 | 4} sev
 * @property {Severity} severity
 * @property {number} edr Eddy dissipation rate.
 * @property {number} observedAt Seconds since 1970, by the server's clock, as in all items.
 * @property {number} age Seconds.
 * @property {number} count Reports of the hexagon.
 * @property {"waiting" | "sending" | "confirmed" | "refused" | "heldBack"} [ownState] Of a report of this device.
 *
 * @typedef {object} PIREPItem
 * @property {string} id
 * @property {Position} position
 * @property {number | null} flightLevel
 * @property {Severity | null} severity
 * @property {boolean} isUrgent
 * @property {number} observedAt
 * @property {string} text
 *
 * @typedef {object} TrafficItem
 * @property {string} id The 24-bit address, in hexadecimal.
 * @property {string} callsign
 * @property {Position} position
 * @property {number | null} altitudeFeet
 * @property {number | null} groundSpeedKnots
 * @property {number | null} trackDegrees
 * @property {number} observedAt
 *
 * @typedef {object} AreaItem
 * @property {string} id
 * @property {Severity | null} severity
 * @property {number | null} baseFeet
 * @property {number | null} topFeet
 * @property {any} feature A Feature of GeoJSON.
 *
 * @typedef {{turbulence: TurbulenceItem, pireps: PIREPItem, traffic: TrafficItem, turbulencePolygons: AreaItem}} Items The item of each kind.
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
 * @typedef {object} AlertQuery What a monitor watches for. A member that isn't given has the default of a monitor in the Swift client.
 * @property {Position[] | null} [route] The route; null for a beam along the track.
 * @property {number} [distanceNM] The distance to look ahead.
 * @property {number} [widthNM] The whole width of the corridor along the route.
 * @property {number} [altitudeSpanFeet] The altitudes above and below the aircraft.
 * @property {[low: number, high: number] | null} [altRange] Feet, whatever the altitude of the aircraft.
 * @property {number} [beamDegrees] The whole angle of the beam.
 * @property {Severity} [minimumSeverity]
 * @property {number | null} [dataHistoryTime] Seconds; null for all stored reports.
 * @property {("pireps" | "areas")[]} [fallbacks] What is used for a hexagon without any report.
 * @property {number} [ownReportsIgnoredSeconds]
 * @property {string | null} [aircraft] A class or type of aircraft, whose thresholds decide the severities.
 * @property {number | null} [minimumAltitudeFeet] Below it there are no alerts.
 *
 * @typedef {object} TurbulenceAlert Turbulence ahead: hexagons that are neighbours.
 * @property {string} id
 * @property {"new" | "worsened" | "changed" | "unchanged" | "ended"} phase
 * @property {"route" | "beam"} mode
 * @property {number} distanceNM To where it begins.
 * @property {number} farthestNM
 * @property {number} bearingDegrees
 * @property {number | null} timeToGoSeconds
 * @property {Severity} severity
 * @property {[low: number, high: number]} altitudeBandFeet
 * @property {number} count Reports.
 * @property {number} newestAt Seconds since 1970, by the server's clock.
 * @property {number} age Seconds.
 * @property {string[]} cells H3 indexes, in hexadecimal.
 * @property {("reports" | "pireps" | "areas")[]} sources
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
