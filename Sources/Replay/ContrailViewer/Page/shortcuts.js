// What each key does.

import { byID } from "./dom.js";
import { severities } from "./palette.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./session.js").Step} Step */

/**
 * @param {App} app
 * @returns {import("./keys.js").KeyGroup[]}
 */
export function shortcuts(app) {
  const { session, timeline, transport, deck } = app;
  const step = (/** @type {Step} */ by, /** @type {1 | -1} */ direction) => () => {
    session.play(false);
    session.step(by, direction);
  };
  const key = (
    /** @type {string[]} */ keys, /** @type {string} */ shown, /** @type {string} */ text, /** @type {() => void} */ action
  ) => ({ keys, shown, text, action });
  return [
    { title: "Time", keys: [
      key([" "], "Space", "Play or pause", () => session.play(!session.isPlaying)),
      key(["ArrowRight"], "→", "Next line", step("line", 1)),
      key(["ArrowLeft"], "←", "Line before", step("line", -1)),
      key(["Shift+ArrowRight", "j"], "j ⇧→", "Next decision", step("decision", 1)),
      key(["Shift+ArrowLeft", "k"], "k ⇧←", "Decision before", step("decision", -1)),
      key(["]", "Alt+ArrowRight"], "]", "Next request", step("request", 1)),
      key(["[", "Alt+ArrowLeft"], "[", "Request before", step("request", -1)),
      key(["p"], "p", "Next problem: a difference, an error, a relaunch", step("mark", 1)),
      key(["P"], "P", "Problem before", step("mark", -1)),
      key(["Home"], "Home", "Start of the flight", () => session.seekLine(0)),
      key(["End"], "End", "End of the flight", () => session.seek(session.end)),
      key(["."], ".", "Play faster", () => transport.changeSpeed(1)),
      key([","], ",", "Play slower", () => transport.changeSpeed(-1)),
    ] },
    { title: "Timeline", keys: [
      key(["+", "="], "+", "Zoom in", () => timeline.zoom(1.6)),
      key(["-"], "-", "Zoom out", () => timeline.zoom(1 / 1.6)),
      key(["0"], "0", "Whole flight", () => timeline.zoomOut()),
      key(["f"], "f", "Fold idle stretches, or not", () => timeline.toggleFolding()),
    ] },
    { title: "Map", keys: [
      key(["g"], "g", "Globe or flat chart", () => app.toggleProjection()),
      key(["m"], "m", "Whole flight", () => deck.fit()),
      key(["l"], "l", "Hexagons, areas, or by scale", () => app.nextLayer()),
      ...severities.map((severity, i) =>
        key([String(i + 1)], String(i + 1), `Show or hide ${severity.name.toLowerCase()}`, () => app.legend.toggleSeverity(i))),
    ] },
    { title: "Asking", keys: [
      key(["w"], "w", "Why this line?", () =>
        session.select({ kind: "line", flight: session.active, line: session.lines[session.active] })),
      key(["/"], "/", "Search", () => byID("search").focus()),
      key(["n"], "n", "Next match", step("match", 1)),
      key(["N"], "N", "Match before", step("match", -1)),
      key(["c"], "c", "First difference of two flights", () => app.showDifference()),
      key(["Escape"], "Esc", "Close", () => session.select(null)),
      key(["d"], "d", "Dark or light", () => app.toggleTheme()),
      key(["?"], "?", "This sheet", () => app.help.showModal()),
    ] },
  ];
}
