// The types of contrail.js. Made by Scripts/browser-types from the comments of its modules.

/** The error of everything that is asked of a stopped client. */
declare function stoppedError(): ContrailError;
/**
 * An error as the client's, whatever was thrown.
 *
 * @param {any} error
 * @returns {ContrailError}
 */
declare function asContrailError(error: any): ContrailError;
/**
 * An error of the client, with the codes and the texts of `ClientError` of the Swift client.
 */
export class ContrailError extends Error {
    /**
     * @param {{code: string, message: string, advice?: string, scope?: string | null, host?: string | null, isTransient?: boolean}} parts
     */
    constructor({ code, message, advice, scope, host, isTransient }: {
        code: string;
        message: string;
        advice?: string;
        scope?: string | null;
        host?: string | null;
        isTransient?: boolean;
    });
    /** A stable code, such as `unauthorized`, `network`, `disk`, `invalidQuery` or `stopped`. */
    code: string;
    /** What to do, as a sentence that can be shown. */
    advice: string;
    /** The scope that it concerns, such as `corridor`; null if it concerns all. */
    scope: string | null;
    /** The host of the server that it concerns. */
    host: string | null;
    /** Whether the client tries again by itself. */
    isTransient: boolean;
    /** The members, as `postMessage` and `JSON.stringify` carry them. */
    toJSON(): {
        code: string;
        message: string;
        advice: string;
        scope: string | null;
        host: string | null;
        isTransient: boolean;
    };
}

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
 * @property {ContrailError} [error]
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
/**
 * In degrees, as in GeoJSON.
 */
export type Position = [longitude: number, latitude: number];
export type DataType = "turbulence" | "pireps" | "traffic" | "turbulencePolygons";
export type Severity = "none" | "light" | "lightModerate" | "moderate" | "moderateSevere";
/**
 * A unit of data that is fetched by itself: also
 * `global.7200` for the areas of a history of two hours, and `weather.13.5100,52.3600` for a place, by longitude and latitude.
 */
export type ScopeID = "corridor" | "viewport" | "outbox" | "airports" | string;
export type Configuration = {
    /**
     * The server's URL. Its path, if any, precedes the path of each request.
     */
    server: string | URL;
    /**
     * The key, if the server requires one. It is kept in memory and never stored.
     */
    apiKey?: string | null | undefined;
    /**
     * The name of the log. Tabs of a site with the same name share it. The default is `flight`.
     */
    directory?: string | undefined;
    /**
     * A weather service of its own; null if the server has the weather.
     */
    weather?: {
        server: string | URL;
        token?: string | undefined;
    } | null | undefined;
    /**
     * Whether the client may use the link at first. The default is true.
     */
    isOnline?: boolean | undefined;
    /**
     * Whether the client follows what the browser says of the network. The default is true, except
     * for a server on this device, which needs no network.
     */
    followsSystemLink?: boolean | undefined;
    /**
     * Whether updates pause while no tab of the client is visible. The default is true.
     */
    followsAppLifecycle?: boolean | undefined;
    /**
     * Where the log is. In memory, it is gone with the tab. The default is the origin's private file
     * system, and memory where the browser refuses it.
     */
    storage?: "memory" | "opfs" | undefined;
    /**
     * The URL of this module for the worker. The default is where it came from.
     */
    worker?: string | URL | undefined;
    /**
     * The URL of the engine. The default is `contrail.wasm` beside this module.
     */
    wasm?: string | URL | undefined;
};
export type WorkerConfiguration = {
    server: string;
    weather: string | null;
    apiKey: string | null;
    weatherToken: string | null;
    directory: string;
    isOnline: boolean;
    hasLink: boolean;
    followsAppLifecycle: boolean;
    isVisible: boolean;
    storage: "opfs" | "memory";
};
export type WeatherSettings = {
    places: Position[];
    spec?: object | undefined;
};
/**
 * Which news is urgent, and how long silence may last. A member that isn't given has its default.
 */
