// What goes wrong: a message at the edge of the page, and the question for the key of a service that has keys.

import { byID, el, fill } from "../dom.js";
import { icon } from "../icons.js";

/** @typedef {any} Client */

export class KeyDialog {
  /** @param {Client} client */
  constructor(client) {
    this.client = client;
    this.dialog = /** @type {HTMLDialogElement} */ (byID("key"));
    this.input = el("input", { id: "key-input", type: "password", autocomplete: "off", spellcheck: "false", required: true });
    const form = el("form", { method: "dialog" }, el("h2", { id: "key-title", text: "This service needs a key" }),
      el("div", { class: "field" }, el("label", { for: "key-input", text: "Key" }), this.input),
      el("p", { class: "hint-text", text: "It is kept in memory until the tab is closed, and never stored." }),
      el("div", { class: "row" }, el("button", { class: "button", type: "button", text: "Later", onclick: () => this.dialog.close() }),
        el("button", { class: "button is-main", type: "submit", text: "Use the key" })));
    form.addEventListener("submit", () => {
      client.setAPIKey(this.input.value.trim());
      this.input.value = "";
      this.dismiss();
    });
    fill(this.dialog, form);
    /**
     * The scope of the error that is shown.
     * @type {string | null | undefined}
     */
    this.scope = undefined;
  }

  /** @param {any} error */
  problem(error) {
    if (error.code === "unauthorized" && !this.dialog.open) this.dialog.showModal();
    this.scope = error.scope ?? null;
    const box = byID("problem");
    fill(box, el("div", null, el("strong", { text: `${error.message}.` }), el("span", { text: error.advice ?? "" })),
      el("button", { class: "icon-button", "aria-label": "Close", onclick: () => this.dismiss() }, icon("close")));
    box.hidden = false;
  }

  /** @param {string | null} scope */
  recovered(scope) {
    if (this.scope === scope) this.dismiss();
  }

  dismiss() {
    this.scope = undefined;
    byID("problem").hidden = true;
  }
}
