// Puts the live map together: the client, the map with its legend and profile, and the panels.

import { byID, el, fill, onChange } from "../dom.js";
import { bytes, counted, flightLevel, place } from "../format.js";
import { icon } from "../icons.js";
import { listenToKeys, makeHelp } from "../keys.js";
import { Legend } from "../legend.js";
import { parallels, curve } from "../map/scene.js";
import { MapView } from "../map/view.js";
import { severities } from "../palette.js";
import { ProfilePanel } from "../profile.js";
import { reportsOf, reportText } from "../reports.js";
import { stateOf } from "../state.js";
import { showTip } from "../tip.js";
import { KeyDialog } from "./key-dialog.js";
import { DataPanel } from "./data-panel.js";
import { LinkPanel } from "./link-panel.js";
import { LogPanel } from "./log-panel.js";
import { RouteForm } from "./route-form.js";
import { LiveSession } from "./session.js";
import { boxRing, visibleBox } from "./visible.js";

/** @typedef {import("../engine.js").State} State */
/** @typedef {any} Client */

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
/** How long the map must rest before its area is asked for, in milliseconds. */
const restMS = 500;
/** How long the first frame waits for the client at most, in milliseconds. */
const concealedMS = 500;

export class LiveApp {
  /**
   * @param {Client} client
   * @param {any} geometry
   * @param {import("../map/view.js").Land} land
   */
  constructor(client, geometry, land) {
    this.client = client;
    this.geometry = geometry;
    /** @type {State | null} */
    this.state = null;
    /** @type {any[]} */
    this.statuses = [];
    /**
     * What the reader chose; null follows the system.
     * @type {"dark" | "light" | null}
     */
    this.theme = null;
    /**
     * The polygons and the weather that are held, by scope and digest.
     * @type {Map<string, any>}
     */
    this.documents = new Map();
    this.isRenewing = false;
    this.isStale = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.resting = undefined;
    /** @type {{lo: number, hi: number} | null} */
    this.chosen = null;
    const session = (this.session = new LiveSession((widthNM) => client.profile({ widthNM }).catch(() => null)));
    const maps = byID("maps");
    const box = el("div", { class: "map" });
    const legend = el("div", { class: "legend" });
    maps.append(box, legend);
    this.map = new MapView(box, geometry, land, session.shown, {
      onPick: (pick) => this.pick(pick), onHover: (pick, x, y) => this.hover(pick, x, y), onMove: () => this.moved(),
    });
    this.map.conceal();
    setTimeout(() => this.map.reveal(), concealedMS);
    this.legend = new Legend(legend, /** @type {any} */ (session), true);
    this.profile = new ProfilePanel(byID("profile"), /** @type {any} */ (session), {
      onTip: showTip, onPoint: (_, piece) => {
        this.map.setLines("piece", piece);
        this.map.draw();
      },
    });
    session.onProfile = () => this.showProfile();
    session.subscribe((change) => {
      if (change === "filter") {
        this.map.refilter();
        this.map.draw();
      }
    });
    this.route = new RouteForm(byID("route"), client, () => this.isFitting = true);
    this.link = new LinkPanel(byID("link"), client);
    this.data = new DataPanel(byID("data"), client);
    this.log = new LogPanel(byID("log"), client);
    this.keys = new KeyDialog(client);
    /** Whether the map shows the whole route as soon as there is one. */
    this.isFitting = true;
    this.makeTools();
    onChange(darkQuery, () => this.setTheme());
    this.setTheme();
    client.addEventListener("update", (/** @type {CustomEvent} */ event) => this.told(event.detail));
    client.addEventListener("change", () => this.followSettings());
    setInterval(() => this.tick(), 1000);
    document.addEventListener("visibilitychange", () => this.renew());
    this.open().catch((error) => this.keys.problem(error));
  }

  async open() {
    await this.client.opened();
    this.followSettings();
    // The types of the last launch stay; the first launch shows everything.
    const { dataQuery } = this.client;
    if (!dataQuery.viewport && !dataQuery.route) dataQuery.types = ["turbulence", "pireps", "traffic", "turbulencePolygons"];
    // Before the first frame, which can take longer than the answer. A route is fitted first, when its corridor is known.
    if (!dataQuery.route) {
      this.map.measure();
      this.ask();
    }
    await this.renew();
    this.fit();
    this.ask();
  }

  // MARK: Tools

