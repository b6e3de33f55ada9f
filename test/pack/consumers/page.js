// A page, bundled or not: decodes here, in workers of the pool and in a worker of its own; the title tells the hashes.
import { decode, kernelsInUse } from 'blp-wasm';
import { toImageData } from 'blp-wasm/browser';
import { decodeMany } from 'blp-wasm/pool';

const names = new URLSearchParams(location.search).getAll('name');
const hash = async ({ data }) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

try {
  const here = [];
  for (const name of names) {
    const image = decode(await (await fetch(name)).arrayBuffer());
    here.push(await hash(toImageData(image)));
  }
  const options = { concurrency: 2, workerUrl: globalThis.poolWorker };
  const inWorkers = [];
  for await (const { image, error } of decodeMany(names, options)) {
    if (error) throw error;
    inWorkers.push(await hash(image));
  }
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const inOwnWorker = await new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message || 'the worker did not load'));
    worker.postMessage(names.map((name) => new URL(name, document.baseURI).href));
  });
  document.title = JSON.stringify({ kernels: kernelsInUse().name, here, inWorkers, inOwnWorker });
} catch (error) {
  document.title = JSON.stringify({ error: String(error) });
}
