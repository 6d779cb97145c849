// The owner of a log: one worker of one tab runs the engine for all tabs of the site that use this log.

import { searchAirports } from "./airports.js";
import { Clock, Timer } from "./clock.js";
import { Engine } from "./engine.js";
import { asContrailError, ContrailError, stoppedError } from "./errors.js";
import { Transport } from "./transport.js";

/** @typedef {import("./files.js").Files} Files */
/** @typedef {import("./types.js").WorkerConfiguration} WorkerConfiguration */

/** The kinds of events, as the engine takes them. */
const events = { ready: 0, timer: 1, foreground: 2, background: 3, stop: 4, opened: 5, clock: 6, observed: 7 };

/** @param {number} count */
function randomHex(count) {
  return [...crypto.getRandomValues(new Uint8Array(count))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Owner {
  /** @type {Map<number, {resolve: (value?: any) => void, reject: (error: ContrailError) => void}>} */
  tickets = new Map();
  nextTicket = 1;
  /**
   * What tabs watch, by the engine's number.
   * @type {Map<number, {tab: string, watch: number}>}
   */
  observers = new Map();
  /** @type {Map<number, {tab: string, watch: number}>} */
  monitors = new Map();
  /**
   * The tabs and whether each is visible.
   * @type {Map<string, boolean>}
   */
  visible = new Map();
  isInBackground = false;
  isStopped = false;
  /** @type {ContrailError | null} */
  failure = null;
  /** @type {() => void} */
  onClosed = () => {};
  /** @type {() => void} */
  onOpened = () => {};

  /**
   * @param {WebAssembly.Module} module
   * @param {Files} files
   * @param {WorkerConfiguration} configuration
   * @param {{deliver: (tab: string, message: any, transfer?: Transferable[]) => void, tell: (news: any) => void}} tabs
   */
  constructor(module, files, configuration, tabs) {
    this.module = module;
    this.files = files;
    this.tabs = tabs;
    this.configuration = configuration;
    this.clock = new Clock();
    this.timer = new Timer(this.clock, () => this.event(events.timer));
    this.engine = new Engine(module, files);
    this.transport = new Transport({ server: configuration.server, weather: configuration.weather }, {
      head: (exchange, status, headers) =>
        this.run((e, now, wall) => e.exports.head(exchange, status, e.scratchJSON(headers), now, wall)),
      body: (exchange, block) => this.run((e, now, wall) => e.exports.body(exchange, e.scratch(block), now, wall)),
      end: (exchange, encoded, sent) => {
        const start = performance.now();
        this.run((e, now, wall) => e.exports.end(exchange, encoded, sent, -1, now, wall));
        // For the browser's tools: the newest only.
        performance.clearMeasures("contrail-answer");
        performance.measure("contrail-answer", { start });
      },
      failed: (exchange, code, message, sent) =>
        this.run((e, now, wall) => e.exports.failed(exchange, code, e.scratchText(message), sent, -1, now, wall)),
    });
    this.apiKey = configuration.apiKey;
    /**
     * Resolved when the data of earlier launches is there, or can't be read.
     * @type {Promise<void>}
     */
    this.opening = new Promise((resolve) => (this.onOpened = resolve));
  }

  /** Opens the log and launches the engine. */
  start() {
    const { configuration, engine, clock } = this;
    const { server, weather } = configuration;
    const url = new URL(server);
    const [now, wall] = [clock.now, clock.wall];
    const seed = BigInt(`0x${randomHex(8)}`).toString();
    engine.json(engine.exports.create(engine.scratchJSON({
      directory: "/log", session: { id: randomHex(8), seed }, host: url.host, path: url.pathname.replace(/\/$/, ""),
      isSecure: url.protocol === "https:", weatherHost: weather === null ? null : new URL(weather).host,
      apiKey: configuration.apiKey, weatherToken: configuration.weatherToken, isOnline: configuration.isOnline,
      hasLink: configuration.hasLink, deliversAirports: false, packsBodies: typeof CompressionStream === "function",
      ...(this.files.kind === "memory" ? { segmentBytes: 4 << 20, keptBytes: 16 << 20 } : {}),
    }), now, wall));
    this.run((e, now, wall) => e.exports.launch(now, wall));
  }

  /** Ends the first turn of the application: the launch is decided with its settings. */
  ready() {
    this.event(events.ready);
    // Tabs show data, and are told when it expires.
    this.event(events.observed);
    this.calls.opened().catch(() => {}).then(this.onOpened);
  }

  // MARK: Driving

  /**
   * Calls an export that puts out actions, and carries them out.
   *
   * @param {(engine: Engine, now: number, wall: number) => number} call
   */
  run(call) {
    if (this.isStopped || this.failure) return;
    const { engine, clock } = this;
    let actions;
    try {
      const size = call(engine, clock.now, clock.wall);
      ({ actions } = engine.json(size));
      for (const action of actions) if (action.do === "send") action.bytes = engine.bytes(action.body[0], action.body[1]);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return this.fail(error);
      throw error;
    }
    for (const action of actions) this.perform(action);
    void this.files.tend();
  }

  /**
   * @param {number} kind
   * @param {number} [ticket]
   */
  event(kind, ticket = 0) {
    this.run((e, now, wall) => e.exports.event(kind, ticket, now, wall));
  }

  /**
   * Calls an export that ends with a ticket.
   *
   * @param {(engine: Engine, ticket: number, now: number, wall: number) => number} call
   * @returns {Promise<void>}
   */
  ticket(call) {
    return new Promise((resolve, reject) => {
      if (this.isStopped) return reject(stoppedError());
      if (this.failure) return reject(this.failure);
      const ticket = this.nextTicket++;
      this.tickets.set(ticket, { resolve, reject });
      try {
        this.run((e, now, wall) => call(e, ticket, now, wall));
      } catch (error) {
        this.tickets.delete(ticket);
        reject(asContrailError(error));
      }
    });
  }

  /** @param {any} action */
  perform(action) {
    switch (action.do) {
      case "timer": return this.timer.set(action.at);
      case "send": return void this.transport.send(action);
      case "abort": return this.transport.abort(action.exchange);
      case "complete": {
        const waiting = this.tickets.get(action.ticket);
        this.tickets.delete(action.ticket);
        return action.error ? waiting?.reject(asContrailError(action.error)) : waiting?.resolve();
      }
      case "tell": return this.tabs.tell({ updates: action.updates });
      case "changed": {
        const observer = this.observers.get(action.observer);
        return observer && this.tabs.deliver(observer.tab, { ready: observer.watch });
      }
      case "alert": {
        const monitor = this.monitors.get(action.monitor);
        return monitor && this.tabs.deliver(monitor.tab, { watched: monitor.watch, value: { event: action.event, alert: action.alert } });
      }
      case "closed": return this.close();
    }
  }

  /**
   * The engine stopped: memory ran out, or a fault of ours. What is written is kept.
   * @param {unknown} error
   */
  fail(error) {
    this.failure = new ContrailError({
      code: "engineStopped", message: `The engine stopped: ${/** @type {any} */ (error)?.message ?? error}`,
      advice: "Load the page again. If it stops again, report a bug with the log.",
    });
    this.tabs.tell({ updates: [{ kind: "failed", error: this.failure.toJSON() }] });
    this.close();
  }

  close() {
    this.isStopped = true;
    this.timer.set(null);
    this.transport.end();
    this.files.end();
    for (const { reject } of this.tickets.values()) reject(this.failure ?? stoppedError());
    this.tickets.clear();
    this.onClosed();
  }

  /** Writes everything, and closes the log. */
  async stop() {
    if (this.isStopped) return;
    await this.ticket((e, ticket, now, wall) => e.exports.event(events.stop, ticket, now, wall)).catch(() => {});
    if (!this.isStopped) this.close();
  }

  // MARK: Tabs

  /**
   * Notes that a tab is seen or not. The client is in the background while none is.
   *
   * @param {string} tab
   * @param {boolean} isVisible
   */
  async see(tab, isVisible) {
    this.visible.set(tab, isVisible);
    await this.level();
  }

  /** @param {string} tab A tab that has ended. */
  async forget(tab) {
    this.visible.delete(tab);
    for (const [number, { tab: of }] of this.observers) if (of === tab) this.unobserve(number);
    for (const [number, { tab: of }] of this.monitors) if (of === tab) this.unmonitor(number);
    await this.level();
  }

  async level() {
    this.timer.check();
    if (!this.configuration.followsAppLifecycle) return;
    const isInBackground = this.visible.size > 0 && ![...this.visible.values()].some(Boolean);
    if (isInBackground === this.isInBackground) return;
    this.isInBackground = isInBackground;
    if (isInBackground) await this.calls.enterBackground().catch(() => {});
    else this.event(events.foreground);
  }

  /** @param {number} observer */
  unobserve(observer) {
    this.observers.delete(observer);
    if (!this.isStopped) this.engine.exports.unobserve(observer);
  }

  /** @param {number} monitor */
  unmonitor(monitor) {
    this.monitors.delete(monitor);
    if (!this.isStopped) this.engine.exports.unmonitor(monitor);
  }

  // MARK: What tabs ask

  /**
   * Carries out a call of a tab.
   *
   * @param {string} tab
   * @param {string} name
   * @param {any[]} args
   * @returns {Promise<any>}
   */
  async call(tab, name, args) {
    // The launch is decided with the settings of the first turn. A query before it would return nothing, as if there were no turbulence.
    if (name !== "change") await this.opening;
    if (this.failure) throw this.failure;
    if (this.isStopped) throw stoppedError();
    const calls = /** @type {Record<string, (...args: any[]) => any>} */ (this.calls);
    if (!Object.hasOwn(calls, name)) throw new ContrailError({ code: "internal", message: `There is no call '${name}'` });
    try {
      return await calls[name].call(this, ...args);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      this.fail(error);
      throw this.failure;
    }
  }

  /**
   * Begins to watch for a tab: a query, or turbulence ahead.
   *
   * @param {string} tab
   * @param {number} watch The number that the tab gave it.
   * @param {"observe" | "monitor"} name
   * @param {any} query
   */
  watch(tab, watch, name, query) {
    const { engine } = this;
    if (name === "monitor") {
      const { monitor } = engine.json(engine.exports.monitor(engine.scratchJSON(query)));
      this.monitors.set(monitor, { tab, watch });
    } else {
      const { kind, ...members } = query;
      const [observe, read] = kind === "profile" ? [engine.exports.observeProfile, members] : [engine.exports.observe, query];
      const { observer } = engine.json(observe(engine.scratchJSON(read), this.clock.now));
      this.observers.set(observer, { tab, watch });
      this.tabs.deliver(tab, { ready: watch });
    }
  }

  /**
   * @param {string} tab
   * @param {number} watch
   */
  unwatch(tab, watch) {
    for (const [number, each] of this.observers) if (each.tab === tab && each.watch === watch) this.unobserve(number);
    for (const [number, each] of this.monitors) if (each.tab === tab && each.watch === watch) this.unmonitor(number);
  }

  /**
   * @param {Map<number, {tab: string, watch: number}>} of
   * @param {string} tab
   * @param {number} watch
   */
  find(of, tab, watch) {
    for (const [number, each] of of) if (each.tab === tab && each.watch === watch) return number;
    throw new ContrailError({ code: "internal", message: "Nothing is watched with this number" });
  }

  /** The calls, by the names that tabs use. */
  calls = {
    settings: () => this.engine.json(this.engine.exports.settings()),
    /** @param {any} change */
    change: (change) => {
      this.run((e, now, wall) => e.exports.change(e.scratchJSON(change), now, wall));
      if ("apiKey" in change) this.apiKey = change.apiKey;
      if ("apiKey" in change || "weatherToken" in change) this.tabs.tell({ credentials: change });
      this.tabs.tell({ settings: this.calls.settings() });
    },
    opened: () => this.ticket((e, ticket, now, wall) => e.exports.event(events.opened, ticket, now, wall)),
    /** @param {any} report */
    report: (report) => this.ticket((e, ticket, now, wall) => e.exports.report(e.scratchJSON(report), ticket, now, wall)),
    enterBackground: () => this.ticket((e, ticket, now, wall) => e.exports.event(events.background, ticket, now, wall)),
    enterForeground: () => this.event(events.foreground),
    /** Looks at the clock: the tab or the device may have slept. */
    wake: () => {
      this.event(events.clock);
      this.timer.check();
    },
    /** @param {string} scope */
    status: (scope) => this.engine.json(this.engine.exports.status(this.engine.scratchText(scope), this.clock.now)),
    statuses: () => this.engine.json(this.engine.exports.statuses(this.clock.now)),
    byteStatus: () => this.engine.json(this.engine.exports.byteStatus()),
    ownReports: () => this.engine.json(this.engine.exports.ownReports()),
    /** @param {any} query */
    query: (query) => {
      const result = this.engine.json(this.engine.exports.query(this.engine.scratchJSON(query), this.clock.now));
      return query.form === "columns" ? this.engine.items(result.count) : result;
    },
    /**
     * @param {string} tab
     * @param {number} watch
     */
    take: (tab, watch) => {
      const change = this.engine.json(this.engine.exports.take(this.find(this.observers, tab, watch), this.clock.now));
      if (change?.profile) change.profile = this.engine.profile(change.profile);
      this.run((e, now, wall) => e.exports.actions(now, wall));
      return change;
    },
    /**
     * @param {string} tab
     * @param {number} watch
     * @param {any} position
     */
    position: (tab, watch, position) => {
      const monitor = this.find(this.monitors, tab, watch);
      this.run((e, now, wall) => e.exports.position(monitor, e.scratchJSON(position), now, wall));
    },
    /** @param {any} query */
    profile: (query) => {
      const { engine } = this;
      return engine.profile(engine.json(engine.exports.profile(engine.scratchJSON(query), this.clock.now)));
    },
    /** @param {[number, number]} place */
    weather: (place) => this.engine.json(this.engine.exports.weather(this.engine.scratchJSON(place), this.clock.now)),
    /** @param {string[]} [known] The scopes and digests of the documents that the tab has. */
    view: (known = []) => {
      const { engine } = this;
      const view = engine.json(engine.exports.view(this.clock.now));
      const reports = engine.reports();
      const documents = view.scopes.map((/** @type {any} */ scope, /** @type {number} */ index) => {
        const digest = scope.polygons ?? scope.weather;
        return digest === null || known.includes(`${scope.name} ${digest}`) ? null : engine.json(engine.exports.document(index));
      });
      return { view, reports, documents };
    },
    log: () => {
      const files = this.engine.json(this.engine.exports.logFiles());
      return files.map((/** @type {any} */ file) => ({ ...file, bytes: this.contents(file.path) }));
    },
    /** @param {{text?: string, near?: [number, number], id?: string, limit?: number}} search */
    airports: (search) => searchAirports(search, this.configuration.server, this.apiKey, this.engine),
  };

  /** @param {string} path */
  contents(path) {
    const file = this.files.open(path, 0);
    if (file < 0) return new Uint8Array(0);
    const bytes = new Uint8Array(this.files.size(file));
    let count = 0;
    while (count < bytes.length) {
      const read = this.files.read(file, bytes.subarray(count), count);
      if (read <= 0) break;
      count += read;
    }
    this.files.close(file);
    return bytes.subarray(0, count);
  }
}
