// The 614 real textures of the corpus: every level of every file through both kernels.
import { describe, expect, it } from 'vitest';
import { parse } from '../src/index.js';
import { expectHash } from './reference/compare.js';
import { findRealTextures, readBytes, readCorpusManifest } from './reference/files.js';
import { implementations } from './reference/kernels.js';

const { folder, missing, note } = findRealTextures('corpus');
const entries = readCorpusManifest(folder);
const groups = [...new Set(entries.map(({ file }) => file.split('/')[0]))].map((group) => ({
  group,
  files: entries.filter(({ file }) => file.startsWith(`${group}/`)),
}));
const [wasm, javascript] = implementations;

/** JPEG in JavaScript is slow: of each file, the largest level of at most this many texels goes through it. */
const javascriptJpegTexels = 4096;

describe.skipIf(missing)(`corpus${note}`, () => {
  it('is all there', () => {
    expect(entries.length).toBe(614);
  });

  describe.each(groups)('$group', ({ files }) => {
    it.each(files)('$file, SIMD', ({ file, levels }) => {
      const texture = parse(readBytes(folder, file));
      expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
        levels.map(({ width, height }) => [width, height]),
      );
      levels.forEach(({ sha256 }, level) => {
        expectHash(`${file}-level${level}-wasm`, texture.decode({ level, kernels: wasm }), sha256);
      });
    });

    it.each(files)('$file, JavaScript', ({ file, levels }) => {
      const texture = parse(readBytes(folder, file));
      const isJpeg = texture.encoding === 'jpeg';
      const small = levels.findIndex(({ width, height }) => width * height <= javascriptJpegTexels);
      if (isJpeg) expect(small).toBeGreaterThanOrEqual(0);
      levels.forEach(({ sha256 }, level) => {
        if (isJpeg && level !== small) return;
        const decoded = texture.decode({ level, kernels: javascript });
        expectHash(`${file}-level${level}-javascript`, decoded, sha256);
      });
    });
  });
});
