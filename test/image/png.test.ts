// PNG written and read, against fast-png, sharp and ImageMagick.

import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decode as fastPngDecode, encode as fastPngEncode } from 'fast-png';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BlpError } from '../../src/errors.js';
import { crc32 } from '../../src/image/deflate.js';
import { readPng } from '../../src/image/png-read.js';
import { pngSignature, writePng } from '../../src/image/png-write.js';
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

const sharpPixels = async (file: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await sharp(file).ensureAlpha().raw().toBuffer());

/** A PNG with any header and rows, for what no encoder at hand writes. */
function pngOf(
  header: { width: number; height: number; depth: number; type: number; interlace?: number },
  rows: readonly number[],
  before: readonly (readonly [string, readonly number[]])[] = [],
): Uint8Array {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(header.width, 0);
  body.writeUInt32BE(header.height, 4);
  body.set([header.depth, header.type, 0, 0, header.interlace ?? 0], 8);
  const chunks: [string, Uint8Array][] = [
    ['IHDR', body],
    ...before.map(([type, data]): [string, Uint8Array] => [type, Uint8Array.from(data)]),
    ['IDAT', deflateSync(Uint8Array.from(rows))],
    ['IEND', new Uint8Array(0)],
  ];
  return Buffer.concat([
    pngSignature,
    ...chunks.flatMap(([type, data]) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(data.length);
      const sum = Buffer.alloc(4);
      sum.writeUInt32BE(crc32(Buffer.from(type, 'latin1'), data));
      return [length, Buffer.from(type, 'latin1'), data, sum];
    }),
  ]);
}

describe('writePng', () => {
  it('is read back by three other decoders, colour under alpha 0 included', async () => {
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
        const file = await writePng(image, { compressionLevel });
        const decoded = fastPngDecode(file, { checkCrc: true });
        expect([decoded.width, decoded.height, decoded.channels, decoded.depth]).toEqual([
          width,
          height,
          4,
          8,
        ]);
        expect(difference(new Uint8Array(decoded.data), image.data)).toBeUndefined();
        expect(difference(await sharpPixels(file), image.data)).toBeUndefined();
        if (hasMagick && compressionLevel === 3) {
          expect(difference(magickPixels(file, 'png'), image.data)).toBeUndefined();
        }
      }
    }
  });

  it('writes any picture so that fast-png and its own reader return it', async () => {
    await fc.assert(
      fc.asyncProperty(anyImage, async (image) => {
        const file = await writePng(image);
        expect(new Uint8Array(fastPngDecode(file, { checkCrc: true }).data)).toEqual(
          bytesOf(image),
        );
        expect(difference((await readPng(file)).data, image.data)).toBeUndefined();
      }),
    );
  });

  it('uses every filter that it can choose', async () => {
    const image = testImage(200, 200);
    for (let y = 100; y < 200; y++) {
      for (let x = 0; x < 200; x++) {
        // Columns repeat downwards, then a diagonal slope: one suits "up", the other Paeth.
        const value = y < 150 ? (x * 37) & 255 : (x * x + y * y) >> 6;
        image.data.set([value, value, value, 255], (y * 200 + x) * 4);
      }
    }
    // Lone bright texels on black are smallest as they are.
    for (let y = 190; y < 200; y++) {
      image.data.fill(0, y * 800, y * 800 + 800);
      for (let x = y % 5; x < 200; x += 5) image.data[(y * 200 + x) * 4] = 9;
    }
    const { filterRows } = await import('../../src/image/png-filter.js');
    const filtered = filterRows(image.data, 200, 200);
    const used = new Set(Array.from({ length: 200 }, (_, row) => filtered[row * 801]));
    expect([...used].sort()).toEqual([0, 1, 2, 4]);
    expect(difference((await readPng(await writePng(image))).data, image.data)).toBeUndefined();
  });

  it('is smaller at a higher level', async () => {
    const image = testImage(128, 128);
    const sizes = [];
    for (const compressionLevel of [0, 1, 6]) {
      sizes.push((await writePng(image, { compressionLevel })).length);
    }
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[2]).toBeLessThan(sizes[0]! * 0.7);
  });

  it('refuses pictures and levels that make no sense', async () => {
    const image = testImage(4, 4);
    for (const [bad, options] of [
      [{ ...image, width: 5 }, {}],
      [{ ...image, width: 0 }, {}],
      [{ ...image, height: 1.5 }, {}],
      [image, { compressionLevel: 10 }],
      [image, { compressionLevel: 2.5 }],
    ] as const) {
      await expect(writePng(bad, options)).rejects.toMatchObject({ code: 'argument' });
    }
  });
});

