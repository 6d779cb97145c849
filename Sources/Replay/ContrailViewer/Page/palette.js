// Colours that mean something: severities, rules, and what a theme sets.

// Made from TurbulenceStyle.swift when the page is written.
import { turbulenceStyles } from "./turbulence-style.js";

/** By severity, from 0 (smooth) to 4: short names, and borders where the service's guide has none. */
const severityNames = [
  { name: "Smooth", short: "none" },
  { name: "Light", short: "light", border: [176, 160, 20], borderAlpha: 0.75 },
  { name: "Light–moderate", short: "light–mod.", border: [184, 128, 0], borderAlpha: 0.8 },
  { name: "Moderate", short: "moderate", border: [176, 74, 0], borderAlpha: 0.85 },
  { name: "Moderate–severe", short: "severe", border: [150, 0, 0], borderAlpha: 0.9 },
];

/** By severity: its name, and the colours and opacities of its hexagons. */
export const severities = severityNames.map((names, severity) => ({ ...names, ...turbulenceStyles[severity] }));

/**
 * @param {number[]} color
 * @param {number} [alpha]
 */
export function css(color, alpha = 1) {
  return `rgb(${color[0]} ${color[1]} ${color[2]} / ${alpha})`;
}

/** @type {Record<string, string>} */
const ruleColors = {
  first: "#8f7cff",
  areaChanged: "#f08a3c",
  weatherChanged: "#f08a3c",
  historyWidened: "#ea5fa5",
  typesWidened: "#c95be0",
  severitiesWidened: "#c95be0",
  altitudesWidened: "#c95be0",
  refresh: "#4a8dff",
  expired: "#d9a514",
  deltaUnavailable: "#ef4d4d",
  followsDiffers: "#ef4d4d",
  watermarkWentBack: "#ef4d4d",
  countDiffers: "#e8825f",
  checksumDiffers: "#e8825f",
  due: "#15b8a2",
  requested: "#15b8a2",
  together: "#15b8a2",
  unconfirmed: "#a3a01f",
  listening: "#1496d4",
  guarded: "#b06a3b",
  upload: "#6cab1e",
  saving: "#c98b1b",
  switched: "#2fa6dd",
};

/**
 * The colour of a request that a rule sent.
 * @param {string} rule
 */
export function ruleColor(rule) {
  return ruleColors[rule] ?? "#7c8698";
}

/** Bands of altitude in thousands of feet: from, up to and including. */
export const bands = [
  { from: 41, to: 255, name: "FL410+" },
  { from: 37, to: 40, name: "FL370" },
  { from: 33, to: 36, name: "FL330" },
  { from: 29, to: 32, name: "FL290" },
  { from: 24, to: 28, name: "FL240" },
  { from: 18, to: 23, name: "FL180" },
  { from: 10, to: 17, name: "FL100" },
  { from: 0, to: 9, name: "below" },
];

/** The band of each altitude in thousands of feet. */
export const bandOf = Uint8Array.from({ length: 256 }, (_, altitude) => bands.findIndex((band) => altitude >= band.from));

/** Colours of the map by theme, 0–255. */
export const mapThemes = {
  dark: {
    space: [8, 11, 18], ocean: [13, 24, 40], oceanEdge: [8, 15, 27], glow: [64, 140, 220], land: [38, 52, 70],
    coast: [92, 122, 152], graticule: [120, 160, 200, 0.1], corridor: [76, 194, 255], viewport: [186, 150, 255],
    route: [236, 242, 250], traffic: [150, 210, 255], pirep: [255, 255, 255], ink: [10, 14, 22], own: [120, 255, 170],
  },
  light: {
    // Dark enough for white and yellow hexagons.
    space: [238, 242, 247], ocean: [186, 203, 218], oceanEdge: [164, 184, 202], glow: [120, 170, 215], land: [214, 211, 202],
    coast: [122, 142, 160], graticule: [60, 100, 140, 0.13], corridor: [0, 112, 190], viewport: [112, 68, 200],
    route: [38, 50, 68], traffic: [20, 90, 160], pirep: [30, 40, 60], ink: [255, 255, 255], own: [0, 140, 70],
  },
};
