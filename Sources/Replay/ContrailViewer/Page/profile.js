// The profile: the app's route from start to end against flight levels, with what the pilot could have known at the moment.

import { el, fill, fitCanvas } from "./dom.js";
import { count, counted, flightLevel, span, utcTime } from "./format.js";
import { css, severities } from "./palette.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./engine.js").State} State */
/** @typedef {import("./engine.js").Profile} Profile */

/** The numbers of a cell in `Profile.cells`. */
const stride = 8;
const [cellBin, cellLevel, cellWorst, cellNewest, cellEDR, cellNewestEDR, cellCount, cellObservedAt] = [0, 1, 2, 3, 4, 5, 6, 7];
const margins = { left: 42, right: 10, top: 6, bottom: 18 };
const widths = [20, 40, 60, 100, 200];
/** The highest level, in thousands of feet. */
const ceiling = 52;
/** Below this level, where airliners only climb and descend, rows are lower. */
const cruise = 24;

/**
 * The height of all levels below another, in rows of a cruising level.
 *
 * @param {number} level
 */
function rowsBelow(level) {
  return level <= cruise ? level * 0.3 : cruise * 0.3 + level - cruise;
}

/**
 * The opacity of a report by its age, as in the drawing of `replay profile --svg`.
 *
 * @param {number} ageS
 * @param {number} historyS
 */
export function ageOpacity(ageS, historyS) {
  return 1 - 0.7 * Math.max(0, Math.min(1, ageS / Math.max(1, historyS)));
}

/**
 * The planned levels that `replay view --planned` put into the page: distances along the route in NM, and levels in thousands of feet.
 *
 * @returns {{fromNM: number, level: number}[]}
 */
function plannedLevels() {
  const text = document.querySelector('meta[name="contrail-planned"]')?.getAttribute("content") ?? "";
  return text.split(" ").map((step) => step.split(":").map(Number)).filter((step) => step.length === 2 && step.every(Number.isFinite))
    .map(([fromNM, level]) => ({ fromNM, level: level / 10 }));
}

/**
 * @typedef {object} Chart The profile of one flight.
 * @property {HTMLCanvasElement} canvas
 * @property {HTMLElement} text
 * @property {HTMLElement} box
 * @property {Profile | null} profile
 * @property {Map<number, number>} index The first number of a cell, by bin and level.
 * @property {string} route The route that `track` belongs to.
 * @property {{line: number, alongNM: number, offNM: number, altitude: number}[]} track The own reports beside the route.
 * @property {{bin: number, level: number} | null} cursor The cell under the pointer, or of the keys.
 */

export class ProfilePanel {
  /**
   * @param {HTMLElement} host
   * @param {Session} session
   * @param {{onTip: (content: Node | null, x: number, y: number) => void,
   *   onPoint: (flight: number, piece: [number, number][] | null) => void}} events
   */
  constructor(host, session, events) {
    this.session = session;
    this.events = events;
    this.widthNM = 40;
    /** @type {(State | null)[]} */
    this.states = [];
    /** The levels that are drawn. They only ever grow, so that playing doesn't move them. */
    this.levels = [29, 42];
    this.planned = plannedLevels();
    for (const { level } of this.planned) this.include(Math.round(level));
    this.widthBox = el("select", {
      "aria-label": "Width of the profile", title: "Reports count within half of this width on either side of the route",
      onchange: () => {
        this.widthNM = Number(this.widthBox.value);
        this.show(this.states);
      },
    }, ...widths.map((width) => el("option", { value: width, text: `${width} NM` })));
    this.widthBox.value = String(this.widthNM);
    /** @type {Chart[]} */
    this.charts = session.recordings.map((_, flight) => this.makeChart(flight));
    this.details = /** @type {HTMLDetailsElement} */ (el("details", { class: "profile-box", open: true, ontoggle: () => this.show(this.states) },
      el("summary", null, el("span", { class: "profile-title", text: "Profile" }), ...this.charts.map((chart) => chart.text), this.makeKey()),
      el("div", { class: "profile-charts" }, ...this.charts.map((chart) => chart.box)),
      el("label", { class: "profile-width" }, el("span", { text: "Width" }), this.widthBox)));
    fill(host, this.details);
    session.subscribe((change) => (change === "theme" || change === "filter") && this.draw());
  }

  /** The key of what the legend of the map doesn't tell. */
  makeKey() {
    const entries = [["hatch", "nobody reported"], ["pale", "older is paler"], ...this.planned.length ? [["planned", "planned"]] : []];
    return el("span", { class: "profile-key", role: "note" }, ...entries.map(([name, text]) => el("span", null, el("i", { class: `profile-${name}` }), text)));
  }

