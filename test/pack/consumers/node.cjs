// CommonJS in Node: decodes in this thread and in workers, prints the hashes.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { decode, kernelsInUse } = require('blp-wasm');
const { decodeMany } = require('blp-wasm/pool');

const names = process.argv.slice(2).map((name) => `public/${name}`);
const hash = ({ data }) => createHash('sha256').update(data).digest('hex');

(async () => {
  const here = names.map((name) => hash(decode(readFileSync(name))));
  const inWorkers = [];
  for await (const { image, error } of decodeMany(names, { concurrency: 2 })) {
    if (error) throw error;
    inWorkers.push(hash(image));
  }
  console.log(JSON.stringify({ kernels: kernelsInUse().name, here, inWorkers }));
})();
