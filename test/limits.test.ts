// Limits and arguments: what is refused, with which code, and that the message says what was found and what is allowed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BlpError, type DecodeOptions, decode, defaultLimits, parse } from '../src/index.js';
import { javascriptKernels } from '../src/kernels/javascript.js';
import { createWasmKernels } from '../src/kernels/wasm.js';
import { fixturesFolder } from './reference/files.js';

const read = (name: string) => new Uint8Array(readFileSync(join(fixturesFolder, name)));
const dxt5 = read('blp2-dxt5-alpha8.blp');
const progressive = read('blp1-jpeg-progressive.blp');
const size = decode(dxt5).data.length;

function refusal(run: () => unknown): BlpError {
  try {
    run();
  } catch (error) {
    if (error instanceof BlpError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('limits', () => {
  const side = Math.sqrt(size / 4);
  test.each<[string, DecodeOptions, string, string]>([
    ['maxPixels', { limits: { maxPixels: side * side - 1 } }, `${side * side}`, 'limits.maxPixels'],
    [
      'maxInputBytes',
      { limits: { maxInputBytes: dxt5.length - 1 } },
      `${dxt5.length} bytes`,
      'limits.maxInputBytes',
    ],
    [
      'maxOutputBytes',
      { limits: { maxOutputBytes: size - 1 } },
      `${size} bytes`,
      'limits.maxOutputBytes',
    ],
  ])('%s refuses what is one larger', (_, options, found, allowed) => {
    const error = refusal(() => decode(dxt5, options));
    expect(error.code).toBe('limit');
    expect(error.message).toContain(found);
    expect(error.message).toContain(allowed);
  });

  test('each limit lets through what is just as large', () => {
    const limits = { maxPixels: side * side, maxInputBytes: dxt5.length, maxOutputBytes: size };
    expect(decode(dxt5, { limits }).data).toHaveLength(size);
  });

  test.each([
    ['wasm', createWasmKernels()],
    ['javascript', javascriptKernels],
  ] as const)('maxJpegScans counts the scans (%s)', (_, kernels) => {
    const error = refusal(() => decode(progressive, { kernels, limits: { maxJpegScans: 1 } }));
    expect(error.code).toBe('limit');
    expect(error.message).toContain('limits.maxJpegScans');
    expect(decode(progressive, { kernels }).width).toBeGreaterThan(0);
  });

  test('maxWasmMemory holds before the coefficients are allocated', () => {
    const kernels = createWasmKernels();
    const error = refusal(() =>
      decode(progressive, { kernels, limits: { maxWasmMemory: 40_000 } }),
    );
    expect(error.code).toBe('limit');
    expect(error.message).toContain('limits.maxWasmMemory');
  });

  test.each([
    [{ maxPixel: 5 }, 'limits.maxPixel is not a limit'],
    [{ maxPixels: 0 }, 'limits.maxPixels must be a positive number, got 0'],
    [{ maxPixels: Number.NaN }, 'limits.maxPixels must be a positive number, got NaN'],
    [{ maxPixels: '5' }, 'limits.maxPixels must be a positive number, got 5'],
  ])('a limit that is none is an argument error: %j', (limits, message) => {
    const error = refusal(() => decode(dxt5, { limits: limits as DecodeOptions['limits'] }));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  test('the defaults take the largest texture of current graphics cards', () => {
    expect(defaultLimits.maxPixels).toBe(8192 * 8192);
    expect(defaultLimits.maxOutputBytes).toBe(8192 * 8192 * 4);
  });
});

describe('into', () => {
  test('a larger buffer is filled from its beginning and the result is a view of it', () => {
    const buffer = new ArrayBuffer(size + 100);
    const into = new Uint8Array(buffer, 40, size + 20).fill(7);
    const image = decode(dxt5, { into });
    expect(image.data.buffer).toBe(buffer);
    expect(image.data.byteOffset).toBe(40);
    expect(image.data).toHaveLength(size);
    expect(image.data).toEqual(decode(dxt5).data);
    expect(into.subarray(size)).toEqual(new Uint8Array(20).fill(7));
  });

  test('an offset that is not a multiple of four gives the same texels from both kernels', () => {
    for (const kernels of [createWasmKernels(), javascriptKernels]) {
      const into = new Uint8ClampedArray(new ArrayBuffer(size + 3), 3);
      expect(decode(dxt5, { into, kernels }).data).toEqual(decode(dxt5).data);
    }
  });

  const detached = new Uint8Array(size);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  test.each<[string, unknown, string]>([
    ['too small', new Uint8Array(size - 1), `${size - 1} bytes, the picture takes ${size}`],
    ['empty', new Uint8Array(0), `0 bytes, the picture takes ${size}`],
    ['detached', detached, 'detached'],
    ['shared', new Uint8Array(new SharedArrayBuffer(size)), 'shared'],
    ['of another type', new Float32Array(size), 'Float32Array'],
    ['a buffer', new ArrayBuffer(size), 'ArrayBuffer'],
    ['a number', 5, '5'],
  ])('a buffer that is %s is an argument error', (_, into, message) => {
    const error = refusal(() => decode(dxt5, { into: into as Uint8Array }));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });
});

describe('other arguments', () => {
  test.each<[string, DecodeOptions, string]>([
    ['level past the chain', { level: 99 }, 'level must be a whole number from 0 to'],
    ['level below 0', { level: -1 }, 'got -1'],
    ['level with a fraction', { level: 0.5 }, 'got 0.5'],
    ['region past the side', { region: { x: 1, y: 0, width: 9999, height: 1 } }, 'width 9999'],
    ['empty region', { region: { x: 0, y: 0, width: 0, height: 1 } }, 'width 0'],
    ['region not a number', { region: { x: 0, y: 0, width: 1 } as never }, 'height undefined'],
    ['alpha of another name', { alpha: 'none' as never }, 'auto, declared, stored, opaque'],
  ])('%s', (_, options, message) => {
    const error = refusal(() => decode(dxt5, options));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  test.each([[undefined], [null], ['BLP2'], [5], [new Float32Array(4)], [[66, 76, 80, 50]]])(
    'bytes that are %j',
    (bytes) => {
      const error = refusal(() => parse(bytes as never));
      expect(error.code).toBe('argument');
      expect(error.message).toContain('must be a Uint8Array or ArrayBuffer');
    },
  );

  test('detached bytes', () => {
    const bytes = dxt5.slice();
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(refusal(() => parse(bytes)).message).toContain('detached');
  });

  test('an ArrayBuffer is as good as a Uint8Array', () => {
    const image = decode(dxt5.slice().buffer);
    expect(image).toEqual(decode(dxt5));
  });
});
