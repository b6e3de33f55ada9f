// Options of the encoder: what is derived from the picture, how many levels there are, what is refused.
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/encode/encode.js';
import { type EncodeOptions, type RgbaImage, resolveOptions } from '../../src/encode/options.js';
import { parse } from '../../src/index.js';
import { errorOf } from '../reference/errors.js';

function picture(width: number, height: number, alphas: number[]): RgbaImage {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    (at & 3) === 3 ? alphas[(at >> 2) % alphas.length] : at,
  );
  return { width, height, data };
}

const opaque = picture(2, 2, [255]);
const binary = picture(2, 2, [255, 0]);
const graded = picture(2, 2, [255, 0, 128]);

describe('defaults', () => {
  const cases: [string, RgbaImage, EncodeOptions, number, string, number][] = [
    ['opaque', opaque, {}, 2, 'dxt1', 0],
    ['binary', binary, {}, 2, 'dxt1', 1],
    ['graded', graded, {}, 2, 'dxt5', 8],
    ['opaque', opaque, { version: 1 }, 1, 'jpeg', 0],
    ['binary', binary, { version: 1 }, 1, 'jpeg', 8],
    ['opaque', opaque, { encoding: 'jpeg' }, 1, 'jpeg', 0],
    ['binary', binary, { version: 1, encoding: 'paletted' }, 1, 'paletted', 8],
    ['graded', graded, { version: 1, alphaBits: 4 }, 1, 'paletted', 4],
    ['opaque', opaque, { encoding: 'paletted' }, 2, 'paletted', 0],
    ['binary', binary, { encoding: 'paletted' }, 2, 'paletted', 1],
    ['graded', graded, { encoding: 'paletted' }, 2, 'paletted', 8],
    ['graded', graded, { encoding: 'dxt1' }, 2, 'dxt1', 1],
    ['graded', graded, { alphaBits: 0 }, 2, 'dxt1', 0],
    ['graded', graded, { alphaBits: 1 }, 2, 'dxt1', 1],
    ['opaque', opaque, { alphaBits: 4 }, 2, 'dxt3', 4],
    ['opaque', opaque, { alphaBits: 8 }, 2, 'dxt5', 8],
    ['opaque', opaque, { encoding: 'dxt3' }, 2, 'dxt3', 8],
    ['opaque', opaque, { encoding: 'dxt5' }, 2, 'dxt5', 8],
    ['opaque', opaque, { encoding: 'bgra' }, 2, 'bgra', 0],
    ['binary', binary, { encoding: 'bgra' }, 2, 'bgra', 8],
  ];
  it.each(cases)('%s %#: %j', (_, image, options, version, encoding, alphaBits) => {
    expect(resolveOptions(image, options, false)).toMatchObject({ version, encoding, alphaBits });
  });

  it('of everything else', () => {
    expect(resolveOptions(opaque, {}, false)).toEqual({
      version: 2,
      encoding: 'dxt1',
      alphaBits: 0,
      levels: 2,
      quality: 90,
      dither: false,
      preset: 'normal',
      alphaThreshold: 128,
      keepTransparentColor: false,
    });
  });

  it('of BLP0 are those of version 1', () => {
    const resolved = resolveOptions(graded, {}, true);
    expect(resolved).toMatchObject({ version: 0, encoding: 'jpeg', alphaBits: 8 });
  });
});

describe('levels', () => {
  it.each([
    [64, 8, {}, 7],
    [1, 1, {}, 1],
    [64, 8, { mipmaps: true }, 7],
    [64, 8, { mipmaps: false }, 1],
    [64, 8, { mipmaps: 3 }, 3],
    [64, 8, { mipmaps: 16 }, 7],
    [64, 8, { minimumSize: 8 }, 4],
    [64, 8, { minimumSize: 9 }, 3],
    [64, 8, { minimumSize: 65 }, 1],
    [64, 8, { mipmaps: 2, minimumSize: 8 }, 2],
  ])('%i × %i with %j: %i', (width, height, options, levels) => {
    expect(resolveOptions(picture(width, height, [255]), options, false).levels).toBe(levels);
  });
});

