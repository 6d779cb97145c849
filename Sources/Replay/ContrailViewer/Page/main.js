// The start: unpacks what `replay view` put into the page, folds it, and hands it to the application.

import { App } from "./app.js";
import { byID } from "./dom.js";
import { listenToDrops } from "./drop.js";
import { createEngine } from "./engine.js";
import { follow } from "./follow.js";
import { bytes } from "./format.js";
import { decodeLand } from "./map/triangles.js";
import { embedded } from "./parts.js";
import { Recording } from "./recording.js";

/** @typedef {import("./engine.js").FlightSource} FlightSource */

/** @type {App | null} */ let app = null;
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";

/** @type {AbortController | null} */ let opening = null;

/**
 * Shows a message in the middle of the page.
 * @param {string} title
 * @param {string} text
 * @param {number} [share]
 */
function say(title, text, share) {
  byID("welcome-title").textContent = title;
  byID("welcome-text").textContent = text;
  const progress = /** @type {HTMLProgressElement} */ (byID("welcome-progress"));
  progress.hidden = share === undefined;
  if (share !== undefined) progress.value = share;
  byID("welcome-choose").hidden = share !== undefined;
}

/** Closes what is shown. */
function close() {
  app?.close();
  for (const { flight } of app?.session.recordings ?? []) flight.close();
  app = null;
}

/**
 * @param {import("./engine.js").Engine} engine
 * @param {import("./map/view.js").Land} land
 * @param {FlightSource[]} sources
 */
async function open(engine, land, sources) {
  opening?.abort();
  const mine = (opening = new AbortController());
  close();
  byID("app").hidden = true;
  byID("welcome").hidden = false;
  byID("title").textContent = sources.map((source) => source.name).join(" and ");
  document.title = `${sources.map((source) => source.name).join(" and ").slice(0, 120)} · Contrail`;
  const recordings = [];
  for (const source of sources.slice(0, 2)) {
    const flight = await engine.open(source, {
      signal: mine.signal,
      onProgress: ({ phase, bytes: done, totalBytes }) =>
        say("Reading the flight …", `${phase === "folding" ? "Deciding it again" : "Unpacking"}: ${bytes(done)} of ${bytes(totalBytes)}`, totalBytes ? done / totalBytes : 0),
    });
    if (mine.signal.aborted) return;
    recordings.push(new Recording(flight, engine.rules));
  }
  const empty = recordings.find((recording) => recording.count === 0);
  if (empty) {
    const { problem } = empty.flight.verdict;
    return say("This can't be shown as a flight", problem ? `${problem.file}${problem.line ? `, line ${problem.line}` : ""}: ${problem.reason}. ${problem.advice}` : "The log is empty.");
  }
  byID("welcome").hidden = true;
  byID("app").hidden = false;
  app = new App(engine, land, recordings);
  document.documentElement.dataset.ready = "true";
}

/**
 * Shows a longer log in the place of what is shown, at the same moment, or at its end if that was the moment.
 *
 * @param {import("./engine.js").Engine} engine
 * @param {import("./map/view.js").Land} land
 * @param {FlightSource} source
 */
async function renew(engine, land, source) {
  if (!app) {
    await open(engine, land, [source]);
    const { session } = /** @type {App} */ (/** @type {unknown} */ (app)) ?? {};
    return session?.seek(session.end);
  }
  const recording = new Recording(await engine.open(source), engine.rules);
  const { theme, session: { at, end }, deck: { layer } } = app;
  app.address.write();
  close();
  app = new App(engine, land, [recording]);
  while (app.deck.layer !== layer) app.nextLayer();
  if (theme) {
    app.theme = theme;
    app.setTheme();
  }
  if (at >= end) app.session.seek(app.session.end);
}

async function start() {
  if (typeof DecompressionStream === "undefined") throw new Error("This browser is too old: it has no DecompressionStream.");
  const { wasm, flights, assets } = await embedded(document);
  if (!wasm) throw new Error("The page holds no engine. Write it with: replay view FILE");
  const land = decodeLand(assets.get("map/coastline.bin") ?? new Uint8Array([0]));
  const engine = await createEngine(wasm);
  const failed = (/** @type {unknown} */ error) => say("This can't be opened", String(/** @type {any} */ (error)?.message ?? error));
  listenToDrops((sources) => open(engine, land, sources).catch(failed), failed);
  if (flights.length) return open(engine, land, flights);
  if (document.querySelector('meta[name="contrail-follow"]')) {
    say("Waiting for the log …", "The page shows it as soon as it has a line.");
    const live = byID("following");
    live.hidden = false;
    return follow((source) => renew(engine, land, source), (problem) => {
      live.textContent = problem ? "not following" : "following";
      live.title = problem || "The page shows the log as it grows";
      live.classList.toggle("is-bad", problem !== "");
    });
  }
  say("Drop a flight here", "A log of the engine (.jsonl, or .jsonl.gz), two logs to compare, or the folder of a log. Nothing leaves this page.");
}

start().catch((error) => {
  byID("welcome").hidden = false;
  say("This page can't start", String(error?.message ?? error));
});
