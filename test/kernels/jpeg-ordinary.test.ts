// Ordinary grey, YCbCr and RGB streams of every kind, against libjpeg's own decoder.

import { describe, expect, it } from 'vitest';
import { decodeLevel, javascriptKernels, jpegKernels } from './jpeg-support.js';
import {
  cjpeg,
  djpeg,
  hasJpegTools,
  jpegtran,
  type Picture,
  segmentOffset,
  temporaryFile,
  testPicture,
  toRgba,
} from './jpeg-tools.js';

const kernels = jpegKernels();
const none = new Uint8Array(0);

const sizes: [number, number][] = [
  [1, 1],
  [3, 2],
  [5, 17],
  [16, 16],
  [33, 47],
  [100, 75],
];

/** Our pixels and djpeg's of the same streams. */
function expectAlike(streams: Uint8Array[], decoders = [kernels, javascriptKernels]): void {
  const references = djpeg(streams);
  streams.forEach((body, i) => {
    const reference = references[i]!;
    const { width, height } = reference;
    const expected = toRgba(reference);
    for (const decoder of decoders) {
      const { pixels, complete } = decodeLevel(decoder, { header: none, body }, width, height);
      expect(complete).toBe(true);
      expect(Buffer.compare(pixels, expected), `stream ${i}`).toBe(0);
    }
  });
}

/** All sizes of a picture, each with all of the given options. */
function everySize(channels: 1 | 3, ...variants: string[][]): Uint8Array[] {
  return cjpeg(
    sizes.flatMap(([width, height]) => {
      const picture = testPicture(width, height, channels);
      return variants.map((options) => [picture, ...options] as [Picture, ...string[]]);
    }),
  );
}

const title = hasJpegTools
  ? 'ordinary JPEG'
  : 'ordinary JPEG: skipped, libjpeg-turbo-progs is not installed';
