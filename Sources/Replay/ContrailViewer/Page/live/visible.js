// The visible area of the map, as the query for the viewport takes it.

import { angle, latLon } from "../map/sphere.js";

/** @typedef {import("../map/camera.js").Camera} Camera */

/** Beyond this latitude, the box of a view ends. */
const highest = 85;

/**
 * The box around what a camera sees: west, south, east and north in degrees. West is greater than east across 180°.
 *
 * @param {Camera} camera
 * @returns {[number, number, number, number]}
 */
export function visibleBox(camera) {
  const [lat, lon] = latLon(camera.center);
  let radius = 0;
  let isWhole = true;
  for (const x of [0, 0.25, 0.5, 0.75, 1])
    for (const y of [0, 0.25, 0.5, 0.75, 1]) {
      const place = camera.unproject(x * camera.width, y * camera.height);
      if (place) radius = Math.max(radius, angle(camera.center, place));
      else isWhole = false;
    }
  // The globe's edge is in sight: half of the world is.
  if (!isWhole || radius > 1.3) return [-180, Math.max(-highest, lat - 85), 180, Math.min(highest, lat + 85)];
  const reach = (radius * 180) / Math.PI;
  const [south, north] = [Math.max(-highest, lat - reach), Math.min(highest, lat + reach)];
  if (lat + reach >= highest || lat - reach <= -highest) return [-180, south, 180, north];
  const across = (Math.asin(Math.min(1, Math.sin(radius) / Math.cos((lat * Math.PI) / 180))) * 180) / Math.PI;
  const wrap = (/** @type {number} */ degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;
  return across >= 179 ? [-180, south, 180, north] : [wrap(lon - across), south, wrap(lon + across), north];
}

/**
 * A box as a closed ring that begins in the north-west, rounded to hundredths of a degree.
 *
 * @param {[number, number, number, number]} box
 * @returns {[number, number][]} Longitude and latitude.
 */
export function boxRing(box) {
  const [west, south, east, north] = box.map((degrees) => Math.round(degrees * 100) / 100);
  return [[west, north], [east, north], [east, south], [west, south], [west, north]];
}
