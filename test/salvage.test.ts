// Every truncation of the fixtures: refused in strict mode with its offset, the best picture with salvage.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BlpError, type BlpWarning, parse } from '../src/index.js';
import { javascriptKernels } from '../src/kernels/javascript/kernels.js';
import { createWasmKernels } from '../src/kernels/wasm/kernels.js';
import { fixturesFolder } from './reference/files.js';

const read = (name: string) => new Uint8Array(readFileSync(join(fixturesFolder, name)));
const wasm = createWasmKernels();

/** A hundred times faster than the test runner's own comparison. */
function same(a: Uint8ClampedArray, b: Uint8ClampedArray): boolean {
  return Buffer.compare(Buffer.from(a.buffer), Buffer.from(b.buffer)) === 0;
}

/** Lengths to cut a file to: everywhere inside level 0 for small ones, some places for larger ones. */
function cuts(first: number, end: number): number[] {
  const step = Math.max(1, Math.floor((end - first) / 97));
  const found: number[] = [];
  for (let length = first + 1; length < end; length += step) found.push(length);
  return [...new Set([...found, first + 1, end - 1])];
}

function wideBlocks(available: number, width: number): (x: number, y: number) => boolean {
  return (x, y) => ((y >> 2) * Math.ceil(width / 4) + (x >> 2) + 1) * 16 <= available;
}

/** Which texels a level cut to `available` bytes keeps, counted as the encoding stores them. */
const keeps: Record<
  string,
  (available: number, width: number) => (x: number, y: number) => boolean
> = {
  bgra: (available, width) => (x, y) => (y * width + x) * 4 + 4 <= available,
  paletted: (available, width) => (x, y) => y * width + x < available,
  dxt1: (available, width) => (x, y) =>
    ((y >> 2) * Math.ceil(width / 4) + (x >> 2) + 1) * 8 <= available,
  dxt3: wideBlocks,
  dxt5: wideBlocks,
  bc5: wideBlocks,
};

const plain = readdirSync(fixturesFolder).filter((name) => /^blp[12]-.*\.blp$/.test(name));

describe.each(plain.filter((name) => !name.includes('jpeg')))('%s', (name) => {
  const bytes = read(name);
  const whole = parse(bytes);
  const { offset, width, height, size } = whole.levels[0];
  const picture = whole.decode().data;
  const colors = whole.decode({ alpha: 'opaque' }).data;

  test('is refused in strict mode with the offset of its end', () => {
    for (const length of cuts(offset, offset + size)) {
      const cut = bytes.slice(0, length);
      expect(() => parse(cut)).toThrow(
        expect.objectContaining({ code: 'truncated', offset: length }),
      );
    }
  });

  test('is salvaged as far as its bytes go, alike by both kernels', () => {
    for (const length of cuts(offset, offset + size)) {
      const warnings: BlpWarning[] = [];
      const cut = bytes.slice(0, length);
      const texture = parse(cut, { salvage: true, onWarning: (warning) => warnings.push(warning) });
      const { data } = texture.decode({ kernels: wasm });
      expect(same(texture.decode({ kernels: javascriptKernels }).data, data)).toBe(true);
      expect(warnings.map(({ code }) => code)).toContainEqual(
        expect.stringMatching(/^(truncated|alpha-missing)$/),
      );
      const kept = keeps[whole.encoding](length - offset, width);
      // A cut inside the alpha list leaves all colours and no alpha, one before it some colours and no alpha.
      const expected = whole.encoding === 'paletted' ? colors : picture;
      const best = new Uint8ClampedArray(width * height * 4);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const at = (y * width + x) * 4;
          if (kept(x, y)) best.set(expected.subarray(at, at + 4), at);
        }
      }
      expect(same(data, best), `cut to ${length} bytes`).toBe(true);
    }
  });

  test('a cut before its first byte leaves nothing to salvage', () => {
    const cut = bytes.slice(0, offset);
    expect(() => parse(cut, { salvage: true })).toThrow(
      expect.objectContaining({ code: 'truncated' }),
    );
  });
});

describe.each(plain.filter((name) => name.includes('jpeg')))('%s', (name) => {
  const bytes = read(name);
  const whole = parse(bytes);
  const { offset, size, width, height } = whole.levels[0];
  const picture = whole.decode({ kernels: wasm, alpha: 'stored' }).data;

  test('every cut is refused in strict mode', () => {
    // The last two bytes are the end marker, without which nothing is missing; the slot is cut all the same.
    for (const length of cuts(offset, offset + size)) {
      expect(() => parse(bytes.slice(0, length)).decode({ kernels: wasm })).toThrow(BlpError);
    }
  });

  test('every cut gives a picture or, before the first scan, a refusal', () => {
    let pictures = 0;
    let exactRows = 0;
    for (const length of cuts(offset, offset + size)) {
      const cut = bytes.slice(0, length);
      let data: Uint8ClampedArray;
      let warnings: readonly BlpWarning[];
      try {
        const texture = parse(cut, { salvage: true });
        data = texture.decode({ kernels: wasm, alpha: 'stored' }).data;
        warnings = texture.warnings;
      } catch (error) {
        expect(error).toBeInstanceOf(BlpError);
        expect((error as BlpError).code).toMatch(/^(damaged|truncated)$/);
        continue;
      }
      pictures++;
      expect(data).toHaveLength(width * height * 4);
      expect(warnings.map(({ code }) => code)).toContain('truncated');
      // Rows from the top that are as in the whole picture.
      let row = 0;
      while (
        row < height &&
        data
          .subarray(row * width * 4, (row + 1) * width * 4)
          .every((byte, i) => byte === picture[row * width * 4 + i])
      ) {
        row++;
      }
      exactRows = Math.max(exactRows, row);
    }
    expect(pictures).toBeGreaterThan(10);
    expect(exactRows).toBeGreaterThan(height / 2);
  });
});

test('says nothing of a fourth component that was cut off', () => {
  const file = read('blp1-jpeg-alpha8.blp');
  const { levels } = parse(file);
  const scan = Buffer.from(levels[0]!.bytes).indexOf(Buffer.from([0xff, 0xda]));
  expect(scan).toBeGreaterThan(0);
  // Marker, length, four components of two bytes, and what follows them.
  const cut = file.slice(0, levels[0]!.offset + scan + 16);
  const texture = parse(cut, { salvage: true });
  texture.decode({ kernels: wasm });
  expect(texture.warnings.map(({ code }) => code)).toContain('truncated');
  expect(texture.warnings.map(({ code }) => code)).not.toContain('alpha-bits-disagree');
});