describe.skipIf(!hasJpegTools)(title, () => {
  const samplings = [
    '1x1',
    '2x1',
    '1x2',
    '2x2',
    '4x1',
    '1x4',
    '4x2',
    '2x4',
    '3x1',
    '1x3',
    '3x2',
    '2x2,2x1,1x1',
    '2x2,1x2,2x1',
    '1x1,2x2,1x2',
    '4x1,2x1,1x1',
    '1x4,1x2,1x1',
  ];
  it.each(samplings)('sampling %s, baseline and progressive', (sampling) => {
    expectAlike(
      everySize(
        3,
        ['-quality', '88', '-sample', sampling],
        ['-quality', '60', '-sample', sampling, '-progressive'],
      ),
    );
  });

  it('grey, also with sampling factors that mean nothing', () => {
    expectAlike(
      everySize(
        1,
        ['-grayscale'],
        ['-grayscale', '-sample', '2x2'],
        ['-grayscale', '-sample', '3x1', '-progressive'],
      ),
    );
  });

  it('RGB by identifiers, and by an Adobe segment with transform 0', () => {
    const picture = testPicture(50, 40, 3);
    const [rgb, jfif] = cjpeg([
      [picture, '-rgb'],
      [picture, '-quality', '80'],
    ]) as [Uint8Array, Uint8Array];
    const transform0 = Uint8Array.from([
      ...[255, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0],
    ]);
    const transform1 = transform0.slice();
    transform1[15] = 1;
    const bare = withoutSegment(jfif, 0xe0);
    expectAlike([
      rgb,
      bare,
      inserted(bare, 2, transform0),
      inserted(bare, 2, transform1),
      inserted(withoutSegment(rgb, 0xee), 2, transform1),
      withoutSegment(rgb, 0xee),
      // With a JFIF segment the Adobe segment counts for nothing.
      inserted(jfif, 20, transform0),
    ]);
  });

  it('restart intervals of every length, in blocks and rows', () => {
    const color = testPicture(90, 70, 3);
    const grey = testPicture(90, 70, 1);
    const jobs: [Picture, ...string[]][] = [];
    for (const interval of ['1B', '2B', '3B', '7B', '8B', '1', '2']) {
      for (const mode of ['-baseline', '-progressive', '-optimize']) {
        const options = ['-restart', interval, mode];
        jobs.push([color, '-sample', '2x2', ...options], [color, '-sample', '1x1', ...options]);
        jobs.push([grey, '-grayscale', ...options]);
      }
    }
    expectAlike(cjpeg(jobs));
  });

  it('16-bit quantisation tables', () => {
    const values = Array.from({ length: 128 }, (_, i) => 1 + ((i * 37) % 700));
    const tables = temporaryFile(values.join(' '));
    const picture = testPicture(64, 48, 3);
    const streams = cjpeg([
      [picture, '-quality', '50', '-qtables', tables],
      [picture, '-quality', '2'],
    ]);
    for (const stream of streams) expect(stream[segmentOffset(stream, 0xdb) + 4]! >> 4).toBe(1);
    expectAlike(streams);
  });

  it.each(['0; 1; 2;', '2; 0; 1;', '0 1; 2;', '0; 1 2;'])('sequential in scans %s', (script) => {
    const scans = ['-scans', temporaryFile(script)];
    expectAlike(
      everySize(
        3,
        ['-sample', '1x1', '-restart', '5B', ...scans],
        ['-sample', '2x2', ...scans],
        ['-sample', '1x2', '-restart', '2B', ...scans],
      ),
    );
  });

  it('progressive scripts of many kinds', () => {
    const ac = '0: 1 63 0 0; 1: 1 63 0 0; 2: 1 63 0 0;';
    const scripts = [
      `0: 0 0 0 0; 1: 0 0 0 0; 2: 0 0 0 0; ${ac}`,
      `0 1 2: 0 0 0 3; 0 1 2: 0 0 3 2; 0 1 2: 0 0 2 1; 0 1 2: 0 0 1 0; ${ac}`,
      '0 1 2: 0 0 0 0; 0: 1 5 0 3; 0: 6 63 0 3; 0: 1 63 3 2; 0: 1 63 2 1; 0: 1 63 1 0; 1: 1 63 0 1; 1: 1 63 1 0; 2: 1 63 0 0;',
      // No scan for the high frequencies: what is missing is zero.
      '0 1 2: 0 0 0 0; 0: 1 20 0 0; 1: 1 20 0 0; 2: 1 20 0 0;',
    ];
    const picture = testPicture(75, 61, 3);
    const jobs: [Picture, ...string[]][] = [];
    for (const script of scripts) {
      const scans = temporaryFile(script);
      for (const sampling of ['1x1', '2x2']) {
        // At 100 all coefficients of a block are there to be refined.
        for (const quality of ['40', '95', '100']) {
          jobs.push([picture, '-quality', quality, '-sample', sampling, '-scans', scans]);
        }
      }
    }
    expectAlike(cjpeg(jobs));
  });

  it('a coefficient shifted out of its 16 bits counts as none in later scans', () => {
    const segment = (marker: number, ...bytes: number[]) => [
      ...[255, marker, 0, bytes.length + 2, ...bytes],
    ];
    const scan = (...parameters: number[]) => segment(0xda, 1, 1, 0, ...parameters);
    const dcCodes = [1, ...Array(15).fill(0), 0];
    // 00: 5 bits follow, 01: end of the block, 10: 1 bit follows.
    const acCodes = [0, 3, ...Array(14).fill(0), 0x05, 0x00, 0x01];
    const stream = Uint8Array.from([
      ...[255, 0xd8],
      ...segment(0xdb, 0, ...Array(64).fill(1)),
      ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
      ...segment(0xc4, 0x00, ...dcCodes),
      ...segment(0xc4, 0x10, ...acCodes),
      ...scan(0, 0, 0x00),
      0b0111_1111,
      // 16 at the first place, times 2^12: 16 bits of it are 0.
      ...scan(1, 63, 0x0c),
      ...[0b0010_0000, 0b1111_1111, 0],
      // 2^11 at the first place that is 0, which is the same.
      ...scan(1, 63, 0xcb),
      0b1010_1111,
      ...[255, 0xd9],
    ]);
    // jpeg-js keeps the bits beyond 16, and refuses what then follows.
    expectAlike([stream], [kernels]);
  });

  it('the same pixels after lossless transcoding', () => {
    const picture = testPicture(120, 88, 3);
    const [stream] = cjpeg([[picture, '-sample', '2x2', '-quality', '92']]) as [Uint8Array];
    const expected = toRgba(djpeg([stream])[0]!);
    const bodies = jpegtran([
      [stream, '-progressive'],
      [stream, '-optimize'],
      [stream, '-restart', '3B'],
      [stream, '-copy', 'none'],
    ]);
    for (const body of bodies) {
      const { pixels } = decodeLevel(kernels, { header: none, body }, 120, 88);
      expect(Buffer.compare(pixels, expected)).toBe(0);
    }
  });

  it('fill bytes before markers, comments, garbage after the end, a missing end', () => {
    const [stream] = cjpeg([[testPicture(40, 40, 3), '-restart', '4B']]) as [Uint8Array];
    expectAlike([
      inserted(stream, 2, Uint8Array.from([255, 255, 255])),
      inserted(stream, 2, Uint8Array.from([255, 0xfe, 0, 5, 1, 2, 3])),
      Uint8Array.from([...stream, 1, 2, 255, 0xc0, 0, 255, 0xda]),
      stream.subarray(0, -2),
    ]);
  });
});

function withoutSegment(stream: Uint8Array, marker: number): Uint8Array {
  const p = segmentOffset(stream, marker);
  const end = p + 2 + stream[p + 2]! * 256 + stream[p + 3]!;
  return Uint8Array.from([...stream.subarray(0, p), ...stream.subarray(end)]);
}

function inserted(stream: Uint8Array, offset: number, bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...stream.subarray(0, offset), ...bytes, ...stream.subarray(offset)]);
}