  makeTools() {
    const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => void} */ action) =>
      el("button", { id, class: "bar-button", title: label, "aria-label": label, onclick: action });
    this.projectionButton = button("projection", "Globe or flat chart (g)", () => this.toggleProjection());
    this.layerButton = button("layer", "Hexagons, areas, or by scale (l)", () => this.nextLayer());
    const fit = button("fit", "Whole route on the map (m)", () => this.fit());
    const theme = button("theme", "Dark or light (d)", () => this.toggleTheme());
    const keys = button("keys", "Keys (?)", () => help.showModal());
    fit.append(icon("fit"));
    theme.append(icon("theme"));
    keys.append("?");
    fill(byID("tools"), this.projectionButton, this.layerButton, fit, theme, keys);
    const key = (/** @type {string} */ name, /** @type {string} */ text, /** @type {() => void} */ action) => ({ keys: [name], shown: name, text, action });
    const groups = [
      { title: "Map", keys: [
        key("g", "Globe or flat chart", () => this.toggleProjection()), key("m", "Whole route", () => this.fit()),
        key("l", "Hexagons, areas, or by scale", () => this.nextLayer()), key("d", "Dark or light", () => this.toggleTheme()),
        ...severities.map((severity, i) => key(String(i + 1), `Show or hide ${severity.name.toLowerCase()}`, () => this.legend.toggleSeverity(i))),
      ] },
      { title: "Flight", keys: [
        key("r", "Choose a route", () => this.route.focus()), key("o", "Switch the link on or off", () => this.link.toggle()),
        key("u", "Update now", () => this.client.fetchData()), key("?", "This sheet", () => help.showModal()),
      ] },
    ];
    const help = makeHelp(groups, [
      "On the map: drag to move, wheel or pinch to zoom, click to read what is there. Arrow keys move it, plus and minus zoom, Enter reads the centre.",
      "In the profile: arrow keys read its cells.",
    ]);
    listenToKeys(groups, new AbortController().signal);
    this.showTools();
  }

  showTools() {
    const { layer, camera } = this.map;
    const isFlat = this.isFlat ?? camera.morph > 0.5;
    const word = (/** @type {string} */ text) => el("span", { class: "bar-word", text });
    if (this.projectionButton) fill(this.projectionButton, icon(isFlat ? "chart" : "globe"), word(isFlat ? "Flat" : "Globe"));
    if (this.layerButton) fill(this.layerButton, icon("layers"), word(layer === "auto" ? "Auto" : layer === "areas" ? "Areas" : "Hexagons"));
  }

  toggleProjection() {
    this.isFlat = !this.isFlat;
    this.map.setProjection(this.isFlat ? "flat" : "globe");
    this.showTools();
  }

  nextLayer() {
    const { layer } = this.map;
    this.map.layer = layer === "auto" ? "hexagons" : layer === "hexagons" ? "areas" : "auto";
    this.map.draw();
    this.showTools();
  }

  get isDark() {
    return this.theme ? this.theme === "dark" : darkQuery.matches;
  }

  toggleTheme() {
    this.theme = this.isDark ? "light" : "dark";
    this.setTheme();
  }

  setTheme() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    this.map.isDark = this.isDark;
    this.map.layMarks();
    this.map.draw();
    this.session.changed("theme");
  }

  // MARK: What the client tells

  /** @param {any} update */
  told(update) {
    if (update.error) this.keys.problem(update.error);
    if (update.kind === "recovered") this.keys.recovered(update.scope ?? null);
    void this.renew();
  }

  followSettings() {
    this.route.follow();
    this.link.follow();
    this.data.follow();
    this.log.follow();
  }

  /** Shows what the client holds now. Changes that come meanwhile are shown once, afterwards. */
  async renew() {
    this.isStale = true;
    if (this.isRenewing || document.visibilityState === "hidden") return;
    this.isRenewing = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        await this.show();
      }
    } catch (error) {
      if (/** @type {any} */ (error)?.code !== "stopped") this.keys.problem(error);
    } finally {
      this.isRenewing = false;
    }
  }

  async show() {
    const began = performance.now();
    const { client } = this;
    const known = [...this.documents.keys()];
    const [{ view, reports, documents }, statuses, byteStatus] = await Promise.all([client.view(known), client.statuses(), client.byteStatus()]);
    /** @type {Map<string, any>} */
    const held = new Map();
    view.scopes.forEach((/** @type {any} */ scope, /** @type {number} */ i) => {
      const digest = scope.polygons ?? scope.weather;
      if (digest !== null) held.set(`${scope.name} ${digest}`, documents[i] ?? this.documents.get(`${scope.name} ${digest}`) ?? null);
    });
    this.documents = held;
    const of = (/** @type {any} */ scope, /** @type {string} */ part) => (scope[part] === null ? null : held.get(`${scope.name} ${scope[part]}`) ?? null);
    const state = stateOf(view, {
      line: -1, reports, startOf: () => -1,
      documents: view.scopes.map((/** @type {any} */ scope) => ({ polygons: of(scope, "polygons"), weather: of(scope, "weather") })),
    });
    this.state = state;
    this.statuses = statuses;
    this.map.setState(state);
    if (reports.lo.length) this.map.reveal();
    this.map.draw();
    this.legend.count([state]);
    // After the frame is shown.
    if (reports.lo.length && !performance.getEntriesByName("contrail-first-data").length) requestAnimationFrame(() => setTimeout(() => performance.mark("contrail-first-data")));
    this.link.show(state, statuses);
    this.showBytes(statuses, byteStatus);
    this.showPlace();
    byID("profile").hidden = !state.query.route;
    if (state.query.route) await this.session.renew();
    if (this.isFitting && state.corridor?.length) {
      this.isFitting = false;
      this.fit();
    }
    performance.clearMeasures("contrail-show");
    performance.measure("contrail-show", { start: began });
  }

  /** Ages grow while nothing happens. */
  tick() {
    if (document.visibilityState === "visible" && this.state) this.link.show(this.state, this.statuses);
  }

  showProfile() {
    this.profile.show([this.state]);
  }

  /**
   * @param {any[]} statuses
   * @param {any} byteStatus
   */
  showBytes(statuses, byteStatus) {
    const received = statuses.reduce((sum, status) => sum + (status.sessionBytes ?? 0), 0);
    const badge = byID("bytes");
    badge.hidden = false;
    badge.textContent = `${bytes(received)} received`;
    badge.title = "Bodies and heads of answers since the launch, without those of the browser";
    this.log.showBytes(received, byteStatus);
  }

  // MARK: The map

  moved() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.ask(), restMS);
  }

  /** Asks for what the map shows. */
  ask() {
    const ring = boxRing(visibleBox(this.map.camera));
    if (JSON.stringify(ring) !== JSON.stringify(this.client.dataQuery.viewport)) this.client.dataQuery.viewport = ring;
  }

  /** Shows the route; without one, the world. */
  fit() {
    const { query, corridor } = this.state ?? {};
    const points = [...parallels(corridor ?? null), ...curve(query?.route ?? null)];
    const legend = document.querySelector(".legend-box[open]");
    if (points.length) this.map.fit(points, legend && byID("maps").clientWidth > 700 ? legend.clientWidth + 16 : 0);
    this.moved();
  }

  /** @param {import("../map/view.js").Pick | null} pick @param {number} x @param {number} y */
  hover(pick, x, y) {
    const { state } = this;
    const found = pick?.cell && state ? reportsOf(state, pick.cell) : [];
    if (!pick || !state) return showTip(null, 0, 0);
    const box = this.map.canvas.getBoundingClientRect();
    const rows = [pick.mark?.title ?? (pick.kind === "area" ? pick.text : "")];
    if (pick.mark) rows.push(pick.mark.detail.slice(0, 300));
    if (pick.cell) rows.push(...found.slice(0, 6).map((i) => reportText(state, i)));
    const content = rows.filter(Boolean).map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }));
    showTip(el("div", null, ...content), box.left + x, box.top + y);
  }

  /** @param {import("../map/view.js").Pick} pick */
  pick(pick) {
    const cell = pick.cell ?? this.geometry.cellAt(pick.lat, pick.lon);
    this.chosen = cell && { lo: cell.lo, hi: cell.hi };
    this.picked = pick;
    this.map.select(pick.kind === "mark" || pick.kind === "area" ? null : this.chosen);
    this.showPlace();
    byID("live").textContent = byID("place").innerText;
  }

  /** Says what is at the chosen place. */
  showPlace() {
    const { state, picked, chosen } = this;
    const card = byID("place");
    card.hidden = !picked || !state;
    if (!picked || !state) return;
    const found = chosen ? reportsOf(state, chosen) : [];
    const rows = picked.mark ? [picked.mark.title, picked.mark.detail] : picked.kind === "area" ? [picked.text] :
      found.length ? found.map((i) => reportText(state, i)) : ["No report is held here."];
    fill(card, el("div", { class: "row" }, el("h2", { id: "place-title", text: place(picked.lat, picked.lon) }),
      el("button", { class: "icon-button push", "aria-label": "Close", onclick: () => this.unpick() }, icon("close"))),
    el("div", { class: "reports-here" }, ...rows.map((text) => el("div", { text }))));
  }

  unpick() {
    this.picked = null;
    this.chosen = null;
    this.map.select(null);
    this.showPlace();
  }
}
