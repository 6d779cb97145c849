// What holds at a moment, from the engine's own form to the page's.

/** @typedef {import("./engine.js").Path} Path */
/** @typedef {import("./engine.js").ScopeState} ScopeState */
/** @typedef {import("./engine.js").State} State */

/**
 * The state of an engine from what it puts out.
 *
 * @param {any} view
 * @param {object} rest
 * @param {number} rest.line The last line; -1 if the engine isn't that of a recording.
 * @param {State["reports"]} rest.reports
 * @param {{polygons: any, weather: any}[]} rest.documents By scope.
 * @param {(request: number) => number} rest.startOf The line that starts a request.
 * @returns {State}
 */
export function stateOf(view, { line, reports, documents, startOf }) {
  const control = view.control ?? {};
  /** @type {ScopeState[]} */
  const scopes = view.scopes.map((/** @type {any} */ scope, /** @type {number} */ index) => ({
    ...scopeState(scope, control.scopes[index]),
    ...documents[index],
  }));
  for (const { inFlight } of scopes) if (inFlight) inFlight.line = startOf(inFlight.request);
  const outbox = control.outbox;
  return {
    line,
    at: view.at,
    serverNow: view.serverNow,
    isOnline: control.online ?? false,
    session: control.session ? { engine: control.session.engine, id: control.session.session } : null,
    history: control.history ?? 0,
    frequency: control.frequency ?? "",
    query: query(control.query ?? {}),
    corridor: path(control.corridor),
    scopes,
    reports,
    outbox: {
      waiting: (outbox?.reports.length ?? 0) / 2,
      tracked: outbox?.tracked ?? 0,
      request: outbox?.upload?.request ?? null,
      failures: outbox?.failures ?? 0,
      notBefore: outbox?.notBefore ?? 0,
      plan: view.upload,
    },
    airports: control.airports ?? {},
  };
}

/**
 * Points in the log are longitude and latitude in 1e-7 degrees, in turn; an invalid one is null twice.
 * @param {(number | null)[] | undefined} flat
 * @returns {Path | null}
 */
function path(flat) {
  if (!flat) return null;
  /** @type {Path} */
  const points = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [lon, lat] = [flat[index], flat[index + 1]];
    if (lon !== null && lat !== null) points.push([lat / 1e7, lon / 1e7]);
  }
  return points;
}

/**
 * @param {any} spec
 * @returns {any}
 */
function specOf(spec) {
  if (!spec) return null;
  const { ring, ...rest } = spec;
  return { types: [], sevs: [], altitudes: [0, 52], history: 0, ...rest, area: path(ring) };
}

/**
 * @param {any} query
 * @returns {State["query"]}
 */
function query(query) {
  return {
    types: query.types ?? [], viewportTypes: query.viewportTypes ?? null, sevs: query.sevs ?? [],
    altitudes: query.altRange ?? null, globalEnabled: query.globalEnabled ?? false, isUpTo: query.upTo ?? false,
    route: path(query.route), routeWidthNM: query.routeWidth ?? null, polygon: path(query.polygon),
    viewport: path(query.viewport), corridor: path(query.corridor), weather: query.weather ?? null,
  };
}

/**
 * @param {any} view
 * @param {any} control
 * @returns {any}
 */
function scopeState(view, control) {
  const { have, flight } = control;
  return {
    ...view,
    want: specOf(control.want),
    have: have ? { ...specOf(have.spec), watermark: have.token, broken: have.broken ?? null } : null,
    inFlight: flight
      ? { request: flight.request, mode: flight.mode, reason: flight.reason, since: flight.since ?? null, line: -1 }
      : null,
    failures: control.failures,
    notBefore: control.notBefore,
    lastSuccessAt: control.lastSuccess ?? null,
    block: control.block ?? null,
    isExpired: control.expired ?? false,
  };
}
