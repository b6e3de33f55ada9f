// Quality and speed of the DXT encoder on real pictures, against ImageMagick's cluster fit and libsquish where they are installed.
//
// npx tsx bench/dxt-quality.ts [pictures] [side]: 24 pictures, of each the middle 64 × 64 texels (ImageMagick takes
// about a second for 10,000). All contenders see the same texels, take turns picture by picture, and are charged CPU
// time; ImageMagick's is that of the process less that of its range fit, which leaves out starting and file formats.
// Error is the plain squared error of R, G and B in the decoder's arithmetic. libsquish is told the same (uniform)
// metric; ImageMagick's cannot be chosen.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeDxt } from '../src/encode/dxt.js';
import { javascriptKernels } from '../src/kernels/javascript/kernels.js';
import { corpusPictures, type NamedPicture } from './pictures.js';
import { table } from './timing.js';

type Format = 'dxt1' | 'dxt5';

interface Encoded {
  blocks: Uint8Array;
  /** CPU milliseconds. */
  milliseconds: number;
}

interface Contender {
  name: string;
  encode(picture: NamedPicture, format: Format): Encoded;
}

const folder = mkdtempSync(join(tmpdir(), 'dxt-quality-'));

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function ownPreset(preset: 'fast' | 'normal' | 'best'): Contender {
  return {
    name: preset,
    encode(picture, format) {
      const options = { preset, keepTransparentColor: true };
      let repeats = 0;
      let blocks: Uint8Array;
      const start = cpuMilliseconds();
      do {
        blocks = encodeDxt(picture, format, options);
        repeats++;
      } while (cpuMilliseconds() - start < 20);
      return { blocks, milliseconds: (cpuMilliseconds() - start) / repeats };
    },
  };
}

/** Debian's path: elsewhere `convert` may be another program. */
const convert = '/usr/bin/convert';

function imageMagick(): Contender | undefined {
  if (!existsSync(convert)) return undefined;
  const input = join(folder, 'input.rgba');
  const output = join(folder, 'output.dds');
  /** CPU milliseconds of one conversion. */
  const run = (picture: NamedPicture, format: Format, clusterFit: boolean): number => {
    const command =
      `${convert} -size ${picture.width}x${picture.height} -depth 8 rgba:${input} ` +
      `-define dds:compression=${format} -define dds:cluster-fit=${clusterFit} ` +
      `-define dds:weight-by-alpha=false -define dds:mipmaps=0 ` +
      `${format === 'dxt1' ? '-alpha off ' : ''}${output}; times`;
    const { stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    const [, minutes, seconds] = /\n(\d+)m([\d.]+)s/.exec(stdout) ?? [];
    return (Number(minutes) * 60 + Number(seconds)) * 1000;
  };
  return {
    name: 'ImageMagick cluster fit',
    encode(picture, format) {
      writeFileSync(input, picture.data);
      const overhead = run(picture, format, false);
      const milliseconds = run(picture, format, true) - overhead;
      return { blocks: new Uint8Array(readFileSync(output).subarray(128)), milliseconds };
    },
  };
}

/** Values of squish.h. */
const squishFormats = { dxt1: 1, dxt5: 4 };
const squishFits = { 'range fit': 64, 'cluster fit': 32, 'iterative cluster fit': 256 };

function squish(fit: keyof typeof squishFits): Contender {
  return {
    name: `libsquish ${fit}`,
    encode({ width, height, data }, format) {
      const flags = squishFits[fit] | squishFormats[format];
      const { stdout, stderr } = spawnSync(
        join(folder, 'squish'),
        [width, height, flags].map(String),
        { input: data, maxBuffer: 1 << 28, env: { OMP_NUM_THREADS: '1' } },
      );
      return { blocks: new Uint8Array(stdout), milliseconds: Number(stderr) };
    },
  };
}

function buildSquish(): boolean {
  const source = fileURLToPath(new URL('squish.cpp', import.meta.url));
  const { status } = spawnSync('g++', ['-O2', source, '-o', join(folder, 'squish'), '-lsquish']);
  return status === 0;
}

/** Sums of squared differences of colour and of alpha. */
function errors(picture: NamedPicture, blocks: Uint8Array, format: Format): [number, number] {
  const { width, height, data } = picture;
  const target = new Uint8Array(data.length);
  const region = { x: 0, y: 0, width, height };
  javascriptKernels.blocks(format, blocks, format === 'dxt1', { width, height, region, target });
  let color = 0;
  let alpha = 0;
  for (let at = 0; at < data.length; at++) {
    const square = (data[at]! - target[at]!) ** 2;
    if ((at & 3) === 3) alpha += square;
    else color += square;
  }
  return [color, alpha];
}

/** Decibels; a picture without error counts as if one sample were off by one. */
function psnr(error: number, samples: number): number {
  return 10 * Math.log10((255 * 255 * samples) / Math.max(error, 1));
}

/** The middle of a picture, in whole blocks where it is cut. */
function middle(picture: NamedPicture, side: number): NamedPicture {
  const width = Math.min(side, picture.width);
  const height = Math.min(side, picture.height);
  const left = ((picture.width - width) >> 1) & ~3;
  const top = ((picture.height - height) >> 1) & ~3;
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * picture.width + left) * 4;
    data.set(picture.data.subarray(from, from + width * 4), y * width * 4);
  }
  return { ...picture, width, height, data };
}

