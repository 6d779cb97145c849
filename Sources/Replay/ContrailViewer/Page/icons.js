// Icons as paths on a grid of 24, so that they look the same with every font.

const paths = {
  start: "M5 5h2.5v14H5zM20 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4.5v15L20 12z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  forward: "M7 5v14l10-7z",
  end: "M16.5 5H19v14h-2.5zM4 5v14l11-7z",
  minus: "M5 11h14v2H5z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  whole: "M3 7h2v10H3zM19 7h2v10h-2zM7 11h10v2H7zM10 8v8l-4-4zM14 8v8l4-4z",
  fold: "M3 11h6V8l4 4-4 4v-3H3zM21 11h-3v2h3zM15 6h2v12h-2z",
  globe: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm7.4 9h-3.1a15 15 0 0 0-1.6-5.8A8 8 0 0 1 19.400 11zM12 4.100c.9 1.200 2.100 3.500 2.300 6.900H9.700c.2-3.400 1.400-5.700 2.300-6.900zM9.300 5.200A15 15 0 0 0 7.700 11H4.600a8 8 0 0 1 4.700-5.800zM4.600 13h3.100a15 15 0 0 0 1.600 5.800A8 8 0 0 1 4.600 13zm7.400 6.900c-.9-1.200-2.100-3.500-2.300-6.900h4.600c-.2 3.400-1.400 5.700-2.300 6.900zm2.700-1.100a15 15 0 0 0 1.600-5.800h3.100a8 8 0 0 1-4.700 5.800z",
  chart: "M9 4 3 6.500v14L9 18l6 2.500 6-2.500V4l-6 2.500zm0 2.200 6 2.500v9.600l-6-2.500zM5 7.900l2-.8v9.500l-2 .8zm14 8.700-2 .8V7.900l2-.8z",
  layers: "m12 3 10 5.500L12 14 2 8.500zM4.300 12 2 13.300 12 19l10-5.700-2.300-1.300-7.700 4.400z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  theme: "M12 3a9 9 0 1 0 0 18zm0 2v14a7 7 0 0 0 0-14z",
  close: "m6.400 5 5.600 5.600L17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600 10.600 12 5 6.400z",
};

/**
 * @param {keyof typeof paths} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}
