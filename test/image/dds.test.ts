// DDS written and read, against ImageMagick and hand-made files.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BlpError } from '../../src/errors.js';
import { fourCC } from '../../src/image/dds-header.js';
import { type DdsContent, readDds } from '../../src/image/dds-read.js';
import { writeDds } from '../../src/image/dds-write.js';
import {
  blockSource,
  bytesOf,
  convert,
  damagedCopies,
  difference,
  hasMagick,
  magickPixels,
  pictureSource,
  testImage,
} from './support.js';

const blockFormats = ['dxt1', 'dxt3', 'dxt5', 'bc5'] as const;

function blocks(content: DdsContent) {
  if (content.kind !== 'blocks') throw new Error('expected blocks');
  return content;
}

function pixels(content: DdsContent) {
  if (content.kind !== 'pixels') throw new Error('expected pixels');
  return content.image;
}

const field = (file: Uint8Array, offset: number): number =>
  new DataView(file.buffer, file.byteOffset).getUint32(offset, true);

/** A DDS header of uncompressed texels, or of a DXGI format, with a body behind it. */
function ddsOf(
  fields: {
    bits?: number;
    masks?: readonly number[];
    flags?: number;
    dxgi?: number;
    width?: number;
  },
  body: readonly number[],
): Uint8Array {
  const { bits = 0, masks = [], dxgi, width = 1 } = fields;
  const header = new Uint8Array(dxgi === undefined ? 128 : 148);
  const view = new DataView(header.buffer);
  const set = (offset: number, value: number) => view.setUint32(offset, value, true);
  set(0, fourCC('DDS '));
  set(4, 124);
  set(12, 1);
  set(16, width);
  set(76, 32);
  set(80, dxgi === undefined ? (fields.flags ?? 0x41) : 4);
  set(88, bits);
  for (const [index, mask] of masks.entries()) set(92 + index * 4, mask);
  if (dxgi !== undefined) {
    set(84, fourCC('DX10'));
    set(128, dxgi);
    set(132, 3);
    set(140, 1);
  }
  return Uint8Array.from([...header, ...body]);
}

describe('writeDds', () => {
  it('holds the blocks and the chain untouched, for any sides', () => {
    const side = fc.integer({ min: 1, max: 70 });
    fc.assert(
      fc.property(fc.constantFrom(...blockFormats), side, side, (format, width, height) => {
        const source = blockSource(format, width, height);
        const read = blocks(readDds(writeDds(source)));
        expect(read.format).toBe(format);
        expect(read.levels.map((level) => [level.width, level.height])).toEqual(
          source.levels.map((level) => [level.width, level.height]),
        );
        for (const [index, level] of read.levels.entries()) {
          expect(difference(level.bytes, source.levels[index]!.bytes)).toBeUndefined();
        }
      }),
    );
  });

  it('writes what the format asks for in its header', () => {
    const dxt5 = writeDds(blockSource('dxt5', 64, 32));
    expect(Buffer.from(dxt5).toString('latin1', 84, 88)).toBe('DXT5');
    expect([12, 16, 20, 28].map((offset) => field(dxt5, offset))).toEqual([32, 64, 64 * 32, 7]);
    expect(field(dxt5, 8)).toBe(0x0a1007); // caps, sides, format, chain, linear size
    expect(field(dxt5, 80)).toBe(0x5); // FourCC and alpha
    expect(field(dxt5, 108)).toBe(0x401008);
    const opaque = writeDds(blockSource('dxt1', 4, 4, 0));
    expect(field(opaque, 80)).toBe(0x4);
    const bc5 = writeDds(blockSource('bc5', 8, 8));
    expect([128, 132, 140].map((offset) => field(bc5, offset))).toEqual([83, 3, 1]);
    const bgra = writeDds(pictureSource([testImage(5, 3)]));
    expect([20, 28, 88, 92, 96, 100, 104].map((offset) => field(bgra, offset))).toEqual([
      20, 1, 32, 0xff0000, 0xff00, 0xff, 0xff000000,
    ]);
    expect(field(bgra, 108)).toBe(0x1000);
  });

  it('trims padded levels and completes short ones with transparent blocks', () => {
    const source = blockSource('dxt1', 8, 8);
    const [level0, level1] = [source.levels[0]!.bytes, source.levels[1]!.bytes];
    const uneven = {
      ...source,
      levels: [
        { width: 8, height: 8, bytes: level0.subarray(0, 21) },
        { width: 4, height: 4, bytes: Uint8Array.from([...level1, 1, 2, 3]) },
      ],
    };
    const read = blocks(readDds(writeDds(uneven)));
    expect([...read.levels[0]!.bytes.subarray(0, 16)]).toEqual([...level0.subarray(0, 16)]);
    const empty = [0, 0, 0, 0, 255, 255, 255, 255];
    expect([...read.levels[0]!.bytes.subarray(16)]).toEqual([...empty, ...empty]);
    expect(difference(read.levels[1]!.bytes, level1)).toBeUndefined();
  });

  it('makes the alpha of blocks opaque where the texture declares none', () => {
    const source = blockSource('dxt5', 4, 4, 0);
    const [block] = blocks(readDds(writeDds(source))).levels;
    expect([...block!.bytes]).toEqual([
      ...[255, 255, 0, 0, 0, 0, 0, 0],
      ...source.levels[0]!.bytes.subarray(8),
    ]);
  });

  it('begins at the level that is asked for', () => {
    const source = blockSource('dxt3', 32, 16);
    const read = blocks(readDds(writeDds(source, 2)));
    expect(read.levels.map((level) => level.width)).toEqual([8, 4, 2, 1]);
    expect(difference(read.levels[0]!.bytes, source.levels[2]!.bytes)).toBeUndefined();
    const images = [testImage(8, 4), testImage(4, 2)];
    const picture = pixels(readDds(writeDds(pictureSource(images), 1)));
    expect(difference(picture.data, images[1]!.data)).toBeUndefined();
  });

  it.skipIf(!hasMagick)('is read by ImageMagick, which looks at the largest level only', () => {
    const images = [testImage(33, 16), testImage(16, 8)];
    for (const [level, image] of images.entries()) {
      const file = writeDds(pictureSource(images), level);
      expect(difference(magickPixels(file, 'dds'), image.data)).toBeUndefined();
    }
  });

  it.skipIf(!hasMagick)('gives ImageMagick the blocks that it wrote itself', () => {
    const image = testImage(64, 32);
    const size = ['-size', '64x32', '-depth', '8', 'rgba:-'];
    for (const format of ['dxt1', 'dxt5'] as const) {
      const original = convert(
        bytesOf(image),
        ...size,
        ...['-define', `dds:compression=${format}`, '-define', 'dds:mipmaps=6', 'dds:-'],
      );
      const read = blocks(readDds(original));
      expect(read.levels.length).toBe(7);
      const source = { ...blockSource(format, 64, 32), levels: read.levels };
      expect(
        difference(magickPixels(writeDds(source), 'dds'), magickPixels(original, 'dds')),
      ).toBeUndefined();
    }
  });
});

