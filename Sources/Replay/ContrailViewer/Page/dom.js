// Elements without markup: strings only become text, so nothing in a log can become HTML.

/**
 * Makes an element. `on…` are listeners, `class`, `text` and `hidden` what they say, the rest attributes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Node | string | null | undefined | false)} children
 */
export function fill(element, ...children) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
}

/**
 * The element with an id of index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byID(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element '${id}'.`);
  return element;
}

/** Whether the user asked the system for less motion. */
export function prefersLessMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Listens until the returned function is called.
 * @param {MediaQueryList} query
 * @param {() => void} listener
 */
export function onChange(query, listener) {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/**
 * Fits a canvas to its box and the screen's pixels.
 * @param {HTMLCanvasElement} canvas
 * @returns {{width: number, height: number, ratio: number}} The box in CSS pixels.
 */
export function fitCanvas(canvas) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = Math.max(1, canvas.clientWidth);
  const height = Math.max(1, canvas.clientHeight);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  return { width, height, ratio };
}
