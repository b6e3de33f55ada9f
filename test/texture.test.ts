// The public calls on a texture: levels, views, buffers, the alpha modes, and warnings as they arise.
import { describe, expect, it } from 'vitest';
import { buildFile, packPalette } from '../fixtures/generate/container.js';
import { bgraBytes, jpegFile } from '../fixtures/generate/fixture.js';
import { ball, ballPalette, chain, withAlpha } from '../fixtures/generate/pictures.js';
import {
  type AlphaMode,
  type BlpTexture,
  type BlpWarning,
  decode,
  decodeAsync,
  decodeStrips,
  kernelsInUse,
  parse,
  validate,
} from '../src/index.js';
import { decodeMany } from '../src/pool/index.js';
import { expectSamePicture, sha256 } from './reference/compare.js';
import { decodeReference } from './reference/decoder.js';
import { errorOf } from './reference/errors.js';
import { fixturesFolder, readBytes } from './reference/files.js';
import { implementations } from './reference/kernels.js';

const load = (name: string): Uint8Array => readBytes(fixturesFolder, `${name}.blp`);

describe('parse', () => {
  it('gives the header, the levels and their formats', () => {
    const bytes = load('blp2-dxt5-alpha8');
    const texture = parse(bytes);
    expect(texture).toMatchObject({
      version: 2,
      encoding: 'dxt5',
      alphaBits: 8,
      width: 64,
      height: 64,
      warnings: [],
    });
    expect(texture.header.alphaType).toBe(7);
    expect(texture.levels.length).toBe(7);
    expect(texture.levels.map(({ gpuFormat }) => gpuFormat)).toEqual(
      new Array(7).fill('bc3-rgba-unorm'),
    );
    // Views into the file: nothing is copied.
    for (const level of texture.levels) {
      expect(level.bytes.buffer).toBe(bytes.buffer);
      expect(level.bytes.byteOffset).toBe(bytes.byteOffset + level.offset);
    }
  });

  it.each([
    ['blp2-dxt1-alpha0', 'bc1-rgba-unorm'],
    ['blp2-dxt3-alpha8', 'bc2-rgba-unorm'],
    ['blp2-bc5', 'bc5-rg-unorm'],
    ['blp2-bgra-alpha8', 'bgra8unorm'],
    ['blp2-paletted-alpha8', undefined],
    ['blp1-jpeg-alpha8', undefined],
  ])('%s is uploaded as %s', (name, format) => {
    expect(parse(load(name)).levels[0].gpuFormat).toBe(format);
  });

  it('touches no texels: a JPEG stream that cannot be decoded is noticed when it is', () => {
    const bytes = load('odd-jpeg-chunk-empty');
    const first = parse(bytes).levels[0];
    // A Huffman table with too many codes where the quantization table begins; the frame header stays.
    const damaged = new Uint8Array(bytes);
    damaged.set([0xff, 0xd8, 0xff, 0xc4, 0, 4, 0, 200], first.offset);
    const texture = parse(damaged);
    expect(texture.levels.length).toBeGreaterThan(0);
    expect(errorOf(() => texture.decode()).code).toBe('damaged');
  });

  it('leaves its input as it was', () => {
    const bytes = load('blp1-jpeg-alpha8');
    const copy = new Uint8Array(bytes);
    parse(bytes).decode();
    expect(Buffer.compare(bytes, copy)).toBe(0);
  });
});

