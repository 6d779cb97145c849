// Puts the parts together: maps, timeline, panels, and what connects them.

import { Address } from "./address.js";
import { badge } from "./badge.js";
import { firstDifferences, showCompare } from "./compare.js";
import { byID, el, fill, onChange } from "./dom.js";
import { span, utcDay } from "./format.js";
import { icon } from "./icons.js";
import { listenToKeys, makeHelp } from "./keys.js";
import { Legend } from "./legend.js";
import { MapDeck } from "./map/deck.js";
import { LineList } from "./panel/lines.js";
import { showNow, spoken } from "./panel/now.js";
import { showWhy } from "./panel/why.js";
import { ProfilePanel } from "./profile.js";
import { SearchBox } from "./search-box.js";
import { Session } from "./session.js";
import { shortcuts } from "./shortcuts.js";
import { showTip } from "./tip.js";
import { Timeline } from "./timeline/timeline.js";
import { Transport } from "./transport.js";

/** @typedef {import("./recording.js").Recording} Recording */
/** @typedef {import("./engine.js").State} State */

const darkQuery = matchMedia("(prefers-color-scheme: dark)");
const tabNames = /** @type {Record<string, string>} */ ({ now: "Now", why: "Why", lines: "Lines", compare: "Compare" });

export class App {
  /**
   * @param {import("./engine.js").Engine} engine
   * @param {import("./map/view.js").Land} land
   * @param {Recording[]} recordings One, or two to compare.
   */
  constructor(engine, land, recordings) {
    this.engine = engine;
    /** Ends what outlives its elements. */
    this.ending = new AbortController();
    this.session = new Session(recordings);
    /** @type {(State | null)[]} */
    this.states = [];
    /** @type {string} */
    this.tab = "now";
    /** @type {"dark" | "light" | null} What the reader chose; null follows the system. */
    this.theme = null;
    /** @type {number | undefined} */
    this.frame = undefined;
    /** When the panel was shown last. */
    this.panelAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.panelTimer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.speaking = undefined;
    /** @type {import("./session.js").Selection | null | undefined} */
    this.explained = undefined;
    this.differences = recordings.length > 1 ? firstDifferences(this.session) : { event: null, decision: null };
    const { session } = this;
    this.deck = new MapDeck(byID("maps"), session, engine, land, () => this.address?.writeSoon());
    const legend = el("div", { class: "legend" });
    byID("maps").append(legend);
    this.legend = new Legend(legend, session, recordings.length === 1);
    this.timeline = new Timeline(byID("timeline"), session, { onTip: showTip });
    this.profile = new ProfilePanel(byID("profile"), session, {
      onTip: showTip, onPoint: (flight, piece) => this.deck.showPiece(flight, piece),
    });
    this.deck.onHoverCell = (flight, cell, level) => this.profile.pointFromMap(flight, cell, level);
    this.transport = new Transport(session, this.timeline, engine.rules);
    this.lineList = new LineList(byID("pane-lines"), session, engine.rules);
    this.searchBox = new SearchBox(session, engine.rules, () => this.showTab("lines"), this.ending.signal);
    const keys = shortcuts(this);
    this.help = makeHelp(keys);
    listenToKeys(keys, this.ending.signal);
    fill(byID("badges"), ...recordings.map((_, i) => badge(session, i)));
    byID("title").title = recordings.map((r) => `${r.flight.name}, ${utcDay(r.start)}, ${span(r.end - r.start)}`).join("\n");
    this.makeTabs();
    this.makeTools();
    session.subscribe((change) => this.changed(change));
    this.ending.signal.addEventListener("abort", onChange(darkQuery, () => this.setTheme()));
    this.setTheme();
    this.render();
    this.deck.fit();
    this.showTab(recordings.length > 1 ? "compare" : "now");
    /** @type {Address} */
    this.address = new Address(this);
    this.address.follow();
  }

  /** Ends everything that outlives its elements. */
  close() {
    this.session.play(false);
    this.ending.abort();
    clearTimeout(this.panelTimer);
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
  }

  // MARK: Parts

