// The module that the programs make of TurbulenceStyle.swift.

export const turbulenceStyles: {
  color: [number, number, number];
  alpha: number;
  border: [number, number, number];
  borderAlpha: number;
}[];