export type ListeningSettings = {
    /**
     * Whether requests are held, if the server can. The default is true.
     */
    isEnabled?: boolean | undefined;
    /**
     * The least severity of turbulence that is answered at once; null for none. The default is
     * moderate.
     */
    urgentSeverity?: Severity | null | undefined;
    /**
     * Feet. The default is all.
     */
    urgentAltitudes?: [low: number, high: number] | undefined;
    /**
     * The longest time without a confirmation of the data.
     */
    confirmationMinutes?: number | null | undefined;
};
/**
 * How many bytes may be used. A member that isn't given has its default.
 */
export type ByteBudget = {
    /**
     * The default is null: no limit.
     */
    bytes?: number | null | undefined;
    /**
     * A name of the flight that the bytes are for, of which 1,024 characters count; null for each day in UTC, which is the default.
     */
    flight?: string | null | undefined;
    /**
     * The default is true.
     */
    savesOnExpensiveLink?: boolean | undefined;
    /**
     * The default is true.
     */
    savesOnConstrainedLink?: boolean | undefined;
};
/**
 * What is known of the link's cost. A member that isn't given is false.
 */
export type LinkCost = {
    isExpensive?: boolean | undefined;
    isConstrained?: boolean | undefined;
};
/**
 * The settings of the client, as they are kept in the log.
 */
export type Settings = {
    dataQuery: object;
    /**
     * Seconds.
     */
    dataHistoryTime: number;
    dataUpdateFrequency: string;
    listening: ListeningSettings;
    byteBudget: ByteBudget;
    linkCost?: LinkCost | undefined;
    isOnline: boolean;
    hasLink: boolean;
};
/**
 * What the client tells: as `ClientUpdate` of the Swift client.
 */
export type ClientUpdate = {
    kind: "opened" | "stored" | "data" | "confirmed" | "filtered" | "expired" | "failed" | "recovered" | "status" | "saving";
    scope?: string | undefined;
    types?: DataType[] | undefined;
    error?: ContrailError | undefined;
};
export type ScopeStatus = {
    scope: ScopeID;
    phase: string;
    /**
     * Milliseconds since 1970, by the device's clock.
     */
    freshAsOf: number | null;
    ageMS: number | null;
    lastUpdate: number | null;
    nextAttempt: number | null;
    failures: number;
    lastError: object | null;
    sessionBytes: number;
};
export type QueryArea = "everywhere" | {
    polygon: [longitude: number, latitude: number][];
} | {
    viewport: [west: number, south: number, east: number, north: number];
} | {
    route: [longitude: number, latitude: number][];
    widthNM: number;
};
/**
 * A query for stored data. It fetches nothing.
 */
export type Query = {
    area?: QueryArea | undefined;
    /**
     * Feet.
     */
    altRange?: [low: number, high: number] | undefined;
    sevs?: Severity[] | undefined;
    minimumSeverity?: Severity | undefined;
    /**
     * Seconds.
     */
    dataHistoryTime?: number | undefined;
    /**
     * Whether a hexagon is one item, with its severest report.
     */
    aggregate?: boolean | undefined;
    scope?: string | undefined;
    origin?: "all" | "server" | "own" | undefined;
    /**
     * A class or type of aircraft, whose thresholds decide the severities.
     */
    aircraft?: string | undefined;
    /**
     * Of PIREPs and aircraft. The default is true.
     */
    includesUnknownAltitude?: boolean | undefined;
    /**
     * Of aircraft.
     */
    maximumAgeSeconds?: number | undefined;
};
/**
 * A hexagon with its severest report, or a report if nothing is aggregated.
 */
export type TurbulenceItem = {
    id: string;
    /**
     * The H3 index of the cell, in hexadecimal.
     */
    h3: string;
    /**
     * Thousands of feet.
     */
    alt: number;
    sev: 0 | 1 | 2 | 3 | 4;
    severity: Severity;
    /**
     * Eddy dissipation rate.
     */
    edr: number;
    /**
     * Seconds since 1970, by the server's clock, as in all items.
     */
    observedAt: number;
    /**
     * Seconds.
     */
    age: number;
    /**
     * Reports of the hexagon.
     */
    count: number;
    /**
     * Of a report of this device.
     */
    ownState?: "waiting" | "confirmed" | "sending" | "refused" | "heldBack" | undefined;
};
export type PIREPItem = {
    id: string;
    position: Position;
    flightLevel: number | null;
    severity: Severity | null;
    isUrgent: boolean;
    observedAt: number;
    text: string;
};
export type TrafficItem = {
    /**
     * The 24-bit address, in hexadecimal.
     */
    id: string;
    callsign: string;
    position: Position;
    altitudeFeet: number | null;
    groundSpeedKnots: number | null;
    trackDegrees: number | null;
    observedAt: number;
};
export type AreaItem = {
    id: string;
    severity: Severity | null;
    baseFeet: number | null;
    topFeet: number | null;
    /**
     * A Feature of GeoJSON.
     */
    feature: any;
};
/**
 * The item of each kind.
 */