describe('readDds', () => {
  it('reads the other names of the formats', () => {
    const source = blockSource('bc5', 8, 8);
    for (const name of ['ATI2', 'BC5U']) {
      const dx10 = writeDds(source);
      const file = Buffer.concat([dx10.subarray(0, 128), dx10.subarray(148)]);
      file.write(name, 84, 'latin1');
      expect(blocks(readDds(file)).format).toBe('bc5');
      expect(
        difference(blocks(readDds(file)).levels[0]!.bytes, source.levels[0]!.bytes),
      ).toBeUndefined();
    }
    for (const [dxgi, format] of [
      [71, 'dxt1'],
      [75, 'dxt3'],
      [77, 'dxt5'],
      [83, 'bc5'],
    ] as const) {
      expect(blocks(readDds(ddsOf({ dxgi }, new Array(16).fill(1)))).format).toBe(format);
    }
  });

  it('reads texels by their masks', () => {
    const texel = (fields: Parameters<typeof ddsOf>[0], ...body: number[]) => [
      ...pixels(readDds(ddsOf(fields, body))).data,
    ];
    const x8r8g8b8 = { bits: 32, masks: [0xff0000, 0xff00, 0xff, 0xff000000], flags: 0x40 };
    expect(texel(x8r8g8b8, 1, 2, 3, 4)).toEqual([3, 2, 1, 255]);
    expect(texel({ ...x8r8g8b8, flags: 0x41 }, 1, 2, 3, 254)).toEqual([3, 2, 1, 254]);
    expect(texel({ bits: 32, masks: [0xff, 0xff00, 0xff0000, 0xff000000] }, 1, 2, 3, 255)).toEqual([
      1, 2, 3, 255,
    ]);
    expect(texel({ bits: 24, masks: [0xff0000, 0xff00, 0xff], flags: 0x40 }, 1, 2, 3)).toEqual([
      3, 2, 1, 255,
    ]);
    // Red 8 of 31, green 1 of 63, blue 31 of 31.
    expect(texel({ bits: 16, masks: [0xf800, 0x7e0, 0x1f], flags: 0x40 }, 0x3f, 0x40)).toEqual([
      66, 4, 255, 255,
    ]);
    expect(texel({ bits: 16, masks: [0x7c00, 0x3e0, 0x1f, 0x8000] }, 0x00, 0x80)).toEqual([
      0, 0, 0, 255,
    ]);
    expect(texel({ bits: 16, masks: [0xf00, 0xf0, 0xf, 0xf000] }, 0x21, 0x43)).toEqual([
      51, 34, 17, 68,
    ]);
    // Ten bits a colour, two of alpha.
    const rgb10 = { bits: 32, masks: [0x3ff00000, 0xffc00, 0x3ff, 0xc0000000] };
    expect(texel(rgb10, 0xff, 0x03, 0x00, 0x80)).toEqual([0, 0, 255, 170]);
    expect(texel({ bits: 8, masks: [0xff], flags: 0x20000 }, 77)).toEqual([77, 77, 77, 255]);
    expect(texel({ bits: 16, masks: [0xff, 0, 0, 0xff00], flags: 0x20001 }, 77, 9)).toEqual([
      77, 77, 77, 9,
    ]);
    expect(texel({ dxgi: 28 }, 1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
    expect(texel({ dxgi: 88 }, 1, 2, 3, 4)).toEqual([3, 2, 1, 255]);
  });

  it.skipIf(!hasMagick)('reads what ImageMagick writes without compression', () => {
    const image = testImage(33, 21);
    const size = ['-size', '33x21', '-depth', '8', 'rgba:-', '-define', 'dds:compression=none'];
    for (const alpha of ['on', 'off']) {
      const file = convert(
        bytesOf(image),
        ...size,
        '-define',
        'dds:mipmaps=0',
        '-alpha',
        alpha,
        'dds:-',
      );
      expect(
        difference(pixels(readDds(file)).data, magickPixels(file, 'dds')),
        alpha,
      ).toBeUndefined();
    }
  });

  it('ends the chain where the file ends, but not before level 0', () => {
    const file = writeDds(blockSource('dxt1', 32, 32));
    expect(blocks(readDds(file.subarray(0, 128 + 512 + 130))).levels.length).toBe(2);
    expect(() => readDds(file.subarray(0, 128 + 511))).toThrow(
      expect.objectContaining({ code: 'truncated' }),
    );
  });

  it('names what is wrong', () => {
    const change = (offset: number, value: number, file = writeDds(blockSource('dxt1', 8, 8))) => {
      new DataView(file.buffer).setUint32(offset, value, true);
      return file;
    };
    const bc5 = () => writeDds(blockSource('bc5', 8, 8));
    const cases: [Uint8Array, string, RegExp][] = [
      [new Uint8Array(200), 'damaged', /not a DDS texture but zeros only/],
      [change(0, fourCC('DDS ')).subarray(0, 100), 'truncated', /header/],
      [change(16, 0), 'damaged', /0 × 8/],
      [change(12, 0x7fffffff), 'limit', /maxPixels/],
      [change(12, 8000), 'truncated', /level 0/],
      [change(84, fourCC('DXT2')), 'unsupported', /"DXT2".*DXT1, DXT3/],
      [change(112, 0x200), 'unsupported', /cube/],
      [change(80, 0x20), 'unsupported', /flags 0x20/],
      [change(128, 98, bc5()), 'unsupported', /DXGI format 98/],
      [change(140, 6, bc5()), 'unsupported', /arrays/],
      [change(136, 4, bc5()), 'unsupported', /cube/],
      [bc5().subarray(0, 140), 'truncated', /header/],
      [ddsOf({ bits: 32, masks: [0xf0f] }, [1, 2, 3, 4]), 'damaged', /mask 0xf0f/],
      [ddsOf({ bits: 16, masks: [0xff0000] }, [1, 2]), 'damaged', /mask 0xff0000/],
      [ddsOf({ bits: 32, masks: [0xff], width: 2 }, [1, 2, 3, 4]), 'truncated', /level 0/],
    ];
    for (const [file, code, message] of cases) {
      expect(() => readDds(file)).toThrow(
        expect.objectContaining({ code, message: expect.stringMatching(message) }),
      );
    }
  });

  it.each([
    [[0xf0f], 92],
    [[0xff, 0xf0f], 96],
    [[0xff, 0xff00, 0xf0f], 100],
    [[0xff, 0xff00, 0xff0000, 0xf0f], 104],
  ])('names the field of the mask that makes no sample: %j', (masks, offset) => {
    expect(() => readDds(ddsOf({ bits: 32, masks }, [1, 2, 3, 4]))).toThrow(
      expect.objectContaining({ code: 'damaged', offset }),
    );
  });

  it('answers any damaged file with its content or a BlpError', () => {
    for (const file of [
      writeDds(blockSource('dxt5', 16, 16)),
      writeDds(blockSource('bc5', 16, 16)),
      writeDds(pictureSource([testImage(9, 9)])),
    ]) {
      fc.assert(
        fc.property(damagedCopies(file), (copy) => {
          try {
            expect(readDds(copy, { maxPixels: 1 << 20 })).toHaveProperty('kind');
          } catch (error) {
            expect(error).toBeInstanceOf(BlpError);
          }
        }),
        { numRuns: 500 },
      );
    }
  });
});
