// What is fetched: kinds of data, how old it may be, and how often it is updated.

import { el, fill } from "../dom.js";

/** @typedef {any} Client */

const types = [["turbulence", "Turbulence"], ["pireps", "PIREPs"], ["traffic", "Traffic"], ["turbulencePolygons", "Areas"]];
const histories = [[1800, "30 minutes"], [3600, "1 hour"], [7200, "2 hours"], [14_400, "4 hours"], [21_600, "6 hours"]];
const frequencies = [["fast", "Every minute"], ["medium", "Every 5 minutes"], ["minimal", "Every 15 minutes"], ["none", "Only when asked"]];

export class DataPanel {
  /**
   * @param {HTMLElement} host
   * @param {Client} client
   */
  constructor(host, client) {
    this.client = client;
    this.boxes = types.map(([type]) => el("input", { type: "checkbox", value: type, onchange: () => this.setTypes() }));
    this.history = el("select", { onchange: () => (client.dataHistoryTime = Number(this.history.value)) },
      ...histories.map(([value, text]) => el("option", { value, text })));
    this.frequency = el("select", { onchange: () => (client.dataUpdateFrequency = this.frequency.value) },
      ...frequencies.map(([value, text]) => el("option", { value, text })));
    fill(host, el("h2", { id: "data-title", text: "Data" }),
      el("fieldset", { class: "checks" }, el("legend", { text: "Kinds" }),
        ...types.map(([, text], i) => el("label", { class: "check" }, this.boxes[i], el("span", { text })))),
      el("div", { class: "fields" }, el("label", { class: "field" }, el("span", { text: "Not older than" }), this.history),
        el("label", { class: "field" }, el("span", { text: "Updated" }), this.frequency)));
    this.follow();
  }

  setTypes() {
    this.client.dataQuery.types = this.boxes.filter((box) => box.checked).map((box) => box.value);
  }

  follow() {
    const { dataQuery, dataHistoryTime, dataUpdateFrequency } = this.client;
    for (const box of this.boxes) box.checked = dataQuery.types.includes(box.value);
    this.history.value = String(dataHistoryTime);
    this.frequency.value = dataUpdateFrequency;
  }
}
