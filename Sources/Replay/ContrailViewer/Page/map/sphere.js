// Unit vectors: [x, y, z] with the north pole at z and longitude 0 at x. Nothing on a sphere has a seam.

/** @typedef {[number, number, number]} Vector */

const degree = Math.PI / 180;

/** The mean radius of the Earth, for the scale. */
export const earthRadius = 6_371_008.8;

/**
 * @param {number} lat
 * @param {number} lon Degrees.
 * @returns {Vector}
 */
export function vector(lat, lon) {
  const c = Math.cos(lat * degree);
  return [c * Math.cos(lon * degree), c * Math.sin(lon * degree), Math.sin(lat * degree)];
}

/**
 * Latitude and longitude in degrees.
 * @param {ArrayLike<number>} v
 * @returns {[number, number]}
 */
export function latLon(v) {
  return [Math.atan2(v[2], Math.hypot(v[0], v[1])) / degree, Math.atan2(v[1], v[0]) / degree];
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/**
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 * @returns {Vector}
 */
export function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/**
 * @param {ArrayLike<number>} v
 * @returns {Vector}
 */
export function unit(v) {
  const length = Math.hypot(v[0], v[1], v[2]) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}

/**
 * The angle between two unit vectors, in radians.
 * @param {ArrayLike<number>} a
 * @param {ArrayLike<number>} b
 */
export function angle(a, b) {
  const n = cross(a, b);
  return Math.atan2(Math.hypot(n[0], n[1], n[2]), dot(a, b));
}

/**
 * The point on the great circle at a share of the way.
 * @param {Vector} a
 * @param {Vector} b
 * @param {number} share
 * @returns {Vector}
 */
export function between(a, b, share) {
  const whole = angle(a, b);
  if (whole < 1e-9) return a;
  const [s, t] = [Math.sin((1 - share) * whole), Math.sin(share * whole)];
  return unit([a[0] * s + b[0] * t, a[1] * s + b[1] * t, a[2] * s + b[2] * t]);
}

/**
 * Whether a point lies in a convex ring, counter-clockwise as seen from outside.
 * @param {ArrayLike<number>} point
 * @param {Vector[]} ring
 */
export function isInside(point, ring) {
  return ring.every((a, i) => dot(cross(a, ring[(i + 1) % ring.length]), point) >= -1e-12);
}

/**
 * The direction in which the sun stands at the zenith, good to about half a degree. The low-precision formula of the
 * Astronomical Almanac.
 * @param {number} at Milliseconds since 1970.
 * @returns {Vector}
 */
export function sunDirection(at) {
  const days = at / 86_400_000 - 10_957.5;
  const mean = (357.528 + 0.9856003 * days) * degree;
  const ecliptic = (280.46 + 0.9856474 * days + 1.915 * Math.sin(mean) + 0.02 * Math.sin(2 * mean)) * degree;
  const tilt = 23.439 * degree;
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(ecliptic), Math.cos(ecliptic)) / degree;
  const sidereal = 280.46062 + 360.98564737 * days;
  return vector(Math.asin(Math.sin(tilt) * Math.sin(ecliptic)) / degree, (ascension - sidereal) % 360);
}

/**
 * The course at a place towards another, in radians from north.
 * @param {Vector} from
 * @param {Vector} to
 */
export function courseFrom(from, to) {
  const east = cross([0, 0, 1], from);
  const north = cross(from, east);
  return Math.atan2(dot(to, east), dot(to, north));
}