describe('refused', () => {
  const refused: [object, string][] = [
    [{ version: 3 }, 'version is 3'],
    [{ version: 1, encoding: 'dxt1' }, 'jpeg, paletted'],
    [{ version: 2, encoding: 'jpeg' }, 'dxt1'],
    [{ encoding: 'png' }, 'encoding is png'],
    [{ encoding: 'toString' }, 'encoding is toString'],
    [{ encoding: 'bc5' }, 'encoding is bc5'],
    [{ encoding: 'dxt1', alphaBits: 8 }, '0, 1'],
    [{ encoding: 'jpeg', alphaBits: 1 }, '0, 8'],
    [{ alphaBits: 2 }, 'alphaBits is 2'],
    [{ mipmaps: 0 }, 'mipmaps'],
    [{ mipmaps: 17 }, 'mipmaps'],
    [{ mipmaps: 'all' }, 'mipmaps'],
    [{ minimumSize: 0 }, 'minimumSize'],
    [{ quality: 0 }, '1 to 100'],
    [{ quality: 101 }, '1 to 100'],
    [{ quality: Number.NaN }, 'NaN'],
    [{ dither: 1 }, 'dither'],
    [{ preset: 'slow' }, 'fast, normal, best'],
    [{ alphaThreshold: 0 }, 'alphaThreshold'],
    [{ alphaThreshold: 256 }, 'alphaThreshold'],
    [{ allowAnySize: 'yes' }, 'allowAnySize'],
    [{ mipMaps: true }, 'mipMaps is not an option'],
  ];
  it.each(refused)('%j', (options, message) => {
    const error = errorOf(() => resolveOptions(opaque, options, false));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  const pictures: [string, object, string][] = [
    ['no texels', { width: 0, height: 1, data: new Uint8Array(0) }, 'image.width'],
    ['a side above 65535', { width: 1, height: 65536, data: new Uint8Array(0) }, 'image.height'],
    ['missing texels', { width: 2, height: 2, data: new Uint8Array(15) }, '16'],
    ['a plain array', { width: 1, height: 1, data: [1, 2, 3, 4] }, 'Uint8Array'],
    ['words', { width: 1, height: 1, data: new Uint32Array(4) }, 'Uint8Array'],
  ];
  it.each(pictures)('%s', (_, image, message) => {
    const error = errorOf(() => resolveOptions(image as RgbaImage, {}, false));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  it('sides that World of Warcraft rejects, with the ways out', () => {
    const image = picture(3, 4, [255]);
    const error = errorOf(() => resolveOptions(image, {}, false));
    expect(error.code).toBe('argument');
    expect(error.message).toMatch(/3 × 4.*resize\(\).*allowAnySize/);
    expect(resolveOptions(image, { allowAnySize: true }, false).levels).toBe(3);
    expect(resolveOptions(image, { version: 1 }, false).levels).toBe(3);
  });
});

describe('keepTransparentColor', () => {
  /** The left half transparent red, the right half opaque blue. */
  const data = new Uint8ClampedArray(16 * 16 * 4);
  for (let i = 0; i < 256; i++) data.set(i % 16 < 8 ? [255, 0, 0, 0] : [0, 0, 255, 255], i * 4);
  // Within one block both kinds of texels meet.
  for (let y = 0; y < 16; y++) data.set([0, 0, 255, 255], (y * 16 + 7) * 4);
  const image = { width: 16, height: 16, data };

  it('keeps the colour of transparent texels in blocks and in levels', () => {
    const kept = parse(encode(image, { encoding: 'dxt5', keepTransparentColor: true }));
    const level0 = kept.decode().data;
    expect([...level0.subarray(4 * 4, 4 * 4 + 4)]).toEqual([255, 0, 0, 0]);
    const last = kept.decode({ level: 4 }).data;
    // A plain average of seven columns of red and nine of blue
    expect(last[0]).toBeGreaterThan(80);
  });

  it('lets transparent texels go by default', () => {
    const last = parse(encode(image, { encoding: 'dxt5' })).decode({ level: 4 }).data;
    expect(last[0]).toBe(0);
  });
});
