// The table of kernels on a page: measures when it is loaded and leaves the tables where the runner finds them.

import { kernelSection, measureKernels, sides } from './kernel-table.js';

const kernelTables = sides.map((side) => {
  const section = kernelSection(side, measureKernels(side, 1.5));
  console.log(`\n${section}`);
  return section;
});
Object.assign(globalThis, { kernelTables });
