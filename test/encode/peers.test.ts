// What the encoder writes, read by other people's decoders: @wowserhq/format for BLP2, war3-model for BLP1.
import { BLP_IMAGE_FORMAT, Blp } from '@wowserhq/format';
import { describe, expect, it } from 'vitest';
import { decodeBLP, getBLPImageData } from 'war3-model';
import { encode } from '../../src/encode/encode.js';
import type { EncodeOptions } from '../../src/encode/options.js';
import { type BlpTexture, parse } from '../../src/index.js';
import { waves } from './pictures.js';

const picture = waves(64, 32);

/** Greatest difference of any sample of the channels. */
function difference(
  texture: BlpTexture,
  level: number,
  theirs: ArrayLike<number>,
  channels: readonly number[],
): number {
  const ours = texture.decode({ level }).data;
  expect(theirs.length).toBe(ours.length);
  let most = 0;
  ours.forEach((value, at) => {
    if (channels.includes(at & 3)) most = Math.max(most, Math.abs(value - theirs[at]));
  });
  return most;
}

const rgb = [0, 1, 2];
const rgba = [0, 1, 2, 3];

describe('@wowserhq/format', () => {
  const variants: EncodeOptions[] = [
    { encoding: 'paletted', alphaBits: 0 },
    { encoding: 'paletted', alphaBits: 1 },
    { encoding: 'paletted', alphaBits: 4 },
    { encoding: 'paletted', alphaBits: 8 },
    { encoding: 'dxt1', alphaBits: 0 },
    { encoding: 'dxt1', alphaBits: 1 },
    { encoding: 'dxt3', alphaBits: 4 },
    { encoding: 'dxt3', alphaBits: 8 },
    { encoding: 'dxt5', alphaBits: 8 },
    { encoding: 'bgra', alphaBits: 0 },
    { encoding: 'bgra', alphaBits: 8 },
  ];

  it.each(variants)('reads %j', (options) => {
    const file = encode(picture, options);
    const texture = parse(file);
    const theirs = new Blp().load(file.buffer);
    expect([theirs.width, theirs.height]).toEqual([64, 32]);
    expect(theirs.mipLevelCount).toBe(7);
    // It halves sides to 0 and refuses DXT sides below 4; its interpolated colours are rounded in another way.
    const dxt = options.encoding?.startsWith('dxt') ?? false;
    for (let level = 0; level < (dxt ? 4 : 6); level++) {
      const { data } = theirs.getImage(level, BLP_IMAGE_FORMAT.IMAGE_ABGR8888);
      expect(difference(texture, level, data, rgba)).toBeLessThanOrEqual(dxt ? 1 : 0);
    }
  });
});

describe('war3-model', () => {
  // Of alpha lists it reads those of 8 bits only: it takes the highest of eight bits first, and shifts four bits by one.
  const variants: [EncodeOptions, readonly number[], number][] = [
    [{ encoding: 'jpeg', alphaBits: 0 }, rgba, 1],
    [{ encoding: 'jpeg', alphaBits: 8 }, rgba, 1],
    [{ encoding: 'jpeg', alphaBits: 8, quality: 20 }, rgba, 1],
    [{ encoding: 'paletted', alphaBits: 0 }, rgba, 0],
    [{ encoding: 'paletted', alphaBits: 1 }, rgb, 0],
    [{ encoding: 'paletted', alphaBits: 4 }, rgb, 0],
    [{ encoding: 'paletted', alphaBits: 8 }, rgba, 0],
  ];

  it.each(variants)('reads %j', (options, channels, tolerance) => {
    const file = encode(picture, { version: 1, ...options });
    const texture = parse(file);
    const theirs = decodeBLP(file.slice().buffer);
    expect(theirs.mipmaps.length).toBe(7);
    // Of paletted levels it halves sides to fractions.
    for (let level = 0; level < (options.encoding === 'jpeg' ? 7 : 6); level++) {
      const { data } = getBLPImageData(theirs, level);
      expect(difference(texture, level, data, channels)).toBeLessThanOrEqual(tolerance);
    }
  });
});
