// PNG written and read through sharp and through fast-png, against each other and ImageMagick.

import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decode as fastPngDecode, encode as fastPngEncode } from 'fast-png';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BlpError } from '../../src/errors.js';
import type { Image } from '../../src/image/image.js';
import { pngSignature } from '../../src/image/png-chunks.js';
import { readPng } from '../../src/image/png-read.js';
import { writePng } from '../../src/image/png-write.js';
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

/** A PNG with any header and rows, for what no encoder at hand writes. */
function pngOf(
  header: { width: number; height: number; depth: number; type: number; interlace?: number },
  rows: readonly number[] | Buffer,
  before: readonly (readonly [string, readonly number[]])[] = [],
): Uint8Array {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(header.width, 0);
  body.writeUInt32BE(header.height, 4);
  body.set([header.depth, header.type, 0, 0, header.interlace ?? 0], 8);
  const chunks: [string, Uint8Array][] = [
    ['IHDR', body],
    ...before.map(([type, data]): [string, Uint8Array] => [type, Uint8Array.from(data)]),
    ['IDAT', Buffer.isBuffer(rows) ? rows : deflateSync(Uint8Array.from(rows))],
    ['IEND', new Uint8Array(0)],
  ];
  return Buffer.concat([
    pngSignature,
    ...chunks.flatMap(([type, data]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(data, crc32(type)));
      return [length, Buffer.from(type, 'latin1'), data, sum];
    }),
  ]);
}

/** Both ways through the same code: sharp is installed here. */
const libraries = [
  { name: 'sharp', options: {} },
  { name: 'fast-png', options: { library: 'fast-png' } },
] as const;

/** What both libraries read, after a look that it is the same. */
async function readBoth(file: Uint8Array, name = ''): Promise<Image> {
  const [bySharp, byFastPng] = await Promise.all(
    libraries.map(({ options }) => readPng(file, undefined, options)),
  );
  expect([byFastPng!.width, byFastPng!.height]).toEqual([bySharp!.width, bySharp!.height]);
  expect(difference(byFastPng!.data, bySharp!.data), name).toBeUndefined();
  return byFastPng!;
}

describe.each(libraries)('writePng by $name', ({ options }) => {
  it('is read back by other decoders, colour under alpha 0 included', async () => {
    for (const [width, height] of [
      [64, 48],
      [1, 1],
      [1, 9],
      [9, 1],
      [17, 5],
      [255, 33],
    ] as const) {
      const image = testImage(width, height);
      for (const compressionLevel of [0, 1, 3, 6, 9]) {
        const file = await writePng(image, { ...options, compressionLevel });
        const decoded = fastPngDecode(file, { checkCrc: true });
        expect([decoded.width, decoded.height, decoded.channels, decoded.depth]).toEqual([
          width,
          height,
          4,
          8,
        ]);
        expect(difference((await readBoth(file)).data, image.data)).toBeUndefined();
        if (hasMagick && compressionLevel === 3) {
          expect(difference(magickPixels(file, 'png'), image.data)).toBeUndefined();
        }
      }
    }
  });

  it('writes any picture so that both libraries return it', async () => {
    await fc.assert(
      fc.asyncProperty(anyImage, async (image) => {
        const file = await writePng(image, options);
        expect(difference((await readBoth(file)).data, image.data)).toBeUndefined();
      }),
    );
  });

  it('takes the part of a buffer that the picture is', async () => {
    const image = testImage(12, 7);
    const lent = new Uint8Array(1000).fill(99);
    lent.set(image.data, 5);
    const data = lent.subarray(5, 5 + image.data.length);
    const file = await writePng({ ...image, data }, options);
    expect(difference((await readBoth(file)).data, image.data)).toBeUndefined();
  });

  it('writes nothing that a reader could take for colour management', async () => {
    const file = Buffer.from(await writePng(testImage(20, 20), options)).toString('latin1');
    expect(file).not.toMatch(/gAMA|cHRM|sRGB|iCCP|cICP/);
  });

  it('is smaller at a higher level', async () => {
    const image = testImage(128, 128);
    const sizes = [];
    for (const compressionLevel of [0, 1, 6]) {
      sizes.push((await writePng(image, { ...options, compressionLevel })).length);
    }
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[2]).toBeLessThan(sizes[0]! * 0.7);
  });

  it('refuses pictures and levels that make no sense', async () => {
    const image = testImage(4, 4);
    for (const [bad, more] of [
      [{ ...image, width: 5 }, {}],
      [{ ...image, width: 0 }, {}],
      [{ ...image, height: 1.5 }, {}],
      [image, { compressionLevel: 10 }],
      [image, { compressionLevel: -1 }],
      [image, { compressionLevel: 2.5 }],
    ] as const) {
      await expect(writePng(bad, { ...options, ...more })).rejects.toMatchObject({
        code: 'argument',
      });
    }
  });
});

