// The DXT encoder: exactness where blocks can be exact, no influence from outside, and the order of the presets.

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type DxtFormat, encodeDxt } from '../../src/encode/dxt.js';
import { encoderModule } from '../../src/encode/encoder-module.js';
import { presets } from '../../src/encode/options.js';
import { randomNumbers } from '../reference/random.js';

interface Image {
  width: number;
  height: number;
  data: Uint8Array;
}

const formats: readonly DxtFormat[] = ['dxt1', 'dxt3', 'dxt5'];

const expand5 = (steps: number): number => (steps << 3) | (steps >> 2);
const expand6 = (steps: number): number => (steps << 2) | (steps >> 4);

function expand565(color: number): number[] {
  return [expand5(color >> 11), expand6((color >> 5) & 63), expand5(color & 31)];
}

/** One block, as 16 RGBA texels. */
function decodeBlock(block: Uint8Array, format: DxtFormat, opaque: boolean): number[][] {
  const at = format === 'dxt1' ? 0 : 8;
  const c0 = block[at]! + block[at + 1]! * 256;
  const c1 = block[at + 2]! + block[at + 3]! * 256;
  const [a, b] = [expand565(c0), expand565(c1)];
  const mix = (weightA: number, weightB: number): number[] =>
    a.map((value, channel) =>
      Math.floor((weightA * value + weightB * b[channel]!) / (weightA + weightB)),
    );
  const four = format !== 'dxt1' || c0 > c1;
  const colors = four ? [a, b, mix(2, 1), mix(1, 2)] : [a, b, mix(1, 1), [0, 0, 0]];
  const alphas = blockAlphas(block, format);
  return Array.from({ length: 16 }, (_, texel) => {
    const index = (block[at + 4 + (texel >> 2)]! >> ((texel & 3) * 2)) & 3;
    const transparent = format === 'dxt1' && !four && index === 3 && !opaque;
    return [...colors[index]!, transparent ? 0 : alphas[texel]!];
  });
}

function blockAlphas(block: Uint8Array, format: DxtFormat): number[] {
  const texels = [...Array(16).keys()];
  if (format === 'dxt1') return texels.map(() => 255);
  if (format === 'dxt3') return texels.map((i) => ((block[i >> 1]! >> ((i & 1) * 4)) & 15) * 17);
  const [a, b] = [block[0]!, block[1]!];
  const inner = a > b ? 6 : 4;
  const palette = [a, b];
  for (let i = 1; i <= inner; i++) {
    palette.push(Math.floor(((inner + 1 - i) * a + i * b) / (inner + 1)));
  }
  if (inner === 4) palette.push(0, 255);
  let bits = 0n;
  for (let i = 7; i >= 2; i--) bits = bits * 256n + BigInt(block[i]!);
  return texels.map((i) => palette[Number((bits >> BigInt(3 * i)) & 7n)]!);
}

function decodeDxt(blocks: Uint8Array, format: DxtFormat, image: Image, opaque = false): Image {
  const { width, height } = image;
  const size = format === 'dxt1' ? 8 : 16;
  const perRow = Math.ceil(width / 4);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((x & 3) !== 0) continue;
      const at = ((y >> 2) * perRow + (x >> 2)) * size;
      const texels = decodeBlock(blocks.subarray(at, at + size), format, opaque);
      for (let i = 0; i < 4 && x + i < width; i++) {
        data.set(texels[(y & 3) * 4 + i]!, (y * width + x + i) * 4);
      }
    }
  }
  return { width, height, data };
}

/** A 4 × 4 picture of the given RGBA texels, repeated as needed. */
function blockOf(texels: readonly (readonly number[])[]): Image {
  const data = new Uint8Array(64);
  for (let i = 0; i < 16; i++) data.set(texels[i % texels.length]!, i * 4);
  return { width: 4, height: 4, data };
}

function colorError(a: Image, b: Image): number {
  let sum = 0;
  a.data.forEach((value, at) => {
    if ((at & 3) !== 3) sum += (value - b.data[at]!) ** 2;
  });
  return sum;
}

