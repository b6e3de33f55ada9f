// README, "Speed", in Node: kernels against their twins and against copying. `--smoke` only shows that it runs.

import { type KernelFigures, kernelSection, measureKernels, sides } from './kernel-table.js';
import { giveFigures, inFreshProcesses, isMeasuring, medians, range } from './processes.js';
import { writeResults } from './results.js';

/** Processes that measure, and seconds for a kernel at one side in each. */
const runs = 5;
const seconds = 0.4;

if (process.argv.includes('--smoke')) {
  console.log(kernelSection(64, measureKernels(64, 0.01)));
} else if (isMeasuring) {
  giveFigures(sides.map((side) => measureKernels(side, seconds)));
} else {
  const measured = inFreshProcesses<KernelFigures[][]>(import.meta.url, runs);
  const tables = sides.map((side, i) =>
    kernelSection(side, medians(measured.map((run) => run[i]))),
  );
  const dxt1 = measured.map((run) => {
    const figures = run[sides.indexOf(2048)].find(({ name }) => name === 'dxt1');
    if (figures?.alone === undefined) throw new Error('DXT1 was not measured');
    return figures.alone;
  });
  const heading = `Each figure is the median of ${runs} fresh processes, the last two columns by median times. DXT1 at 2048 × 2048 without hand-off ran at ${range(dxt1)} the speed of the copy, depending on the process.`;
  const text = [heading, ...tables].join('\n\n');
  console.log(`\n${text}\n`);
  writeResults('kernels', measured, text);
}
