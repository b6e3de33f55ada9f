// RGBA levels → paletted content: one palette for all levels, then indices and an alpha list per level.

import type { AlphaBits } from '../container/alpha.js';
import { paletteSize } from '../container/header.js';
import { levelBytes } from '../container/sides.js';
import { type Colors, type NearestColor, nearestColor } from './nearest.js';
import type { RgbaImage } from './options.js';
import { choosePalette } from './quantise.js';

/** What BLP stores. */
export interface PalettedLevels {
  /** 256 entries of blue, green, red and a zero byte; unused ones are black. */
  palette: Uint8Array;
  levels: Uint8Array[];
}

/** What becomes of alpha. */
export interface PalettedAlpha {
  alphaBits: AlphaBits;
  /** One bit of alpha: texels with at least this alpha are opaque. */
  alphaThreshold: number;
}

export interface PalettedOptions extends PalettedAlpha {
  /** Floyd-Steinberg error diffusion. */
  dither: boolean;
}

/**
 * Encodes the levels of a texture. The palette is level 0's; smaller levels are mapped to it, since the file has one.
 * Texels that end up fully transparent take no entries; they are mapped to the entry nearest to their colour, which
 * texture filtering mixes into their visible neighbours.
 */
export function encodePaletted(
  levels: readonly RgbaImage[],
  options: PalettedOptions,
): PalettedLevels {
  const leastVisible = leastVisibleAlpha(options);
  const colors = choosePalette(levels[0].data, leastVisible, 256);
  const nearest = nearestColor(colors);
  return {
    palette: storedPalette(colors),
    levels: levels.map((level) =>
      storeLevel(level, options, (indices) => {
        if (options.dither) mapDithered(level, colors, nearest, leastVisible, indices);
        else mapNearest(level, nearest, indices);
      }),
    ),
  };
}

/**
 * Encodes a level with a palette that exists already.
 *
 * @param palette as it is stored: 256 entries of blue, green, red and a byte without meaning
 */
export function encodeWithPalette(
  level: RgbaImage,
  palette: Uint8Array,
  alpha: PalettedAlpha,
): Uint8Array {
  const colors = new Uint8Array(256 * 3);
  for (let entry = 0; entry < 256; entry++) {
    colors.set([palette[entry * 4 + 2], palette[entry * 4 + 1], palette[entry * 4]], entry * 3);
  }
  return storeLevel(level, alpha, (indices) => mapNearest(level, nearestColor(colors), indices));
}

/** Indices, then alpha. */
function storeLevel(
  { width, height, data }: RgbaImage,
  alpha: PalettedAlpha,
  map: (indices: Uint8Array) => void,
): Uint8Array {
  const bytes = new Uint8Array(levelBytes('paletted', width, height, alpha.alphaBits));
  map(bytes);
  packAlpha(data, alpha, bytes.subarray(width * height));
  return bytes;
}

/** The least alpha that is not stored as 0. */
function leastVisibleAlpha({ alphaBits, alphaThreshold }: PalettedAlpha): number {
  switch (alphaBits) {
    case 0:
      return 0;
    case 1:
      return alphaThreshold;
    case 4:
      // 9 / 17 is nearer to 1 than to 0.
      return 9;
    case 8:
      return 1;
  }
}

function storedPalette(colors: Colors): Uint8Array {
  const palette = new Uint8Array(paletteSize);
  for (let entry = 0; entry * 3 < colors.length; entry++) {
    palette[entry * 4] = colors[entry * 3 + 2];
    palette[entry * 4 + 1] = colors[entry * 3 + 1];
    palette[entry * 4 + 2] = colors[entry * 3];
  }
  return palette;
}

function mapNearest({ data }: RgbaImage, nearest: NearestColor, indices: Uint8Array): void {
  let last = -1;
  let index = 0;
  for (let at = 0; at < data.length; at += 4) {
    const color = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    if (color !== last) {
      index = nearest(data[at], data[at + 1], data[at + 2]);
      last = color;
    }
    indices[at >> 2] = index;
  }
}

/**
 * Floyd-Steinberg: 7/16 of a texel's error goes ahead, 3/16, 5/16 and 1/16 below. Every other row runs backwards, which
 * avoids the diagonal worms of one direction. Transparent texels neither take nor pass on error.
 */
function mapDithered(
  { width, height, data }: RgbaImage,
  colors: Colors,
  nearest: NearestColor,
  leastVisible: number,
  indices: Uint8Array,
): void {
  // One texel of margin on both sides takes what falls off the edge.
  let current = new Float32Array((width + 2) * 3);
  let below = new Float32Array((width + 2) * 3);
  for (let y = 0; y < height; y++) {
    const forward = (y & 1) === 0;
    const ahead = forward ? 3 : -3;
    below.fill(0);
    for (let step = 0; step < width; step++) {
      const x = forward ? step : width - 1 - step;
      const at = (y * width + x) * 4;
      const error = (x + 1) * 3;
      const visible = data[at + 3] >= leastVisible;
      const r = visible ? clamp(data[at] + current[error]) : data[at];
      const g = visible ? clamp(data[at + 1] + current[error + 1]) : data[at + 1];
      const b = visible ? clamp(data[at + 2] + current[error + 2]) : data[at + 2];
      const entry = nearest(r, g, b);
      indices[at >> 2] = entry;
      if (!visible) continue;
      spread(r - colors[entry * 3], current, below, error, ahead);
      spread(g - colors[entry * 3 + 1], current, below, error + 1, ahead);
      spread(b - colors[entry * 3 + 2], current, below, error + 2, ahead);
    }
    [current, below] = [below, current];
  }
}

function spread(
  error: number,
  current: Float32Array,
  below: Float32Array,
  at: number,
  ahead: number,
): void {
  if (error === 0) return;
  current[at + ahead] += (error * 7) / 16;
  below[at - ahead] += (error * 3) / 16;
  below[at] += (error * 5) / 16;
  below[at + ahead] += error / 16;
}

/** To a whole number from 0 to 255. */
function clamp(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : Math.round(value);
}

/** Alpha of every texel, packed least significant bit first. */
function packAlpha(
  data: RgbaImage['data'],
  { alphaBits, alphaThreshold }: PalettedAlpha,
  list: Uint8Array,
): void {
  if (alphaBits === 0) return;
  for (let texel = 0, at = 3; at < data.length; texel++, at += 4) {
    const alpha = data[at];
    if (alphaBits === 8) list[texel] = alpha;
    // Decoders multiply by 17: the nearest of the sixteen.
    else if (alphaBits === 4) list[texel >> 1] |= ((alpha + 8) / 17) << ((texel & 1) * 4);
    else if (alpha >= alphaThreshold) list[texel >> 3] |= 1 << (texel & 7);
  }
}
