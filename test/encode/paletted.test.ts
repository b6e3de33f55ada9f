// Paletted content: the choice of colours, the search for the nearest, alpha lists, dithering.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Colors, nearestColor } from '../../src/encode/nearest.js';
import type { RgbaImage } from '../../src/encode/options.js';
import { encodePaletted, type PalettedOptions } from '../../src/encode/paletted.js';
import { choosePalette } from '../../src/encode/quantise.js';
import type { Picture } from '../reference/pixels.js';
import { randomByteSource } from '../reference/random.js';
import { waves } from './pictures.js';

const plain: PalettedOptions = { alphaBits: 0, alphaThreshold: 128, dither: false };

/** One row of texels. */
function row(...texels: number[][]): RgbaImage {
  return { width: texels.length, height: 1, data: Uint8Array.from(texels.flat()) };
}

function entries(colors: Colors): number[][] {
  return Array.from({ length: colors.length / 3 }, (_, entry) => [
    ...colors.subarray(entry * 3, entry * 3 + 3),
  ]);
}

/** Looks at every entry. */
function slowNearest(colors: Colors, r: number, g: number, b: number): number {
  const distances = entries(colors).map(
    ([cr, cg, cb]) => (r - cr) ** 2 + (g - cg) ** 2 + (b - cb) ** 2,
  );
  return distances.indexOf(Math.min(...distances));
}