  /** @param {number} flight */
  makeChart(flight) {
    const canvas = el("canvas", { class: "profile-canvas", tabindex: 0, role: "img", "aria-label": "Profile of the route" });
    const tag = this.session.recordings.length > 1 ? el("span", { class: `flight-tag is-${"ab"[flight]}`, text: "AB"[flight] }) : null;
    const box = el("div", { class: "profile-chart" }, tag, canvas);
    /** @type {Chart} */
    const chart = { canvas, box, text: el("span", { class: "profile-text" }), profile: null, index: new Map(), route: "", track: [], cursor: null };
    const at = (/** @type {PointerEvent} */ event) => {
      const rect = canvas.getBoundingClientRect();
      this.point(flight, this.cellAt(chart, event.clientX - rect.left, event.clientY - rect.top), event.clientX, event.clientY);
    };
    canvas.addEventListener("pointerdown", at);
    canvas.addEventListener("pointermove", at);
    canvas.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.point(flight, null, 0, 0));
    canvas.addEventListener("blur", () => this.point(flight, null, 0, 0));
    canvas.addEventListener("keydown", (event) => this.key(flight, event));
    new ResizeObserver(() => this.drawChart(flight)).observe(canvas);
    return chart;
  }

  // MARK: What is shown

  /** @param {(State | null)[]} states */
  show(states) {
    this.states = states;
    if (!this.details.open) return;
    this.charts.forEach((chart, flight) => {
      const state = states[flight];
      const { flight: source } = this.session.recordings[flight];
      chart.profile = state ? source.profile(state.line, state.at, this.widthNM) : null;
      chart.index.clear();
      const { profile } = chart;
      if (profile && !profile.problem) {
        for (let i = 0; i < profile.cells.length; i += stride) chart.index.set(profile.cells[i + cellBin] * 64 + profile.cells[i + cellLevel], i);
        this.readTrack(chart, flight, state);
        for (let i = cellLevel; i < profile.cells.length; i += stride) this.include(profile.cells[i]);
        for (const { level } of profile.pireps) if (level !== null) this.include(level);
      }
      this.describe(chart, flight);
    });
    this.draw();
  }

  /** @param {number} level */
  include(level) {
    this.levels = [Math.max(0, Math.min(this.levels[0], level - 1)), Math.min(ceiling, Math.max(this.levels[1], level + 1))];
  }

  /**
   * Finds the own reports on a new route.
   *
   * @param {Chart} chart
   * @param {number} flight
   * @param {State | null} state
   */
  readTrack(chart, flight, state) {
    const route = JSON.stringify(state?.query.route);
    if (chart.route === route) return;
    chart.route = route;
    const { ownReports, flight: source } = this.session.recordings[flight];
    const places = source.placesOnRoute(Uint32Array.from(ownReports, (r) => r.lo), Uint32Array.from(ownReports, (r) => r.hi));
    chart.track = ownReports.map((report, i) => ({ line: report.line, altitude: report.altitude, alongNM: places[2 * i], offNM: places[2 * i + 1] }))
      .filter((place) => place.alongNM >= 0 && place.offNM < 100);
    for (const place of chart.track) this.include(place.altitude);
  }

  /**
   * The own reports up to the moment.
   * @param {number} flight
   */
  flown(flight) {
    return this.charts[flight].track.filter((place) => place.line <= this.session.lines[flight]);
  }

  /**
   * @param {Chart} chart
   * @param {number} flight
   */
  describe(chart, flight) {
    const { profile } = chart;
    chart.box.hidden = !profile || Boolean(profile.problem);
    const many = this.session.recordings.length > 1 ? `${"AB"[flight]}: ` : "";
    if (!profile) chart.text.textContent = `${many}the app has no route now`;
    else if (profile.problem) chart.text.textContent = many + profile.problem;
    else {
      let reports = 0;
      for (let i = cellCount; i < profile.cells.length; i += stride) reports += profile.cells[i];
      const rest = profile.pireps.length ? `, ${counted(profile.pireps.length, "PIREP")}` : "";
      chart.text.textContent = `${many}${count(Math.round(profile.lengthNM))} NM, ${counted(reports, "report")} within ${profile.widthNM / 2} NM${rest}`;
      chart.canvas.setAttribute("aria-label", `Profile of the route: ${chart.text.textContent}. Arrow keys read its cells.`);
    }
  }

  // MARK: Drawing

  draw() {
    this.charts.forEach((_, flight) => this.drawChart(flight));
  }

  /**
   * @param {Chart} chart
   * @param {number} width
   * @param {number} height
   */
  scale(chart, width, height) {
    const [low, high] = this.levels;
    const row = (height - margins.top - margins.bottom) / (rowsBelow(high + 1) - rowsBelow(low));
    const across = (width - margins.left - margins.right) / Math.max(1, chart.profile?.lengthNM ?? 1);
    /** The upper edge of a level. */
    const above = (/** @type {number} */ level) => margins.top + (rowsBelow(high + 1) - rowsBelow(level + 1)) * row;
    return {
      row, across, above, x: (/** @type {number} */ nm) => margins.left + nm * across,
      y: (/** @type {number} */ level) => (above(level) + above(level - 1)) / 2,
    };
  }

  /** @param {number} flight */
  drawChart(flight) {
    const chart = this.charts[flight];
    const state = this.states[flight];
    const { profile, canvas } = chart;
    if (!profile || profile.problem || !state || !this.details.open) return;
    const { width, height, ratio } = fitCanvas(canvas);
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const style = getComputedStyle(canvas);
    const ink = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim() || "#888";
    const { x, y, above, row, across } = this.scale(chart, width, height);
    const [low, high] = this.levels;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const [left, top, right, bottom] = [x(0), margins.top, x(profile.lengthNM), height - margins.bottom];
    context.fillStyle = ink("unknown");
    context.fillRect(left, top, right - left, bottom - top);
    hatch(context, left, top, right, bottom, ink("hatch"));
    const box = (/** @type {number} */ bin, /** @type {number} */ level, /** @type {number} */ bins = 1) => {
      const from = x(bin * profile.binNM);
      const to = Math.min(right, x((bin + bins) * profile.binNM));
      context.rect(from, above(level), Math.max(1, to - from + 0.4), above(level - 1) - above(level));
    };
    const { shown } = this.session;
    for (const area of profile.areas) {
      if (area.severity === null || !shown.severities[area.severity]) continue;
      context.beginPath();
      for (const bin of area.bins) {
        const [from, to] = [Math.max(low, area.levels[0]), Math.min(high, area.levels[1])];
        if (from <= to) context.rect(x(bin * profile.binNM), above(to), Math.max(1, profile.binNM * across + 0.4), above(from - 1) - above(to));
      }
      context.fillStyle = css(severities[area.severity].color, 0.28);
      context.fill();
    }
    const { cells } = profile;
    for (let i = 0; i < cells.length; i += stride) {
      const severity = Math.min(4, cells[i + cellWorst]);
      if (!shown.severities[severity]) continue;
      // An opaque ground, so that the hatching isn't seen through what was reported.
      context.beginPath();
      box(cells[i + cellBin], cells[i + cellLevel]);
      context.fillStyle = ink("unknown");
      context.fill();
      context.fillStyle = css(severities[severity].color, ageOpacity(profile.asOf - cells[i + cellObservedAt], state.history));
      context.fill();
    }
    const track = this.flown(flight);
    const own = track[track.length - 1];
    if (own) {
      context.fillStyle = ink("surface");
      context.globalAlpha = 0.35;
      context.fillRect(left, top, x(own.alongNM) - left, bottom - top);
      context.globalAlpha = 1;
    }
    this.drawAxes(context, chart, { x, y, above, left, top, right, bottom, row }, ink);
    for (const { alongNM, level, pirep } of profile.pireps) {
      const [px, py] = [x(alongNM), level === null ? bottom - 4 : y(level)];
      context.beginPath();
      context.moveTo(px, py - 5);
      context.lineTo(px + 5, py + 4);
      context.lineTo(px - 5, py + 4);
      context.closePath();
      context.fillStyle = pirep.sev ? css(severities[Math.min(4, pirep.sev)].color) : ink("surface");
      context.fill();
      context.strokeStyle = pirep.urgent ? ink("bad") : ink("text");
      context.lineWidth = 1.2;
      context.stroke();
    }
    if (this.planned.length) {
      // A halo, so that the line is seen on every colour.
      for (const [name, lineWidth, dashes] of /** @type {[string, number, number[]][]} */ ([["surface", 4, []], ["second", 1.8, [6, 3]]])) {
        context.beginPath();
        this.planned.forEach(({ fromNM, level }, i) => {
          const to = Math.min(this.planned[i + 1]?.fromNM ?? profile.lengthNM, profile.lengthNM);
          if (fromNM >= to) return;
          context.lineTo(x(fromNM), y(level));
          context.lineTo(x(to), y(level));
        });
        context.strokeStyle = ink(name);
        context.lineWidth = lineWidth;
        context.setLineDash(dashes);
        context.stroke();
      }
      context.setLineDash([]);
    }
    if (own) {
      context.strokeStyle = context.fillStyle = ink("own");
      context.lineWidth = 1.5;
      context.beginPath();
      for (const place of track) context.lineTo(x(place.alongNM), y(place.altitude));
      context.stroke();
      const [px, py] = [x(own.alongNM), y(own.altitude)];
      context.beginPath();
      context.moveTo(px + 8, py);
      context.lineTo(px - 6, py - 5);
      context.lineTo(px - 3, py);
      context.lineTo(px - 6, py + 5);
      context.fill();
    }
    if (chart.cursor) {
      context.beginPath();
      box(chart.cursor.bin, chart.cursor.level);
      context.strokeStyle = ink("text");
      context.lineWidth = 1.5;
      context.stroke();
      context.globalAlpha = 0.25;
      context.fillStyle = ink("text");
      context.fillRect(x((chart.cursor.bin + 0.5) * profile.binNM) - 0.5, top, 1, bottom - top);
      context.globalAlpha = 1;
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Chart} chart
   * @param {{x: (nm: number) => number, y: (level: number) => number, above: (level: number) => number, left: number, top: number, right: number,
   *   bottom: number, row: number}} frame
   * @param {(name: string) => string} ink
   */
  drawAxes(context, chart, { x, y, above, left, top, right, bottom, row }, ink) {
    const [low, high] = this.levels;
    const length = chart.profile?.lengthNM ?? 0;
    context.font = "10px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    const every = [1, 2, 4, 8].find((step) => step * row >= 13) ?? 8;
    let lowest = bottom + 13;
    for (let level = Math.ceil(low / every) * every; level <= high; level += every) {
      if (lowest - y(level) < 12) continue;
      lowest = y(level);
      context.fillStyle = ink("faint");
      context.fillText(flightLevel(level), left - 5, y(level));
      context.fillStyle = ink("grid");
      context.fillRect(left, above(level), right - left, 0.5);
    }
    const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((nm) => x(nm) - x(0) >= 64) ?? 10_000;
    context.textAlign = "center";
    for (let nm = 0; nm <= length; nm += step) {
      context.fillStyle = ink("faint");
      context.fillRect(x(nm) - 0.5, bottom, 1, 4);
      if (x(nm) < right - 14 || nm === 0) context.fillText(nm ? String(nm) : "0 NM", x(nm) + (nm ? 0 : 8), bottom + 11);
    }
    context.strokeStyle = ink("line");
    context.lineWidth = 1;
    context.strokeRect(left, top, right - left, bottom - top);
    context.textAlign = "left";
  }

  // MARK: Pointing

  /**
   * @param {Chart} chart
   * @param {number} px
   * @param {number} py
   */
  cellAt(chart, px, py) {
    const { profile, canvas } = chart;
    if (!profile || profile.problem) return null;
    const { across, above } = this.scale(chart, canvas.clientWidth, canvas.clientHeight);
    const bin = Math.floor((px - margins.left) / across / profile.binNM);
    const [low, high] = this.levels;
    for (let level = high; level >= low; level--)
      if (py >= above(level) && py < above(level - 1)) return bin >= 0 && bin < profile.bins ? { bin, level } : null;
    return null;
  }

  /**
   * Marks a cell here and its piece of the route on the map, and tells all its values.
   *
   * @param {number} flight
   * @param {{bin: number, level: number} | null} cell
   * @param {number} px Of the window.
   * @param {number} py
   */
  point(flight, cell, px, py) {
    const chart = this.charts[flight];
    chart.cursor = cell;
    const { profile } = chart;
    this.drawChart(flight);
    if (!cell || !profile || profile.problem) {
      this.events.onTip(null, 0, 0);
      return this.events.onPoint(flight, null);
    }
    const { edges } = profile;
    this.events.onPoint(flight, [[edges[2 * cell.bin], edges[2 * cell.bin + 1]], [edges[2 * cell.bin + 2], edges[2 * cell.bin + 3]]]);
    const rows = this.words(chart, flight, cell);
    this.events.onTip(el("div", null, ...rows.map((row, i) => el("div", { class: i ? "tip-detail" : "tip-title", text: row }))), px, py);
  }

  /**
   * All values of a cell.
   *
   * @param {Chart} chart
   * @param {number} flight
   * @param {{bin: number, level: number}} cell
   */
  words(chart, flight, { bin, level }) {
    const profile = /** @type {Profile} */ (chart.profile);
    const state = this.states[flight];
    const from = bin * profile.binNM;
    const to = Math.min(profile.lengthNM, from + profile.binNM);
    const place = `${flightLevel(level)}, ${Math.round(from)}–${Math.round(to)} NM`;
    const i = chart.index.get(bin * 64 + level);
    const name = (/** @type {number} */ severity) => severities[Math.min(4, severity)].name;
    const edr = (/** @type {number} */ value) => (value / 10_000).toFixed(2);
    const rows = [];
    const areas = profile.areas.filter((area) => area.bins.includes(bin) && area.levels[0] <= level && level <= area.levels[1]);
    const pireps = profile.pireps.filter(({ alongNM, level: at }) => alongNM >= from && alongNM <= to && (at === null || at === level));
    const some = (/** @type {number} */ n, /** @type {string} */ noun) => (n ? [n === 1 ? noun : counted(n, noun)] : []);
    const known = [...some(areas.length, "Area"), ...some(pireps.length, "PIREP")];
    if (i === undefined) rows.push(known.length ? `${known.join(" and ")}, but no hexagon was reported. ${place}` : `Unknown: nobody reported. ${place}`);
    else {
      const { cells } = profile;
      const age = (/** @type {number} */ at) => span(Math.max(0, profile.asOf - at) * 1000);
      rows.push(`${name(cells[i + cellWorst])}, ${place}`,
        `worst EDR ${edr(cells[i + cellEDR])}, ${counted(cells[i + cellCount], "report")}`,
        `newest ${name(cells[i + cellNewest]).toLowerCase()}, EDR ${edr(cells[i + cellNewestEDR])}, ${age(cells[i + cellObservedAt])} old`);
    }
    for (const area of areas)
      rows.push(`area: ${area.severity === null ? "severity unknown" : name(area.severity).toLowerCase()}, ${flightLevel(area.levels[0])}–${flightLevel(area.levels[1])}`);
    for (const { offNM, level: at, pirep } of pireps)
      rows.push(`PIREP ${Math.round(offNM)} NM off${at === null ? ", level unknown" : ""}: ${pirep.text.slice(0, 120)}`);
    const planned = this.planned.findLast((step) => step.fromNM <= (from + to) / 2);
    if (planned) rows.push(`planned ${flightLevel(planned.level)}`);
    if (state) rows.push(`at ${utcTime(state.at)} UTC`);
    return rows;
  }

  /**
   * Marks the bin of a hexagon that is pointed at on the map.
   *
   * @param {number} flight
   * @param {{lo: number, hi: number} | null} cell
   * @param {number} level Thousands of feet.
   */
  pointFromMap(flight, cell, level) {
    const chart = this.charts[flight];
    if (!chart.profile || chart.profile.problem || !this.details.open) return;
    const before = chart.cursor;
    chart.cursor = null;
    if (cell) {
      const [along, off] = this.session.recordings[flight].flight.placesOnRoute(Uint32Array.of(cell.lo), Uint32Array.of(cell.hi));
      if (along >= 0 && off <= this.widthNM / 2) chart.cursor = { bin: Math.min(chart.profile.bins - 1, Math.floor(along / chart.profile.binNM)), level };
    }
    if (before || chart.cursor) this.drawChart(flight);
  }

  /**
   * @param {number} flight
   * @param {KeyboardEvent} event
   */
  key(flight, event) {
    const chart = this.charts[flight];
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!step || event.shiftKey || event.altKey || !chart.profile || chart.profile.problem) return;
    event.preventDefault();
    event.stopPropagation();
    const own = this.flown(flight).at(-1);
    const start = chart.cursor ?? { bin: Math.floor((own?.alongNM ?? 0) / chart.profile.binNM), level: own?.altitude ?? 36 };
    const cell = {
      bin: Math.max(0, Math.min(chart.profile.bins - 1, start.bin + step[0])),
      level: Math.max(this.levels[0], Math.min(this.levels[1], start.level + step[1])),
    };
    const rect = chart.canvas.getBoundingClientRect();
    const { x, y } = this.scale(chart, rect.width, rect.height);
    this.point(flight, cell, rect.left + x((cell.bin + 0.5) * chart.profile.binNM), rect.top + y(cell.level));
    chart.canvas.setAttribute("aria-label", this.words(chart, flight, cell).join(". "));
  }
}

/**
 * Hatches a box: what nobody reported.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 * @param {string} color
 */
function hatch(context, left, top, right, bottom, color) {
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  context.beginPath();
  const height = bottom - top;
  for (let x = left - height; x < right; x += 7) {
    context.moveTo(x, bottom);
    context.lineTo(x + height, top);
  }
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}
