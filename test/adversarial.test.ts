// Hostile files: each ends with the right error or picture, soon, and without taking memory that it only claims.
import { describe, expect, it } from 'vitest';
import { buildFile, concatenate } from '../fixtures/generate/container.js';
import { jpegFileFromStreams } from '../fixtures/generate/fixture.js';
import { bgraPlanes, encodeJpegs } from '../fixtures/generate/jpeg.js';
import { ball } from '../fixtures/generate/pictures.js';
import { BlpError, parse } from '../src/index.js';
import type { Kernels } from '../src/kernels/kernels.js';
import { findRealTextures, readBytes } from './reference/files.js';
import { type Outcome, outcomes } from './reference/hostile.js';
import { implementations } from './reference/kernels.js';

/** A hang, not a matter of speed. */
const hangMilliseconds = 2000;
/** Beyond the picture itself: its buffer is asked for first, but no page of it is touched before texels are written. */
const mostMemory = 64 * 1024 * 1024;

function attempt(bytes: Uint8Array, kernels: Kernels): Outcome {
  const before = process.memoryUsage().arrayBuffers;
  const start = performance.now();
  let outcome: Outcome;
  let picture = 0;
  try {
    const texture = parse(bytes);
    picture = texture.width * texture.height * 4;
    texture.decode({ kernels });
    outcome = {
      result: 'decoded',
      levels: texture.levels.length,
      warnings: texture.warnings.map(({ code }) => code),
    };
  } catch (error) {
    if (!(error instanceof BlpError)) throw error;
    expect(error.message.length).toBeGreaterThan(10);
    outcome = { result: error.code };
  }
  expect(performance.now() - start).toBeLessThan(hangMilliseconds);
  expect(process.memoryUsage().arrayBuffers - before - picture).toBeLessThan(mostMemory);
  return outcome;
}

const { folder, missing, note } = findRealTextures('adversarial');

describe.skipIf(missing)(`hostile files${note}`, () => {
  describe.each(Object.entries(outcomes))('%s', (name, expected) => {
    it.each(implementations)('by the $name kernels', (kernels) => {
      expect(attempt(readBytes(folder, `${name}.blp`), kernels)).toEqual(expected);
    });
  });
});

const texel = new Uint8Array(4);
const blp2 = (width: number, height: number): Uint8Array =>
  buildFile({ version: 2, width, height, alphaBits: 8, encoding: 3, levels: [texel] });

const small = ball(16, 16);
const stream = encodeJpegs([bgraPlanes(small)])[0];
const progressive = encodeJpegs([bgraPlanes(small)], { progressive: true })[0];
const jpeg = (bytes: Uint8Array): Uint8Array =>
  jpegFileFromStreams(small, [bytes], { alphaBits: 8, chunk: 0 });

/** Where the stream's segment of this marker begins. */
function find(bytes: Uint8Array, marker: number): number {
  const at = bytes.findIndex((byte, n) => byte === 0xff && bytes[n + 1] === marker);
  if (at < 0) throw new Error(`no marker ${marker.toString(16)}`);
  return at;
}

/** Overwrites bytes of the frame header: precision, height, width, count, then id, sampling, table of each component. */
function withFrame(
  bytes: Uint8Array,
  marker: number,
  offset: number,
  values: number[],
): Uint8Array {
  const changed = new Uint8Array(bytes);
  changed.set(values, find(bytes, marker) + 4 + offset);
  return changed;
}

function insert(bytes: Uint8Array, at: number, piece: Uint8Array): Uint8Array {
  return concatenate([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

const frame = stream.subarray(find(stream, 0xc0), find(stream, 0xda));
const lastScan = progressive.lastIndexOf(0xda) - 1;
const emptyScan = Uint8Array.of(0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0x10);

const attacks: [name: string, bytes: Uint8Array, result: string][] = [
  ['sides of 0', blp2(0, 4), 'damaged'],
  ['a side of 65536', blp2(65536, 65536), 'damaged'],
  ['a side that is negative as a signed number', blp2(0xffffffff, 1), 'damaged'],
  ['65535 × 65535 texels', blp2(65535, 65535), 'limit'],
  ['more texels than bytes', blp2(8192, 8192), 'truncated'],
  [
    'a palette and 8192 × 8192 indices in 1 KB',
    buildFile({ version: 1, width: 8192, height: 8192, alphaBits: 8, levels: [texel] }),
    'truncated',
  ],
  ['a frame of 65535 × 65535', jpeg(withFrame(stream, 0xc0, 1, [255, 255, 255, 255])), 'damaged'],
  ['a frame without height', jpeg(withFrame(stream, 0xc0, 1, [0, 0])), 'damaged'],
  ['a frame without width', jpeg(withFrame(stream, 0xc0, 3, [0, 0])), 'damaged'],
  ['a second frame header', jpeg(insert(stream, find(stream, 0xda), frame)), 'damaged'],
  ['sampling factors of 0', jpeg(withFrame(stream, 0xc0, 7, [0x00])), 'damaged'],
  ['sampling factors of 15', jpeg(withFrame(stream, 0xc0, 7, [0xff])), 'damaged'],
  ['two components', jpeg(withFrame(stream, 0xc0, 5, [2])), 'damaged'],
  [
    'a flood of scans',
    jpeg(insert(progressive, lastScan, concatenate(Array.from({ length: 5000 }, () => emptyScan)))),
    'limit',
  ],
  [
    'no scan',
    jpeg(concatenate([stream.subarray(0, find(stream, 0xda)), Uint8Array.of(0xff, 0xd9)])),
    'damaged',
  ],
  ['only a start of image', jpeg(Uint8Array.of(0xff, 0xd8)), 'damaged'],
  ['no JPEG at all', jpeg(new Uint8Array(100).fill(0x11)), 'damaged'],
  [
    'a segment longer than the stream',
    jpeg(insert(stream, 2, Uint8Array.of(0xff, 0xfe, 0xff, 0xff))),
    'damaged',
  ],
];

describe.each(attacks)('%s', (_, bytes, result) => {
  it.each(implementations)('by the $name kernels', (kernels) => {
    expect(attempt(bytes, kernels).result).toBe(result);
  });
});

it('has sound streams to begin with', () => {
  for (const bytes of [stream, progressive]) {
    expect(attempt(jpeg(bytes), implementations[0]).result).toBe('decoded');
  }
});
