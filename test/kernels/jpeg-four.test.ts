// Four-component streams of every kind: B, G, R, A untouched, subsampled planes replicated.

import { describe, expect, it } from 'vitest';
import type { Region } from '../../src/kernels/kernels.js';
import { decodeLevel, javascriptKernels, jpegKernels, strict } from './jpeg-support.js';
import {
  cjpeg,
  djpeg,
  hasJpegTools,
  jpegtran,
  type Picture,
  segmentOffset,
  testPicture,
} from './jpeg-tools.js';

const decoders = [jpegKernels(), javascriptKernels];
const none = new Uint8Array(0);

/** The entropy-coded data of a stream of one scan. */
function scanData(stream: Uint8Array): Uint8Array {
  const p = segmentOffset(stream, 0xda);
  return stream.subarray(p + 2 + stream[p + 2]! * 256 + stream[p + 3]!, -2);
}

/** The quantisation and Huffman tables of a stream. */
function tablesOf(stream: Uint8Array): Uint8Array[] {
  const tables: Uint8Array[] = [];
  for (let p = 2; stream[p + 1] !== 0xda; ) {
    const end = p + 2 + stream[p + 2]! * 256 + stream[p + 3]!;
    if (stream[p + 1] === 0xdb || stream[p + 1] === 0xc4) tables.push(stream.subarray(p, end));
    p = end;
  }
  return tables;
}

interface FourComponents {
  /** One scan a component. */
  stream: Uint8Array;
  /** What the pixels must be, from djpeg's reading of each component alone. */
  pixels: Uint8Array;
}

/** Joins four grey streams to one of four components with the given sampling factors. */
function fourComponents(
  width: number,
  height: number,
  factors: [number, number][],
): FourComponents {
  const widest = Math.max(...factors.map(([h]) => h));
  const highest = Math.max(...factors.map(([, v]) => v));
  const greys = cjpeg(
    factors.map(([h, v], i) => [
      testPicture(Math.ceil((width * h) / widest), Math.ceil((height * v) / highest), 1, i + 1),
      '-grayscale',
    ]),
  );
  const planes = djpeg(greys);
  const frame = factors.flatMap(([h, v], i) => [i, h * 16 + v, 0]);
  const scans = greys.map((grey, i) =>
    Uint8Array.from([255, 0xda, 0, 8, 1, i, 0, 0, 63, 0, ...scanData(grey)]),
  );
  const sof = [255, 0xc0, 0, 20, 8, height >> 8, height & 255, width >> 8, width & 255, 4];
  const stream = Buffer.concat([
    Uint8Array.from([255, 0xd8]),
    ...tablesOf(greys[0]!),
    Uint8Array.from([...sof, ...frame]),
    ...scans,
    Uint8Array.from([255, 0xd9]),
  ]);
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      factors.forEach(([h, v], i) => {
        const plane = planes[i] as Picture;
        const row = Math.floor((y * v) / highest);
        const column = Math.floor((x * h) / widest);
        // B, G, R, A are stored, R, G, B, A are put out.
        pixels[(y * width + x) * 4 + [2, 1, 0, 3][i]!] = plane.samples[row * plane.width + column]!;
      });
    }
  }
  return { stream: new Uint8Array(stream), pixels };
}

function factorsOf(sampling: string): [number, number][] {
  return sampling.split(' ').map((text) => text.split('x').map(Number) as [number, number]);
}

/** The region of a level that holds the frame and else transparent black. */
function cropped(
  frame: Uint8Array,
  width: number,
  height: number,
  region: Region,
  opaque: boolean,
): Uint8Array {
  const target = new Uint8Array(region.width * region.height * 4);
  for (let y = 0; y < region.height; y++) {
    for (let x = 0; x < region.width; x++) {
      const [fx, fy] = [x + region.x, y + region.y];
      if (fx >= width || fy >= height) continue;
      const from = (fy * width + fx) * 4;
      const to = (y * region.width + x) * 4;
      target.set(frame.subarray(from, from + 4), to);
      if (opaque) target[to + 3] = 255;
    }
  }
  return target;
}

const title = hasJpegTools
  ? 'four components'
  : 'four components: skipped, libjpeg-turbo-progs is not installed';
