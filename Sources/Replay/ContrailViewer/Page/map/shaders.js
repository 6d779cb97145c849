// The programs of the graphics processor. All of them turn unit vectors by the camera's matrix and project them as
// camera.js does; what lies behind the horizon is discarded by fragment, because an edge may cross it.

// `turn` has the rows right, up and towards the viewer; `zoom` takes radians at the centre to clip space; `morph` is 0 for the globe and 1 for
// the chart. Comments stand here, because those of the programs would be in the page.
const projection = `
uniform mat3 turn;
uniform vec2 zoom;
uniform float morph;
vec3 seen(vec3 v) { return v * turn; }
vec2 flatten(vec3 v) { return v.xy * zoom * (1.0 + morph) / max(1.0 + morph * v.z, 0.02); }
`;

const head = `#version 300 es
precision highp float;
precision highp int;
`;

/** Texels of a row of a list in a texture. */
export const texelsPerRow = 2048;

// Lines, hexagons and symbols are lists in textures, drawn by one call each and found by the vertex's number. One instance for each would be
// simpler, but costs three to six times as much without a graphics processor.
const list = `
ivec2 place(int texel) { return ivec2(texel % ${texelsPerRow}, texel / ${texelsPerRow}); }
`;

const squares = `
const int corners[6] = int[6](0, 1, 2, 2, 1, 3);
int square() { return gl_VertexID / 6; }
int corner() { return corners[gl_VertexID % 6]; }
`;

/**
 * The sky and the ocean, on a triangle that covers the screen: its `size` in pixels, the `scale` in pixels to a radian, and the radius of the
 * globe in pixels as `limb`, or negative for none.
 */
export const backdrop = {
  vertex: `${head}
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }`,
  fragment: `${head}
uniform vec2 size;
uniform float scale, limb;
uniform vec3 space, ocean, edge, glow;
out vec4 color;
void main() {
  vec2 p = gl_FragCoord.xy - size * 0.5;
  float r = length(p);
  if (limb < 0.0) {
    color = vec4(mix(ocean, edge, smoothstep(0.0, 1.0, r / scale * 0.45)), 1.0);
    return;
  }
  float q = min(r / limb, 1.0), q2 = q * q, q4 = q2 * q2;
  vec3 inside = mix(ocean, edge, smoothstep(0.3, 1.0, q2)) + glow * 0.16 * q4 * q4 * q4 * q2;
  if (r < limb - 1.0) {
    color = vec4(inside, 1.0);
    return;
  }
  float height = max(r / limb - 1.0, 0.0);
  float air = exp(-height * 14.0) * 0.34 + exp(-height * 60.0) * 0.22;
  vec3 outside = mix(space, glow, air);
  color = vec4(mix(inside, outside, smoothstep(-1.0, 1.0, r - limb)), 1.0);
}`,
};

/** The side away from the sun, which is given in the camera's frame. It is drawn over the land. */
export const night = {
  vertex: backdrop.vertex,
  fragment: `${head}
uniform vec2 size;
uniform float scale, limb, morph;
uniform vec3 sun;
uniform vec4 shade;
out vec4 color;
void main() {
  vec2 p = (gl_FragCoord.xy - size * 0.5) / scale;
  float r2 = dot(p, p), m = morph, n = 1.0 + morph;
  float a = r2 * m * m + n * n, b = r2 * m;
  float root = b * b - a * (r2 - n * n);
  if (root < 0.0) discard;
  float z = (sqrt(root) - b) / a;
  vec3 v = vec3(p * (1.0 + m * z) / n, z);
  color = vec4(shade.rgb, shade.a * smoothstep(0.08, -0.22, dot(v, sun)));
}`,
};

/** Filled triangles: land and the areas of turbulence. */
export const fill = {
  vertex: `${head}${projection}
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 tint;
out vec4 shade;
out float depth;
void main() {
  vec3 v = seen(position);
  depth = v.z;
  shade = tint;
  gl_Position = vec4(flatten(v), 0.0, 1.0);
}`,
  fragment: `${head}
uniform float horizon;
in vec4 shade;
in float depth;
out vec4 color;
void main() {
  if (depth < horizon) discard;
  color = shade;
}`,
};

