// The search: `kind:response rule:due scope:corridor status:5 request:12 severity:4 word`. Words are sought in the text.

import { none16, none8 } from "./engine.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {{key: string, value: string}} Term */

/** What can stand before a colon. */
export const keys = ["kind", "rule", "scope", "request", "status", "severity", "role"];

/**
 * @param {string} query
 * @returns {Term[]}
 */
export function terms(query) {
  const out = [];
  for (const match of query.slice(0, 1000).matchAll(/(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi)) {
    const key = (match[1] ?? "").toLowerCase();
    const value = match[2] ?? match[3] ?? "";
    if (!key || keys.includes(key)) out.push({ key, value: value.toLowerCase() });
    else out.push({ key: "", value: match[0].toLowerCase() });
  }
  return out;
}

/**
 * The same search with a term added, or removed if it was there.
 * @param {string} query
 * @param {string} key
 * @param {string} value
 */
export function toggled(query, key, value) {
  const term = `${key}:${/\s/.test(value) ? `"${value}"` : value}`;
  const parts = query.match(/\S*"[^"]*"|\S+/g) ?? [];
  return parts.includes(term) ? parts.filter((part) => part !== term).join(" ") : [...parts, term].join(" ");
}

/** Runs a search in slices, so that the page stays alive at a million lines. A newer search ends an older one. */
export class Search {
  /**
   * @param {Session} session
   * @param {{id: string}[]} rules
   */
  constructor(session, rules) {
    this.session = session;
    this.rules = rules;
    this.run = 0;
  }

  /** @param {string} query */
  async set(query) {
    const { session } = this;
    const run = ++this.run;
    session.query = query.trim();
    session.matches = [];
    if (!session.query) return session.changed("search");
    const recording = session.recordings[session.active];
    const test = this.matcher(terms(session.query), recording.flight);
    /** @type {number[]} */ const matches = [];
    let until = performance.now() + 10;
    for (let line = 0; line < recording.count; line++) {
      if (test(line)) matches.push(line);
      if (performance.now() < until) continue;
      session.matches = matches;
      session.changed("search");
      await new Promise((resume) => setTimeout(resume, 0));
      if (run !== this.run) return;
      until = performance.now() + 10;
    }
    session.matches = matches;
    session.changed("search");
  }

  /**
   * A test of lines. Terms with the same key are alternatives; different keys must all hold. Cheap tests come first.
   * @param {Term[]} all
   * @param {import("./engine.js").Flight} flight
   * @returns {(line: number) => boolean}
   */
  matcher(all, flight) {
    const { columns: c, kinds, roles, scopes } = flight;
    /** @param {string} key */
    const values = (key) => all.filter((term) => term.key === key).map((term) => term.value);
    /** @type {((line: number) => boolean)[]} */ const tests = [];
    const either = (/** @type {string} */ key, /** @type {(line: number, value: string) => boolean} */ holds) => {
      const wanted = values(key);
      if (wanted.length) tests.push((line) => wanted.some((value) => holds(line, value)));
    };
    const kindHas = (/** @type {string} */ value) => kinds.map((kind) => kind.includes(value));
    const kindTests = values("kind").map(kindHas);
    if (kindTests.length) tests.push((line) => kindTests.some((table) => table[c.kind[line]]));
    either("role", (line, value) => roles[c.kind[line]] === value);
    either("rule", (line, value) => c.rule[line] !== none8 && this.rules[c.rule[line]]?.id.toLowerCase() === value);
    either("scope", (line, value) => c.scope[line] !== none16 && scopes[c.scope[line]].toLowerCase().startsWith(value));
    either("request", (line, value) => c.request[line] > 0 && String(c.request[line]) === value);
    either("status", (line, value) => c.status[line] > 0 && String(c.status[line]).startsWith(value));
    const severities = values("severity").flatMap(severityCodes).map((value) => `"sev":${value}`);
    if (values("severity").length)
      tests.push((line) => (kinds[c.kind[line]] === "response.received" || kinds[c.kind[line]] === "report.tracked") && hasAny(flight.text(line), severities));
    const texts = values("");
    if (texts.length) {
      tests.push((line) => {
        const words = flight.words(line).toLowerCase();
        if (texts.every((text) => words.includes(text))) return true;
        const text = flight.text(line).toLowerCase();
        return texts.every((each) => text.includes(each));
      });
    }
    return (line) => tests.every((test) => test(line));
  }
}

/**
 * The severities that a value names: a number, or a name as the legend or a scenario writes it.
 * @param {string} value In lower case.
 */
export function severityCodes(value) {
  const plain = value.replaceAll(/[^a-z0-9]/g, "");
  const names = [["0", "none", "smooth"], ["1", "light"], ["2", "lightmoderate", "lightmod"], ["3", "moderate"], ["4", "moderatesevere", "severe"]];
  return names.flatMap((all, code) => (all.includes(plain) ? [code] : []));
}

/**
 * Whether a number such as `"sev":3` stands in a text, and not `"sev":35`.
 * @param {string} text
 * @param {string[]} any
 */
function hasAny(text, any) {
  return any.some((each) => {
    for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1)) {
      const after = text.charCodeAt(at + each.length);
      if (!(after >= 48 && after <= 57)) return true;
    }
    return false;
  });
}