describe.skipIf(!hasJpegTools)(title, () => {
  const samplings = [
    '1x1 1x1 1x1 1x1',
    '2x2 2x2 2x2 1x1',
    '1x1 2x1 1x2 2x2',
    '1x1 4x1 2x1 1x1',
    '1x1 3x1 2x1 1x1',
    '1x4 1x2 1x3 1x1',
    '2x1 2x1 2x1 2x1',
  ];
  it.each(samplings)('sampling %s', (sampling) => {
    const factors = factorsOf(sampling);
    for (const [width, height] of [
      [1, 1],
      [37, 29],
      [64, 64],
    ] as const) {
      const { stream, pixels } = fourComponents(width, height, factors);
      const blocks = factors.reduce((sum, [h, v]) => sum + h * v, 0);
      const streams = [stream];
      // No interleaved scan may have more than ten blocks an MCU.
      if (blocks <= 10) {
        const variants = ['-copy all', '-optimize', '-progressive'];
        streams.push(
          ...jpegtran(variants.map((variant) => [stream, variant])),
          ...jpegtran(variants.map((variant) => [stream, variant, '-restart', '3B'])),
        );
      }
      for (const body of streams) {
        for (const kernels of decoders) {
          const result = decodeLevel(kernels, { header: none, body }, width, height);
          expect(Buffer.compare(result.pixels, pixels)).toBe(0);
          expect(result.complete).toBe(true);
          expect(result.alphaPlane).not.toBe('none');
        }
      }
    }
  });

  const plain = factorsOf('1x1 1x1 1x1 1x1');

  it('whatever the identifiers and Adobe segments say', () => {
    const { stream, pixels } = fourComponents(20, 20, plain);
    const [interleaved] = jpegtran([[stream]]) as [Uint8Array];
    const [frame, scan] = [0xc0, 0xda].map((marker) => segmentOffset(interleaved, marker));
    for (const identifiers of [
      [1, 2, 3, 4],
      [...Buffer.from('CMYK')],
      [...Buffer.from('RGBA')],
      [7, 7, 7, 7],
    ]) {
      const renamed = interleaved.slice();
      identifiers.forEach((identifier, i) => {
        renamed[frame! + 10 + 3 * i] = identifier;
        renamed[scan! + 5 + 2 * i] = identifier;
      });
      for (const transform of [0, 1, 2]) {
        const adobe = [255, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, transform];
        const body = Uint8Array.from([255, 0xd8, ...adobe, ...renamed.subarray(2)]);
        for (const kernels of decoders) {
          const result = decodeLevel(kernels, { header: none, body }, 20, 20);
          expect(Buffer.compare(result.pixels, pixels)).toBe(0);
        }
      }
    }
  });

  it('cut in two pieces anywhere in the headers', () => {
    const [stream] = jpegtran([[fourComponents(20, 20, plain).stream]]) as [Uint8Array];
    const { pixels } = decodeLevel(jpegKernels(), { header: none, body: stream }, 20, 20);
    for (let cut = 1; cut < 700; cut += 3) {
      const source = { header: stream.subarray(0, cut), body: stream.subarray(cut) };
      for (const kernels of decoders) {
        expect(Buffer.compare(decodeLevel(kernels, source, 20, 20).pixels, pixels)).toBe(0);
      }
    }
  });

  it('regions, padding and forced alpha', () => {
    const { stream } = fourComponents(61, 43, plain);
    const sampled = fourComponents(61, 43, factorsOf('2x2 1x2 2x1 1x1')).stream;
    const bodies = [stream, sampled, ...jpegtran([[stream], [sampled], [stream, '-progressive']])];
    const [width, height] = [70, 50];
    const regions: Region[] = [
      { x: 0, y: 0, width, height },
      { x: 0, y: 0, width: 1, height: 1 },
      { x: 13, y: 9, width: 30, height: 20 },
      { x: 60, y: 40, width: 10, height: 10 },
      { x: 61, y: 0, width: 9, height: 50 },
      { x: 0, y: 43, width: 70, height: 7 },
      { x: 5, y: 8, width: 65, height: 8 },
    ];
    for (const body of bodies) {
      const source = { header: none, body };
      for (const kernels of decoders) {
        const frame = decodeLevel(kernels, source, 61, 43).pixels;
        for (const opaque of [false, true]) {
          for (const region of regions) {
            const target = new Uint8Array(region.width * region.height * 4).fill(0xcd);
            const options = { ...strict, opaque };
            kernels.jpeg(source, options, { width, height, region, target });
            const expected = cropped(frame, 61, 43, region, opaque);
            expect(Buffer.compare(target, expected)).toBe(0);
          }
        }
      }
    }
  });
});