describe('nearest colour', () => {
  it('is that of a search through all entries', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 256 }),
        fc.constantFrom(1, 8, 64, 256),
        fc.nat(),
        (count, spread, seed) => {
          const next = randomByteSource(seed);
          // Small spreads put many entries, and equal ones, into one cell.
          const colors = Uint8Array.from({ length: count * 3 }, () => 100 + (next() % spread));
          const nearest = nearestColor(colors);
          for (let run = 0; run < 60; run++) {
            const [r, g, b] = [next(), next(), next()];
            expect(nearest(r, g, b)).toBe(slowNearest(colors, r, g, b));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('choice of colours', () => {
  it('is the picture’s own where they fit, in the order in which they appear', () => {
    const { data } = row([9, 8, 7, 255], [1, 2, 3, 255], [9, 8, 7, 255], [0, 0, 0, 255]);
    expect(entries(choosePalette(data, 0, 256))).toEqual([
      [9, 8, 7],
      [1, 2, 3],
      [0, 0, 0],
    ]);
  });

  it('spends nothing on transparent texels', () => {
    const texels: number[][] = [];
    for (let value = 0; value < 256; value++) {
      texels.push([value, 255 - value, 7, 255]);
      texels.push([value, value, value, 0]);
    }
    const visible = new Set(
      texels.filter((texel) => texel[3] > 0).map((texel) => texel.slice(0, 3).join()),
    );
    const chosen = entries(choosePalette(row(...texels).data, 1, 256));
    expect(new Set(chosen.map((color) => color.join()))).toEqual(visible);
  });

  it.each([2, 16, 256])('takes at most %i entries', (limit) => {
    expect(choosePalette(waves(64, 64).data, 0, limit).length).toBe(limit * 3);
  });

  it('puts entries where the colours are', () => {
    // Two clouds of 64 × 64 colours each, far apart: means are what two entries should be.
    const next = randomByteSource(5);
    const data = Uint8Array.from({ length: 4096 * 4 }, (_, at) =>
      (at & 3) === 3 ? 255 : (at >> 2) % 4 === 0 ? 200 + (next() & 31) : 20 + (next() & 31),
    );
    const chosen = entries(choosePalette(data, 0, 2));
    // The more popular one first.
    for (const value of chosen[0]) expect(Math.abs(value - 35.5)).toBeLessThan(2);
    for (const value of chosen[1]) expect(Math.abs(value - 215.5)).toBeLessThan(2);
  });

  it('errs less than a fixed palette', () => {
    const picture = waves(256, 256);
    const chosen = nearestError(picture, choosePalette(picture.data, 0, 256));
    const fixed = Uint8Array.from(
      Array.from({ length: 252 }, (_, at) => [
        ((at % 6) * 255) / 5,
        ((Math.floor(at / 6) % 7) * 255) / 6,
        (Math.floor(at / 42) * 255) / 5,
      ]).flat(),
    );
    expect(chosen).toBeLessThan(nearestError(picture, fixed) / 1.3);
  });

  it('copes with more distinct colours than it keeps apart', () => {
    const side = 320;
    const next = randomByteSource(77);
    const data = Uint8Array.from({ length: side * side * 4 }, next);
    expect(
      new Set(new Uint32Array(data.buffer).map((word) => word & 0xffffff)).size,
    ).toBeGreaterThan(65536);
    const picture = { width: side, height: side, data };
    // 256 cubes of the colour space have sides of 40: uniform noise errs by 3 × 40² / 12.
    expect(nearestError(picture, choosePalette(data, 0, 256))).toBeLessThan(420);
  });
});

/** Mean squared distance of all texels from their nearest entries. */
function nearestError({ data }: Picture, colors: Colors): number {
  const nearest = nearestColor(colors);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) {
    const entry = nearest(data[at], data[at + 1], data[at + 2]) * 3;
    for (let channel = 0; channel < 3; channel++) {
      sum += (data[at + channel] - colors[entry + channel]) ** 2;
    }
  }
  return sum / (data.length / 4);
}

describe('levels', () => {
  it('hold indices, then alpha from the lowest bit up', () => {
    const image = row(
      [1, 1, 1, 0],
      [2, 2, 2, 255],
      [1, 1, 1, 127],
      [1, 1, 1, 128],
      [2, 2, 2, 8],
      [2, 2, 2, 9],
      [1, 1, 1, 246],
      [1, 1, 1, 247],
      [2, 2, 2, 200],
    );
    const indices = [0, 1, 0, 0, 1, 1, 0, 0, 1];
    const level = (alphaBits: PalettedOptions['alphaBits'], alphaThreshold = 128): number[] => [
      ...encodePaletted([image], { ...plain, alphaBits, alphaThreshold }).levels[0],
    ];
    expect(level(0)).toEqual(indices);
    expect(level(1)).toEqual([...indices, 0b11001010, 1]);
    expect(level(1, 9)).toEqual([...indices, 0b11101110, 1]);
    expect(level(4)).toEqual([...indices, 0xf0, 0x87, 0x10, 0xfe, 0x0c]);
    expect(level(8)).toEqual([...indices, 0, 255, 127, 128, 8, 9, 246, 247, 200]);
  });

  it('share the palette of level 0: blue, green, red, a zero', () => {
    const small = row([250, 20, 40, 255]);
    const { palette, levels } = encodePaletted(
      [row([0, 1, 2, 255], [255, 16, 32, 255]), small],
      plain,
    );
    expect(palette.length).toBe(1024);
    expect([...palette.subarray(0, 12)]).toEqual([2, 1, 0, 0, 32, 16, 255, 0, 0, 0, 0, 0]);
    expect([...levels[1]]).toEqual([1]);
  });

  it('map transparent texels to what is nearest to their colour', () => {
    const texels = Array.from({ length: 256 }, (_, value) => [value, 255 - value, 7, 255]);
    const image = row(...texels, [201, 50, 9, 0], [31, 220, 3, 0]);
    const { palette, levels } = encodePaletted([image], { ...plain, alphaBits: 8 });
    const reds = [...levels[0].subarray(256, 258)].map((index) => palette[index * 4 + 2]);
    expect(reds[0]).toBeGreaterThan(195);
    expect(reds[1]).toBeLessThan(40);
  });
});

describe('dithering', () => {
  // Grey levels between two entries, so that only dithering can show them.
  const ramp: Picture = {
    width: 64,
    height: 64,
    data: Uint8Array.from({ length: 64 * 64 * 4 }, (_, at) =>
      (at & 3) === 3 ? 255 : (at >> 2) % 64 < 32 ? 64 : (at >> 2) % 64 < 40 ? 0 : 255,
    ),
  };

  /** Mean grey of the left half, mapped to black and white. */
  function leftMean(dither: boolean): number {
    const { data } = ramp;
    // A palette of two: level 0 has just black and white, level 1 is the ramp.
    const two = row([0, 0, 0, 255], [255, 255, 255, 255]);
    const { palette, levels } = encodePaletted([two, { ...ramp, data }], { ...plain, dither });
    let sum = 0;
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 32; x++) sum += palette[levels[1][y * 64 + x] * 4];
    }
    return sum / (64 * 32);
  }

  it('keeps the mean', () => {
    expect(leftMean(false)).toBe(0);
    expect(Math.abs(leftMean(true) - 64)).toBeLessThan(3);
  });

  it('does not carry error over transparent texels', () => {
    const two = row([0, 0, 0, 255], [255, 255, 255, 255]);
    const grey = [100, 100, 100, 255];
    const hidden = [100, 100, 100, 0];
    const black = [0, 0, 0, 255];
    const line = row(...new Array(8).fill(grey), hidden, ...new Array(8).fill(black));
    const options = { ...plain, alphaBits: 8, dither: true } as const;
    const { levels } = encodePaletted([two, line], options);
    expect([...levels[1].subarray(0, 8)].some((index) => index === 1)).toBe(true);
    expect([...levels[1].subarray(9, 17)]).toEqual(new Array(8).fill(0));
  });
});
