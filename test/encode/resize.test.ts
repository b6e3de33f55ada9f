// Resizing to powers of two: sides, padding, interpolation, alpha.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ResizeMode, resize } from '../../src/encode/resize.js';
import { errorOf } from '../reference/errors.js';
import { anyPicture } from './pictures.js';

function grey(
  width: number,
  height: number,
  values: number[],
  alphas = [255],
): Parameters<typeof resize>[0] {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    (at & 3) === 3 ? alphas[(at >> 2) % alphas.length] : values[(at >> 2) % values.length],
  );
  return { width, height, data };
}

function values(image: { data: ArrayLike<number> }, channel = 0): number[] {
  return Array.from(image.data).filter((_, at) => (at & 3) === channel);
}

describe('sides', () => {
  it.each([
    [90, 91, 'nearest', 64, 128],
    [3, 5, 'nearest', 4, 4],
    [100, 60, 'nearest', 128, 64],
    [90, 1, 'pad', 128, 1],
    [65, 64, 'pad', 128, 64],
    [90, 33, 'stretch', 128, 64],
  ] as const)('%i × %i, %s: %i × %i', (width, height, mode, newWidth, newHeight) => {
    const resized = resize(grey(width, height, [1]), mode);
    expect([resized.width, resized.height]).toEqual([newWidth, newHeight]);
    expect(resized.data.length).toBe(newWidth * newHeight * 4);
  });

  it('that are powers of two already leave the picture as it is', () => {
    const image = grey(64, 16, [1]);
    for (const mode of ['nearest', 'pad', 'stretch'] as const)
      expect(resize(image, mode)).toBe(image);
  });

  it('too large, bad modes and bad pictures are refused', () => {
    const wide = { width: 40000, height: 1, data: new Uint8Array(160000) };
    expect(errorOf(() => resize(wide, 'pad')).message).toContain('65536 × 1');
    expect(resize(wide, 'nearest').width).toBe(32768);
    expect(errorOf(() => resize(wide, 'crop' as ResizeMode)).message).toContain('nearest, pad');
    expect(errorOf(() => resize({ ...wide, width: 2 }, 'pad')).code).toBe('argument');
  });
});

describe('pad', () => {
  it('keeps every texel and adds transparent black at the right and below', () => {
    const padded = resize(grey(3, 1, [1, 2, 3], [9]), 'pad');
    expect([...padded.data]).toEqual([1, 1, 1, 9, 2, 2, 2, 9, 3, 3, 3, 9, 0, 0, 0, 0]);
    const tall = resize(grey(1, 3, [1, 2, 3], [9]), 'pad');
    expect(values(tall)).toEqual([1, 2, 3, 0]);
  });
});

describe('scaling', () => {
  it('interpolates linearly when a side grows', () => {
    // New centres lie at -1/8, 5/8, 11/8, 17/8 of the old texels.
    expect(values(resize(grey(3, 1, [0, 80, 240]), 'stretch'))).toEqual([0, 50, 140, 240]);
    expect(values(resize(grey(1, 3, [0, 80, 240]), 'stretch'))).toEqual([0, 50, 140, 240]);
  });

  it('takes every texel into account when a side shrinks', () => {
    const stripes = resize(grey(5, 1, [0, 0, 255, 0, 0]), 'nearest');
    expect(stripes.width).toBe(4);
    // The one bright texel, a fifth of the picture, is a fifth of the new one too.
    const sum = values(stripes).reduce((total, value) => total + value, 0);
    expect(Math.abs(sum / 4 - 255 / 5)).toBeLessThan(4);
  });

  it('keeps flat pictures flat, whatever their alpha', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(255),
        fc.nat(255),
        fc.constantFrom<ResizeMode>('nearest', 'stretch'),
        (width, height, value, alpha, mode) => {
          const { data } = resize(grey(width, height, [value], [alpha]), mode);
          expect(data.every((byte, at) => byte === ((at & 3) === 3 ? alpha : value))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stays between the least and the greatest value of the picture', () => {
    fc.assert(
      fc.property(
        anyPicture,
        fc.constantFrom<ResizeMode>('nearest', 'stretch'),
        (picture, mode) => {
          const resized = resize(picture, mode);
          for (let channel = 0; channel < 4; channel++) {
            const before = values(picture, channel);
            const after = values(resized, channel);
            expect(Math.min(...after)).toBeGreaterThanOrEqual(Math.min(...before));
            expect(Math.max(...after)).toBeLessThanOrEqual(Math.max(...before));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('does not let hidden colours tint visible ones', () => {
    const edge = resize(grey(3, 1, [200, 0, 0], [255, 0, 0]), 'stretch');
    expect(values(edge)[1]).toBe(200);
    expect(values(edge, 3)).toEqual([255, 96, 0, 0]);
  });
});
