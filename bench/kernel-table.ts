// README, "Speed": measures the table of kernels, in Node and in browsers: the SIMD kernels against their JavaScript twins and against copying the output, with and without hand-off.

import { javascriptKernels } from '../src/kernels/javascript/kernels.js';
import type { BlockFormat, Kernels } from '../src/kernels/kernels.js';
import { createWasmKernels, instantiateDecodeModule } from '../src/kernels/wasm/kernels.js';
import { randomBytes, randomNumbers } from '../test/reference/random.js';
import { race, table } from './timing.js';

type Job = { name: string; run(kernels: Kernels, side: number, target: Uint8Array): void };

const random = randomNumbers(1);
const source = randomBytes(4096 * 2048, random);
const palette = randomBytes(1024, random);
const whole = (side: number, target: Uint8Array) => ({
  width: side,
  height: side,
  region: { x: 0, y: 0, width: side, height: side },
  target,
});

const blockJobs: Job[] = (['dxt1', 'dxt3', 'dxt5', 'bc5'] as BlockFormat[]).map((format) => ({
  name: format,
  run: (kernels, side, target) => kernels.blocks(format, source, false, whole(side, target)),
}));
const paletteJobs: Job[] = ([0, 1, 4, 8] as const).map((bits) => ({
  name: `paletted, alpha ${bits}`,
  run: (kernels, side, target) => kernels.paletted(source, palette, bits, whole(side, target)),
}));
const otherJobs: Job[] = [
  {
    name: 'bgra',
    run: (kernels, side, target) => kernels.bgra(pixels, false, whole(side, target)),
  },
  {
    name: 'halve',
    run: (kernels, side, target) => kernels.halve(pixels, side, side, false, target),
  },
  {
    name: 'halve, weighted',
    run: (kernels, side, target) => kernels.halve(pixels, side, side, true, target),
  },
];

const pixels = randomBytes(2048 * 2048 * 4, random);
const wasm = createWasmKernels();

// The module by itself, on blocks and texels that lie in its memory: what the hand-off adds shows in comparison.
const runtime = instantiateDecodeModule();
const { exports } = runtime;
exports.prepareBlocks();
const blocksAt = exports.heapBase();
const texelsAt = blocksAt + source.length + 64;
runtime.ensure(texelsAt + 2048 * 2048 * 4 + 64, 1 << 30);
runtime.bytes().set(source, blocksAt);
const alone: Partial<Record<string, (side: number) => void>> = Object.fromEntries(
  Object.entries({
    dxt1: exports.decodeDxt1,
    dxt3: exports.decodeDxt3,
    dxt5: exports.decodeDxt5,
    bc5: exports.decodeBc5,
  }).map(([name, kernel]) => [
    name,
    (side: number) => kernel(blocksAt, texelsAt, side / 4, side / 4, side * 4, false),
  ]),
);

/** How fast the module decodes in its own memory, in copies of the output from one buffer to another. */
function raceAlone(name: string, side: number, seconds: number, hash: string): number | undefined {
  const kernel = alone[name];
  if (!kernel) return undefined;
  // Memory that was never written is one page of zeros, read from the cache again and again.
  const from = new Uint8Array(side * side * 4).fill(1);
  const to = new Uint8Array(side * side * 4);
  const [decode, copy] = race(
    [
      {
        name,
        run: () => kernel(side),
        output: () => runtime.bytes().subarray(texelsAt, texelsAt + from.length),
      },
      { name: 'copy', run: () => to.set(from) },
    ],
    { seconds },
  );
  if (decode.hash !== hash) throw new Error(`${name}: the kernel alone decodes otherwise`);
  return copy.median / decode.median;
}

const jobs = [...blockJobs, ...paletteJobs, ...otherJobs];

/** The sides of the pictures that are measured. */
export const sides = [64, 256, 2048];

/** What is measured of a kernel at one side; times of calls as ratios. */
export interface KernelFigures {
  name: string;
  /** Millions of texels a second, by the fastest call. */
  wasm: number;
  javascript: number;
  /** JavaScript : WebAssembly, by the fastest calls, and by the medians. */
  min: number;
  median: number;
  /** Copying the output : WebAssembly, by the medians: into the caller's buffer, and for blocks in the module's memory. */
  copy: number;
  alone?: number;
}

/** Measures every kernel at one side. */
export function measureKernels(side: number, seconds: number): KernelFigures[] {
  return jobs.map((job) => measure(job, side, seconds));
}

function measure(job: Job, side: number, seconds: number): KernelFigures {
  const halves = job.name.startsWith('halve');
  const size = halves ? side * side : side * side * 4;
  const outputs = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];
  const [simd, plain, copy] = race(
    [
      { name: 'wasm', run: () => job.run(wasm, side, outputs[0]), output: () => outputs[0] },
      {
        name: 'javascript',
        run: () => job.run(javascriptKernels, side, outputs[1]),
        output: () => outputs[1],
      },
      { name: 'copy', run: () => outputs[2].set(outputs[0]) },
    ],
    { seconds },
  );
  if (simd.hash !== plain.hash) throw new Error(`${job.name}: the kernels disagree`);
  const mpix = (milliseconds: number) => size / 4 / milliseconds / 1000;
  return {
    name: job.name,
    wasm: mpix(simd.min),
    javascript: mpix(plain.min),
    min: plain.min / simd.min,
    median: plain.median / simd.median,
    copy: copy.median / simd.median,
    alone: raceAlone(job.name, side, seconds, simd.hash),
  };
}

const columns = [
  'kernel',
  'WASM MPix/s',
  'JS MPix/s',
  'WASM : JS, min',
  'median',
  'WASM : copy',
  'without hand-off',
];

/** The figures of one side as a section of text. */
export function kernelSection(side: number, figures: KernelFigures[]): string {
  const rows = figures.map(({ name, wasm, javascript, min, median, copy, alone }) => [
    name,
    wasm.toFixed(0),
    javascript.toFixed(0),
    `${min.toFixed(1)}×`,
    `${median.toFixed(1)}×`,
    `${copy.toFixed(2)}×`,
    alone === undefined ? '' : `${alone.toFixed(2)}×`,
  ]);
  return `${side} × ${side}, into a reused buffer\n\n${table(columns, rows)}`;
}
