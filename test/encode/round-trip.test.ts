// Every variant over any picture: sides, chain, alpha, warnings; exact where the encoding can be.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullChainLength, levelSide } from '../../src/container/sides.js';
import { encode, encodeBlp0 } from '../../src/encode/encode.js';
import { buildMipmaps } from '../../src/encode/mipmaps.js';
import type { EncodeOptions } from '../../src/encode/options.js';
import { type BlpTexture, parse } from '../../src/index.js';
import { decodeReference } from '../reference/decoder.js';
import { halve, type Picture } from '../reference/pixels.js';
import { anyPicture, sameBytes, waves } from './pictures.js';

/** Alpha that a reader may find where `alpha` was stored. */
type AlphaCheck = (stored: number, alpha: number) => boolean;

const within =
  (most: number): AlphaCheck =>
  (stored, alpha) =>
    Math.abs(stored - alpha) <= most;
const whole: AlphaCheck = (stored) => stored === 255;
const oneBit: AlphaCheck = (stored, alpha) => stored === (alpha >= 128 ? 255 : 0);
/** A multiple of 17, none being nearer. */
const fourBits: AlphaCheck = (stored, alpha) => stored % 17 === 0 && Math.abs(stored - alpha) <= 8;

const variants: [EncodeOptions, AlphaCheck][] = [
  [{ version: 1, encoding: 'jpeg', alphaBits: 0 }, whole],
  // Steps of 1 leave each coefficient within a half: at most 3.4 in a sample, and rounding.
  [{ version: 1, encoding: 'jpeg', alphaBits: 8, quality: 100 }, within(5)],
  [{ version: 1, encoding: 'paletted', alphaBits: 0 }, whole],
  [{ version: 1, encoding: 'paletted', alphaBits: 1 }, oneBit],
  [{ version: 1, encoding: 'paletted', alphaBits: 4 }, fourBits],
  [{ version: 1, encoding: 'paletted', alphaBits: 8 }, within(0)],
  [{ version: 2, encoding: 'paletted', alphaBits: 0 }, whole],
  [{ version: 2, encoding: 'paletted', alphaBits: 1 }, oneBit],
  [{ version: 2, encoding: 'paletted', alphaBits: 4, dither: true }, fourBits],
  [{ version: 2, encoding: 'paletted', alphaBits: 8, dither: true }, within(0)],
  [{ version: 2, encoding: 'dxt1', alphaBits: 0 }, whole],
  [{ version: 2, encoding: 'dxt1', alphaBits: 1, preset: 'fast' }, oneBit],
  [{ version: 2, encoding: 'dxt3', alphaBits: 4 }, fourBits],
  [{ version: 2, encoding: 'dxt3', alphaBits: 8, preset: 'best' }, fourBits],
  // Blocks are chosen by their sum of squared errors, at most 16 × 18.3² with eight evenly spaced values: 73 if one texel
  // has all of it.
  [{ version: 2, encoding: 'dxt5', alphaBits: 8, preset: 'fast' }, within(73)],
  [{ version: 2, encoding: 'bgra', alphaBits: 0 }, whole],
  [{ version: 2, encoding: 'bgra', alphaBits: 8 }, within(0)],
];

/** The chain that the encoder starts from, by an independent filter. */
function chainOf(picture: Picture, weighted: boolean): Picture[] {
  const chain = [picture];
  while (chain.length < fullChainLength(picture.width, picture.height)) {
    chain.push(halve(chain[chain.length - 1], weighted));
  }
  return chain;
}

function expectAlpha(texture: BlpTexture, chain: Picture[], check: AlphaCheck): void {
  chain.forEach((picture, level) => {
    const { data } = texture.decode({ level, alpha: texture.alphaBits === 0 ? 'auto' : 'stored' });
    for (let at = 3; at < data.length; at += 4) {
      if (!check(data[at], picture.data[at])) {
        const where = `level ${level}, texel ${at >> 2} of ${picture.width} × ${picture.height}`;
        throw new Error(`${where}: alpha ${picture.data[at]} became ${data[at]}`);
      }
    }
  });
}