/**
 * Lines of a width in pixels, a square for each piece; dashed by the distance along them. A piece has two texels: an end, and the distance to it
 * along the line.
 */
export const line = {
  vertex: `${head}${projection}${list}${squares}
uniform highp sampler2D pieces;
uniform vec2 size;
uniform float width, scale;
out float side, depth, run;
void main() {
  bool isEnd = (corner() & 1) == 1;
  float hand = (corner() & 2) == 2 ? 1.0 : -1.0;
  vec4 from = texelFetch(pieces, place(square() * 2), 0), to = texelFetch(pieces, place(square() * 2 + 1), 0);
  vec3 a = seen(from.xyz), b = seen(to.xyz);
  vec2 p = flatten(a) * size * 0.5, q = flatten(b) * size * 0.5;
  vec2 d = q - p;
  float l = length(d);
  d = l > 1e-4 ? d / l : vec2(1.0, 0.0);
  float reach = width * 0.5 + 1.0;
  vec2 at = (isEnd ? q + d * width * 0.2 : p - d * width * 0.2) + vec2(-d.y, d.x) * hand * reach;
  side = hand * reach;
  depth = isEnd ? b.z : a.z;
  run = (isEnd ? to.w : from.w) * scale;
  gl_Position = vec4(at / (size * 0.5), 0.0, 1.0);
}`,
  fragment: `${head}
uniform float horizon, width, dash;
uniform vec4 tint;
in float side, depth, run;
out vec4 color;
void main() {
  if (depth < horizon) discard;
  if (dash > 0.0 && fract(run / dash) > 0.58) discard;
  color = vec4(tint.rgb, tint.a * clamp(width * 0.5 + 0.5 - abs(side), 0.0, 1.0));
}`,
};

/** Texels of a cell in the texture of cells: its middle, then ten vertices (a pentagon on an edge has that many). */
export const texelsPerCell = 12;
export const cellsPerRow = 170;

/** Triangles of a cell: one for each vertex in the texture of cells. */
export const trianglesPerCell = 10;

/**
 * Hexagons: the shape is in a texture that only grows, so a frame sends eight bytes a hexagon: the slot in that texture, and the style, which
 * is the severity, 16 for faint and 32 for marked. Far away, a hexagon keeps a size that can be seen. Its edge is smooth.
 */
export const hexagon = {
  vertex: `${head}${projection}${list}
uniform highp usampler2D items;
uniform highp sampler2D cells;
uniform vec2 size;
uniform float scale, smallest;
out float rim, depth, radius;
flat out uint style;
void main() {
  uvec2 item = texelFetch(items, place(gl_VertexID / ${3 * trianglesPerCell}), 0).xy;
  int slot = int(item.x);
  ivec2 base = ivec2((slot % ${cellsPerRow}) * ${texelsPerCell}, slot / ${cellsPerRow});
  int fan = gl_VertexID / 3 % ${trianglesPerCell}, corner = gl_VertexID % 3;
  vec4 middle = texelFetch(cells, base, 0);
  vec3 v = middle.xyz;
  if (corner > 0) {
    int vertex = 1 + (corner == 1 ? fan : (fan + 1) % ${trianglesPerCell});
    v = texelFetch(cells, base + ivec2(vertex, 0), 0).xyz;
  }
  radius = middle.w * scale;
  float grow = max(1.0, smallest / max(radius, 1e-6));
  v = middle.xyz + (v - middle.xyz) * grow;
  radius *= grow;
  vec3 s = seen(v);
  depth = s.z;
  rim = corner > 0 ? 1.0 : 0.0;
  style = item.y;
  gl_Position = vec4(flatten(s), 0.0, 1.0);
}`,
  fragment: `${head}
uniform float horizon;
uniform vec4 fills[5];
uniform vec4 borders[5];
uniform vec4 mark;
in float rim, depth, radius;
flat in uint style;
out vec4 color;
void main() {
  if (depth < horizon) discard;
  uint severity = min(style & 7u, 4u);
  vec4 inner = fills[severity], outer = borders[severity];
  float inside = (1.0 - rim) * radius * 0.87;
  float wide = (style & 32u) != 0u ? 3.0 : clamp(radius * 0.09, 0.6, 1.6);
  if ((style & 32u) != 0u) wide = min(wide, max(1.2, radius * 0.42));
  if ((style & 32u) != 0u) outer = mark;
  float share = 1.0 - smoothstep(wide - 0.6, wide + 0.6, inside);
  color = mix(inner, outer, radius < 2.5 && (style & 32u) == 0u ? 0.25 * share : share);
  if ((style & 16u) != 0u) color.a *= 0.22;
  color.a *= min(inside + 0.5, 1.0);
}`,
};

