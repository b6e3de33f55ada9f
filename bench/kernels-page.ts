// The table of kernels on a page: measures when it is loaded and leaves the tables where the runner finds them.

import { measureKernels } from './kernel-table.js';

Object.assign(globalThis, { kernelTables: measureKernels([64, 256, 2048], 1.5, console.log) });