export type Items = {
    turbulence: TurbulenceItem;
    pireps: PIREPItem;
    traffic: TrafficItem;
    turbulencePolygons: AreaItem;
};
/**
 * A query for the turbulence along a route.
 */
export type ProfileQuery = {
    /**
     * The default is the route of the data query.
     */
    route?: Position[] | undefined;
    /**
     * The whole width of the band, in nautical miles. The default is 40.
     */
    widthNM?: number | undefined;
    /**
     * The length of a bin, in nautical miles.
     */
    binNM?: number | undefined;
    /**
     * Feet.
     */
    altRange?: [low: number, high: number] | undefined;
    /**
     * Seconds.
     */
    dataHistoryTime?: number | undefined;
    scope?: string | undefined;
    origin?: "all" | "server" | "own" | undefined;
    /**
     * A class or type of aircraft, whose thresholds decide the severities.
     */
    category?: string | undefined;
    /**
     * Where it is.
     */
    aircraft?: {
        position: Position;
        altitudeFeet?: number | undefined;
        trackDegrees?: number | undefined;
        groundSpeedKnots?: number | undefined;
    } | undefined;
};
/**
 * What a monitor watches for. A member that isn't given has the default of a monitor in the Swift client.
 */
export type AlertQuery = {
    /**
     * The route; null for a beam along the track.
     */
    route?: Position[] | null | undefined;
    /**
     * The distance to look ahead.
     */
    distanceNM?: number | undefined;
    /**
     * The whole width of the corridor along the route.
     */
    widthNM?: number | undefined;
    /**
     * The altitudes above and below the aircraft.
     */
    altitudeSpanFeet?: number | undefined;
    /**
     * Feet, whatever the altitude of the aircraft.
     */
    altRange?: [low: number, high: number] | null | undefined;
    /**
     * The whole angle of the beam.
     */
    beamDegrees?: number | undefined;
    minimumSeverity?: Severity | undefined;
    /**
     * Seconds; null for all stored reports.
     */
    dataHistoryTime?: number | null | undefined;
    /**
     * What is used for a hexagon without any report.
     */
    fallbacks?: ("pireps" | "areas")[] | undefined;
    ownReportsIgnoredSeconds?: number | undefined;
    /**
     * A class or type of aircraft, whose thresholds decide the severities.
     */
    aircraft?: string | null | undefined;
    /**
     * Below it there are no alerts.
     */
    minimumAltitudeFeet?: number | null | undefined;
};
/**
 * Turbulence ahead: hexagons that are neighbours.
 */
export type TurbulenceAlert = {
    id: string;
    phase: "new" | "worsened" | "changed" | "unchanged" | "ended";
    mode: "route" | "beam";
    /**
     * To where it begins.
     */
    distanceNM: number;
    farthestNM: number;
    bearingDegrees: number;
    timeToGoSeconds: number | null;
    severity: Severity;
    altitudeBandFeet: [low: number, high: number];
    /**
     * Reports.
     */
    count: number;
    /**
     * Seconds since 1970, by the server's clock.
     */
    newestAt: number;
    /**
     * Seconds.
     */
    age: number;
    /**
     * H3 indexes, in hexadecimal.
     */
    cells: string[];
    sources: ("reports" | "pireps" | "areas")[];
};
/**
 * The turbulence along a route, by distance and flight level. Where no cell is, nothing was reported.
 */
