// TGA written and read, against ImageMagick and hand-made files.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/container/identify.js';
import { BlpError } from '../../src/errors.js';
import type { Image } from '../../src/image/image.js';
import { readTga } from '../../src/image/tga-read.js';
import { writeTga } from '../../src/image/tga-write.js';
import {
  anyImage,
  bytesOf,
  convert,
  damagedCopies,
  difference,
  hasMagick,
  magickPixels,
  testImage,
} from './support.js';

interface TgaFields {
  type: number;
  bits: number;
  width?: number;
  height?: number;
  descriptor?: number;
  id?: readonly number[];
  map?: { first: number; entries: number; bits: number; bytes: readonly number[] };
  body: readonly number[];
}

function tgaOf({
  type,
  bits,
  width = 2,
  height = 1,
  descriptor = 0x20,
  id = [],
  map,
  body,
}: TgaFields) {
  const header = new Uint8Array(18);
  const view = new DataView(header.buffer);
  header[0] = id.length;
  header[1] = map ? 1 : 0;
  header[2] = type;
  view.setUint16(3, map?.first ?? 0, true);
  view.setUint16(5, map?.entries ?? 0, true);
  header[7] = map?.bits ?? 0;
  view.setUint16(12, width, true);
  view.setUint16(14, height, true);
  header[16] = bits;
  header[17] = descriptor;
  return Uint8Array.from([...header, ...id, ...(map?.bytes ?? []), ...body]);
}

const texels = (file: Uint8Array): number[] => [...readTga(file).data];

describe('writeTga', () => {
  it('is read back exactly, for any picture', () => {
    fc.assert(
      fc.property(anyImage, (image) => {
        const file = writeTga(image);
        const read = readTga(file);
        expect([read.width, read.height]).toEqual([image.width, image.height]);
        // A picture without any alpha is written as such and comes back as such: the file declares its alpha.
        expect(difference(read.data, image.data)).toBeUndefined();
        expect(identify(file)).toBe('a TGA picture');
      }),
      { numRuns: 300 },
    );
  });

  it.skipIf(!hasMagick)('is read by ImageMagick', () => {
    for (const [width, height] of [
      [64, 48],
      [300, 3],
    ] as const) {
      const image = testImage(width, height);
      expect(difference(magickPixels(writeTga(image), 'tga'), image.data)).toBeUndefined();
    }
  });

  it('packs runs, at most 128 texels and never over the end of a row', () => {
    const image: Image = { width: 300, height: 2, data: new Uint8Array(2400).fill(7) };
    const file = writeTga(image);
    // Three packets a row: 128, 128, 44.
    expect(file.length).toBe(18 + 2 * 3 * 5 + 26);
    expect([file[18], file[23], file[28]]).toEqual([0xff, 0xff, 0x80 | 43]);
  });

  it('refuses what TGA cannot hold', () => {
    const image = { width: 65536, height: 1, data: new Uint8Array(65536 * 4) };
    expect(() => writeTga(image)).toThrow(expect.objectContaining({ code: 'limit' }));
    expect(() => writeTga({ ...image, width: 3 })).toThrow(
      expect.objectContaining({ code: 'argument' }),
    );
  });
});

