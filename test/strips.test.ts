// Pictures in strips against the same picture in one piece, for every fixture; progress and AbortSignal.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlpError, type BlpTexture, decodeAsync, decodeStrips, parse } from '../src/index.js';

const folder = new URL('../fixtures/', import.meta.url);
const load = (name: string): BlpTexture => parse(readFileSync(new URL(name, folder)));

/** Byte for byte; expect().toEqual takes seconds for a picture. */
const equal = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  Buffer.compare(viewOf(a), viewOf(b)) === 0;
const viewOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

const names = readdirSync(folder).filter(
  (name) => name.endsWith('.blp') && !name.startsWith('blp0'),
);

describe('decodeStrips', () => {
  test.each(names)('%s: strips of any height make the picture', (name) => {
    const texture = load(name);
    const whole = texture.decode();
    const stride = whole.width * 4;
    for (const rows of [1, 4, 7, 12, 1000]) {
      const joined = new Uint8ClampedArray(whole.data.length);
      let next = 0;
      for (const strip of decodeStrips(texture, { rows })) {
        expect(strip.y).toBe(next);
        expect(strip.data.length).toBe(strip.height * stride);
        joined.set(strip.data, strip.y * stride);
        next += strip.height;
      }
      expect(next).toBe(whole.height);
      expect(equal(joined, whole.data), `rows ${rows}`).toBe(true);
    }
  });

  test('regions that begin inside a block', () => {
    const texture = load('blp2-dxt5-odd-sides.blp');
    const { width, height } = texture;
    fc.assert(
      fc.property(
        fc.nat(width - 1),
        fc.nat(height - 1),
        fc.integer({ min: 1, max: width }),
        fc.integer({ min: 1, max: height }),
        fc.integer({ min: 1, max: 9 }),
        (x, y, w, h, rows) => {
          const region = {
            x,
            y,
            width: Math.min(w, width - x),
            height: Math.min(h, height - y),
          };
          const whole = texture.decode({ region });
          const strips = [...decodeStrips(texture, { region, rows })];
          // Every strip but the first begins with a row of blocks.
          for (const strip of strips.slice(1)) expect((y + strip.y) % 4).toBe(0);
          expect(strips.flatMap((strip) => [...strip.data])).toEqual([...whole.data]);
        },
      ),
    );
  });

  test('another level, another alpha', () => {
    const texture = load('blp2-dxt5-alpha8.blp');
    const options = { level: 1, alpha: 'opaque' } as const;
    const strips = [...decodeStrips(texture, { ...options, rows: 4 })];
    expect(strips.length).toBeGreaterThan(1);
    expect(strips.flatMap((strip) => [...strip.data])).toEqual([...texture.decode(options).data]);
  });

  test('refuses rows that are none', () => {
    for (const rows of [0, -4, 1.5, Number.NaN]) {
      expect(() => [...decodeStrips(load('blp2-bc5.blp'), { rows })]).toThrow(BlpError);
    }
  });
});

describe('decodeAsync', () => {
  /** 1024 × 2048 DXT1 texels, which are eight strips. */
  const large = (): BlpTexture => {
    const bytes = new Uint8Array(1172 + 1024 * 1024);
    const header = readFileSync(new URL('blp2-dxt1-alpha1.blp', folder)).subarray(0, 148);
    bytes.set(header);
    const view = new DataView(bytes.buffer);
    view.setUint32(0x0c, 1024, true);
    view.setUint32(0x10, 2048, true);
    for (let slot = 0; slot < 16; slot++) {
      view.setUint32(0x14 + slot * 4, slot ? 0 : 1172, true);
      view.setUint32(0x54 + slot * 4, slot ? 0 : 1024 * 1024, true);
    }
    for (let at = 1172; at < bytes.length; at++) bytes[at] = (at * 2654435761) >>> 13;
    return parse(bytes);
  };

  test.each(names)('%s: the same picture', async (name) => {
    const texture = load(name);
    const { data } = await decodeAsync(texture);
    expect(equal(data, texture.decode().data)).toBe(true);
  });

  test('a large picture, its progress, and the buffer it is decoded into', async () => {
    const texture = large();
    const into = new Uint8Array(1024 * 2048 * 4 + 5);
    const progress: number[] = [];
    const image = await decodeAsync(texture, {
      into,
      onProgress: (rows, total) => {
        expect(total).toBe(2048);
        progress.push(rows);
      },
    });
    expect(progress).toEqual([256, 512, 768, 1024, 1280, 1536, 1792, 2048]);
    expect(image.data.buffer).toBe(into.buffer);
    expect(equal(image.data, texture.decode().data)).toBe(true);
  });

  test('a signal ends it between two strips with its own reason', async () => {
    const texture = large();
    const controller = new AbortController();
    let calls = 0;
    const run = decodeAsync(texture, {
      signal: controller.signal,
      onProgress: () => {
        if (++calls === 2) controller.abort(new Error('the user left'));
      },
    });
    await expect(run).rejects.toThrow('the user left');
    expect(calls).toBe(2);
    const early = decodeAsync(texture, { signal: AbortSignal.abort(), onProgress: () => calls++ });
    await expect(early).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls).toBe(2);
  });

  test('a file that is cut short, as far as it goes', async () => {
    const bytes = large().bytes.subarray(0, 700_000);
    const texture = parse(bytes, { salvage: true });
    const { data } = await decodeAsync(texture);
    expect(equal(data, texture.decode().data)).toBe(true);
    expect(data.subarray(-4)).toEqual(new Uint8ClampedArray(4));
  });

  test('keeps to the limit on the whole picture, not the strip', async () => {
    const texture = parse(large().bytes, { limits: { maxOutputBytes: 4 * 1024 * 1024 } });
    await expect(decodeAsync(texture)).rejects.toMatchObject({ code: 'limit' });
  });

  test('refuses a buffer that is too small before decoding', async () => {
    const run = decodeAsync(large(), { into: new Uint8Array(1024) });
    await expect(run).rejects.toMatchObject({ code: 'argument' });
  });
});