export type Profile = {
    lengthNM: number;
    binNM: number;
    widthNM: number;
    /**
     * The number of bins.
     */
    bins: number;
    /**
     * Seconds since 1970, by the server's clock.
     */
    asOf: number;
    /**
     * Eight numbers for each cell with reports: bin, level in thousands of feet, highest and newest severity,
     * highest and newest eddy dissipation rate times 10,000, number of reports, and the time of the newest.
     */
    cells: Uint32Array;
    /**
     * Latitude and longitude of each boundary of a bin.
     */
    edges: Float64Array;
    pireps: {
        alongNM: number;
        offNM: number;
        level: number | null;
        pirep: any;
    }[];
    areas: {
        severity: number | null;
        levels: [low: number, high: number];
        bins: number[];
    }[];
};
/**
 * A profile, and how it is shown differently.
 */
export type ProfileChange = {
    isFirst: boolean;
    /**
     * In ascending order; all at first. Ages don't count.
     */
    changedBins: number[];
    /**
     * The whole profile.
     */
    profile: Profile;
};
/**
 * Turbulence as typed arrays, an element an item.
 */
export type TurbulenceColumns = {
    /**
     * The lower half of the H3 index of the cell.
     */
    lo: Uint32Array;
    /**
     * The upper half.
     */
    hi: Uint32Array;
    /**
     * Thousands of feet.
     */
    altitude: Uint8Array;
    /**
     * 0 to 4.
     */
    severity: Uint8Array;
    /**
     * Eddy dissipation rate, times 10,000.
     */
    edr: Uint16Array;
    /**
     * Seconds since 1970.
     */
    observedAt: Uint32Array;
    /**
     * Reports of the hexagon.
     */
    count: Uint32Array;
    /**
     * 0 none, 1 waiting, 2 sending, 3 confirmed, 4 refused, 5 confirmed and kept from others.
     */
    ownState: Uint8Array;
};
/**
 * A report that the aircraft makes.
 */
export type OwnshipReport = {
    position: Position;
    altitudeFeet: number;
    severity: Severity;
    edr: number;
    /**
     * Seconds since 1970; now without it.
     */
    observedAt?: number | undefined;
};
export type Airport = {
    /**
     * The identifier of its record.
     */
    id: string;
    locationID: string;
    icaoID: string | null;
    iataID: string | null;
    name: string;
    city: string | null;
    position: Position;
    elevationFeet?: number | undefined;
    /**
     * Positive to the east.
     */
    variationDegrees?: number | undefined;
    timeZone: string | null;
    /**
     * The directions, longest first.
     */
    runways: Runway[];
};
/**
 * A direction of a runway.
 */
export type Runway = {
    name: string;
    lengthFeet?: number | undefined;
    widthFeet?: number | undefined;
    trueHeadingDegrees?: number | undefined;
};

/** @typedef {Position} Position */
/** @typedef {DataType} DataType */
/** @typedef {Severity} Severity */
/** @typedef {WeatherSettings} WeatherSettings */
/** History times in seconds, by their names in the Swift client. */
export const DataHistoryTime: Readonly<{
    halfHour: 1800;
    hour: 3600;
    twoHours: 7200;
    fourHours: 14400;
    sixHours: 21600;
}>;
/** Frequencies of updates: never, every 15 minutes, every 5 minutes, every minute. */
export const DataUpdateFrequency: Readonly<{
    none: "none";
    minimal: "minimal";
    medium: "medium";
    fast: "fast";
}>;
/** Severities, from the least to the severest. */
export const severities: readonly Severity[];
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
    constructor(values: Record<string, any>, onChange: (change: Record<string, any>) => void);
    /**
     * Takes what the engine has.
     * @param {Record<string, any>} values
     */
    follow(values: Record<string, any>): void;
    set types(arg: DataType[]);
    /**
     * The kinds of data to fetch. The default is turbulence.
     * @returns {DataType[]}
     */
    get types(): DataType[];
    set viewportTypes(arg: DataType[] | null);
    /**
     * The kinds of data to fetch inside `viewport`. Null means `types`.
     * @returns {DataType[] | null}
     */
    get viewportTypes(): DataType[] | null;
    set sevs(arg: Severity[]);
    /**
     * The severities of turbulence to fetch. The default is all.
     * @returns {Severity[]}
     */
    get sevs(): Severity[];
    set polygon(arg: Position[] | null);
    /**
     * The area to fetch data for: a closed ring of 4 to 250 positions. It takes precedence over the route.
     * @returns {Position[] | null}
     */
    get polygon(): Position[] | null;
    set viewport(arg: Position[] | null);
    /**
     * The visible area of the map: a closed ring.
     * @returns {Position[] | null}
     */
    get viewport(): Position[] | null;
    set route(arg: Position[] | null);
    /**
     * The route, connected by great circles. With `routeWidth` it defines the corridor.
     * @returns {Position[] | null}
     */
    get route(): Position[] | null;
    set routeWidth(arg: number | null);
    /**
     * The full width of the corridor, in nautical miles; 50 to 150 is usual.
     * @returns {number | null}
     */
    get routeWidth(): number | null;
    set altRange(arg: [number, number] | null);
    /**
     * The altitudes to fetch turbulence for, in feet. Null means all.
     * @returns {[number, number] | null}
     */
    get altRange(): [number, number] | null;
    set globalEnabled(arg: boolean);
    /**
     * Whether to fetch areas of turbulence for the whole world, or only for `polygon`. The default is true.
     * @returns {boolean}
     */
    get globalEnabled(): boolean;
    set globalTurbulencePolygonsUpToEnabled(arg: boolean);
    /**
     * Whether to fetch areas of all history times up to the selected one.
     * @returns {boolean}
     */
    get globalTurbulencePolygonsUpToEnabled(): boolean;
    set weather(arg: WeatherSettings);
    /**
     * The places to fetch weather for.
     * @returns {WeatherSettings}
     */
    get weather(): WeatherSettings;
    /**
     * Sets several members at once.
     * @param {Record<string, any>} values
     */
    set(values: Record<string, any>): void;
}

