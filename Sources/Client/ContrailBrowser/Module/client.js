// The client: what an application of the browser uses. The engine runs in a worker; this passes on what is asked and told.

import { Connection } from "./connection.js";
import { loadModule } from "./engine.js";
import { asContrailError, ContrailError, stoppedError } from "./errors.js";
import { Geometry } from "./geometry.js";
import { TurbulenceMonitor } from "./monitor.js";
import { home, isLoopback, makeWorker, serverText } from "./place.js";
import { DataQuery } from "./query.js";
import { Changes, Observation, Stream } from "./streams.js";
import { tar } from "./tar.js";

/** @typedef {import("./types.js").Configuration} Configuration */
/** @typedef {import("./types.js").Settings} Settings */
/** @typedef {import("./types.js").ClientUpdate} ClientUpdate */
/** @typedef {import("./types.js").ScopeID} ScopeID */
/** @typedef {import("./types.js").ScopeStatus} ScopeStatus */
/** @typedef {import("./types.js").DataType} DataType */
/** @typedef {import("./types.js").Query} Query */
/** @typedef {import("./types.js").ListeningSettings} ListeningSettings */
/** @typedef {import("./types.js").ByteBudget} ByteBudget */
/** @typedef {import("./types.js").LinkCost} LinkCost */
/** @typedef {import("./types.js").AlertQuery} AlertQuery */
/** @typedef {import("./types.js").Items} Items */
/** @typedef {import("./types.js").TurbulenceItem} TurbulenceItem */
/** @typedef {import("./types.js").PIREPItem} PIREPItem */
/** @typedef {import("./types.js").TrafficItem} TrafficItem */
/** @typedef {import("./types.js").AreaItem} AreaItem */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").ProfileQuery} ProfileQuery */
/** @typedef {import("./types.js").Profile} Profile */
/** @typedef {import("./types.js").ProfileChange} ProfileChange */

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
  constructor(configuration) {
    super();
    const server = serverText(configuration.server);
    const weather = configuration.weather ? serverText(configuration.weather.server) : null;
    const { directory = "flight", isOnline = true, followsAppLifecycle = true, storage = "opfs" } = configuration;
    this.#followsLink = configuration.followsSystemLink ?? !isLoopback(server);
    this.#settings = /** @type {any} */ ({
      dataQuery: {}, dataHistoryTime: 7200, dataUpdateFrequency: "fast", listening: {}, byteBudget: {}, isOnline, hasLink: this.#hasLink(),
    });
    /** The data that the application wants. After any change, the client checks whether data must be fetched. */
    this.dataQuery = new DataQuery({}, (change) => this.#change({ dataQuery: change }));
    const worker = makeWorker(configuration.worker ?? home);
    this.#connection = new Connection(worker, (news) => this.#hear(news));
    worker.onerror = (event) => this.#fail(new ContrailError({
      code: "module", message: `The worker can't run: ${event.message ?? "its module can't be loaded"}`,
      advice: "Serve contrail.js from the site of the page, and allow it by worker-src.",
    }));
    const tab = crypto.randomUUID();
    this.#tab = tab;
    this.#connection.post({
      tab, configuration: {
        server, weather, apiKey: configuration.apiKey ?? null, weatherToken: configuration.weather?.token ?? null, directory, isOnline,
        hasLink: this.#hasLink(), followsAppLifecycle, storage, isVisible: document.visibilityState === "visible",
      },
    });
    // The module is loaded while the worker starts.
    this.#module = loadModule(new URL(configuration.wasm ?? "contrail.wasm", home));
    this.#module.then((module) => this.#connection.post({ do: "module", module }), (error) => this.#connection.post({ do: "module", error: error.toJSON() }));
    this.#watchPage();
  }

  #tab;
  #connection;
  #module;
  #followsLink;
  /** @type {Settings} */
  #settings;
  /**
   * What was set in this turn.
   * @type {any}
   */
  #turn = null;
  /** Changes that aren't answered yet. */
  #changes = 0;
  /**
   * The settings that were heard last.
   * @type {Settings | null}
   */
  #heard = null;
  /** @type {Set<Stream<ClientUpdate>>} */
  #streams = new Set();
  #ending = new AbortController();

  /**
   * Whether this tab runs the engine, or shows what another tab has.
   * @type {"starting" | "owner" | "follower"}
   */
  role = "starting";

  /**
   * Where the log is, and why it is in memory if the browser refused a file.
   * @type {{kind: "opfs" | "memory", reason: string} | null}
   */
  storage = null;

  /** Airports of the server's directory, such as `await client.airports.search("heathrow")`. */
  airports = {
    /**
     * The airports with an identifier, or with words in the name or the city.
     * @param {string} text
     * @param {number} [limit]
     * @returns {Promise<import("./types.js").Airport[]>}
     */
    search: (text, limit = 25) => this.#airports({ text, limit }),
    /**
     * @param {string} id
     * @returns {Promise<import("./types.js").Airport | null>}
     */
    searchById: async (id) => (await this.#airports({ id }))[0] ?? null,
    /**
     * @param {Position} near
     * @param {number} [limit]
     * @returns {Promise<import("./types.js").Airport[]>}
     */
    searchNearest: (near, limit = 10) => this.#airports({ near, limit }),
  };

  // MARK: Settings

  /**
   * The maximum age of the data, in seconds: see `DataHistoryTime`.
   * @returns {number}
   */
  get dataHistoryTime() { return this.#settings.dataHistoryTime; }
  set dataHistoryTime(value) { this.#change({ dataHistoryTime: value }); }

  /**
   * How often data is updated: see `DataUpdateFrequency`.
   * @returns {string}
   */
  get dataUpdateFrequency() { return this.#settings.dataUpdateFrequency; }
  set dataUpdateFrequency(value) { this.#change({ dataUpdateFrequency: value }); }

  /**
   * Which news is urgent, and how long silence may last.
   * @returns {ListeningSettings}
   */
  get listening() { return this.#settings.listening; }
  set listening(value) { this.#change({ listening: value }); }

  /**
   * How many bytes may be used in a flight or a day.
   * @returns {ByteBudget}
   */
  get byteBudget() { return this.#settings.byteBudget; }
  set byteBudget(value) { this.#change({ byteBudget: value }); }

  /**
   * What is known of the link's cost. Browsers don't tell it.
   * @returns {LinkCost}
   */
  get linkCost() { return this.#settings.linkCost ?? { isExpensive: false, isConstrained: false }; }
  set linkCost(value) { this.#change({ linkCost: value }); }

  /**
   * The application's switch for the link. While it is false, nothing is sent.
   * @returns {boolean}
   */
  get isOnline() { return this.#settings.isOnline; }
  set isOnline(value) { this.#change({ isOnline: value }); }

  /**
   * Whether the browser reports a link.
   * @returns {boolean}
   */
  get hasLink() { return this.#settings.hasLink; }

  /**
   * Sets members of the data query, or fails if one is invalid. The query is then unchanged.
   *
   * @param {Record<string, any>} query
   * @returns {Promise<void>}
   * @throws {ContrailError} `invalidQuery`
   */
  async setDataQuery(query) {
    this.#flush();
    await this.#call("change", { dataQuery: query, isChecked: true });
    this.dataQuery.follow(query);
  }

  /**
   * Requests an update now: a full fetch if `refresh` is true, otherwise a delta. Not needed after a change of the query.
   *
   * @param {{refresh?: boolean}} [options]
   */
  fetchData(options = {}) {
    this.#change({ refresh: options.refresh ? "full" : "delta" });
  }

  /**
   * Sets the key for the server, or removes it. It is kept in memory only.
   * @param {string | null} key
   */
  setAPIKey(key) {
    this.#change({ apiKey: key });
  }

  /**
   * Sets the token for the weather service, or removes it.
   * @param {string | null} token
   */
  setWeatherToken(token) {
    this.#change({ weatherToken: token });
  }

  // MARK: Life cycle

  /**
   * Waits until the log is open and the data of earlier launches are available.
   *
   * @returns {Promise<void>}
   * @throws {ContrailError}
   */
  async opened() {
    await this.#call("opened");
  }

  /**
   * Closes this tab's part of the client. If it ran the engine, another tab goes on.
   *
   * @returns {Promise<void>}
   */
  async stop() {
    if (this.#connection.isEnded) return;
    this.#flush();
    this.#ending.abort();
    await this.#connection.end({ do: "stop" });
    for (const stream of [...this.#streams]) stream.end();
  }

  /**
   * Writes all data to stable storage, and pauses updates.
   * @returns {Promise<void>}
   */
  async enterBackground() {
    await this.#call("enterBackground");
  }

  /**
   * Requests the updates that became due in the background.
   * @returns {Promise<void>}
   */
  async enterForeground() {
    await this.#call("enterForeground");
  }

  // MARK: Observing

  /**
   * The updates, from now on, for `for await`.
   * @returns {Stream<ClientUpdate>}
   */
  get updates() {
    /** @type {Stream<ClientUpdate>} */
    const stream = new Stream({ onEnd: () => this.#streams.delete(stream) });
    this.#streams.add(stream);
    return stream;
  }

  /**
   * The result of a query now, and each change of it, for `for await`. For `"profile"`, the query is that of `profile`, and a change is
   * the whole profile and the bins to draw anew.
   *
   * @template {DataType | "profile"} Kind
   * @param {Kind} kind
   * @param {Kind extends "profile" ? ProfileQuery : Query} [query]
   * @returns {Kind extends "profile" ? Observation<ProfileChange> : Kind extends keyof Items ? Changes<Items[Kind]> : never}
   */
  observe(kind, query) {
    this.#flush();
    /** @type {any} */
    let observation;
    const form = kind === "profile" ? {} : { form: "items" };
    this.#connection.watch("observe", { ...query, kind, ...form }, (watch) => {
      const take = () => this.#call("take", this.#tab, watch);
      const end = () => this.#connection.unwatch(watch);
      const made = (observation = kind === "profile" ? new Observation(take, end) : new Changes(take, end));
      return {
        signal: () => made.signal(), again: () => made.again(), end: () => made.end(), value: (_, error) => made.fail(asContrailError(error)),
      };
    });
    return observation;
  }

  /**
   * Watches for turbulence ahead of the aircraft.
   *
   * @param {AlertQuery} [query]
   * @returns {TurbulenceMonitor}
   */
  monitor(query = {}) {
    /** @type {TurbulenceMonitor | undefined} */
    let monitor;
    this.#connection.watch("monitor", query, (watch) => {
      const made = (monitor = new TurbulenceMonitor((position) => this.#call("position", this.#tab, watch, position), () => this.#connection.unwatch(watch)));
      return { value: (value, error) => (error ? made.fail(asContrailError(error)) : made.push(value)), end: () => made.end() };
    });
    return /** @type {TurbulenceMonitor} */ (monitor);
  }

  // MARK: Stored data. No query uses the network.

  /**
   * @param {Query} [query]
   * @returns {Promise<TurbulenceItem[]>}
   */
  turbulence(query) { return this.#call("query", { ...query, kind: "turbulence", form: "items" }); }

  /**
   * @param {Query} [query]
   * @returns {Promise<PIREPItem[]>}
   */
  pireps(query) { return this.#call("query", { ...query, kind: "pireps", form: "items" }); }

  /**
   * @param {Query} [query]
   * @returns {Promise<TrafficItem[]>}
   */
  traffic(query) { return this.#call("query", { ...query, kind: "traffic", form: "items" }); }

  /**
   * @param {Query} [query]
   * @returns {Promise<AreaItem[]>}
   */
  turbulencePolygons(query) { return this.#call("query", { ...query, kind: "turbulencePolygons", form: "items" }); }

  /**
   * The result of a query as a FeatureCollection, for a source of MapLibre or Leaflet.
   *
   * @param {DataType} kind
   * @param {Query} [query]
   * @returns {Promise<any>}
   */
  geoJSON(kind, query) { return this.#call("query", { ...query, kind, form: "geoJSON" }); }

  /**
   * Turbulence as typed arrays, for deck.gl.
   *
   * @param {Query} [query]
   * @returns {Promise<import("./types.js").TurbulenceColumns>}
   */
  columns(query) { return this.#call("query", { ...query, kind: "turbulence", form: "columns" }); }

  /**
   * @param {ScopeID} scope
   * @returns {Promise<ScopeStatus>}
   */
  status(scope) { return this.#call("status", scope); }

  /** @returns {Promise<ScopeStatus[]>} The status of each scope. */
  statuses() { return this.#call("statuses"); }

  /** @returns {Promise<any>} The bytes since the launch, those used of `byteBudget`, what is left, and what is dropped. */
  byteStatus() { return this.#call("byteStatus"); }

  /**
   * The turbulence along a route, by distance and flight level.
   *
   * @param {ProfileQuery} [query]
   * @returns {Promise<Profile>}
   */
  profile(query = {}) { return this.#call("profile", query); }

  /**
   * @param {Position} place
   * @returns {Promise<any>} The stored weather of a place; null if there is none.
   */
  weather(place) { return this.#call("weather", place); }

  /**
   * The state as the viewer's map reads it.
   *
   * @param {string[]} [known] The documents that the caller has, each by its scope and digest.
   * @returns {Promise<any>}
   */
  view(known) { return this.#call("view", known); }

  // MARK: Own reports

  /**
   * Stores an ownship report, and sends it when the device is online. It resolves when the report is on stable storage.
   *
   * @param {import("./types.js").OwnshipReport} report
   * @returns {Promise<void>}
   */
  async report(report) {
    await this.#call("report", report);
  }

  /** @returns {Promise<any[]>} The reports of this device, each with its state. */
  ownReports() { return this.#call("ownReports"); }

  // MARK: The log and the geometry

  /**
   * The log as a file, for `replay run`: a recording, or an archive of the log's folder if it has several segments.
   *
   * @returns {Promise<{name: string, blob: Blob}>}
   */
  async exportLog() {
    /** @type {{path: string, bytes: Uint8Array}[]} */
    const files = await this.#call("log");
    const [only] = files;
    if (files.length === 1) return { name: "flight.jsonl", blob: new Blob([/** @type {BlobPart} */ (only.bytes)], { type: "application/jsonl" }) };
    return { name: "flight.tar", blob: new Blob(/** @type {BlobPart[]} */ (tar("flight", files)), { type: "application/x-tar" }) };
  }

  /** @returns {Promise<Geometry>} Hexagons and geodesics for a map. */
  async geometry() {
    if (this.#connection.isEnded) throw stoppedError();
    return new Geometry(await this.#module);
  }

  // MARK: Messages

  /** @param {any} change */
  #change(change) {
    if (this.#connection.isEnded) return;
    const { dataQuery, ...rest } = change;
    for (const name of ["dataHistoryTime", "dataUpdateFrequency", "listening", "byteBudget", "linkCost", "isOnline", "hasLink"])
      if (name in rest) /** @type {any} */ (this.#settings)[name] = rest[name];
    if (!this.#turn) {
      this.#turn = {};
      queueMicrotask(() => this.#flush());
    }
    Object.assign(this.#turn, rest);
    if (dataQuery) this.#turn.dataQuery = { ...this.#turn.dataQuery, ...dataQuery };
  }

  /** Sends what was set in this turn. */
  #flush() {
    const turn = this.#turn;
    this.#turn = null;
    if (!turn) return;
    this.#changes++;
    this.#call("change", turn).catch((error) => this.#fail(error)).finally(() => {
      this.#changes--;
      if (this.#heard) this.#follow(this.#heard);
    });
  }

  /**
   * @param {string} name
   * @param {...any} args
   * @returns {Promise<any>}
   */
  #call(name, ...args) {
    if (name !== "change") this.#flush();
    return this.#connection.call(name, args);
  }

  /** @param {any} news */
  #hear(news) {
    if (news.role) this.role = news.role;
    if (news.storage) this.storage = news.storage;
    if (news.settings) this.#follow(news.settings);
    if (news.role || news.storage || news.settings) this.dispatchEvent(new Event("change"));
    for (const update of news.updates ?? []) this.#tell(update.error ? { ...update, error: asContrailError(update.error) } : update);
  }

  /**
   * Takes the settings that the engine has. While they are being changed here, that waits for the answer: what is heard before may be older.
   * @param {Settings} settings
   */
  #follow(settings) {
    this.#heard = settings;
    if (this.#turn || this.#changes) return;
    const { dataQuery, ...rest } = settings;
    this.dataQuery.follow(dataQuery);
    this.#settings = { ...this.#settings, ...rest, dataQuery };
  }

  /** @param {ClientUpdate} update */
  #tell(update) {
    this.dispatchEvent(new CustomEvent("update", { detail: update }));
    if (update.error) this.dispatchEvent(new CustomEvent("failed", { detail: update.error }));
    for (const stream of this.#streams) stream.push(update);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#tell({ kind: "failed", error: asContrailError(error) });
  }

  // MARK: The page

  /**
   * @param {{text?: string, near?: Position, id?: string, limit?: number}} search
   * @returns {Promise<import("./types.js").Airport[]>}
   */
  async #airports(search) {
    if (this.isOnline && this.hasLink) return this.#call("airports", search);
    throw new ContrailError({
      code: "network", message: "The airports can't be asked for: the client is offline", advice: "Try again when the device is online.",
      scope: "airports", isTransient: true,
    });
  }

  #hasLink() {
    return !this.#followsLink || navigator.onLine;
  }

  /** Tells the engine what the browser reports of the network, and of the tab. */
  #watchPage() {
    const { signal } = this.#ending;
    const post = (/** @type {any} */ message) => this.#connection.post(message);
    const wake = () => void this.#call("wake").catch(() => {});
    const link = () => {
      if (this.#followsLink) this.#change({ hasLink: navigator.onLine });
      // A server on this device is there without a network. The event is then a good time to try again.
      else if (navigator.onLine) this.fetchData();
    };
    addEventListener("online", link, { signal });
    addEventListener("offline", link, { signal });
    document.addEventListener("visibilitychange", () => {
      post({ do: "see", isVisible: document.visibilityState === "visible" });
      wake();
    }, { signal });
    document.addEventListener("freeze", () => post({ do: "yield" }), { signal });
    document.addEventListener("resume", () => post({ do: "resume" }), { signal });
    addEventListener("pagehide", (event) => event.persisted && post({ do: "yield" }), { signal });
    addEventListener("pageshow", (event) => event.persisted && post({ do: "resume" }), { signal });
  }
}