/** Smooth slopes, an edge, and noise: what textures are made of. */
function syntheticImage(width: number, height: number, seed: number): Image {
  const random = randomNumbers(seed);
  const slopes = Array.from({ length: 9 }, () => (random() >>> 8) / 2 ** 24 - 0.5);
  const noise = (random() >>> 24) / 8;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const side = x * slopes[0]! + y * slopes[1]! > 3 ? 70 : 0;
      for (let channel = 0; channel < 3; channel++) {
        const slope = slopes[2 + channel]! * x * 6 + slopes[5 + channel]! * y * 6;
        const grain = ((random() >>> 8) / 2 ** 24 - 0.5) * noise;
        data[(y * width + x) * 4 + channel] = 110 + slope + side * slopes[2 + channel]! * 3 + grain;
      }
      data[(y * width + x) * 4 + 3] = 255 - ((x * 7 + y * 3) % 256);
    }
  }
  return { width, height, data: new Uint8Array(data.buffer) };
}

/** Each block's alpha must be at least as close as with the outermost values as ends of an eight-value palette. */
function expectNoWorseThanPlainEncoder(image: Image, decoded: Image): void {
  const { width, height } = image;
  for (let y = 0; y < height; y += 4) {
    for (let x = 0; x < width; x += 4) {
      const places: number[] = [];
      for (let row = y; row < Math.min(y + 4, height); row++) {
        for (let column = x; column < Math.min(x + 4, width); column++) {
          places.push((row * width + column) * 4 + 3);
        }
      }
      const alphas = places.map((at) => image.data[at]!);
      const [low, high] = [Math.min(...alphas), Math.max(...alphas)];
      const palette = [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
        Math.floor((i * high + (7 - i) * low) / 7),
      );
      let actual = 0;
      let plain = 0;
      for (const at of places) {
        const alpha = image.data[at]!;
        actual += (alpha - decoded.data[at]!) ** 2;
        plain += Math.min(...palette.map((entry) => (alpha - entry) ** 2));
      }
      expect(actual).toBeLessThanOrEqual(plain);
    }
  }
}

const anyImage = fc
  .tuple(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 70 }), fc.integer())
  .chain(([width, height, seed]) =>
    fc.record({
      image: fc.constantFrom('noise', 'smooth').map((kind) => {
        if (kind === 'smooth') return syntheticImage(width, height, seed);
        const random = randomNumbers(seed);
        const data = Uint8Array.from({ length: width * height * 4 }, () => random() >>> 24);
        return { width, height, data };
      }),
      format: fc.constantFrom(...formats),
      options: fc.record({
        preset: fc.constantFrom(...presets),
        alpha: fc.constantFrom<0 | 1>(0, 1),
        alphaThreshold: fc.integer({ min: 1, max: 255 }),
        keepTransparentColor: fc.boolean(),
      }),
    }),
  );