/**
 * Symbols: a square for each, and a shape by distance. 0 disc, 1 PIREP, 2 aircraft, 3 diamond, 4 ring, 5 cross hair. A symbol has three texels:
 * position and shape; colour; size in points, and heading in radians from north at the place.
 */
export const symbol = {
  vertex: `${head}${projection}${list}${squares}
uniform highp sampler2D symbols;
uniform vec2 size;
uniform float ratio;
out vec2 at;
out vec4 shade;
out float depth, points;
flat out int shape;
void main() {
  vec4 first = texelFetch(symbols, place(square() * 3), 0);
  shade = texelFetch(symbols, place(square() * 3 + 1), 0);
  vec2 look = texelFetch(symbols, place(square() * 3 + 2), 0).xy;
  vec3 position = first.xyz, v = seen(position);
  depth = v.z;
  vec2 outwards = vec2(corner() & 1, corner() >> 1) * 2.0 - 1.0;
  shape = int(first.w);
  points = look.x * ratio;
  vec3 north = seen(normalize(vec3(0.0, 0.0, 1.0) - position * position.z + vec3(1e-6)));
  vec2 step = flatten(normalize(v + north * 1e-3)) - flatten(v);
  float heading = atan(step.x, step.y) + look.y;
  float c = cos(heading), s = sin(heading);
  at = outwards * (points + 2.0);
  vec2 turned = look.y == 0.0 && shape != 2 ? at : mat2(c, -s, s, c) * at;
  gl_Position = vec4(flatten(v) + turned / (size * 0.5), 0.0, 1.0);
}`,
  fragment: `${head}
uniform float horizon;
uniform vec3 ink;
in vec2 at;
in vec4 shade;
in float depth, points;
flat in int shape;
out vec4 color;
float segment(vec2 p, vec2 a, vec2 b) {
  vec2 d = b - a;
  return length(p - a - d * clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0));
}
void main() {
  if (depth < horizon) discard;
  vec2 p = at / points;
  float d;
  if (shape == 1) d = max(abs(p.x) * 0.9 + p.y * 0.5, -p.y) - 0.55;
  else if (shape == 2) {
    d = segment(p, vec2(0.0, 0.85), vec2(0.0, -0.75)) - 0.13;
    d = min(d, min(segment(p, vec2(0.0, 0.2), vec2(0.85, -0.25)), segment(p, vec2(0.0, 0.2), vec2(-0.85, -0.25))) - 0.11);
    d = min(d, segment(p, vec2(-0.35, -0.75), vec2(0.35, -0.75)) - 0.09);
  } else if (shape == 3) d = abs(p.x) + abs(p.y) - 0.8;
  else if (shape == 4) d = abs(length(p) - 0.8) - 0.12;
  else if (shape == 5) d = max(abs(length(p) - 0.6) - 0.08, 0.0) * min(segment(p, vec2(0.35, 0.0), vec2(1.0, 0.0)), 1.0);
  else d = length(p) - 0.7;
  float pixels = d * points;
  float body = clamp(0.5 - pixels, 0.0, 1.0), halo = clamp(1.9 - pixels, 0.0, 1.0);
  color = vec4(mix(ink, shade.rgb, body), max(body * shade.a, halo * 0.75 * shade.a));
  if (color.a < 0.01) discard;
}`,
};