describe.each(variants)('%j', (options, check) => {
  it('keeps sides, chain and alpha of any picture, and warns of nothing', () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const file = encode(picture, { allowAnySize: true, ...options });
        const texture = parse(file);
        expect(texture.version).toBe(options.version);
        expect(texture.encoding).toBe(options.encoding);
        expect(texture.alphaBits).toBe(options.alphaBits);
        const full = fullChainLength(picture.width, picture.height);
        expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
          Array.from({ length: full }, (_, level) => [
            levelSide(picture.width, level),
            levelSide(picture.height, level),
          ]),
        );
        const weighted = options.alphaBits !== 0;
        expectAlpha(texture, chainOf(picture, weighted), check);
        // A JPEG alpha plane of zeros only is taken as unused by readers: that is worth the warning.
        const clear = picture.data.every((value, at) => (at & 3) !== 3 || value === 0);
        if (!(clear && options.encoding === 'jpeg')) expect(texture.warnings).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('reads nothing but the picture', () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const all = { allowAnySize: true, ...options };
        const alone = encode({ ...picture, data: picture.data.slice() }, all);
        expect(sameBytes(encode(picture, all), alone)).toBe(true);
      }),
      { numRuns: 5 },
    );
  });

  it('decodes alike by an independent decoder', () => {
    const file = encode(waves(37, 21), { allowAnySize: true, ...options });
    const expected = decodeReference(file);
    expect(expected.levels.length).toBe(6);
    const texture = parse(file);
    expected.levels.forEach(({ data }, level) => {
      expect(sameBytes(texture.decode({ level }).data, data)).toBe(true);
    });
  });
});

describe('exact', () => {
  it('BGRA: every level is the filtered picture', () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const texture = parse(
          encode(picture, { encoding: 'bgra', alphaBits: 8, allowAnySize: true }),
        );
        chainOf(picture, true).forEach(({ data }, level) => {
          expect(sameBytes(texture.decode({ level }).data, data)).toBe(true);
        });
      }),
      { numRuns: 25 },
    );
  });

  it.each([1, 2] as const)('paletted BLP%i: pictures of at most 256 colours', (version) => {
    const color = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(
        fc.array(color, { minLength: 1, maxLength: 256 }),
        fc.integer({ min: 1, max: 40 }),
        fc.infiniteStream(fc.nat(0xffff)),
        fc.boolean(),
        (colors, width, stream, dither) => {
          const height = 17;
          const picks = Array.from({ length: width * height }, () => stream.next().value);
          const data = Uint8Array.from(
            picks.flatMap((pick) => [...colors[pick % colors.length], (pick >> 8) & 255]),
          );
          const options = { version, encoding: 'paletted', alphaBits: 8, dither } as const;
          const file = encode({ width, height, data }, { ...options, allowAnySize: true });
          expect(sameBytes(parse(file).decode().data, data)).toBe(true);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('BLP0', () => {
  it.each(['jpeg', 'paletted'] as const)('%s levels lie in files of their own', (encoding) => {
    const picture = waves(20, 12);
    const { header, levels } = encodeBlp0(picture, { encoding });
    const texture = parse(header, { levelFiles: levels });
    expect(texture.version).toBe(0);
    expect(texture.levels.length).toBe(5);
    const single = parse(encode(picture, { version: 1, encoding }));
    for (const { level } of single.levels) {
      const { data } = texture.decode({ level });
      expect(sameBytes(data, single.decode({ level }).data)).toBe(true);
    }
    expect(texture.warnings).toEqual([]);
  });
});

describe('mip chain', () => {
  it('leaves the given picture as it is and halves the others', () => {
    const picture = waves(9, 4);
    const chain = buildMipmaps(picture, 4, true);
    expect(chain[0]).toBe(picture);
    expect(chain.map(({ width, height }) => [width, height])).toEqual([
      [9, 4],
      [4, 2],
      [2, 1],
      [1, 1],
    ]);
  });

  it('does not let hidden colours tint the edges of sprites', () => {
    const data = Uint8Array.of(200, 100, 50, 255, 0, 0, 0, 0);
    const [, half] = buildMipmaps({ width: 2, height: 1, data }, 2, true);
    expect([...half.data]).toEqual([200, 100, 50, 128]);
    const [, plain] = buildMipmaps({ width: 2, height: 1, data }, 2, false);
    expect([...plain.data]).toEqual([100, 50, 25, 128]);
  });
});
