// The link: the switch, and what the client does with it, scope by scope.

import { byID, el, fill } from "../dom.js";
import { bytes, counted, span } from "../format.js";

/** @typedef {any} Client */

/** What a phase means, for a reader. */
const phases = /** @type {Record<string, string>} */ ({
  fetching: "fetching", listening: "listening", saving: "saving bytes", offline: "offline", waiting: "trying again", blocked: "blocked",
  current: "up to date", stopped: "stopped",
});
const tones = /** @type {Record<string, string>} */ ({ current: "is-good", listening: "is-good", fetching: "is-busy", offline: "is-warn", saving: "is-warn", waiting: "is-bad", blocked: "is-bad" });

/**
 * The name of a scope, for a reader.
 * @param {string} scope
 */
function nameOf(scope) {
  if (scope.startsWith("global.")) return `Areas of ${span(Number(scope.slice(7)) * 1000)}`;
  if (scope.startsWith("weather.")) return `Weather at ${scope.slice(8)}`;
  return /** @type {Record<string, string>} */ ({ corridor: "Corridor", viewport: "Map", outbox: "Own reports", airports: "Airports" })[scope] ?? scope;
}

export class LinkPanel {
  /**
   * @param {HTMLElement} host
   * @param {Client} client
   */
  constructor(host, client) {
    this.client = client;
    this.switch = el("button", { class: "switch", type: "button", role: "switch", onclick: () => this.toggle() },
      el("span", { class: "switch-track", "aria-hidden": "true" }), el("span", { text: "Link" }));
    this.update = el("button", { class: "button", type: "button", text: "Update now", onclick: () => client.fetchData() });
    this.text = el("p", { class: "hint-text" });
    this.scopes = el("ul", { class: "scopes" });
    fill(host, el("h2", { id: "link-title", class: "visually-hidden", text: "Link" }),
      el("div", { class: "row" }, this.switch), this.text, this.scopes, el("div", { class: "row" }, this.update));
    /** The phase that was last read out. */
    this.spoken = "";
    this.follow();
  }

  toggle() {
    this.client.isOnline = !this.client.isOnline;
    this.follow();
  }

  follow() {
    const { isOnline, hasLink, role } = this.client;
    this.switch.setAttribute("aria-checked", String(isOnline));
    this.text.textContent = !isOnline ? "Switched off: nothing is sent. The data stays, and ages." :
      !hasLink ? "The browser reports no network. The data stays, and ages." :
      role === "follower" ? "Another tab of this page keeps the data up to date." : "";
    this.update.disabled = !isOnline;
  }

  /**
   * @param {import("../engine.js").State} state
   * @param {any[]} statuses
   */
  show(state, statuses) {
    const now = Date.now();
    const wanted = statuses.filter((status) => status.phase !== "unwanted" && (status.scope !== "airports" && status.scope !== "outbox" || status.failures));
    const rows = wanted.map((status) => {
      const scope = state.scopes.find((each) => each.name === status.scope);
      const visible = scope?.visible ?? { reports: 0, pireps: 0, traffic: 0 };
      const held = [[visible.reports, "report"], [visible.pireps, "PIREP"], [visible.traffic, "aircraft"]].filter(([n]) => n)
        .map(([n, noun]) => counted(Number(n), String(noun))).join(", ");
      const facts = [held, status.freshAsOf ? `${span(Math.max(0, now - status.freshAsOf))} old` : "", status.sessionBytes ? bytes(status.sessionBytes) : "",
        status.nextAttempt && status.nextAttempt > now && status.phase !== "offline" ? `next in ${span(status.nextAttempt - now)}` : ""].filter(Boolean);
      return el("li", { class: "scope", "data-scope": status.scope, "data-phase": status.phase }, el("span", { class: "scope-name", text: nameOf(status.scope) }),
        el("span", { class: `pill ${tones[status.phase] ?? ""}`, text: phases[status.phase] ?? status.phase }),
        el("span", { class: "scope-text", text: facts.join(" · ") }),
        el("span", { class: "scope-text is-bad", text: status.lastError ? `${status.lastError.message}. ${status.lastError.advice}` : "" }));
    });
    fill(this.scopes, ...rows);
    const order = ["blocked", "waiting", "offline", "saving", "fetching", "listening", "current"];
    const phase = order.find((each) => wanted.some((status) => status.phase === each)) ?? "current";
    const pill = byID("state");
    const text = phases[phase];
    if (pill.textContent !== text) {
      pill.textContent = text;
      pill.className = `pill ${tones[phase] ?? ""}`;
      if (phase !== "fetching" && phase !== this.spoken) byID("live").textContent = `The data is ${text}.`;
      if (phase !== "fetching") this.spoken = phase;
    }
  }
}
