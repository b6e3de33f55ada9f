// Every JPEG level of the real files, against the pixels that the reference decoder gave.

import { describe, expect, it } from 'vitest';
import { sha256 } from '../reference/compare.js';
import { findRealTextures } from '../reference/files.js';
import { decodeLevel, javascriptKernels, jpegKernels, realLevels, strict } from './jpeg-support.js';

const kernels = jpegKernels();

for (const set of ['textures', 'corpus'] as const) {
  const levels = realLevels(set);
  const title = `${set}${findRealTextures(set).note}`;
  describe.skipIf(levels.length === 0)(title, () => {
    it('decodes every level exactly, in strict mode', () => {
      const wrong: string[] = [];
      let plane = 'none';
      for (const { name, level, source, width, height, sha256: expected } of levels) {
        if (level === 0) plane = kernels.jpegAlphaPlane(source, strict);
        // A plane that level 0 leaves at all 0 or all 255 makes the whole texture opaque.
        const opaque = plane === 'zero' || plane === 'full';
        const { pixels } = decodeLevel(kernels, source, width, height, { ...strict, opaque });
        if (sha256(pixels) !== expected) wrong.push(`${name} level ${level}`);
      }
      expect(wrong).toEqual([]);
    });

    it('tells the alpha plane alike with and without decoding everything', () => {
      for (const { source, width, height } of levels) {
        const { alphaPlane } = decodeLevel(kernels, source, width, height);
        expect(kernels.jpegAlphaPlane(source, strict)).toBe(alphaPlane);
      }
    });

    it('decodes a selection alike in plain JavaScript', () => {
      const wrong: string[] = [];
      levels.forEach(({ name, level, source, width, height }, i) => {
        // Every fifth, and every progressive one: their refinement is easily done wrong.
        const isProgressive = name.includes('prog') && width * height <= 128 * 128;
        if (i % 5 !== 0 && !isProgressive) return;
        const expected = decodeLevel(kernels, source, width, height);
        const actual = decodeLevel(javascriptKernels, source, width, height);
        if (Buffer.compare(actual.pixels, expected.pixels) !== 0)
          wrong.push(`${name} level ${level}`);
        expect({ ...actual, pixels: 0 }).toEqual({ ...expected, pixels: 0 });
      });
      expect(wrong).toEqual([]);
    });
  });
}
