// The worker of a tab. One of a site's workers owns the log, by a lock of the browser. The others pass on what their tabs ask, by a channel.

import { asContrailError, ContrailError } from "./errors.js";
import { MemoryFiles } from "./files.js";
import { OPFSFiles } from "./opfs.js";
import { Owner } from "./owner.js";

/** @typedef {import("./types.js").WorkerConfiguration} WorkerConfiguration */

/** How long a tab waits for a sign of the owner, in milliseconds. */
const patienceMS = 5000;

/** Runs this worker for the tab that made it. */
export function startWorker() {
  const scope = /** @type {any} */ (globalThis);
  scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    const member = new Member(data.tab, data.configuration, (message, transfer) => scope.postMessage(message, transfer ?? []), () => scope.close());
    scope.onmessage = (/** @type {MessageEvent} */ event) => member.take(event.data);
  };
}

/** A tab among the tabs that share a log. */
class Member {
  /** @type {"starting" | "owner" | "follower" | "ended"} */
  role = "starting";
  /** @type {Owner | null} */
  owner = null;
  /**
   * Calls without an answer, which the next owner gets again.
   * @type {Map<number, any>}
   */
  calls = new Map();
  /**
   * What is watched, by its number.
   * @type {Map<number, any>}
   */
  watches = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  patience = undefined;
  /** The name of the owner's time as such, new each time; empty until this tab has heard of an owner. */
  reign = "";
  /**
   * Why the engine can't run in this tab.
   * @type {ContrailError | null}
   */
  failure = null;
  electing = new AbortController();
  /**
   * Takes the engine, which the tab loads.
   * @type {(message: any) => void}
   */
  takeModule = () => {};

  /**
   * @param {string} tab
   * @param {WorkerConfiguration} configuration
   * @param {(message: any, transfer?: Transferable[]) => void} post To the tab.
   * @param {() => void} exit
   */
  constructor(tab, configuration, post, exit) {
    this.tab = tab;
    this.configuration = configuration;
    this.post = post;
    this.exit = exit;
    this.lockName = `contrail ${configuration.directory}`;
    this.channel = new BroadcastChannel(this.lockName);
    this.channel.onmessage = ({ data }) => this.hear(data);
    this.isVisible = configuration.isVisible;
    // Who holds this lock is alive. The owner waits for it, to learn of the end of this tab.
    void navigator.locks.request(`${this.lockName} ${tab}`, () => new Promise(() => {}));
    /** @type {Promise<WebAssembly.Module>} */
    this.module = new Promise((resolve, reject) => {
      this.takeModule = ({ module, error }) => (error ? reject(asContrailError(error)) : resolve(module));
    });
    this.module.catch(() => {});
    void this.elect();
  }

  // MARK: Roles

  /** Becomes the owner if no other tab is, and otherwise follows until the owner ends. */
  async elect() {
    this.electing = new AbortController();
    const { signal } = this.electing;
    try {
      const isOwner = await navigator.locks.request(this.lockName, { ifAvailable: true }, async (lock) => {
        if (lock) await this.own();
        return lock !== null;
      });
      if (isOwner || signal.aborted) return;
      this.follow();
      await navigator.locks.request(this.lockName, { signal }, () => this.own());
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  follow() {
    this.role = "follower";
    this.reign = "";
    this.post({ news: { role: this.role } });
    this.channel.postMessage({ to: "owner", from: this.tab, isAsking: true });
    this.waitForOwner();
  }

  /** Tells the tab if the owner gives no sign: its tab may be frozen. */
  waitForOwner() {
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      if (this.role !== "follower" || !this.calls.size) return;
      this.refuse(new ContrailError({
        code: "inUse", message: "Another tab has the log, and doesn't answer",
        advice: "Look at the other tab of this site, or close it.", isTransient: true,
      }));
    }, patienceMS);
  }

  /** Runs the engine until it is stopped. The lock is held meanwhile. */
  async own() {
    if (this.role === "ended") return;
    clearTimeout(this.patience);
    const { configuration } = this;
    /** @type {Owner | null} */
    let owner = null;
    // The files are opened while the module is loaded.
    const opening = openFiles(configuration);
    try {
      const [module, { files, reason }] = await Promise.all([this.module, opening]);
      owner = new Owner(module, files, configuration, {
        deliver: (tab, message, transfer) => this.deliver(tab, message, transfer),
        tell: (news) => this.tell(news),
      });
      const running = owner;
      const closed = new Promise((resolve) => (running.onClosed = () => resolve(undefined)));
      this.owner = owner;
      this.reign = crypto.randomUUID();
      this.role = "owner";
      this.storage = { kind: files.kind, reason };
      this.tell({ storage: this.storage });
      owner.start();
      await owner.see(this.tab, this.isVisible);
      this.replay();
      this.announce("all");
      owner.ready();
      this.post({ news: { role: this.role, settings: owner.calls.settings() } });
      await closed;
      if (owner.failure) this.fail(owner.failure);
    } catch (error) {
      if (owner) owner.close();
      else await opening.then(({ files }) => files.end(), () => {});
      this.fail(error);
    } finally {
      this.owner = null;
      if (this.role === "owner") this.role = "starting";
    }
  }

  /**
   * Gives up: the engine can't run here, and all calls fail from now on.
   * @param {unknown} error
   */
  fail(error) {
    this.failure = asContrailError(error);
    this.refuse(this.failure);
  }

  /**
   * Says that this tab is the owner.
   * @param {string} to
   */
  announce(to) {
    this.channel.postMessage({ to, reign: this.reign, news: { storage: this.storage, settings: this.owner?.calls.settings() } });
  }

