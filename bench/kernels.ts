// Table (a): the SIMD kernels against their JavaScript twins and against copying the output.

import { javascriptKernels } from '../src/kernels/javascript.js';
import type { BlockFormat, Kernels } from '../src/kernels/kernels.js';
import { createWasmKernels } from '../src/kernels/wasm.js';
import { race, table } from './timing.js';

/** Pseudo-random bytes: the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 1;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[i] = state >> 16;
  }
  return bytes;
}

type Job = { name: string; run(kernels: Kernels, side: number, target: Uint8Array): void };

const source = noise(4096 * 2048);
const palette = noise(1024);
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

const pixels = noise(2048 * 2048 * 4);
const wasm = createWasmKernels();

for (const side of [64, 256, 2048]) {
  const rows = [...blockJobs, ...paletteJobs, ...otherJobs].map((job) => {
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
      side === 2048 ? 2 : 0.7,
    );
    if (simd.hash !== plain.hash) throw new Error(`${job.name}: the kernels disagree`);
    const mpix = (milliseconds: number) => (size / 4 / milliseconds / 1000).toFixed(0);
    return [
      job.name,
      mpix(simd.min),
      mpix(plain.min),
      `${(plain.min / simd.min).toFixed(1)}×`,
      `${(plain.median / simd.median).toFixed(1)}×`,
      `${(copy.min / simd.min).toFixed(2)}×`,
      `${(copy.median / simd.median).toFixed(2)}×`,
    ];
  });
  console.log(`\n${side} × ${side}, into a reused buffer\n`);
  console.log(
    table(
      ['kernel', 'wasm MPix/s', 'JS MPix/s', 'wasm/JS min', 'median', 'of copy min', 'median'],
      rows,
    ),
  );
}