/**
 * A sequence that ends when the reader leaves the loop, or the client stops.
 *
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
declare class Stream<T> implements AsyncIterableIterator<T> {
    /**
     * @param {{isNewestOnly?: boolean, onEnd?: () => void}} [options] `isNewestOnly`: a slow reader gets only the newest value.
     */
    constructor(options?: {
        isNewestOnly?: boolean | undefined;
        onEnd?: (() => void) | undefined;
    } | undefined);
    /** @param {T} value */
    push(value: T): void;
    end(): void;
    /**
     * Ends the sequence with an error, which the loop of the reader throws.
     * @param {Error} error
     */
    fail(error: Error): void;
    /** @returns {Promise<IteratorResult<T>>} */
    next(): Promise<IteratorResult<T>>;
    /** @returns {Promise<IteratorResult<T>>} */
    return(): Promise<IteratorResult<T>>;
    [Symbol.asyncIterator](): Stream<T>;
}
/**
 * What the reader of an observed query takes, change by change, for `for await`.
 *
 * A slow reader misses no change, because those in between are combined into one.
 *
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
declare class Observation<T> implements AsyncIterableIterator<T> {
    /**
     * @param {() => Promise<T | null>} take
     * @param {() => void} onEnd
     */
    constructor(take: () => Promise<T | null>, onEnd: () => void);
    /** The result has changed. */
    signal(): void;
    /** Another tab runs the engine now: the next result is whole. */
    again(): void;
    end(): void;
    /**
     * Ends the sequence with an error, which the loop of the reader throws.
     * @param {Error} error
     */
    fail(error: Error): void;
    /**
     * @param {T} taken
     * @param {boolean} _isAgain Whether it is a whole result after another one.
     * @returns {T | null} What the reader gets; null for nothing.
     */
    change(taken: T, _isAgain: boolean): T | null;
    /** @returns {Promise<IteratorResult<T>>} */
    next(): Promise<IteratorResult<T>>;
    /** @returns {Promise<IteratorResult<T>>} */
    return(): Promise<IteratorResult<T>>;
    [Symbol.asyncIterator](): Observation<T>;
}
/**
 * The changes of a query's result: first the result, as inserted items, then each change.
 *
 * @template {{id: string}} T
 * @extends {Observation<{inserted: T[], changed: T[], removed: string[]}>}
 */
declare class Changes<T extends {
    id: string;
}> extends Observation<{
    inserted: T[];
    changed: T[];
    removed: string[];
}> {
    /**
     * @param {() => Promise<T | null>} take
     * @param {() => void} onEnd
     */
    constructor(take: () => Promise<{
        inserted: T[];
        changed: T[];
        removed: string[];
    } | null>, onEnd: () => void);
}