describe('any picture', () => {
  test('gives whole blocks, the same ones whatever lies around the picture', () => {
    fc.assert(
      fc.property(anyImage, ({ image, format, options }) => {
        const { width, height, data } = image;
        const module = encoderModule();
        module.bytes().fill(0x00, module.base);
        const first = encodeDxt(image, format, options);
        const size = format === 'dxt1' ? 8 : 16;
        expect(first.length).toBe(Math.ceil(width / 4) * Math.ceil(height / 4) * size);
        const guarded = new Uint8Array(data.length + 128).fill(0xa5);
        guarded.set(data, 64);
        module.bytes().fill(0xff, module.base);
        const second = encodeDxt(
          { width, height, data: guarded.subarray(64, 64 + data.length) },
          format,
          options,
        );
        expect(Buffer.compare(second, first)).toBe(0);
        expect(Buffer.compare(guarded.subarray(64, 64 + data.length), data)).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  test('keeps alpha as well as its format can', () => {
    fc.assert(
      fc.property(anyImage, ({ image, format, options }) => {
        const decoded = decodeDxt(encodeDxt(image, format, options), format, image);
        for (let at = 3; at < image.data.length; at += 4) {
          const alpha = image.data[at]!;
          const actual = decoded.data[at]!;
          if (format === 'dxt1') {
            const opaque = options.alpha === 0 || alpha >= options.alphaThreshold;
            expect(actual).toBe(opaque ? 255 : 0);
          } else if (format === 'dxt3') {
            expect(actual).toBe(Math.round(alpha / 17) * 17);
          }
        }
        if (format === 'dxt5') expectNoWorseThanPlainEncoder(image, decoded);
      }),
      { numRuns: 100 },
    );
  });

  test('says by the order of the endpoints which palette is meant', () => {
    fc.assert(
      fc.property(anyImage, ({ image, format, options }) => {
        const blocks = encodeDxt(image, format, { ...options, alpha: 0 });
        const size = format === 'dxt1' ? 8 : 16;
        const view = new DataView(blocks.buffer);
        for (let at = size - 8; at < blocks.length; at += size) {
          const c0 = view.getUint16(at, true);
          const c1 = view.getUint16(at + 2, true);
          const indices = view.getUint32(at + 4, true);
          if (format !== 'dxt1') expect(c0 > c1 || indices === 0).toBe(true);
          // No black, which many readers take as transparent: no texel has index 3.
          else if (c0 <= c1) expect(indices & (indices >>> 1) & 0x55555555).toBe(0);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('does not depend on how it is cut into strips', () => {
    for (const [width, height] of [
      [2048, 70],
      [40_000, 5],
    ] as const) {
      const image = syntheticImage(width, height, 5);
      const whole = encodeDxt(image, 'dxt5', { preset: 'fast' });
      const rowBytes = Math.ceil(width / 4) * 16;
      for (let y = 0; y < height; y += 4) {
        const rows = Math.min(4, height - y);
        const data = image.data.subarray(y * width * 4, (y + rows) * width * 4);
        const strip = encodeDxt({ width, height: rows, data }, 'dxt5', { preset: 'fast' });
        const at = (y / 4) * rowBytes;
        expect(Buffer.compare(strip, whole.subarray(at, at + rowBytes))).toBe(0);
      }
    }
  });
});

describe('one colour', () => {
  /** Least error per 8-bit value over all endpoint pairs of one palette entry. */
  function leastErrors(bits: 5 | 6, weightA: number, weightB: number): number[] {
    const expand = bits === 5 ? expand5 : expand6;
    const reachable = new Set<number>();
    for (let a = 0; a < 1 << bits; a++) {
      for (let b = 0; b < 1 << bits; b++) {
        reachable.add(
          Math.floor((weightA * expand(a) + weightB * expand(b)) / (weightA + weightB)),
        );
      }
    }
    return Array.from({ length: 256 }, (_, value) =>
      Math.min(...[...reachable].map((other) => (other - value) ** 2)),
    );
  }
  const thirds = { 5: leastErrors(5, 2, 1), 6: leastErrors(6, 2, 1) };
  const halves = { 5: leastErrors(5, 1, 1), 6: leastErrors(6, 1, 1) };
  const least = (table: typeof thirds, [r, g, b]: readonly number[]): number =>
    table[5][r!]! + table[6][g!]! + table[5][b!]!;

  const random = randomNumbers(3);
  const colors = [
    ...Array.from({ length: 256 }, (_, value) => [value, value, value, 255]),
    ...Array.from({ length: 500 }, () => [random() >>> 24, random() >>> 24, random() >>> 24, 255]),
  ];

  test.each(presets)('is as close as any block comes: %s', (preset) => {
    for (const color of colors) {
      const image = blockOf([color]);
      for (const format of formats) {
        const decoded = decodeDxt(encodeDxt(image, format, { preset }), format, image);
        const best =
          format === 'dxt1'
            ? Math.min(least(thirds, color), least(halves, color))
            : least(thirds, color);
        expect(colorError(decoded, image), `${format} ${color}`).toBe(16 * best);
      }
    }
  });

  test('in the visible part of a block is as close as if it filled the block', () => {
    const color = [201, 77, 14, 255];
    const best = Math.min(least(thirds, color), least(halves, color));
    for (let width = 1; width <= 5; width++) {
      for (let height = 1; height <= 5; height++) {
        const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => color[at & 3]!);
        const image = { width, height, data };
        const decoded = decodeDxt(encodeDxt(image, 'dxt1'), 'dxt1', image);
        expect(colorError(decoded, image)).toBe(width * height * best);
      }
    }
  });
});

describe('exact where the format allows it', () => {
  const gridColor = fc
    .tuple(fc.nat(31), fc.nat(63), fc.nat(31))
    .map(([r, g, b]) => [expand5(r), expand6(g), expand5(b), 255]);

  test('two colours of the 565 grid', () => {
    fc.assert(
      fc.property(
        gridColor,
        gridColor,
        fc.nat(0xffff),
        fc.constantFrom(...formats),
        fc.constantFrom(...presets),
        (a, b, pattern, format, preset) => {
          const image = blockOf([...Array(16).keys()].map((i) => ((pattern >> i) & 1 ? a : b)));
          const decoded = decodeDxt(encodeDxt(image, format, { preset }), format, image);
          expect(decoded.data).toEqual(image.data);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('two colours of the 565 grid beside transparent texels', () => {
    fc.assert(
      fc.property(gridColor, gridColor, fc.nat(0xffff), fc.nat(0xffff), (a, b, which, holes) => {
        const hole = [1, 2, 3, 0];
        const image = blockOf(
          [...Array(16).keys()].map((i) => ((holes >> i) & 1 ? hole : (which >> i) & 1 ? a : b)),
        );
        const decoded = decodeDxt(encodeDxt(image, 'dxt1', { alpha: 1 }), 'dxt1', image);
        for (let i = 0; i < 16; i++) {
          const expected =
            (holes >> i) & 1 ? [0, 0, 0, 0] : [...image.data.subarray(i * 4, i * 4 + 4)];
          expect([...decoded.data.subarray(i * 4, i * 4 + 4)]).toEqual(expected);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('what a block decodes to is found again by best, nearly always', () => {
    const random = randomNumbers(11);
    let exact = 0;
    const count = 1000;
    for (let i = 0; i < count; i++) {
      const block = Uint8Array.from({ length: 8 }, () => random() >>> 24);
      const image = blockOf(decodeBlock(block, 'dxt1', false));
      const again = encodeDxt(image, 'dxt1', { preset: 'best', alpha: 1 });
      if (Buffer.compare(decodeDxt(again, 'dxt1', image).data, image.data) === 0) exact++;
    }
    expect(exact).toBeGreaterThan(0.98 * count);
  });

  test('DXT5: one alpha, up to eight neighbouring ones, and any two with 0 and 255', () => {
    for (const preset of presets) {
      for (let alpha = 0; alpha < 256; alpha++) {
        const other = (alpha * 97 + 31) & 255;
        for (const alphas of [
          [alpha],
          Array.from({ length: 8 }, (_, i) => Math.min(alpha, 248) + i),
          [0, alpha, 255, other],
        ]) {
          const image = blockOf(alphas.map((value) => [90, 90, 90, value]));
          const decoded = decodeDxt(encodeDxt(image, 'dxt5', { preset }), 'dxt5', image);
          for (let at = 3; at < 64; at += 4) expect(decoded.data[at]).toBe(image.data[at]);
        }
      }
    }
  });
});

describe('transparent texels', () => {
  const half = (hidden: readonly number[]): Image =>
    blockOf([[200, 40, 60, 255], [90, 120, 30, 255], hidden, hidden]);

  test.each(formats)('leave the colours of the others alone: %s', (format) => {
    const visible = (hidden: readonly number[]): number[][] => {
      const image = half(hidden);
      const decoded = decodeDxt(encodeDxt(image, format, { alpha: 1 }), format, image);
      return [0, 1].map((i) => [...decoded.data.subarray(i * 4, i * 4 + 3)]);
    };
    expect(visible([0, 255, 255, 0])).toEqual(visible([255, 0, 3, 0]));
  });

  test('keep their colour where they are alone, or where that is asked for', () => {
    const alone = blockOf([[8, 255, 0, 0]]);
    expect(decodeDxt(encodeDxt(alone, 'dxt5'), 'dxt5', alone).data).toEqual(alone.data);

    const image = half([0, 255, 255, 0]);
    const error = (keepTransparentColor: boolean): number =>
      colorError(
        decodeDxt(encodeDxt(image, 'dxt5', { keepTransparentColor }), 'dxt5', image),
        image,
      );
    expect(error(true)).toBeLessThan(error(false) / 2);
  });

  test('of DXT1 count as opaque without an alpha bit', () => {
    const image = blockOf([[8, 255, 0, 0]]);
    const decoded = decodeDxt(encodeDxt(image, 'dxt1', { alpha: 0 }), 'dxt1', image);
    expect([...decoded.data.subarray(0, 4)]).toEqual([8, 255, 0, 255]);
  });
});

test('a better preset has no larger error', () => {
  for (const format of formats) {
    const errors = presets.map((preset) => {
      let sum = 0;
      for (let seed = 0; seed < 12; seed++) {
        const image = syntheticImage(64, 64, seed);
        const blocks = encodeDxt(image, format, { preset, keepTransparentColor: true });
        sum += colorError(decodeDxt(blocks, format, image), image);
      }
      return sum;
    });
    expect(errors[0]!, format).toBeGreaterThan(errors[1]!);
    expect(errors[1]!, format).toBeGreaterThan(errors[2]!);
  }
});

describe('against plain searches', () => {
  const random = randomNumbers(29);
  const byte = (): number => random() >>> 24;

  /** Squared error of the nearest entries, colours and alphas alike. */
  const nearestError = (texels: readonly number[][], palette: readonly number[][]): number =>
    texels.reduce((sum, texel) => {
      const distance = (entry: readonly number[]): number =>
        entry.reduce((total, value, channel) => total + (value - texel[channel]!) ** 2, 0);
      return sum + Math.min(...palette.map(distance));
    }, 0);

  /** Every cut of the sorted texels into three or four entries, each solved, rounded and decoded; the least error of all. */
  function clusterFitError(texels: readonly number[][], entries: 3 | 4): number {
    const last = entries - 1;
    const count = texels.length;
    const mean = [0, 1, 2].map((c) => texels.reduce((sum, texel) => sum + texel[c]!, 0) / count);
    let axis = [1, 0.9, 1.1];
    for (let step = 0; step < 50; step++) {
      const next = [0, 0, 0];
      for (const texel of texels) {
        const away = texel.map((value, c) => value - mean[c]!);
        const along = away.reduce((sum, value, c) => sum + value * axis[c]!, 0);
        away.forEach((value, c) => {
          next[c]! += value * along;
        });
      }
      const length = Math.hypot(...next);
      axis = next.map((value) => value / length);
    }
    const place = (texel: readonly number[]): number =>
      texel.reduce((sum, value, c) => sum + value * axis[c]!, 0);
    const sorted = [...texels].sort((a, b) => place(a) - place(b));
    let least = Number.POSITIVE_INFINITY;
    for (let a = 0; a <= count; a++) {
      for (let b = a; b <= (entries === 3 ? a : count); b++) {
        for (let c = b; c <= count; c++) {
          const weights = sorted.map((_, i) =>
            i < a ? 1 : i < b ? (last - 1) / last : i < c ? 1 / last : 0,
          );
          const [aa, ab, bb] = weights.reduce(
            ([x, y, z], w) => [x! + w * w, y! + w * (1 - w), z! + (1 - w) ** 2],
            [0, 0, 0],
          );
          const determinant = aa! * bb! - ab! * ab!;
          if (determinant < 1e-9) continue;
          const ends = [0, 1, 2].map((channel) => {
            const ax = weights.reduce((sum, w, i) => sum + w * sorted[i]![channel]!, 0);
            const bx = weights.reduce((sum, w, i) => sum + (1 - w) * sorted[i]![channel]!, 0);
            const steps = channel === 1 ? 63 : 31;
            return [bb! * ax - ab! * bx, aa! * bx - ab! * ax].map((value) => {
              const step = Math.round((value / determinant / 255) * steps);
              const clamped = Math.min(steps, Math.max(0, step));
              return channel === 1 ? expand6(clamped) : expand5(clamped);
            });
          });
          const entry = (step: number): number[] =>
            ends.map(([start, end]) => Math.floor(((last - step) * start! + step * end!) / last));
          least = Math.min(least, nearestError(texels, [0, 1, 2, 3].slice(0, entries).map(entry)));
        }
      }
    }
    return least;
  }

  /** Texels along a line with noise around it, or on no line at all. */
  function colorBlock(noise: number): number[][] {
    const [from, to] = [
      [byte(), byte(), byte()],
      [byte(), byte(), byte()],
    ];
    return Array.from({ length: 16 }, () => {
      const share = byte() / 255;
      return from.map((value, c) => {
        const exact = value + (to[c]! - value) * share + ((byte() - 127) / 127) * noise;
        return Math.min(255, Math.max(0, Math.round(exact)));
      });
    });
  }

  test.each([
    [4, 'dxt5'],
    [3, 'dxt1'],
  ] as const)(
    'colour, %i entries: normal is level with a cluster fit, best is ahead of it',
    (entries, format) => {
      for (const noise of [4, 16, 64]) {
        let reference = 0;
        const errors = { fast: 0, normal: 0, best: 0 };
        for (let i = 0; i < 160; i++) {
          // A transparent texel leaves DXT1 three colours; it is black before and after.
          const texels = colorBlock(noise).slice(0, entries === 3 ? 15 : 16);
          reference += clusterFitError(texels, entries);
          const opaque = texels.map((texel) => [...texel, 255]);
          const image = blockOf([...opaque, [0, 0, 0, 0]]);
          for (const preset of presets) {
            const blocks = encodeDxt(image, format, { preset, alpha: 1 });
            errors[preset] += colorError(decodeDxt(blocks, format, image), image);
          }
        }
        expect(errors.normal / reference, `noise ${noise}`).toBeLessThan(1.002);
        expect(errors.best / reference, `noise ${noise}`).toBeLessThan(1);
        expect(errors.fast, `noise ${noise}`).toBeGreaterThan(errors.normal);
      }
    },
  );

  test('alpha: best is level with trying all pairs of ends', () => {
    let optimum = 0;
    const errors = { fast: 0, normal: 0, best: 0 };
    for (let i = 0; i < 12; i++) {
      const [center, range] = [byte(), 16 + (byte() >> 1)];
      const alphas = Array.from({ length: 16 }, () =>
        Math.min(255, Math.max(0, Math.round(center + (byte() / 255 - 0.5) * range))),
      );
      let least = Number.POSITIVE_INFINITY;
      for (let a = 0; a < 256; a++) {
        for (let b = 0; b < 256; b++) {
          const inner = a > b ? 6 : 4;
          let sum = 0;
          for (const alpha of alphas) {
            let nearest = inner === 4 ? Math.min(alpha ** 2, (255 - alpha) ** 2) : 65025;
            for (let k = 0; k <= inner + 1; k++) {
              const entry = Math.floor(((inner + 1 - k) * a + k * b) / (inner + 1));
              nearest = Math.min(nearest, (entry - alpha) ** 2);
            }
            sum += nearest;
            if (sum >= least) break;
          }
          least = Math.min(least, sum);
        }
      }
      optimum += least;
      const image = blockOf(alphas.map((alpha) => [90, 90, 90, alpha]));
      for (const preset of presets) {
        const decoded = decodeDxt(encodeDxt(image, 'dxt5', { preset }), 'dxt5', image);
        for (let at = 3; at < 64; at += 4) {
          errors[preset] += (decoded.data[at]! - image.data[at]!) ** 2;
        }
      }
    }
    expect(errors.fast).toBeGreaterThan(errors.normal);
    expect(errors.normal).toBeGreaterThan(errors.best);
    expect(errors.best / optimum).toBeGreaterThanOrEqual(1);
    expect(errors.best / optimum).toBeLessThan(1.05);
  });
});

test('three texel colours in one line, evenly spaced, use the interpolated entries beyond them', () => {
  // Their least-squares line has the texels on entries 1, 2 and 3 of four: the start point lies outside the
  // colour cube unless the line is turned round.
  const image = blockOf([
    [57, 130, 0, 255],
    [28, 65, 0, 255],
    [0, 0, 0, 255],
    [0, 0, 0, 255],
  ]);
  const decoded = decodeDxt(encodeDxt(image, 'dxt5'), 'dxt5', image);
  expect(colorError(decoded, image)).toBeLessThan(120);
});

describe('without WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test('encoding is refused as unsupported', async () => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', undefined);
    const fresh = await import('../../src/encode/encoder-module.js');
    expect(() => fresh.encoderModule()).toThrow(
      expect.objectContaining({
        code: 'unsupported',
        message: expect.stringContaining('WebAssembly'),
      }),
    );
  });
});