describe.each(implementations)('decode by the $name kernels', (kernels) => {
  it('gives level 0 unless another is asked for', () => {
    const bytes = load('blp2-bgra-alpha8');
    const levels = chain(ball(48, 40));
    expectSamePicture('level0', decode(bytes, { kernels }), levels[0]);
    levels.forEach((expected, level) => {
      expectSamePicture(`level${level}`, decode(bytes, { kernels, level }), expected);
    });
  });

  it('fits ImageData', () => {
    const { width, height, data } = decode(load('blp2-dxt1-alpha1'), { kernels });
    expect(data).toBeInstanceOf(Uint8ClampedArray);
    expect(data.buffer).toBeInstanceOf(ArrayBuffer);
    expect(data.length).toBe(width * height * 4);
  });

  it.each(['blp2-dxt5-alpha8', 'blp2-paletted-alpha4', 'blp2-bgra-alpha8', 'blp1-jpeg-alpha8'])(
    'writes %s into the middle of a buffer and nowhere else',
    (name) => {
      const bytes = load(name);
      const expected = decode(bytes, { kernels });
      const buffer = new Uint8Array(expected.data.length + 64).fill(0xa5);
      const into = buffer.subarray(13, 13 + expected.data.length);
      const { data } = decode(bytes, { kernels, into });
      expect(data.buffer).toBe(buffer.buffer);
      expect(data.byteOffset).toBe(13);
      expect(sha256(into)).toBe(sha256(expected.data));
      expect(buffer.subarray(0, 13).every((byte) => byte === 0xa5)).toBe(true);
      expect(buffer.subarray(13 + into.length).every((byte) => byte === 0xa5)).toBe(true);
    },
  );

  it('overwrites all that a buffer held before, also where a frame is smaller than its level', () => {
    const bytes = load('odd-jpeg-frame-small');
    const expected = decode(bytes, { kernels });
    const into = new Uint8Array(expected.data.length).fill(0x77);
    expectSamePicture('reused', decode(bytes, { kernels, into }), expected);
    expect([...expected.data.slice(-4)]).toEqual([0, 0, 0, 0]);
  });

  it('decides JPEG alpha by level 0 whatever level is decoded first', () => {
    const bytes = load('odd-jpeg-alpha8-levels-differ');
    const inOrder = parse(bytes);
    const expected = inOrder.levels.map((_, level) => inOrder.decode({ level, kernels }));
    // Level 1 stores 0 and level 2 stores 255 throughout: used as they are.
    expect([1, 2].map((level) => expected[level].data[3])).toEqual([0, 255]);
    for (const order of [
      [3, 2, 1, 0],
      [1, 0],
      [2, 3],
    ]) {
      const texture = parse(bytes);
      for (const level of order) {
        const decoded = texture.decode({ level, kernels });
        expectSamePicture(`order ${order} level ${level}`, decoded, expected[level]);
      }
    }
  });
});

describe('alpha modes', () => {
  const picture = ball(16, 16);
  const stored = (alphaBits: number, alphaOf?: (alpha: number) => number): Uint8Array =>
    jpegFile([alphaOf ? withAlpha(picture, alphaOf) : picture], { alphaBits });
  const paletted = (alphaBits: number): Uint8Array =>
    buildFile({
      version: 1,
      width: 16,
      height: 16,
      alphaBits,
      palette: packPalette(ballPalette),
      levels: [new Uint8Array(512).fill(7)],
    });
  const bgra = (alphaBits: number): Uint8Array =>
    buildFile({
      version: 2,
      width: 16,
      height: 16,
      alphaBits,
      encoding: 3,
      levels: [bgraBytes(picture)],
    });
  type Shown = 'stored' | 'opaque';
  const cases: [string, Uint8Array, Record<AlphaMode, Shown>][] = [
    ['JPEG, 8, mixed', stored(8), row('stored', 'stored', 'stored')],
    ['JPEG, 0, mixed', stored(0), row('stored', 'opaque', 'stored')],
    ['JPEG, 4, mixed', stored(4), row('stored', 'opaque', 'stored')],
    ['JPEG, 8, zero', stored(8, () => 0), row('opaque', 'stored', 'stored')],
    ['JPEG, 0, zero', stored(0, () => 0), row('opaque', 'opaque', 'stored')],
    ['JPEG, 0, uniform', stored(0, () => 96), row('stored', 'opaque', 'stored')],
    ['paletted, 8', paletted(8), row('stored', 'stored', 'stored')],
    ['paletted, 0', paletted(0), row('opaque', 'opaque', 'opaque')],
    ['BGRA, 8', bgra(8), row('stored', 'stored', 'stored')],
    ['BGRA, 136', bgra(136), row('stored', 'stored', 'stored')],
    ['BGRA, 0', bgra(0), row('opaque', 'opaque', 'stored')],
  ];

  function row(auto: Shown, declared: Shown, raw: Shown): Record<AlphaMode, Shown> {
    return { auto, declared, stored: raw, opaque: 'opaque' };
  }

  describe.each(cases)('%s', (name, bytes, shown) => {
    it.each(implementations)('by the $name kernels', (kernels) => {
      const texture = parse(bytes);
      const raw = texture.decode({ alpha: 'stored', kernels });
      const solid = withAlpha({ ...raw, data: new Uint8Array(raw.data) }, () => 255);
      for (const [alpha, kind] of Object.entries(shown) as [AlphaMode, Shown][]) {
        const label = `${name}-${alpha}-${kernels.name}`;
        const actual = texture.decode({ alpha, kernels });
        expectSamePicture(label, actual, kind === 'stored' ? raw : solid);
      }
    });

    it('means by auto what the plain decoder does', () => {
      const expected = decodeReference(bytes).levels[0];
      expectSamePicture(name, decode(bytes, { kernels: implementations[0] }), expected);
    });
  });

  it('refuses other words', () => {
    const { code, message } = errorOf(() => decode(bgra(8), { alpha: 'none' as AlphaMode }));
    expect(code).toBe('argument');
    expect(message).toContain('auto, declared, stored, opaque');
  });
});

