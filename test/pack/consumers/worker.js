// A worker of the page: decodes and sends the hashes.
import { decode } from 'blp-wasm';

self.onmessage = async ({ data: urls }) => {
  try {
    const hashes = [];
    for (const url of urls) {
      const { data } = decode(await (await fetch(url)).arrayBuffer());
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
      hashes.push([...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
    }
    self.postMessage(hashes);
  } catch (error) {
    self.postMessage({ error: String(error) });
  }
};
