// Decodes the atlas of the tests in a worker, as an application would: reports progress, listens for a stop.
import { decodeAsync, parse } from '../../src/index.js';
import { makeAtlas } from './atlas.js';

const controllers = new Map<number, AbortController>();

self.onmessage = async ({ data: { id, stop, side } }) => {
  if (stop) {
    controllers.get(id)?.abort();
    return;
  }
  const controller = new AbortController();
  controllers.set(id, controller);
  try {
    const image = await decodeAsync(parse(makeAtlas(side)), {
      signal: controller.signal,
      onProgress: (rows) => self.postMessage({ id, rows }),
    });
    self.postMessage({ id, image }, { transfer: [image.data.buffer] });
  } catch (error) {
    self.postMessage({ id, error: (error as Error).name });
  }
};