describe('readPng by both libraries', () => {
  it('reads what sharp writes, of every kind that sharp has', async () => {
    const image = testImage(61, 43);
    const raw = { raw: { width: 61, height: 43, channels: 4 as const } };
    const kinds = {
      adaptive: sharp(image.data, raw).png({ adaptiveFiltering: true }),
      interlaced: sharp(image.data, raw).png({ progressive: true }),
      palette: sharp(image.data, raw).png({ palette: true, colors: 200 }),
      interlacedPalette: sharp(image.data, raw).png({
        palette: true,
        colors: 200,
        progressive: true,
      }),
      palette4: sharp(image.data, raw).png({ palette: true, colors: 12 }),
      palette1: sharp(image.data, raw).png({ palette: true, colors: 2 }),
      opaque: sharp(image.data, raw).removeAlpha().png(),
      grey: sharp(image.data, raw).removeAlpha().toColorspace('b-w').png(),
      greyAlpha: sharp(image.data, raw).toColorspace('b-w').png({ progressive: true }),
      rgb16: sharp(image.data, raw).toColorspace('rgb16').png(),
    };
    for (const [kind, pipeline] of Object.entries(kinds)) {
      const file = await pipeline.toBuffer();
      const { width, height, data } = await readBoth(file, kind);
      expect([kind, width, height]).toEqual([kind, 61, 43]);
      if (hasMagick && kind !== 'rgb16') {
        expect(difference(data, magickPixels(file, 'png')), kind).toBeUndefined();
      }
    }
  });

  it('keeps the upper byte of every 16-bit value', async () => {
    const ramp = Uint16Array.from({ length: 65536 }, (_, value) => value);
    for (const channels of [1, 2, 3, 4] as const) {
      // Alpha falls while colour rises.
      const isAlpha = (at: number) => channels % 2 === 0 && at % channels === channels - 1;
      const data = Uint16Array.from({ length: 65536 * channels }, (_, at) => {
        const value = ramp[Math.floor(at / channels)]!;
        return isAlpha(at) ? 65535 - value : value;
      });
      const file = fastPngEncode({ width: 256, height: 256, channels, depth: 16, data });
      const expected = new Uint8Array(65536 * 4);
      for (const value of ramp) {
        const alpha = channels % 2 === 0 ? (65535 - value) >> 8 : 255;
        expected.set([value >> 8, value >> 8, value >> 8, alpha], value * 4);
      }
      expect(difference((await readBoth(file)).data, expected)).toBeUndefined();
    }
  });

  it.skipIf(!hasMagick)('reads what ImageMagick writes, at every depth', async () => {
    const source = testImage(37, 29);
    const grey = ['-alpha', 'off', '-colorspace', 'Gray'];
    const kinds: [string, string[]][] = [
      ['grey 1', [...grey, '-depth', '1']],
      ['grey 2', [...grey, '-posterize', '4', '-depth', '2']],
      ['grey 4', [...grey, '-posterize', '16', '-depth', '4']],
      ['grey 8, interlaced', [...grey, '-interlace', 'PNG']],
      ['grey 16, interlaced', [...grey, '-depth', '16', '-interlace', 'PNG']],
      ['rgb 16', ['-alpha', 'off', '-depth', '16']],
      ['rgba 16, interlaced', ['-depth', '16', '-interlace', 'PNG']],
      ['palette', ['-alpha', 'off', '-colors', '16', '-type', 'Palette']],
      ['palette with alpha', ['-colors', '7']],
      ['rgba, interlaced', ['-interlace', 'PNG']],
    ];
    const size = ['-size', '37x29', '-depth', '8', 'rgba:-'];
    for (const [kind, args] of kinds) {
      const file = convert(bytesOf(source), ...size, ...args, 'png:-');
      const { data } = await readBoth(file, kind);
      // ImageMagick rounds samples of 16 bits to the nearest.
      if (kind.includes('16')) continue;
      expect(difference(data, magickPixels(file, 'png')), kind).toBeUndefined();
    }
  });

  it('scales grey of 1, 2 and 4 bits to 0..255, rows ending inside a byte', async () => {
    for (const [depth, rows, expected] of [
      [1, [0, 0b01100000, 0, 0b10000000], [0, 255, 255, 255, 0, 0]],
      [2, [0, 0b00011000, 0, 0b11000100], [0, 85, 170, 255, 0, 85]],
      [4, [0, 0x0f, 0x70, 0, 0x12, 0x30], [0, 255, 119, 17, 34, 51]],
    ] as const) {
      const { data } = await readBoth(pngOf({ width: 3, height: 2, depth, type: 0 }, rows));
      expect([...data].filter((_, index) => index % 4 === 0)).toEqual(expected);
    }
  });

  it('makes the one colour of tRNS transparent, compared at full depth', async () => {
    const rgb16 = pngOf(
      { width: 3, height: 1, depth: 16, type: 2 },
      [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6],
      [['tRNS', [1, 2, 3, 4, 5, 6]]],
    );
    expect([...(await readBoth(rgb16)).data]).toEqual([1, 3, 5, 0, 1, 3, 5, 255, 9, 3, 5, 255]);
    const rgb8 = pngOf(
      { width: 3, height: 1, depth: 8, type: 2 },
      [0, 1, 2, 3, 4, 5, 6, 1, 2, 4],
      [['tRNS', [0, 1, 0, 2, 0, 3]]],
    );
    expect([...(await readBoth(rgb8)).data]).toEqual([1, 2, 3, 0, 4, 5, 6, 255, 1, 2, 4, 255]);
    const grey2 = pngOf(
      { width: 4, height: 1, depth: 2, type: 0 },
      [0, 0b00011011],
      [['tRNS', [0, 2]]],
    );
    expect([...(await readBoth(grey2)).data].filter((_, index) => index % 4 === 3)).toEqual([
      255, 255, 0, 255,
    ]);
  });

  it('reads palettes with alpha, wherever their chunks stand', async () => {
    const header = { width: 3, height: 1, depth: 8, type: 3 };
    const palette = ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]] as const;
    const alpha = ['tRNS', [0, 128]] as const;
    for (const chunks of [
      [palette, alpha],
      [alpha, palette],
    ]) {
      const { data } = await readBoth(pngOf(header, [0, 0, 1, 2], chunks));
      expect([...data]).toEqual([1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255]);
    }
  });

  it('shows a palette index without an entry as opaque black', async () => {
    const header = { width: 3, height: 1, depth: 8, type: 3 };
    const chunks = [
      ['PLTE', [1, 2, 3, 4, 5, 6]],
      ['tRNS', [7]],
    ] as const;
    const { data } = await readBoth(pngOf(header, [0, 0, 1, 200], chunks));
    expect([...data]).toEqual([1, 2, 3, 7, 4, 5, 6, 255, 0, 0, 0, 255]);
  });

  it('undoes all five filters on the first and on later rows', async () => {
    for (let first = 0; first < 5; first++) {
      for (let second = 0; second < 5; second++) {
        // 2 × 3 RGB; every filter type leads a row.
        const rows = [
          [first, 9, 8, 7, 250, 3, 1],
          [second, 100, 200, 50, 60, 70, 80],
          [first, 1, 2, 3, 4, 5, 6],
        ];
        await readBoth(pngOf({ width: 2, height: 3, depth: 8, type: 2 }, rows.flat()));
      }
    }
    const paeth = pngOf({ width: 2, height: 1, depth: 8, type: 0 }, [4, 200, 100]);
    expect((await readBoth(paeth)).data.filter((_, index) => index % 4 === 0)).toEqual(
      Uint8ClampedArray.of(200, 44),
    );
  });

  it('ignores gamma, colour profiles, orientation and needless palettes', async () => {
    const image = testImage(8, 8);
    const file = await writePng(image);
    const tagged = await sharp(file)
      .withIccProfile('p3')
      .withExif({ IFD0: { Orientation: '6' } })
      .png()
      .toBuffer();
    expect(tagged.includes('iCCP')).toBe(true);
    expect(tagged.includes('eXIf')).toBe(true);
    const stored = fastPngDecode(tagged).data as Uint8Array;
    expect(difference((await readBoth(tagged)).data, stored)).toBeUndefined();
    const gamma = pngOf(
      { width: 1, height: 1, depth: 8, type: 0 },
      [0, 77],
      [['gAMA', [0, 0, 1, 0]]],
    );
    expect([...(await readBoth(gamma)).data]).toEqual([77, 77, 77, 255]);
    const suggested = pngOf(
      { width: 1, height: 1, depth: 8, type: 6 },
      [0, 1, 2, 3, 4],
      [
        ['PLTE', [9, 9, 9]],
        ['tRNS', [0]],
      ],
    );
    expect([...(await readBoth(suggested)).data]).toEqual([1, 2, 3, 4]);
  });

  it('reads a file without its end marker, and one with more behind it', async () => {
    const image = testImage(8, 8);
    const file = await writePng(image);
    const without = file.subarray(0, -12);
    expect(difference((await readBoth(without)).data, image.data)).toBeUndefined();
    const longer = Buffer.concat([file, Buffer.from('more')]);
    expect(difference((await readBoth(longer)).data, image.data)).toBeUndefined();
  });

  it('leaves texts and profiles packed, however large they are', async () => {
    const bomb = deflateSync(Buffer.alloc(1 << 24));
    const header = { width: 1, height: 1, depth: 8, type: 0 };
    const chunks = [
      ['iCCP', [...Buffer.from('a\0\0'), ...bomb]],
      ['zTXt', [...Buffer.from('a\0\0'), ...bomb]],
      ['pHYs', [1]],
    ] as const;
    expect([...(await readBoth(pngOf(header, [0, 5], chunks))).data]).toEqual([5, 5, 5, 255]);
  });
});