  makeTabs() {
    const tabs = Object.keys(tabNames).slice(0, this.session.recordings.length > 1 ? 4 : 3);
    fill(byID("tabs"), ...tabs.map((tab, i) => el("button", {
      id: `tab-${tab}`, role: "tab", "aria-controls": `pane-${tab}`, onclick: () => this.showTab(tab),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const next = tabs[(i + step + tabs.length) % tabs.length] ?? tab;
        this.showTab(next);
        byID(`tab-${next}`).focus();
      },
    }, tabNames[tab])));
  }

  /** @param {string} tab */
  showTab(tab) {
    this.tab = document.getElementById(`tab-${tab}`) ? tab : "now";
    for (const each of Object.keys(tabNames)) {
      byID(`pane-${each}`).hidden = each !== this.tab;
      const button = document.getElementById(`tab-${each}`);
      button?.setAttribute("aria-selected", String(each === this.tab));
      if (button) button.tabIndex = each === this.tab ? 0 : -1;
    }
    this.showPanel();
    this.address?.writeSoon();
  }

  makeTools() {
    const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => void} */ action) =>
      el("button", { id, class: "bar-button", title: label, "aria-label": label, onclick: action });
    this.projectionButton = button("projection", "Globe or flat chart (g)", () => this.toggleProjection());
    this.layerButton = button("layer", "Hexagons, areas, or by scale (l)", () => this.nextLayer());
    const fit = button("fit", "Whole flight on the map (m)", () => this.deck.fit());
    const theme = button("theme", "Dark or light (d)", () => this.toggleTheme());
    const keys = button("keys", "Keys (?)", () => this.help.showModal());
    fit.append(icon("fit"));
    theme.append(icon("theme"));
    keys.append("?");
    fill(byID("tools"), this.projectionButton, this.layerButton, fit, theme, keys);
    this.showTools();
  }

  /** Names what the buttons of the map have chosen. */
  showTools() {
    const { projection, layer } = this.deck;
    const word = (/** @type {string} */ text) => el("span", { class: "bar-word", text });
    if (this.projectionButton) fill(this.projectionButton, icon(projection === "flat" ? "chart" : "globe"), word(projection === "flat" ? "Flat" : "Globe"));
    if (this.layerButton) fill(this.layerButton, icon("layers"), word(layer === "auto" ? "Auto" : layer === "areas" ? "Areas" : "Hexagons"));
  }

  toggleProjection() {
    this.setProjection(this.deck.projection === "flat" ? "globe" : "flat");
  }

  /** @param {"globe" | "flat"} projection */
  setProjection(projection) {
    this.deck.setProjection(projection);
    this.showTools();
  }

  nextLayer() {
    this.deck.nextLayer();
    this.showTools();
  }

  /** @returns {boolean} */
  get isDark() {
    return this.theme ? this.theme === "dark" : darkQuery.matches;
  }

  toggleTheme() {
    this.theme = this.isDark ? "light" : "dark";
    this.setTheme();
  }

  setTheme() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
    this.deck.setTheme(this.isDark);
    this.session.changed("theme");
  }

  // MARK: What changes

  /** @param {import("./session.js").Change} change */
  changed(change) {
    if (change === "time") return this.renderLater();
    if (change === "selection") {
      this.deck.showSelection();
      this.timeline.drawOverlay();
      if (this.session.selection) this.showTab("why");
      else this.showPanel();
    }
    if (change === "filter") this.deck.refilter();
    if (change === "search") this.lineList.draw();
    if (change === "play" && !this.session.isPlaying) this.showPanel();
    this.address?.writeSoon();
  }

  renderLater() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.render();
    });
  }

  /** Shows the moment: folds to it, draws it, and tells the panels. */
  render() {
    const began = performance.now();
    const { session } = this;
    this.states = session.recordings.map((_, i) => session.state(i));
    this.deck.show(this.states);
    this.profile.show(this.states);
    this.legend.count(this.states);
    this.showPanelSoon(began);
    if (!session.isPlaying) this.address?.writeSoon();
    // After the maps are drawn.
    queueMicrotask(() => {
      performance.clearMeasures("contrail-frame");
      performance.measure("contrail-frame", { start: began });
    });
  }

  /**
   * Shows the panel now, or in a moment if it was shown just before: a frame is for the map and the timeline.
   *
   * @param {number} now
   */
  showPanelSoon(now) {
    clearTimeout(this.panelTimer);
    if (now - this.panelAt > 120) {
      this.panelAt = now;
      this.showPanel();
    } else this.panelTimer = setTimeout(() => this.showPanelSoon(performance.now()), 125);
  }

  showPanel() {
    const { session, tab, states } = this;
    if (tab === "now") showNow(byID("pane-now"), session, session.active, states[session.active] ?? null, this.engine.rules);
    else if (tab === "lines") this.lineList.reveal();
    else if (tab === "compare")
      showCompare(byID("pane-compare"), session, states, this.differences, this.deck.cells, {
        isFading: this.deck.isFading, onFade: (fades) => {
          this.deck.isFading = fades;
          this.render();
        },
      });
    else if (this.explained !== session.selection) showWhy(byID("pane-why"), session);
    this.explained = tab === "why" ? session.selection : undefined;
    if (session.isPlaying) return;
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => (byID("live").textContent = spoken(session, states[session.active] ?? null)), 600);
  }

  showDifference() {
    const found = this.differences.decision ?? this.differences.event;
    if (!found) return;
    if (found.a >= 0) this.session.seekLine(found.a, 0);
    else this.session.seekLine(found.b, 1);
    this.showTab("compare");
  }
}
