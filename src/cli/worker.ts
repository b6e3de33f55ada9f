// The worker of `blp convert`: only paths and figures cross the threads.

import { workerData } from 'node:worker_threads';
import { serve } from '../pool/serve.js';
import { createConverter } from './convert-file.js';
import type { ConvertJob, ConvertResult, ConvertSettings } from './job.js';

const convert = createConverter(workerData as ConvertSettings);

serve<ConvertJob, ConvertResult>(async (job) => ({ result: await convert(job) }));
