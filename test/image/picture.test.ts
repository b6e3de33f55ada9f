// Files of any kind read by their content, with and without sharp.

import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BlpError } from '../../src/errors.js';
import { writeDds } from '../../src/image/dds-write.js';
import { readPicture, readSource } from '../../src/image/picture.js';
import { writePng } from '../../src/image/png-write.js';
import { writeWebp } from '../../src/image/sharp.js';
import { writeTga } from '../../src/image/tga-write.js';
import { blockSource, difference, pictureSource, testImage } from './support.js';

const image = testImage(40, 30);
const raw = { raw: { width: 40, height: 30, channels: 4 as const } };

describe('readPicture', () => {
  it('reads PNG, TGA and uncompressed DDS whatever they are called', async () => {
    for (const file of [
      await writePng(image),
      writeTga(image),
      writeDds(pictureSource([image])),
      await writeWebp(image),
      await sharp(image.data, raw).tiff({ compression: 'lzw' }).toBuffer(),
    ]) {
      const read = await readPicture(file, 'picture.dat');
      expect([read.width, read.height]).toEqual([40, 30]);
      expect(difference(read.data, image.data)).toBeUndefined();
    }
  });

  it('keeps the blocks of a DDS', async () => {
    const source = blockSource('dxt5', 16, 16);
    const content = await readSource(writeDds(source), 'a.dds');
    expect(content).toMatchObject({ kind: 'blocks', format: 'dxt5' });
    await expect(readPicture(writeDds(source), 'a.dds')).rejects.toMatchObject({
      code: 'unsupported',
      message: 'a.dds: a DDS file of dxt5 blocks is no picture',
    });
  });

  it('reads JPEG in sRGB, CMYK included, and upright', async () => {
    const flat = { create: { width: 16, height: 8, channels: 3 as const, background: '#c83214' } };
    const near = (
      data: Uint8Array | Uint8ClampedArray,
      expected: readonly number[],
      by: number,
    ) => {
      for (const [channel, value] of expected.entries()) {
        expect(Math.abs(data[channel]! - value)).toBeLessThanOrEqual(by);
      }
    };
    const upright = await sharp(flat)
      .withExif({ IFD0: { Orientation: '6' } })
      .jpeg()
      .toBuffer();
    const rgb = await readPicture(upright, 'a.jpg');
    near(rgb.data, [200, 50, 20, 255], 3);
    const turned = await readPicture(
      await sharp(flat).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'a.jpg',
    );
    expect([turned.width, turned.height]).toEqual([8, 16]);
    // A colour that inks can print; the way there and back takes up to 12.
    const muted = { create: { ...flat.create, background: '#808060' } };
    const cmyk = await sharp(muted).toColorspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk');
    near((await readPicture(cmyk, 'a.jpg')).data, [128, 128, 96, 255], 15);
  });

  it('takes the first frame of an animation', async () => {
    const frames = Buffer.concat([
      new Uint8Array(64).fill(255),
      new Uint8Array(64).map((_, index) => (index % 4 === 3 ? 255 : 0)),
    ]);
    const gif = await sharp(frames, { raw: { width: 4, height: 8, channels: 4, pageHeight: 4 } })
      .gif()
      .toBuffer();
    expect((await sharp(gif).metadata()).pages).toBe(2);
    const read = await readPicture(gif, 'a.gif');
    expect([read.width, read.height]).toEqual([4, 4]);
    expect(read.data.every((value) => value === 255)).toBe(true);
  });

  it('says which file is wrong and what it is', async () => {
    const jpeg = await sharp(image.data, raw).jpeg().toBuffer();
    const cases: [Uint8Array, string, string, RegExp][] = [
      [new Uint8Array(0), 'a.png', 'truncated', /^a\.png: the file is empty/],
      [
        Uint8Array.of(1, 2, 3, 4),
        'b.png',
        'unsupported',
        /^b\.png: unknown data \(first bytes 01 02 03 04\)/,
      ],
      [new TextEncoder().encode('PTCH....'), 'c.png', 'unsupported', /^c\.png: a PTCH patch file/],
      [jpeg.subarray(0, 300), 'd.jpg', 'damaged', /^d\.jpg: a JPEG picture cannot be read/],
      [Uint8Array.of(0, 0, 4, 0), 'e.tga', 'truncated', /^e\.tga: the TGA's header/],
    ];
    for (const [file, name, code, message] of cases) {
      const error = await readPicture(file, name).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(BlpError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    }
    await expect(readPicture(jpeg, 'f.jpg', { limits: { maxPixels: 100 } })).rejects.toMatchObject({
      code: 'limit',
    });
  });
});

describe('writeWebp', () => {
  it('keeps every texel, colour under alpha 0 included', async () => {
    const file = await writeWebp(image);
    const decoded = await sharp(file).ensureAlpha().raw().toBuffer();
    expect(difference(decoded, image.data)).toBeUndefined();
  });

  it('refuses sides that WebP cannot hold', async () => {
    const wide = { width: 16384, height: 1, data: new Uint8Array(16384 * 4) };
    await expect(writeWebp(wide)).rejects.toMatchObject({ code: 'limit' });
  });
});

describe('without sharp', () => {
  afterEach(() => {
    vi.doUnmock('sharp');
    vi.resetModules();
  });

  it('reads PNG, TGA and DDS, and asks for sharp for the rest', async () => {
    vi.resetModules();
    vi.doMock('sharp', () => {
      throw Object.assign(new Error('not found'), { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const picture = await import('../../src/image/picture.js');
    const webp = await import('../../src/image/sharp.js');
    for (const file of [await writePng(image), writeTga(image), writeDds(pictureSource([image]))]) {
      expect(difference((await picture.readPicture(file, 'a')).data, image.data)).toBeUndefined();
    }
    const jpeg = await sharp(image.data, raw).jpeg().toBuffer();
    await expect(picture.readPicture(jpeg, 'a.jpg')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('npm install sharp'),
    });
    await expect(webp.writeWebp(image)).rejects.toMatchObject({ code: 'unsupported' });
  });
});