describe.each(libraries)('readPng by $name', ({ name, options }) => {
  const header = { width: 8, height: 1, depth: 8, type: 0 };

  it('names what is wrong', async () => {
    const good = await writePng(testImage(8, 8));
    const badSum = good.slice();
    badSum[good.length - 13]! ^= 1;
    const badPalette = pngOf({ ...header, type: 3 }, new Array(9).fill(0), [['PLTE', [1, 2, 3]]]);
    badPalette[8 + 25 + 8]! ^= 1;
    const long = new Array(30).fill(1);
    const zlib = deflateSync(Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    const badAdler = Buffer.from(zlib);
    badAdler[zlib.length - 1]! ^= 1;
    const cases: [Uint8Array, string, RegExp][] = [
      [good.subarray(0, -30), 'truncated', /inside its chunk "IDAT"/],
      [good.subarray(0, 20), 'truncated', /ends/],
      [good.subarray(0, 8), 'truncated', /ends/],
      [good.subarray(1), 'damaged', /not a PNG picture but unknown data/],
      [badSum, 'damaged', /cannot be read: .*(libpng|IDAT)/],
      [badPalette, 'damaged', /PLTE/],
      [pngOf({ ...header, width: 0 }, []), 'damaged', /sides are 0 × 1/],
      [pngOf({ ...header, depth: 3 }, []), 'damaged', /no colour type 0 at 3 bits/],
      [pngOf({ ...header, type: 5 }, []), 'damaged', /no colour type 5/],
      [pngOf({ ...header, type: 2, depth: 4 }, []), 'damaged', /no colour type 2 at 4 bits/],
      [pngOf({ ...header, interlace: 2 }, []), 'damaged', /interlace 2/],
      [pngOf(header, [7, 0, 0, 0, 0, 0, 0, 0, 0]), 'damaged', /cannot be read/],
      [pngOf(header, Buffer.from('no zlib stream')), 'damaged', /cannot be read|broken/],
      [pngOf(header, badAdler), 'damaged', /cannot be read|broken/],
      [pngOf({ ...header, type: 3 }, [0]), 'damaged', /no palette/],
      [pngOf({ ...header, type: 3 }, [0], [['PLTE', [1, 2]]]), 'damaged', /not 2 bytes/],
      [pngOf({ ...header, type: 3 }, [0], [['PLTE', []]]), 'damaged', /not 0 bytes/],
      [pngOf(header, long, [['tRNS', [1]]]), 'damaged', /1 bytes of PNG transparency/],
      [
        pngOf(
          { ...header, type: 3 },
          [0],
          [
            ['PLTE', [1, 2, 3]],
            ['tRNS', [1, 2]],
          ],
        ),
        'damaged',
        /2 bytes of PNG transparency/,
      ],
      [pngOf(header, [], [['IHDR', []]]), 'damaged', /two chunks IHDR/],
      [pngOf(header, [], [['IEND', []]]), 'damaged', /no picture data/],
      [pngOf({ ...header, width: 70000, height: 70000 }, []), 'limit', /limits.maxPixels/],
      [pngOf(header, [], [['ABCD', []]]), 'unsupported', /unknown chunk "ABCD"/],
    ];
    for (const [file, code, message] of cases) {
      const error = await readPng(file, undefined, options).catch((reason: unknown) => reason);
      expect(error, String(message)).toBeInstanceOf(BlpError);
      expect(error).toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
    }
    for (const limits of [{ maxPixels: 63 }, { maxInputBytes: 63 }, { maxOutputBytes: 255 }]) {
      await expect(readPng(good, limits, options)).rejects.toMatchObject({ code: 'limit' });
    }
    expect((await readPng(good, { maxPixels: Number.POSITIVE_INFINITY }, options)).width).toBe(8);
  });

  it('refuses missing rows', async () => {
    const zlib = deflateSync(Buffer.alloc(9));
    const cases: [Uint8Array, string][] = [
      [pngOf(header, [0, 1, 2]), 'truncated'],
      [pngOf({ ...header, height: 4 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1]), 'truncated'],
      [pngOf({ ...header, width: 8192, height: 8192 }, [0]), 'truncated'],
      [pngOf(header, zlib.subarray(0, 5)), 'damaged'],
    ];
    for (const [file, code] of cases) {
      const error = await readPng(file, undefined, options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlpError);
      // libpng does not say what was wrong.
      expect(error).toHaveProperty('code', name === 'sharp' ? 'damaged' : code);
    }
  });

  it('answers any damaged file with a picture or a BlpError', async () => {
    const image = testImage(16, 16);
    const raw = { raw: { width: 16, height: 16, channels: 4 as const } };
    const files = [
      await writePng(image, options),
      await sharp(image.data, raw).png({ palette: true }).toBuffer(),
      await sharp(image.data, raw).png({ progressive: true }).toBuffer(),
    ];
    for (const file of files) {
      await fc.assert(
        fc.asyncProperty(damagedCopies(file), async (copy) => {
          const outcome = await readPng(copy, { maxPixels: 1 << 20 }, options).catch(
            (error: unknown) => error,
          );
          if (!(outcome instanceof BlpError)) expect(outcome).toHaveProperty('data');
        }),
        { numRuns: 200 },
      );
    }
  });
});

describe('without sharp', () => {
  const options = { library: 'fast-png' } as const;

  afterEach(() => {
    vi.doUnmock('sharp');
    vi.resetModules();
  });

  it('writes and reads by fast-png unasked', async () => {
    vi.resetModules();
    vi.doMock('sharp', () => {
      throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const { writePng: write } = await import('../../src/image/png-write.js');
    const { readPng: read } = await import('../../src/image/png-read.js');
    const image = testImage(70, 31);
    const file = await write(image);
    expect(difference(file, await writePng(image, options))).toBeUndefined();
    expect(difference((await read(file)).data, image.data)).toBeUndefined();
  });

  it('gives up a stream that expands beyond its picture', async () => {
    const header = { width: 8, height: 1, depth: 8, type: 0 };
    for (const length of [10, 5000, 1 << 26]) {
      const file = pngOf(header, deflateSync(Buffer.alloc(length), { level: 9 }));
      await expect(readPng(file, undefined, options)).rejects.toMatchObject({
        code: 'damaged',
        message: expect.stringMatching(/more than the picture's 9 bytes/),
      });
    }
  });

  it('asks for sharp where fast-png cannot read', async () => {
    const interlaced = { width: 8, height: 8, depth: 2, type: 0, interlace: 1 };
    // Rows of the seven passes, each with its filter.
    const rows = new Array(2 + 2 + 2 + 4 + 4 + 8 + 12).fill(0);
    const oneTexel = { width: 1, height: 1, depth: 8, type: 2 };
    const key = ['tRNS', [0, 1, 0, 2, 0, 3]] as const;
    for (const file of [pngOf(interlaced, rows), pngOf(oneTexel, [0, 1, 2, 3], [key])]) {
      await expect(readPng(file, undefined, options)).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('npm install sharp'),
      });
    }
    expect([...(await readPng(pngOf(oneTexel, [0, 1, 2, 3], [key]))).data]).toEqual([1, 2, 3, 0]);
    const { data } = await readPng(pngOf(interlaced, rows));
    expect(data.length).toBe(8 * 8 * 4);
  });
});
