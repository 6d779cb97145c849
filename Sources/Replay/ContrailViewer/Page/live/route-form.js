// The route: two airports, and the width of the corridor.

import { el, fill } from "../dom.js";
import { AirportField } from "./airport-field.js";

/** @typedef {any} Client */

const widths = [50, 80, 100, 150];

export class RouteForm {
  /**
   * @param {HTMLElement} host
   * @param {Client} client
   * @param {() => void} onRoute After another route was set.
   */
  constructor(host, client, onRoute) {
    this.client = client;
    this.onRoute = onRoute;
    const search = (/** @type {string} */ text) => client.airports.search(text, 12).then((/** @type {any[]} */ found) => {
      this.say("");
      return found;
    }, (/** @type {any} */ error) => {
      this.say(`${error.message}. ${error.advice} A place such as 51.47 -0.46 works, too.`, true);
      return [];
    });
    this.from = new AirportField("From", search, () => this.changed());
    this.to = new AirportField("To", search, () => this.changed());
    this.width = el("select", { id: "route-width", onchange: () => this.client.dataQuery.routeWidth && (this.client.dataQuery.routeWidth = Number(this.width.value)) },
      ...widths.map((width) => el("option", { value: width, text: `${width} NM wide` })));
    this.width.value = "100";
    this.submit = el("button", { class: "button is-main", type: "submit", text: "Fly" });
    this.clear = el("button", { class: "button", type: "button", text: "Clear", hidden: true, onclick: () => this.remove() });
    this.text = el("p", { class: "hint-text", role: "status" });
    fill(host, el("h2", { id: "route-title", text: "Route" }),
      el("div", { class: "fields" }, this.from.element, this.to.element),
      el("div", { class: "row" }, el("div", { class: "field" }, this.width), el("span", { class: "push" }), this.clear, this.submit), this.text);
    this.width.setAttribute("aria-label", "Width of the corridor");
    host.addEventListener("submit", (event) => {
      event.preventDefault();
      this.fly();
    });
    this.changed();
  }

  focus() {
    this.from.input.focus();
  }

  changed() {
    if (this.submit) this.submit.disabled = !this.from.airport || !this.to.airport;
  }

  /**
   * @param {string} text
   * @param {boolean} [isBad]
   */
  say(text, isBad = false) {
    this.text.textContent = text;
    this.text.classList.toggle("is-bad", isBad);
  }

  async fly() {
    const [from, to] = [this.from.airport, this.to.airport];
    if (!from || !to) return;
    try {
      await this.client.setDataQuery({ routeWidth: Number(this.width.value), route: [from.position, to.position] });
      this.onRoute();
      this.say(`${from.id} to ${to.id}`);
      this.clear.hidden = false;
    } catch (error) {
      this.say(`${/** @type {any} */ (error).message}. ${/** @type {any} */ (error).advice}`, true);
    }
  }

  remove() {
    this.client.dataQuery.route = null;
    this.client.dataQuery.routeWidth = null;
    this.from.set(null);
    this.to.set(null);
    this.say("");
    this.clear.hidden = true;
  }

  /** Shows the route of the last launch, or of another tab. */
  follow() {
    const { route, routeWidth } = this.client.dataQuery;
    this.clear.hidden = !route;
    if (routeWidth && widths.includes(routeWidth)) this.width.value = String(routeWidth);
    if (!route || this.from.airport || this.to.airport) return;
    /** @type {(position: [number, number]) => import("./airport-field.js").Airport} */
    const name = ([lon, lat]) => ({ id: `${lat.toFixed(2)}, ${lon.toFixed(2)}`, name: "a place", position: [lon, lat] });
    this.from.set(name(route[0]));
    this.to.set(name(route[route.length - 1]));
  }
}
