// The log of this flight: where it is, and how to take it along.

import { byID, el, fill } from "../dom.js";
import { bytes } from "../format.js";

/** @typedef {any} Client */

export class LogPanel {
  /**
   * @param {HTMLElement} host
   * @param {Client} client
   */
  constructor(host, client) {
    this.client = client;
    this.text = el("p", { class: "hint-text" });
    this.facts = el("p", { class: "facts" });
    fill(host, el("h2", { id: "log-title", text: "Log" }), this.facts, this.text,
      el("div", { class: "row" }, el("button", { id: "download", class: "button", type: "button", text: "Download the log", onclick: () => this.download() })));
    this.follow();
  }

  follow() {
    const { storage } = this.client;
    this.text.textContent = storage?.kind === "memory" ? `The browser keeps no files here (${storage.reason}). The log ends with this tab.` :
      "Each input and each decision of this flight. 'replay run' and 'replay view' read it.";
    this.text.classList.toggle("is-bad", storage?.kind === "memory");
  }

  /**
   * @param {number} received
   * @param {any} status
   */
  showBytes(received, status) {
    const saving = status?.saving && status.saving !== "off" ? `, saving: ${status.saving}` : "";
    this.facts.textContent = `${bytes(received)} received since the launch${saving}`;
  }

  async download() {
    try {
      const { name, blob } = await this.client.exportLog();
      const link = el("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      byID("live").textContent = `The log is saved as ${name}.`;
    } catch (error) {
      this.text.textContent = `${/** @type {any} */ (error).message}. ${/** @type {any} */ (error).advice ?? ""}`;
      this.text.classList.add("is-bad");
    }
  }
}
