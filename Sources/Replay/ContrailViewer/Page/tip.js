// The tip beside the pointer.

import { byID, fill } from "./dom.js";

/**
 * @param {Node | null} content
 * @param {number} x Of the window.
 * @param {number} y
 */
export function showTip(content, x, y) {
  const tip = byID("tip");
  tip.hidden = content === null;
  if (!content) return;
  fill(tip, content);
  const { offsetWidth: width, offsetHeight: height } = tip;
  tip.style.left = `${Math.max(4, Math.min(innerWidth - width - 8, x + 14))}px`;
  tip.style.top = `${y + 18 + height > innerHeight ? Math.max(4, y - height - 12) : y + 18}px`;
}