describe('readPng', () => {
  it('reads what sharp writes, of every kind that sharp has', async () => {
    const image = testImage(61, 43);
    const raw = { raw: { width: 61, height: 43, channels: 4 as const } };
    const kinds = {
      adaptive: sharp(image.data, raw).png({ adaptiveFiltering: true }),
      interlaced: sharp(image.data, raw).png({ progressive: true }),
      palette: sharp(image.data, raw).png({ palette: true, colours: 200 }),
      palette4: sharp(image.data, raw).png({ palette: true, colours: 12, progressive: true }),
      palette1: sharp(image.data, raw).png({ palette: true, colours: 2 }),
      opaque: sharp(image.data, raw).removeAlpha().png(),
      grey: sharp(image.data, raw).removeAlpha().toColourspace('b-w').png(),
      greyAlpha: sharp(image.data, raw).toColourspace('b-w').png({ progressive: true }),
      rgb16: sharp(image.data, raw).toColourspace('rgb16').png(),
    };
    for (const [kind, pipeline] of Object.entries(kinds)) {
      const file = await pipeline.toBuffer();
      const decoded = await readPng(file);
      expect([kind, decoded.width, decoded.height]).toEqual([kind, 61, 43]);
      expect(difference(decoded.data, await sharpPixels(file)), kind).toBeUndefined();
    }
  });

  it('keeps the upper byte of every 16-bit value, as sharp does', async () => {
    const samples = new Uint16Array(256 * 256 * 4);
    for (let value = 0; value < 65536; value++) {
      samples.set([value, 65535 - value, value, 65535 - value], value * 4);
    }
    for (const channels of [4, 1] as const) {
      const data = channels === 4 ? samples : Uint16Array.from({ length: 65536 }, (_, i) => i);
      const file = fastPngEncode({ width: 256, height: 256, channels, depth: 16, data });
      const decoded = await readPng(file);
      expect(decoded.data[0x80ff * 4]).toBe(0x80);
      expect(difference(decoded.data, await sharpPixels(file))).toBeUndefined();
    }
  });

  it.skipIf(!hasMagick)(
    'reads what ImageMagick writes, at every depth, plain and interlaced',
    () => {
      const source = testImage(37, 29);
      const grey = ['-alpha', 'off', '-colorspace', 'Gray'];
      const kinds: [string, string[]][] = [
        ['grey 1', [...grey, '-depth', '1']],
        ['grey 1, interlaced', [...grey, '-depth', '1', '-interlace', 'PNG']],
        ['grey 2, interlaced', [...grey, '-posterize', '4', '-depth', '2', '-interlace', 'PNG']],
        ['grey 4', [...grey, '-posterize', '16', '-depth', '4']],
        ['grey 16, interlaced', [...grey, '-depth', '16', '-interlace', 'PNG']],
        ['rgb 16', ['-alpha', 'off', '-depth', '16']],
        ['rgba 16, interlaced', ['-depth', '16', '-interlace', 'PNG']],
        ['palette', ['-alpha', 'off', '-colors', '16', '-type', 'Palette']],
        ['palette with alpha, interlaced', ['-colors', '7', '-interlace', 'PNG']],
      ];
      const size = ['-size', '37x29', '-depth', '8', 'rgba:-'];
      return Promise.all(
        kinds.map(async ([kind, args]) => {
          const file = convert(bytesOf(source), ...size, ...args, 'png:-');
          const read = await readPng(file);
          expect(difference(read.data, await sharpPixels(file)), kind).toBeUndefined();
        }),
      );
    },
  );

  it('makes the one colour of tRNS transparent, compared at full depth', async () => {
    const rgb16 = pngOf(
      { width: 2, height: 1, depth: 16, type: 2 },
      [0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7],
      [['tRNS', [1, 2, 3, 4, 5, 6]]],
    );
    expect([...(await readPng(rgb16)).data]).toEqual([1, 3, 5, 0, 1, 3, 5, 255]);
    const grey2 = pngOf(
      { width: 4, height: 1, depth: 2, type: 0 },
      [0, 0b00011011],
      [['tRNS', [0, 2]]],
    );
    expect([...(await readPng(grey2)).data].filter((_, index) => index % 4 === 3)).toEqual([
      255, 255, 0, 255,
    ]);
    expect(await sharpPixels(grey2)).toEqual(bytesOf(await readPng(grey2)));
    const palette = pngOf(
      { width: 3, height: 1, depth: 8, type: 3 },
      [0, 0, 1, 2],
      [
        ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
        ['tRNS', [0, 128]],
      ],
    );
    expect([...(await readPng(palette)).data]).toEqual([1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255]);
  });

  it('undoes all five filters on the first and on later rows', async () => {
    // 2 × 3 RGB; every filter type leads a row; fast-png decodes the same bytes.
    for (let first = 0; first < 5; first++) {
      for (let second = 0; second < 5; second++) {
        const rows = [
          first,
          9,
          8,
          7,
          250,
          3,
          1,
          second,
          100,
          200,
          50,
          60,
          70,
          80,
          first,
          1,
          2,
          3,
          4,
          5,
          6,
        ];
        const file = pngOf({ width: 2, height: 3, depth: 8, type: 2 }, rows);
        const decoded = (await readPng(file)).data.filter((_, index) => index % 4 !== 3);
        expect([...decoded]).toEqual([...fastPngDecode(file).data]);
      }
    }
  });

  it('ignores gamma and colour profiles', async () => {
    const plain = await writePng(testImage(8, 8));
    const image = await readPng(plain);
    const withProfile = await sharp(plain).withIccProfile('p3').png().toBuffer();
    const tagged = await sharp(withProfile, { ignoreIcc: true }).ensureAlpha().raw().toBuffer();
    expect(withProfile.includes('iCCP')).toBe(true);
    expect(bytesOf(await readPng(withProfile))).toEqual(new Uint8Array(tagged));
    const gamma = pngOf(
      { width: 1, height: 1, depth: 8, type: 0 },
      [0, 77],
      [['gAMA', [0, 0, 1, 0]]],
    );
    expect([...(await readPng(gamma)).data]).toEqual([77, 77, 77, 255]);
    expect(image.data.length).toBe(256);
  });

  it('names what is wrong', async () => {
    const good = await writePng(testImage(8, 8));
    const badSum = good.slice();
    badSum[good.length - 20]! ^= 1;
    const header = { width: 8, height: 1, depth: 8, type: 0 };
    const cases: [Uint8Array, string, RegExp][] = [
      [good.subarray(0, 60), 'truncated', /inside its chunk "IDAT"/],
      [good.subarray(0, 20), 'truncated', /ends/],
      [badSum, 'damaged', /checksum of PNG chunk IDAT/],
      [pngOf({ ...header, width: 0 }, []), 'damaged', /sides are 0 × 1/],
      [pngOf({ ...header, depth: 3 }, []), 'damaged', /no colour type 0 at 3 bits/],
      [pngOf({ ...header, type: 5 }, []), 'damaged', /no colour type 5/],
      [pngOf({ ...header, interlace: 2 }, []), 'damaged', /interlace 2/],
      [pngOf(header, [0, 1, 2]), 'truncated', /3 bytes of 9/],
      [pngOf(header, new Array(5000).fill(0)), 'damaged', /more than the picture's 9 bytes/],
      [pngOf(header, [7, 0, 0, 0, 0, 0, 0, 0, 0]), 'damaged', /filter 7/],
      [pngOf({ ...header, type: 3 }, [0]), 'damaged', /no palette/],
      [
        pngOf({ ...header, type: 3 }, [0, 0, 0, 0, 0, 0, 0, 0, 2], [['PLTE', [1, 2, 3, 4, 5, 6]]]),
        'damaged',
        /index 2, its palette 2 entries/,
      ],
      [pngOf({ ...header, width: 70000, height: 70000 }, []), 'limit', /limits.maxPixels/],
      [pngOf({ ...header, width: 8192, height: 8192 }, [0]), 'truncated', /too few/],
      [pngOf(header, [], [['ABCD', []]]), 'unsupported', /unknown chunk ABCD/],
    ];
    for (const [file, code, message] of cases) {
      const error = await readPng(file).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlpError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    await expect(readPng(good, { maxPixels: 63 })).rejects.toMatchObject({ code: 'limit' });
    await expect(readPng(good, { maxInputBytes: 63 })).rejects.toMatchObject({ code: 'limit' });
  });

  it('reads a file without its end marker', async () => {
    const image = testImage(8, 8);
    const file = await writePng(image);
    expect(difference((await readPng(file.subarray(0, -12))).data, image.data)).toBeUndefined();
  });

  it('answers any damaged file with a picture or a BlpError', async () => {
    const image = testImage(16, 16);
    const raw = { raw: { width: 16, height: 16, channels: 4 as const } };
    const files = [
      await writePng(image),
      await sharp(image.data, raw).png({ palette: true, progressive: true }).toBuffer(),
    ];
    for (const file of files) {
      await fc.assert(
        fc.asyncProperty(damagedCopies(file), async (copy) => {
          const outcome = await readPng(copy, { maxPixels: 1 << 20 }).catch((e: unknown) => e);
          if (!(outcome instanceof BlpError)) expect(outcome).toHaveProperty('data');
        }),
        { numRuns: 300 },
      );
    }
  });
});

describe('without Node', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });

  it('writes and reads the same pictures by the compression streams of browsers', async () => {
    vi.resetModules();
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    const { writePng: write } = await import('../../src/image/png-write.js');
    const { readPng: read } = await import('../../src/image/png-read.js');
    expect(process.getBuiltinModule).toHaveBeenCalledWith('node:zlib');
    const image = testImage(70, 31);
    const file = await write(image);
    expect(
      difference(fastPngDecode(file, { checkCrc: true }).data as Uint8Array, image.data),
    ).toBeUndefined();
    expect(difference((await read(file)).data, image.data)).toBeUndefined();
    const header = { width: 8, height: 1, depth: 8, type: 0 };
    await expect(read(pngOf(header, [0, 1, 2]))).rejects.toMatchObject({ code: 'truncated' });
    const long = pngOf(header, new Array(5000).fill(0));
    await expect(read(long)).rejects.toMatchObject({ code: 'damaged' });
  });
});
