// JPEG levels of real files: the SIMD decoder against jpeg-js and the decoders of other packages, nanoseconds a pixel.
//
// Needs the built package and real files (BLP_TEXTURES or ../shared), and `npm run bench:install` for the other packages.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { concatenate } from '../src/bytes.js';
import * as javascript from '../src/kernels/javascript/jpeg.js';
import {
  type JpegKernels,
  jpegKernels,
  type RealLevel,
  realLevels,
  strict,
} from '../test/kernels/jpeg-support.js';
import { sha256 } from '../test/reference/compare.js';
import { findRealTextures, readBytes } from '../test/reference/files.js';
import { loadPeers } from './peer-decoders.js';
import { writeResults } from './results.js';
import { median, table } from './timing.js';

/** Decodes a level into the buffer, or into one of its own, which it returns. */
type Decode = (level: RealLevel, buffer: Uint8Array) => Uint8Array | Uint8ClampedArray;

const local = createRequire(import.meta.url);
const { folder, missing } = findRealTextures('corpus');

function kernelDecode(kernels: JpegKernels): Decode {
  return ({ source, width, height }, buffer) => {
    const region = { x: 0, y: 0, width, height };
    kernels.jpeg(source, strict, { width, height, region, target: buffer });
    return buffer;
  };
}

/** The decoder class inside jpeg-js; the package's own `decode` refuses four components without an Adobe segment. */
function jpegJs(): Decode {
  const text = readFileSync(local.resolve('jpeg-js/lib/decoder.js'), 'utf8');
  const script = text.slice(text.indexOf('var JpegImage'), text.indexOf('if (typeof module'));
  const JpegImage = new Function(`${script}; return JpegImage;`)();
  return ({ source, width, height }, buffer) => {
    JpegImage.resetMaxMemoryUsage(1 << 30);
    const image = new JpegImage();
    image.opts = { maxResolutionInMP: 100 };
    image.parse(concatenate([source.header, source.body]));
    const [b, g, r, a] = image.components.map(({ lines }: { lines: Uint8Array[] }) => lines);
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i += 4) {
        buffer[i] = r[y][x];
        buffer[i + 1] = g[y][x];
        buffer[i + 2] = b[y][x];
        buffer[i + 3] = a[y][x];
      }
    }
    return buffer;
  };
}

const files = new Map<string, Uint8Array>();
/** The whole file: what the other packages take. */
function fileOf(name: string): Uint8Array {
  let file = files.get(name);
  if (!file) {
    file = readBytes(folder, name);
    files.set(name, file);
  }
  return file;
}

/** Packages that read a level of a BLP file. */
const wholeFilePeers = ['war3-model', 'mdx-m3-viewer'];

const contenders: { name: string; decode: Decode }[] = [
  { name: 'WebAssembly', decode: kernelDecode(jpegKernels()) },
  { name: 'plain JavaScript', decode: kernelDecode(javascript) },
  { name: 'jpeg-js', decode: jpegJs() },
];
for (const { name, decode } of await loadPeers()) {
  if (!wholeFilePeers.includes(name)) continue;
  contenders.push({ name, decode: (level) => decode(fileOf(level.name), level.level) });
}

/** Processor time of this process in nanoseconds: other work on the machine does not count. */
function cpuTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

interface Row {
  name: string;
  min: number;
  median: number;
  differs: number;
  failed: number;
}

function measure(levels: RealLevel[], rounds: number): Row[] {
  const buffers = levels.map(({ width, height }) => new Uint8Array(width * height * 4));
  const expected = levels.map((level, i) => sha256(contenders[0]!.decode(level, buffers[i]!)));
  const runs = contenders.map(({ name, decode }) => {
    let differs = 0;
    const able = levels
      .map((level, i) => ({ level, buffer: buffers[i]!, expected: expected[i]! }))
      .filter(({ level, buffer, expected }) => {
        try {
          if (sha256(decode(level, buffer)) !== expected) differs++;
          return true;
        } catch {
          return false;
        }
      });
    const pixels = able.reduce((sum, { level }) => sum + level.width * level.height, 0);
    const run = () => {
      for (const { level, buffer } of able) decode(level, buffer);
    };
    // A sample of a few milliseconds at least: the processor's clock ticks slowly.
    const repeats = Math.max(1, Math.ceil(10e6 / Math.max(cpuTime(run), 1)));
    return { name, run, repeats, pixels, differs, failed: levels.length - able.length };
  });
  const samples = runs.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    runs.forEach(({ run, repeats, pixels }, i) => {
      const time = cpuTime(() => {
        for (let n = 0; n < repeats; n++) run();
      });
      samples[i]!.push(time / repeats / pixels);
    });
  }
  return runs.map(({ name, differs, failed }, i) => {
    const times = samples[i]!;
    return { name, min: Math.min(...times), median: median(times), differs, failed };
  });
}

if (missing) process.exit(0);

const all = realLevels('corpus');
const isProgressive = ({ name }: RealLevel) => name.includes('-prog/');
const firsts = all.filter(({ level }) => level === 0);
const square = (side: number) =>
  firsts.filter((l) => l.width === side && l.height === side && !isProgressive(l));
const icons = square(64).slice(0, 25);
const groups: [string, RealLevel[]][] = [
  ['512 × 512', square(512).slice(0, 8)],
  ['256 × 256', square(256).slice(0, 16)],
  ['64 × 64 with all mip levels', all.filter(({ name }) => icons.some((i) => i.name === name))],
  ['progressive, level 0', firsts.filter(isProgressive).slice(0, 16)],
];

const rounds = Number(process.env.ROUNDS ?? 9);
const results: Record<string, Row[]> = {};
const parts: string[] = [];
for (const [group, levels] of groups) {
  const rows = measure(levels, rounds);
  results[group] = rows;
  const first = rows[0]!;
  parts.push(
    `### ${group} (${levels.length} levels)\n`,
    table(
      ['decoder', 'ns/pixel min', 'median', 'times slower (median)', 'other pixels', 'not decoded'],
      rows.map(({ name, min, median, differs, failed }) => [
        name,
        min.toFixed(2),
        median.toFixed(2),
        (median / first.median).toFixed(2),
        differs,
        failed,
      ]),
    ),
    '',
  );
}
const markdown = parts.join('\n');
console.log(markdown);
writeResults('jpeg', results, markdown);