describe('readTga', () => {
  it('reads every depth', () => {
    expect(texels(tgaOf({ type: 2, bits: 24, body: [1, 2, 3, 4, 5, 6] }))).toEqual([
      3, 2, 1, 255, 6, 5, 4, 255,
    ]);
    expect(texels(tgaOf({ type: 2, bits: 32, body: [1, 2, 3, 4, 5, 6, 7, 8] }))).toEqual([
      3, 2, 1, 4, 7, 6, 5, 8,
    ]);
    // 0 01000 00001 11111: red 8, green 1, blue 31.
    const body = [0x3f, 0x20, 0x3f, 0xa0];
    const color = [66, 8, 255];
    expect(texels(tgaOf({ type: 2, bits: 15, body }))).toEqual([...color, 255, ...color, 255]);
    expect(texels(tgaOf({ type: 2, bits: 16, body }))).toEqual([...color, 255, ...color, 255]);
    expect(texels(tgaOf({ type: 2, bits: 16, descriptor: 0x21, body }))).toEqual([
      ...color,
      0,
      ...color,
      255,
    ]);
    expect(texels(tgaOf({ type: 3, bits: 8, body: [9, 200] }))).toEqual([
      9, 9, 9, 255, 200, 200, 200, 255,
    ]);
    expect(texels(tgaOf({ type: 3, bits: 16, body: [9, 1, 200, 2] }))).toEqual([
      9, 9, 9, 1, 200, 200, 200, 2,
    ]);
  });

  it('takes 32-bit alpha that nobody wrote as opaque', () => {
    const body = [1, 2, 3, 0, 4, 5, 6, 0];
    expect(texels(tgaOf({ type: 2, bits: 32, body }))).toEqual([3, 2, 1, 255, 6, 5, 4, 255]);
    expect(texels(tgaOf({ type: 2, bits: 32, descriptor: 0x28, body }))).toEqual([
      3, 2, 1, 0, 6, 5, 4, 0,
    ]);
    const some = [1, 2, 3, 0, 4, 5, 6, 1];
    expect(texels(tgaOf({ type: 2, bits: 32, body: some }))).toEqual([3, 2, 1, 0, 6, 5, 4, 1]);
  });

  it('reads colour maps, also shifted ones and behind an identification', () => {
    const map = { first: 10, entries: 2, bits: 24, bytes: [1, 2, 3, 4, 5, 6] };
    const expected = [6, 5, 4, 255, 3, 2, 1, 255];
    expect(texels(tgaOf({ type: 1, bits: 8, map, id: [65, 66], body: [11, 10] }))).toEqual(
      expected,
    );
    expect(texels(tgaOf({ type: 1, bits: 16, map, body: [11, 0, 10, 0] }))).toEqual(expected);
    expect(texels(tgaOf({ type: 9, bits: 8, map, body: [1, 11, 10] }))).toEqual(expected);
    const unused = tgaOf({ type: 2, bits: 24, map, body: [1, 2, 3, 4, 5, 6] });
    expect(texels(unused)).toEqual([3, 2, 1, 255, 6, 5, 4, 255]);
  });

  it('turns all four origins upright', () => {
    const at = (descriptor: number) =>
      texels(
        tgaOf({ type: 3, bits: 8, width: 2, height: 2, descriptor, body: [1, 2, 3, 4] }),
      ).filter((_, index) => index % 4 === 0);
    expect(at(0x20)).toEqual([1, 2, 3, 4]);
    expect(at(0x00)).toEqual([3, 4, 1, 2]);
    expect(at(0x30)).toEqual([2, 1, 4, 3]);
    expect(at(0x10)).toEqual([4, 3, 2, 1]);
  });

  it('follows packets from row to row', () => {
    const file = tgaOf({ type: 11, bits: 8, width: 3, height: 2, body: [0x83, 5, 1, 6, 7] });
    expect(texels(file).filter((_, index) => index % 4 === 0)).toEqual([5, 5, 5, 5, 6, 7]);
  });

  it.skipIf(!hasMagick)('reads what ImageMagick writes', () => {
    const image = testImage(33, 21);
    const size = ['-size', '33x21', '-depth', '8', 'rgba:-'];
    for (const args of [
      ['-compress', 'RLE'],
      ['-alpha', 'off'],
      ['-alpha', 'off', '-compress', 'RLE'],
      ['-alpha', 'off', '-colorspace', 'Gray'],
      ['-alpha', 'off', '-colors', '9', '-type', 'Palette'],
    ]) {
      const file = convert(bytesOf(image), ...size, ...args, 'tga:-');
      // ImageMagick turns what it reads upright only when told to.
      const expected = convert(file, 'tga:-', '-auto-orient', '-depth', '8', 'rgba:-');
      expect(difference(readTga(file).data, expected), args.join(' ')).toBeUndefined();
    }
  });

  it('names what is wrong', () => {
    const good = { type: 2, bits: 24, body: [1, 2, 3, 4, 5, 6] };
    const map = { first: 1, entries: 2, bits: 24, bytes: [1, 2, 3, 4, 5, 6] };
    const cases: [Uint8Array, string, RegExp][] = [
      [new Uint8Array(5), 'truncated', /header/],
      [tgaOf({ ...good, body: [1, 2, 3, 4, 5] }), 'truncated', /texels take 6 bytes/],
      [tgaOf({ ...good, type: 10, body: [0x80, 1, 2] }), 'truncated', /packets/],
      [tgaOf({ ...good, type: 10, body: [0x82, 1, 2, 3] }), 'damaged', /past the end/],
      [tgaOf({ ...good, type: 10, width: 65535, height: 1000 }), 'truncated', /too short/],
      [tgaOf({ ...good, type: 32 }), 'unsupported', /image type 32/],
      [tgaOf({ ...good, type: 0 }), 'unsupported', /image type 0/],
      [tgaOf({ ...good, type: 4 }), 'unsupported', /image type 4/],
      [tgaOf({ ...good, bits: 8 }), 'unsupported', /8 bits/],
      [tgaOf({ ...good, width: 0 }), 'damaged', /0 × 1/],
      [tgaOf({ ...good, descriptor: 0x40 }), 'unsupported', /interleaved/],
      [tgaOf({ type: 1, bits: 8, body: [0, 0] }), 'damaged', /colour map/],
      [
        tgaOf({ type: 1, bits: 8, map, body: [1, 3] }),
        'damaged',
        /index 3, its colour map holds 1 to 2/,
      ],
      [tgaOf({ type: 1, bits: 8, map, body: [1, 0] }), 'damaged', /index 0/],
      [tgaOf({ ...good, width: 65535, height: 65535 }), 'limit', /maxPixels/],
    ];
    for (const [file, code, message] of cases) {
      expect(() => readTga(file)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    }
  });

  it('answers any damaged file with a picture or a BlpError', () => {
    const map = { first: 0, entries: 4, bits: 32, bytes: Array.from({ length: 16 }, (_, i) => i) };
    for (const file of [
      writeTga(testImage(16, 16)),
      tgaOf({
        type: 9,
        bits: 8,
        width: 4,
        height: 4,
        map,
        body: [0x83, 1, 11, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3],
      }),
    ]) {
      fc.assert(
        fc.property(damagedCopies(file), (copy) => {
          try {
            const { width, height, data } = readTga(copy, { maxPixels: 1 << 20 });
            expect(data.length).toBe(width * height * 4);
          } catch (error) {
            expect(error).toBeInstanceOf(BlpError);
          }
        }),
        { numRuns: 500 },
      );
    }
  });
});
