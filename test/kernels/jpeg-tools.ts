// libjpeg's command line tools as the reference for ordinary JPEG streams.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomFractions } from '../reference/random.js';

/** Are cjpeg, djpeg and jpegtran installed (Debian: libjpeg-turbo-progs)? */
export const hasJpegTools = ['cjpeg', 'djpeg', 'jpegtran'].every(
  (tool) => spawnSync(tool, ['-version']).status === 0,
);

/** RGB or grey samples, rows top to bottom. */
export interface Picture {
  width: number;
  height: number;
  channels: 1 | 3;
  samples: Uint8Array;
}

/** A file for a tool that takes an argument only from disk, such as a scan script or tables. */
export function temporaryFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'jpeg-')), 'file');
  writeFileSync(path, text);
  return path;
}

/** Encodes each picture by `cjpeg` with its options. */
export function cjpeg(jobs: [Picture, ...string[]][]): Uint8Array[] {
  return runAll(
    jobs.map(([picture, ...options]) => {
      const magic = picture.channels === 3 ? 'P6' : 'P5';
      const head = Buffer.from(`${magic}\n${picture.width} ${picture.height}\n255\n`);
      return {
        command: `cjpeg ${options.join(' ')}`,
        input: Buffer.concat([head, picture.samples]),
      };
    }),
  );
}

/** Transcodes each stream by `jpegtran` with its options, without loss. */
export function jpegtran(jobs: [Uint8Array, ...string[]][]): Uint8Array[] {
  return runAll(
    jobs.map(([input, ...options]) => ({ command: `jpegtran ${options.join(' ')}`, input })),
  );
}

/** Decodes each stream by `djpeg` with the accurate integer transform and its default smoothing. */
export function djpeg(streams: Uint8Array[]): Picture[] {
  const outputs = runAll(streams.map((input) => ({ command: 'djpeg -dct int -pnm', input })));
  return outputs.map((pnm) => {
    const head = Buffer.from(pnm.subarray(0, 32)).toString('latin1');
    const fields = /^P([56])\s(\d+) (\d+)\s255\s/.exec(head)!;
    return {
      width: Number(fields[2]),
      height: Number(fields[3]),
      channels: fields[1] === '6' ? 3 : 1,
      samples: pnm.subarray(fields[0].length),
    };
  });
}

/** Runs all commands in one shell: starting a process from Node takes longer than the tools do. */
function runAll(jobs: { command: string; input: Uint8Array }[]): Uint8Array[] {
  const folder = mkdtempSync(join(tmpdir(), 'jpeg-'));
  try {
    const script = jobs.map(({ command, input }, i) => {
      writeFileSync(join(folder, `${i}.in`), input);
      // The tools exit with 2 after warnings; what they wrote is what counts.
      return `${command} < ${i}.in > ${i}.out; [ $? = 0 -o $? = 2 ] || exit 1`;
    });
    const { status, stderr } = spawnSync('sh', { input: script.join('\n'), cwd: folder });
    if (status !== 0) throw new Error(stderr.toString());
    return jobs.map((_, i) => new Uint8Array(readFileSync(join(folder, `${i}.out`))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The picture as RGBA. */
export function toRgba({ width, height, channels, samples }: Picture): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) rgba[4 * i + c] = samples[channels * i + (channels === 3 ? c : 0)]!;
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

/** Edges, ramps and noise of a fixed seed: all that a transform and its smoothing can get wrong. */
export function testPicture(width: number, height: number, channels: 1 | 3, seed = 1): Picture {
  const random = randomFractions(seed);
  const samples = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < channels; c++) {
        const ramp = ((x * (3 + c)) ^ (y * 2)) & 255;
        const noise = Math.floor(random() * 256);
        const part = ((x >> 4) + (y >> 3)) % 3;
        samples[(y * width + x) * channels + c] =
          part === 0 ? ramp : part === 1 ? noise : (c * 97 + (x > y ? 200 : 30)) & 255;
      }
    }
  }
  return { width, height, channels, samples };
}

/** Where the first segment of that marker begins, of those before the first scan's data. */
export function segmentOffset(stream: Uint8Array, marker: number): number {
  for (let p = 2; p < stream.length; p += 2 + stream[p + 2]! * 256 + stream[p + 3]!) {
    if (stream[p + 1] === marker) return p;
  }
  throw new Error(`no segment of marker ${marker}`);
}
