// The JSON report: one document on standard output, written file by file so that it takes no memory.

import { once } from 'node:events';
import type { FileRecord } from './report.js';

export interface JsonReport {
  add(record: FileRecord): Promise<void>;
  end(summary: object): Promise<void>;
}

export function createJsonReport(stream: NodeJS.WriteStream = process.stdout): JsonReport {
  let count = 0;

  async function write(text: string): Promise<void> {
    if (!stream.write(text)) await once(stream, 'drain');
  }

  return {
    add: (record) => write(`${count++ === 0 ? '{"files":[\n' : ',\n'}${JSON.stringify(record)}`),
    end: (summary) =>
      write(
        `${count === 0 ? '{"files":[' : ''}\n],"summary":${JSON.stringify(summary, null, 2)}}\n`,
      ),
  };
}
