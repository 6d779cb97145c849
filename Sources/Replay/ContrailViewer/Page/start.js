// What runs first: unpacks the style and the program, which the Content-Security-Policy of the page allows by their hashes.

import { part, parts } from "./parts.js";

/**
 * @param {string} kind
 * @param {Record<string, string>} properties
 */
async function add(kind, properties) {
  const text = new TextDecoder().decode(await part(parts(document, `#${properties.name}`)[0]));
  const element = document.createElement(kind);
  if (properties.type) element.setAttribute("type", properties.type);
  element.textContent = text;
  document.head.append(element);
}

async function start() {
  if (typeof DecompressionStream === "undefined") throw new Error("It is too old: it has no DecompressionStream.");
  await add("style", { name: "style" });
  document.getElementById("curtain")?.remove();
  await add("script", { name: "program", type: "module" });
}

start().catch((error) => {
  document.getElementById("curtain")?.remove();
  const title = document.getElementById("welcome-title");
  if (title) title.textContent = `This page can't start in this browser. ${error?.message ?? error}`;
});