/**
 * Watches for turbulence ahead: give it positions, and read what begins, changes and ends by `for await`.
 *
 * @extends {Stream<{event: "began" | "changed" | "ended", alert: TurbulenceAlert}>}
 */
declare class TurbulenceMonitor extends Stream<{
    event: "began" | "changed" | "ended";
    alert: TurbulenceAlert;
}> {
    /**
     * @param {(position: any) => Promise<void>} send
     * @param {() => void} onEnd
     */
    constructor(send: (position: any) => Promise<void>, onEnd: () => void);
    /**
     * Sets where the aircraft is.
     *
     * @param {{position: [number, number], altitudeFeet?: number, trackDegrees?: number, groundSpeedKnots?: number}} position
     * @returns {Promise<void>}
     */
    update(position: {
        position: [number, number];
        altitudeFeet?: number;
        trackDegrees?: number;
        groundSpeedKnots?: number;
    }): Promise<void>;
}

export class Geometry {
    /** @param {WebAssembly.Module} module */
    constructor(module: WebAssembly.Module);
    /**
     * The vertices of hexagons. Those of cell `i` are from `start[i]` up to `start[i + 1]`, counter-clockwise, each a latitude and a
     * longitude in degrees in `latLon` (at `2 * vertex`). Longitudes may cross 180°: subtract to compare.
     *
     * @param {Uint32Array} lo The lower halves of the H3 indexes.
     * @param {Uint32Array} hi The upper halves.
     * @returns {{latLon: Float64Array, start: Uint32Array}}
     */
    boundaries(lo: Uint32Array, hi: Uint32Array): {
        latLon: Float64Array;
        start: Uint32Array;
    };
    /**
     * The cell of the reports' resolution (5) at a place; null if the place is none.
     *
     * @param {number} latitude
     * @param {number} longitude
     * @returns {{lo: number, hi: number, id: string} | null}
     */
    cellAt(latitude: number, longitude: number): {
        lo: number;
        hi: number;
        id: string;
    } | null;
    /**
     * Points at equal distances on the geodesic of WGS 84 between two places.
     *
     * @param {Position} from
     * @param {Position} to
     * @param {number} count At least 2.
     * @returns {{positions: Position[], metres: number}}
     */
    geodesic(from: Position, to: Position, count: number): {
        positions: Position[];
        metres: number;
    };
}

/** @typedef {Configuration} Configuration */
/** @typedef {Settings} Settings */
/** @typedef {ClientUpdate} ClientUpdate */
/** @typedef {ScopeID} ScopeID */
/** @typedef {ScopeStatus} ScopeStatus */
/** @typedef {DataType} DataType */
/** @typedef {Query} Query */
/** @typedef {ListeningSettings} ListeningSettings */
/** @typedef {ByteBudget} ByteBudget */
/** @typedef {LinkCost} LinkCost */
/** @typedef {AlertQuery} AlertQuery */
/** @typedef {Items} Items */
/** @typedef {TurbulenceItem} TurbulenceItem */
/** @typedef {PIREPItem} PIREPItem */
/** @typedef {TrafficItem} TrafficItem */
/** @typedef {AreaItem} AreaItem */
/** @typedef {Position} Position */
/** @typedef {ProfileQuery} ProfileQuery */
/** @typedef {Profile} Profile */
/** @typedef {ProfileChange} ProfileChange */
/**
 * Keeps the data of a flight up to date over an unreliable link, and makes them available offline.
 *
 * ```js
 * import { ContrailClient } from "./contrail.js";
 *
 * const client = new ContrailClient({ server: "https://example.com", apiKey });
 * client.dataQuery.route = [[-0.46, 51.47], [-73.78, 40.64]];
 * client.dataQuery.routeWidth = 100;
 * for await (const { inserted, changed, removed } of client.observe("turbulence")) { … }
 * ```
 *
 * Settings take effect at once, also before the log is open, and are kept across launches. All tabs of a site with one `directory` are one
 * client: one of them runs the engine, and the others show the same. The events `update`, `failed` and `change` of this object are told
 * as well: `client.addEventListener("update", ({ detail }) => …)`.
 */
