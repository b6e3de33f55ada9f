// An ES module in Node, Bun or Deno: decodes in this thread and in workers, prints the hashes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decode, kernelsInUse } from 'blp-wasm';
import { decodeMany } from 'blp-wasm/pool';

const names = process.argv.slice(2).map((name) => `public/${name}`);
const hash = ({ data }) => createHash('sha256').update(data).digest('hex');
const here = names.map((name) => hash(decode(readFileSync(name))));
const inWorkers = [];
for await (const { image, error } of decodeMany(names, { concurrency: 2 })) {
  if (error) throw error;
  inWorkers.push(hash(image));
}
console.log(JSON.stringify({ kernels: kernelsInUse().name, here, inWorkers }));