  /**
   * Fails what was asked and not answered.
   * @param {unknown} error
   */
  refuse(error) {
    const failure = asContrailError(error).toJSON();
    for (const number of this.calls.keys()) this.post({ answer: number, error: failure });
    this.calls.clear();
    this.post({ news: { updates: [{ kind: "failed", error: failure }] } });
  }

  // MARK: Messages of the tab

  /** @param {any} message */
  take(message) {
    if (this.failure && message.do === "call") return this.post({ answer: message.number, error: this.failure.toJSON() });
    switch (message.do) {
      case "call": this.calls.set(message.number, message); break;
      case "watch": this.watches.set(message.watch, message); break;
      case "unwatch": this.watches.delete(message.watch); break;
      case "see": this.isVisible = message.isVisible; break;
      case "yield": return void this.yield();
      case "resume": return void (this.role === "starting" && this.elect());
      case "stop": return void this.stop(message.number);
      case "module": return this.takeModule(message);
    }
    this.pass(message);
  }

  /**
   * Passes a message on to the owner: a call once to each.
   * @param {any} message
   */
  pass(message) {
    if (!this.owner && (this.role !== "follower" || !this.reign)) return;
    if (message.do === "call") {
      if (message.owner === this.reign) return;
      message.owner = this.reign;
    }
    if (this.owner) this.serve(this.tab, message);
    else this.channel.postMessage({ to: "owner", from: this.tab, message });
  }

  /** Gives a new owner all that is open. */
  replay() {
    this.pass({ do: "see", isVisible: this.isVisible });
    for (const message of this.watches.values()) this.pass({ ...message, isAgain: true });
    for (const message of this.calls.values()) this.pass(message);
  }

  /** Gives up the log: the tab is about to be frozen, and another one may go on. */
  async yield() {
    this.electing.abort();
    // First, because the tab may go on before the log is closed.
    this.role = "starting";
    await this.owner?.stop();
  }

  /** @param {number} number */
  async stop(number) {
    await this.owner?.stop();
    this.role = "ended";
    this.post({ answer: number, value: null });
    this.exit();
  }

  // MARK: Messages of other tabs

  /** @param {any} data */
  hear({ to, from, message, isAsking, reign, news, reply }) {
    if (to === "owner") {
      if (!this.owner) return;
      if (!this.owner.visible.has(from)) this.meet(from);
      if (isAsking) this.announce(from);
      if (message) this.serve(from, message);
    } else if (to === this.tab || to === "all") {
      clearTimeout(this.patience);
      // Also while this tab joins again: the owner answers each call once.
      if (reply) this.answered(reply);
      if (this.role !== "follower") return;
      if (news?.credentials) Object.assign(this.configuration, news.credentials);
      else if (news) this.post({ news });
      if (reign) {
        this.reign = reign;
        this.replay();
      }
    }
  }

  /** @param {any} reply */
  answered(reply) {
    if ("answer" in reply) this.calls.delete(reply.answer);
    this.post(reply);
  }

  /**
   * Notes a tab, and learns of its end.
   * @param {string} tab
   */
  meet(tab) {
    this.owner?.visible.set(tab, true);
    void navigator.locks.request(`${this.lockName} ${tab}`, () => this.owner?.forget(tab));
  }

  // MARK: Serving, as the owner

  /**
   * @param {string} tab
   * @param {any} message
   */
  serve(tab, message) {
    const { owner } = this;
    if (!owner) return;
    const fail = (/** @type {unknown} */ thrown) => {
      const error = asContrailError(thrown).toJSON();
      // This tab gives up the log. What is still open is asked of the next owner.
      if (error.code === "stopped") return;
      this.deliver(tab, "number" in message ? { answer: message.number, error } : { watched: message.watch, error });
    };
    try {
      switch (message.do) {
        case "call":
          // This was for the owner before. The tab passes it on again when it knows this one.
          if (message.owner !== this.reign) break;
          owner.call(tab, message.name, message.args)
            .then((value) => this.deliver(tab, { answer: message.number, value: value ?? null }), fail);
          break;
        case "watch":
          if (message.isAgain) {
            owner.unwatch(tab, message.watch);
            this.deliver(tab, { again: message.watch });
          }
          owner.watch(tab, message.watch, message.name, message.query);
          break;
        case "unwatch": owner.unwatch(tab, message.watch); break;
        case "see": void owner.see(tab, message.isVisible); break;
      }
    } catch (error) {
      fail(error);
    }
  }

  /**
   * @param {string} tab
   * @param {any} message
   * @param {Transferable[]} [transfer]
   */
  deliver(tab, message, transfer) {
    if (tab !== this.tab) return this.channel.postMessage({ to: tab, reply: message });
    if ("answer" in message) this.calls.delete(message.answer);
    this.post(message, transfer);
  }

  /**
   * Tells all tabs.
   * @param {any} news
   */
  tell(news) {
    if (news.credentials) Object.assign(this.configuration, news.credentials);
    else this.post({ news });
    this.channel.postMessage({ to: "all", news });
  }
}

/**
 * Opens the files of the log; in memory if the browser refuses others.
 *
 * @param {WorkerConfiguration} configuration
 */
async function openFiles({ directory, storage }) {
  if (storage === "memory") return { files: new MemoryFiles(), reason: "as configured" };
  try {
    return { files: await OPFSFiles.open(directory), reason: "" };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    if (name === "NoModificationAllowedError") {
      throw new ContrailError({ code: "inUse", message: "Another program of this site has the files of the log open", advice: "Close the other tabs of this site.", isTransient: true });
    }
    return { files: new MemoryFiles(), reason: `${name}: ${message}` };
  }
}