function opaque(picture: NamedPicture): NamedPicture {
  const data = picture.data.map((value, at) => ((at & 3) === 3 ? 255 : value));
  return { ...picture, data };
}

function isFlat({ data }: NamedPicture): boolean {
  return data.every((value, at) => value === data[at & 3]);
}

function compare(contenders: Contender[], pictures: NamedPicture[], format: Format): void {
  const totals = contenders.map(() => ({ color: 0, alpha: 0, milliseconds: 0 }));
  const perPicture: number[][] = contenders.map(() => []);
  let texels = 0;
  for (const original of pictures) {
    // libsquish would make texels with little alpha transparent in DXT1.
    const picture = format === 'dxt1' ? opaque(original) : original;
    const count = picture.width * picture.height;
    texels += count;
    contenders.forEach((contender, i) => {
      const { blocks, milliseconds } = contender.encode(picture, format);
      const [color, alpha] = errors(picture, blocks, format);
      totals[i]!.color += color;
      totals[i]!.alpha += alpha;
      totals[i]!.milliseconds += milliseconds;
      perPicture[i]!.push(psnr(color, count * 3));
    });
  }
  const reference = contenders.findIndex(({ name }) => name.endsWith(' cluster fit'));
  const speed = (i: number): number => texels / totals[i]!.milliseconds / 1000;
  const mean = (values: number[]): number => values.reduce((a, b) => a + b) / values.length;
  const rows = contenders.map(({ name }, i) => {
    const behind = perPicture[i]!.map((value, k) => value - (perPicture[reference]?.[k] ?? value));
    return [
      name,
      mean(perPicture[i]!).toFixed(3),
      psnr(totals[i]!.color, texels * 3).toFixed(3),
      Math.min(...behind).toFixed(3),
      Math.max(...behind).toFixed(3),
      format === 'dxt1' ? '' : psnr(totals[i]!.alpha, texels).toFixed(3),
      speed(i).toFixed(3),
      reference < 0 ? '' : (speed(i) / speed(reference)).toFixed(1),
    ];
  });
  const name = contenders[reference]?.name ?? 'nothing';
  console.log(
    `\n${format}: ${pictures.length} pictures, ${texels} texels; compared with ${name}\n`,
  );
  const columns = [
    'encoder',
    'mean dB',
    'all dB',
    'least gain',
    'most gain',
    'alpha dB',
    'MPix/s',
    'times',
  ];
  console.log(table(columns, rows));
}

const [count = 24, side = 64] = process.argv.slice(2).map(Number);
// Not the DXT textures of the corpus: what has been through such an encoder once comes out of the next too well.
const pictures = corpusPictures(count * 2, /jpeg|pal|bgra/, 64)
  .map((picture) => middle(picture, side))
  .filter((picture) => !isFlat(picture))
  .slice(0, count);
const contenders = [ownPreset('fast'), ownPreset('normal'), ownPreset('best')];
const magick = imageMagick();
if (magick) contenders.push(magick);
else console.log(`ImageMagick is left out: there is no ${convert}`);
if (buildSquish())
  contenders.push(squish('range fit'), squish('cluster fit'), squish('iterative cluster fit'));
else
  console.log(
    'libsquish is left out: bench/squish.cpp does not build (it needs g++ and libsquish-dev)',
  );

for (const contender of contenders.slice(0, 3)) contender.encode(pictures[0]!, 'dxt5');
try {
  compare(contenders, pictures, 'dxt1');
  compare(contenders, pictures, 'dxt5');
} finally {
  rmSync(folder, { recursive: true });
}