describe('warnings', () => {
  it('are kept and passed on once each, in the order in which they arise', () => {
    const seen: BlpWarning[] = [];
    const texture = parse(load('odd-jpeg-alpha0-mixed'), {
      onWarning: (warning) => seen.push(warning),
    });
    expect(seen).toEqual([]);
    texture.decode();
    texture.decode();
    texture.decode({ level: 1 });
    expect(seen.map(({ code }) => code)).toEqual(['alpha-bits-disagree']);
    expect(texture.warnings).toEqual(seen);
  });

  it('say what was found', () => {
    for (const name of [
      'odd-slot-too-short',
      'odd-paletted-no-alpha-list',
      'odd-jpeg-frame-small',
    ]) {
      const { warnings } = parse(load(name));
      expect(warnings.length, name).toBe(1);
      expect(warnings[0].message, name).toMatch(/\d/);
    }
  });
});

describe('BLP0', () => {
  it('takes its levels from the files beside it', () => {
    const levelFiles = Array.from({ length: 7 }, (_, n) =>
      readBytes(fixturesFolder, `blp0-paletted-alpha8.b0${n}`),
    );
    const texture = parse(load('blp0-paletted-alpha8'), { levelFiles });
    expect(texture.version).toBe(0);
    expect(texture.levels.length).toBe(7);
    const twin = parse(load('blp2-paletted-alpha8'));
    for (let level = 0; level < 7; level++) {
      expectSamePicture(`level${level}`, texture.decode({ level }), twin.decode({ level }));
    }
  });

  it('is truncated without them', () => {
    const { code, message } = errorOf(() => decode(load('blp0-jpeg-alpha8')));
    expect(code).toBe('truncated');
    expect(message).toContain('.b00');
  });
});

it('uses the SIMD kernels where they compile', () => {
  expect(kernelsInUse().name).toBe('wasm');
});

describe('options', () => {
  const bytes = () => load('blp2-dxt5-alpha8');

  it.each<[string, (bytes: Uint8Array) => unknown]>([
    ['maxPixels', (file) => decode(file, { maxPixels: 10 } as object)],
    ['limit', (file) => parse(file, { limit: { maxPixels: 1 } } as object)],
    ['levle', (file) => parse(file).decode({ levle: 1 } as object)],
    ['gmae', (file) => validate(file, { gmae: 'wow' } as object)],
    ['jobs', (file) => decodeMany([file], { jobs: 4 } as object)],
  ])('%s is refused, not passed over', (name, call) => {
    expect(() => call(bytes())).toThrow(`${name} is not an option; known options: `);
  });

  it('a texture is what parse returns', async () => {
    const file = bytes() as unknown as BlpTexture;
    expect(() => [...decodeStrips(file)]).toThrow('texture must be what parse returns');
    await expect(decodeAsync(file)).rejects.toThrow('texture must be what parse returns');
  });
});
