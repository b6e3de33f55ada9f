// README, "Speed", in Node: kernels against their twins and against copying. `--smoke` only shows that it runs.

import { measureKernels } from './kernel-table.js';
import { writeResults } from './results.js';

if (process.argv.includes('--smoke')) {
  measureKernels([64], 0.01, console.log);
} else {
  const sections = measureKernels([64, 256, 2048], 1.5, console.log);
  writeResults('kernels', sections, sections.join('\n\n'));
}
