// JPEG levels of real files: the SIMD decoder against jpeg-js and the decoders of other packages, nanoseconds a pixel.
//
// Needs real files (BLP_TEXTURES or ../shared). Optional: `npm run bench:install` for the other packages, and
// JPEG_PROTOTYPE=path of a WebAssembly module for an earlier decoder with the calls parse and decode.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as javascript from '../src/kernels/javascript/jpeg.js';
import type { JpegSource } from '../src/kernels/kernels.js';
import {
  type JpegKernels,
  jpegKernels,
  type RealLevel,
  realFiles,
  realLevels,
  strict,
} from '../test/kernels/jpeg-support.js';
import { writeResults } from './results.js';
import { table } from './timing.js';

/** Decodes a level into the buffer, or into one of its own, which it returns. */
type Decode = (level: RealLevel, buffer: Uint8Array) => Uint8Array | Uint8ClampedArray;

const local = createRequire(import.meta.url);
const peers = createRequire(new URL('./peers/package.json', import.meta.url));

function joined({ header, body }: JpegSource): Uint8Array {
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  return bytes;
}

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
    image.parse(joined(source));
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

const files = new Map<string, ArrayBuffer>();
/** The whole file in a buffer of its own: what the other packages take. */
function fileOf(name: string): ArrayBuffer {
  let file = files.get(name);
  if (!file) {
    file = new Uint8Array(readFileSync(`${realFiles}/corpus/${name}`)).buffer;
    files.set(name, file);
  }
  return file;
}

function war3Model(): Decode {
  const { decodeBLP, getBLPImageData } = peers('war3-model');
  return ({ name, level }) => getBLPImageData(decodeBLP(fileOf(name)), level).data;
}

function mdxM3Viewer(): Decode {
  const { BlpImage } = peers('mdx-m3-viewer/dist/cjs/parsers/blp/image.js');
  // It makes an ImageData, which Node does not have.
  (globalThis as Record<string, unknown>).ImageData ??= class {
    readonly data: Uint8ClampedArray;
    constructor(
      readonly width: number,
      readonly height: number,
    ) {
      this.data = new Uint8ClampedArray(width * height * 4);
    }
  };
  return ({ name, level }) => {
    const image = new BlpImage();
    image.load(fileOf(name));
    return image.getMipmap(level).data;
  };
}

interface Prototype {
  memory: WebAssembly.Memory;
  heapBase(): number;
  parse(stream: number, length: number): number;
  coefBytes(): number;
  decode(out: number, coefficients: number, swap: number): number;
}

function prototype(): Decode {
  const path = process.env.JPEG_PROTOTYPE;
  if (!path) throw new Error('JPEG_PROTOTYPE is not set');
  const module = new WebAssembly.Module(readFileSync(path));
  const wasm = new WebAssembly.Instance(module, {}).exports as unknown as Prototype;
  const align = (address: number) => (address + 15) & ~15;
  const base = align(wasm.heapBase());
  wasm.memory.grow(1024);
  return ({ source: { header, body }, width, height }, buffer) => {
    const bytes = new Uint8Array(wasm.memory.buffer);
    bytes.set(header, base);
    bytes.set(body, base + header.length);
    const length = header.length + body.length;
    if (wasm.parse(base, length) < 0) throw new Error('refused');
    const out = align(base + length + 64);
    const coefficients = align(out + width * height * 4);
    if (coefficients + wasm.coefBytes() > bytes.length) throw new Error('memory');
    wasm.decode(out, coefficients, 1);
    buffer.set(bytes.subarray(out, out + width * height * 4));
    return buffer;
  };
}

const contenders: { name: string; decode: Decode }[] = [
  { name: 'WebAssembly', decode: kernelDecode(jpegKernels()) },
];
for (const [name, load] of Object.entries({
  prototype,
  'plain JavaScript': () => kernelDecode(javascript),
  'jpeg-js': jpegJs,
  'war3-model': war3Model,
  'mdx-m3-viewer': mdxM3Viewer,
})) {
  try {
    contenders.push({ name, decode: load() });
  } catch (error) {
    console.log(`${name} is left out: ${(error as Error).message.split('\n')[0]}`);
  }
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
  const hash = (bytes: Uint8Array | Uint8ClampedArray) =>
    createHash('sha256').update(bytes).digest('hex');
  const expected = levels.map((level, i) => hash(contenders[0]!.decode(level, buffers[i]!)));
  const runs = contenders.map(({ name, decode }) => {
    let differs = 0;
    const able = levels
      .map((level, i) => ({ level, buffer: buffers[i]!, expected: expected[i]! }))
      .filter(({ level, buffer, expected }) => {
        try {
          if (hash(decode(level, buffer)) !== expected) differs++;
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
    const sorted = samples[i]!.sort((a, b) => a - b);
    return { name, min: sorted[0]!, median: sorted[sorted.length >> 1]!, differs, failed };
  });
}

if (!existsSync(`${realFiles}/corpus`)) {
  console.log(`no real files in ${realFiles}: set BLP_TEXTURES`);
  process.exit(0);
}

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
