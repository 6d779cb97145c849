// Drag, pinch, wheel and keys on a map.

/** @typedef {import("./sphere.js").Vector} Vector */
/** @typedef {import("./view.js").MapView} MapView */

/** @param {MapView} view */
export function listenToGestures(view) {
  const { canvas, camera, events } = view;
  /** @type {Map<number, {x: number, y: number}>} */
  const pointers = new Map();
  /** @type {Vector | null} What was under the fingers when they came down. */
  let grabbed = null;
  let travelled = 0;
  let apart = 0;
  const at = (/** @type {MouseEvent} */ event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const middle = () => {
    const all = [...pointers.values()];
    return { x: all.reduce((sum, p) => sum + p.x, 0) / all.length, y: all.reduce((sum, p) => sum + p.y, 0) / all.length };
  };
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  const grab = () => {
    const m = middle();
    grabbed = pointers.size ? camera.unproject(m.x, m.y) : null;
    apart = spread();
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) travelled = 0;
    grab();
  });
  canvas.addEventListener("pointermove", (event) => {
    const point = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) return view.hover(point.x, point.y);
    travelled += Math.hypot(point.x - before.x, point.y - before.y);
    pointers.set(event.pointerId, point);
    if (travelled < 4) return;
    canvas.classList.add("is-dragged");
    const m = middle();
    const now = spread();
    if (now > 0 && apart > 0) camera.zoomAt(now / apart, m.x, m.y);
    apart = now;
    const under = camera.unproject(m.x, m.y);
    if (grabbed && under) camera.drag(grabbed, under);
    events.onHover(null, 0, 0);
    view.moved();
  });
  const release = (/** @type {PointerEvent} */ event) => {
    const wasDown = pointers.delete(event.pointerId);
    canvas.classList.remove("is-dragged");
    if (wasDown && event.type === "pointerup" && travelled < 4 && pointers.size === 0) {
      const point = at(event);
      const pick = view.pick(point.x, point.y);
      if (pick) events.onPick(pick);
    }
    grab();
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => events.onHover(null, 0, 0));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const point = at(event);
    const turned = Math.max(-200, Math.min(200, event.deltaY * (event.deltaMode === 1 ? 30 : 1)));
    camera.zoomAt(Math.exp(-turned * (event.ctrlKey ? 0.01 : 0.0022)), point.x, point.y);
    view.moved();
  }, { passive: false });
  canvas.addEventListener("dblclick", (event) => {
    const point = at(event);
    camera.zoomAt(2, point.x, point.y);
    view.moved();
  });
  canvas.addEventListener("keydown", (event) => key(view, event));
}

/**
 * @param {MapView} view
 * @param {KeyboardEvent} event
 */
function key(view, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey && event.key.startsWith("Arrow")) return;
  const { camera } = view;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const [w, h] = [camera.width / 2, camera.height / 2];
  if (steps) {
    const to = camera.unproject(w + steps[0] * w * 0.2, h + steps[1] * h * 0.2);
    if (to) camera.drag(to, camera.center);
  } else if (event.key === "+" || event.key === "=") camera.zoomAt(1.4, w, h);
  else if (event.key === "-") camera.zoomAt(1 / 1.4, w, h);
  else if (event.key === "Enter") {
    const pick = view.pick(w, h);
    if (pick) view.events.onPick(pick);
  } else return;
  event.preventDefault();
  event.stopPropagation();
  view.moved();
}