export class ContrailClient extends EventTarget {
    /** @param {Configuration} configuration */
    constructor(configuration: Configuration);
    /** The data that the application wants. After any change, the client checks whether data must be fetched. */
    dataQuery: DataQuery;
    /**
     * Whether this tab runs the engine, or shows what another tab has.
     * @type {"starting" | "owner" | "follower"}
     */
    role: "starting" | "owner" | "follower";
    /**
     * Where the log is, and why it is in memory if the browser refused a file.
     * @type {{kind: "opfs" | "memory", reason: string} | null}
     */
    storage: {
        kind: "opfs" | "memory";
        reason: string;
    } | null;
    /** Airports of the server's directory, such as `await client.airports.search("heathrow")`. */
    airports: {
        /**
         * The airports with an identifier, or with words in the name or the city.
         * @param {string} text
         * @param {number} [limit]
         * @returns {Promise<Airport[]>}
         */
        search: (text: string, limit?: number | undefined) => Promise<Airport[]>;
        /**
         * @param {string} id
         * @returns {Promise<Airport | null>}
         */
        searchById: (id: string) => Promise<Airport | null>;
        /**
         * @param {Position} near
         * @param {number} [limit]
         * @returns {Promise<Airport[]>}
         */
        searchNearest: (near: Position, limit?: number | undefined) => Promise<Airport[]>;
    };
    set dataHistoryTime(arg: number);
    /**
     * The maximum age of the data, in seconds: see `DataHistoryTime`.
     * @returns {number}
     */
    get dataHistoryTime(): number;
    set dataUpdateFrequency(arg: string);
    /**
     * How often data is updated: see `DataUpdateFrequency`.
     * @returns {string}
     */
    get dataUpdateFrequency(): string;
    set listening(arg: ListeningSettings);
    /**
     * Which news is urgent, and how long silence may last.
     * @returns {ListeningSettings}
     */
    get listening(): ListeningSettings;
    set byteBudget(arg: ByteBudget);
    /**
     * How many bytes may be used in a flight or a day.
     * @returns {ByteBudget}
     */
    get byteBudget(): ByteBudget;
    set linkCost(arg: LinkCost);
    /**
     * What is known of the link's cost. Browsers don't tell it.
     * @returns {LinkCost}
     */
    get linkCost(): LinkCost;
    set isOnline(arg: boolean);
    /**
     * The application's switch for the link. While it is false, nothing is sent.
     * @returns {boolean}
     */
    get isOnline(): boolean;
    /**
     * Whether the browser reports a link.
     * @returns {boolean}
     */
    get hasLink(): boolean;
    /**
     * Sets members of the data query, or fails if one is invalid. The query is then unchanged.
     *
     * @param {Record<string, any>} query
     * @returns {Promise<void>}
     * @throws {ContrailError} `invalidQuery`
     */
    setDataQuery(query: Record<string, any>): Promise<void>;
    /**
     * Requests an update now: a full fetch if `refresh` is true, otherwise a delta. Not needed after a change of the query.
     *
     * @param {{refresh?: boolean}} [options]
     */
    fetchData(options?: {
        refresh?: boolean | undefined;
    } | undefined): void;
    /**
     * Sets the key for the server, or removes it. It is kept in memory only.
     * @param {string | null} key
     */
    setAPIKey(key: string | null): void;
    /**
     * Sets the token for the weather service, or removes it.
     * @param {string | null} token
     */
    setWeatherToken(token: string | null): void;
    /**
     * Waits until the log is open and the data of earlier launches are available.
     *
     * @returns {Promise<void>}
     * @throws {ContrailError}
     */
    opened(): Promise<void>;
    /**
     * Closes this tab's part of the client. If it ran the engine, another tab goes on.
     *
     * @returns {Promise<void>}
     */
    stop(): Promise<void>;
    /**
     * Writes all data to stable storage, and pauses updates.
     * @returns {Promise<void>}
     */
    enterBackground(): Promise<void>;
    /**
     * Requests the updates that became due in the background.
     * @returns {Promise<void>}
     */
    enterForeground(): Promise<void>;
    /**
     * The updates, from now on, for `for await`.
     * @returns {Stream<ClientUpdate>}
     */
    get updates(): Stream<ClientUpdate>;
    /**
     * The result of a query now, and each change of it, for `for await`. For `"profile"`, the query is that of `profile`, and a change is
     * the whole profile and the bins to draw anew.
     *
     * @template {DataType | "profile"} Kind
     * @param {Kind} kind
     * @param {Kind extends "profile" ? ProfileQuery : Query} [query]
     * @returns {Kind extends "profile" ? Observation<ProfileChange> : Kind extends keyof Items ? Changes<Items[Kind]> : never}
     */
    observe<Kind extends DataType | "profile">(kind: Kind, query?: (Kind extends "profile" ? ProfileQuery : Query) | undefined): Kind extends "profile" ? Observation<ProfileChange> : Kind extends keyof Items ? Changes<Items[Kind]> : never;
    /**
     * Watches for turbulence ahead of the aircraft.
     *
     * @param {AlertQuery} [query]
     * @returns {TurbulenceMonitor}
     */
    monitor(query?: AlertQuery | undefined): TurbulenceMonitor;
    /**
     * @param {Query} [query]
     * @returns {Promise<TurbulenceItem[]>}
     */
    turbulence(query?: Query | undefined): Promise<TurbulenceItem[]>;
    /**
     * @param {Query} [query]
     * @returns {Promise<PIREPItem[]>}
     */
    pireps(query?: Query | undefined): Promise<PIREPItem[]>;
    /**
     * @param {Query} [query]
     * @returns {Promise<TrafficItem[]>}
     */
    traffic(query?: Query | undefined): Promise<TrafficItem[]>;
    /**
     * @param {Query} [query]
     * @returns {Promise<AreaItem[]>}
     */
    turbulencePolygons(query?: Query | undefined): Promise<AreaItem[]>;
    /**
     * The result of a query as a FeatureCollection, for a source of MapLibre or Leaflet.
     *
     * @param {DataType} kind
     * @param {Query} [query]
     * @returns {Promise<any>}
     */
    geoJSON(kind: DataType, query?: Query | undefined): Promise<any>;
    /**
     * Turbulence as typed arrays, for deck.gl.
     *
     * @param {Query} [query]
     * @returns {Promise<TurbulenceColumns>}
     */
    columns(query?: Query | undefined): Promise<TurbulenceColumns>;
    /**
     * @param {ScopeID} scope
     * @returns {Promise<ScopeStatus>}
     */
    status(scope: ScopeID): Promise<ScopeStatus>;
    /** @returns {Promise<ScopeStatus[]>} The status of each scope. */
    statuses(): Promise<ScopeStatus[]>;
    /** @returns {Promise<any>} The bytes since the launch, those used of `byteBudget`, what is left, and what is dropped. */
    byteStatus(): Promise<any>;
    /**
     * The turbulence along a route, by distance and flight level.
     *
     * @param {ProfileQuery} [query]
     * @returns {Promise<Profile>}
     */
    profile(query?: ProfileQuery | undefined): Promise<Profile>;
    /**
     * @param {Position} place
     * @returns {Promise<any>} The stored weather of a place; null if there is none.
     */
    weather(place: Position): Promise<any>;
    /**
     * The state as the viewer's map reads it.
     *
     * @param {string[]} [known] The documents that the caller has, each by its scope and digest.
     * @returns {Promise<any>}
     */
    view(known?: string[] | undefined): Promise<any>;
    /**
     * Stores an ownship report, and sends it when the device is online. It resolves when the report is on stable storage.
     *
     * @param {OwnshipReport} report
     * @returns {Promise<void>}
     */
    report(report: OwnshipReport): Promise<void>;
    /** @returns {Promise<any[]>} The reports of this device, each with its state. */
    ownReports(): Promise<any[]>;
    /**
     * The log as a file, for `replay run`: a recording, or an archive of the log's folder if it has several segments.
     *
     * @returns {Promise<{name: string, blob: Blob}>}
     */
    exportLog(): Promise<{
        name: string;
        blob: Blob;
    }>;
    /** @returns {Promise<Geometry>} Hexagons and geodesics for a map. */
    geometry(): Promise<Geometry>;
}

export {};
