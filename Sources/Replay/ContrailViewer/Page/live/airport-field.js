// A field for an airport: words give suggestions of the service's directory; also a place in degrees.

import { byID, el, fill } from "../dom.js";

/** @typedef {{id: string, name: string, city?: string, position: [number, number]}} Airport */

/** How long typing must rest before the service is asked, in milliseconds. */
const restMS = 250;

let count = 0;

/**
 * A place of a text such as `51.47 -0.46`: latitude and longitude.
 *
 * @param {string} text
 * @returns {Airport | null}
 */
function placeIn(text) {
  const found = /^\s*(-?\d+(?:\.\d+)?)[\s,;]+(-?\d+(?:\.\d+)?)\s*$/.exec(text);
  const [lat, lon] = [Number(found?.[1]), Number(found?.[2])];
  if (!found || Math.abs(lat) > 90 || Math.abs(lon) > 180) return null;
  return { id: `${lat}, ${lon}`, name: "a place", position: [lon, lat] };
}

export class AirportField {
  /**
   * @param {string} label
   * @param {(text: string) => Promise<Airport[]>} search
   * @param {() => void} onChange
   */
  constructor(label, search, onChange) {
    this.search = search;
    this.onChange = onChange;
    /** @type {Airport | null} */
    this.airport = null;
    /** @type {Airport[]} */
    this.found = [];
    this.index = -1;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    const id = `airport-${++count}`;
    this.list = el("ul", { id: `${id}-list`, class: "suggestions", role: "listbox", "aria-label": `${label}: airports`, hidden: true });
    this.input = el("input", {
      id, type: "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list`,
      placeholder: "Airport, city, or 51.47 -0.46", spellcheck: "false", autocomplete: "off",
      oninput: () => this.typed(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event), onblur: () => this.leave(),
    });
    this.element = el("div", { class: "field" }, el("label", { for: id, text: label }), this.input, this.list);
  }

  /** @param {Airport | null} airport */
  set(airport) {
    this.airport = airport;
    this.input.value = airport ? (airport.name === "a place" ? airport.id : `${airport.id} ${airport.name}`) : "";
    this.close();
    this.onChange();
  }

  typed() {
    this.airport = placeIn(this.input.value);
    clearTimeout(this.timer);
    const text = this.input.value.trim();
    this.onChange();
    if (text.length < 2 || this.airport) return this.close();
    this.timer = setTimeout(async () => {
      const found = await this.search(text).catch(() => []);
      if (text !== this.input.value.trim() || document.activeElement !== this.input) return;
      this.suggest(found.slice(0, 12));
    }, restMS);
  }

  /** @param {Airport[]} found */
  suggest(found) {
    this.found = found;
    this.index = found.length ? 0 : -1;
    fill(this.list, ...found.map((airport, i) => el("li", {
      id: `${this.list.id}-${i}`, role: "option", onpointerdown: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.set(airport);
      },
    }, el("span", { text: `${airport.id} ${airport.name}` }), el("span", { text: airport.city ?? "" }))));
    this.list.hidden = !found.length;
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    byID("live").textContent = found.length ? `${found.length} airports. Arrow keys choose one.` : "No airport found.";
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.index)));
    if (this.index >= 0) {
      this.input.setAttribute("aria-activedescendant", `${this.list.id}-${this.index}`);
      this.list.children[this.index]?.scrollIntoView({ block: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    clearTimeout(this.timer);
    this.list.hidden = true;
    this.index = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  /** Takes the first suggestion of what was typed, if none was chosen. */
  leave() {
    if (!this.airport && !this.list.hidden && this.found[this.index]) this.set(this.found[this.index]);
    else this.close();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) this.index = (this.index + step + this.found.length) % this.found.length;
    else if (event.key === "Enter") this.set(this.found[this.index]);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.mark();
  }
}
