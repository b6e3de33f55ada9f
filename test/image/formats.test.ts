// Every format by its name.

import { describe, expect, it } from 'vitest';
import { identify } from '../../src/container/identify.js';
import { type FormatName, formatNames, writeTexture } from '../../src/image/formats.js';
import { difference, pictureSource, testImage } from './support.js';

const images = [testImage(8, 4), testImage(4, 2), testImage(2, 1), testImage(1, 1)];
const source = pictureSource(images);

describe('writeTexture', () => {
  it('writes every format, named by its extension', async () => {
    const written: Record<string, string> = {};
    for (const name of formatNames) {
      for (const { extension, bytes } of await writeTexture(source, name)) {
        written[extension] = identify(bytes);
      }
    }
    expect(written).toMatchObject({
      '.png': 'a PNG picture',
      '.webp': 'a WebP picture',
      '.tga': 'a TGA picture',
      '.dds': 'a DDS texture',
      '.ktx2': 'a KTX2 texture',
      '.rgba.json': 'a text',
    });
    expect(Object.keys(written).length).toBe(7);
  });

  it('describes raw bytes', async () => {
    const [pixels, description] = await writeTexture(source, 'raw', { level: 1 });
    expect(pixels!.extension).toBe('.rgba');
    expect(difference(pixels!.bytes, images[1]!.data)).toBeUndefined();
    expect(JSON.parse(new TextDecoder().decode(description!.bytes))).toEqual({
      width: 4,
      height: 2,
      format: 'rgba8',
      stride: 16,
      rows: 'top-to-bottom',
      alpha: 'straight',
      source: { encoding: 'bgra', alphaBits: 8, level: 1, levels: 4, width: 8, height: 4 },
    });
  });

  it('refuses levels and formats that do not exist', async () => {
    for (const [name, level] of [
      ['png', 4],
      ['dds', -1],
      ['ktx2', 0.5],
      ['bmp', 0],
      ['toString', 0],
    ] as const) {
      await expect(writeTexture(source, name as FormatName, { level })).rejects.toMatchObject({
        code: 'argument',
      });
    }
  });
});
