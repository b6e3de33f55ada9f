// The service worker: the network where there is one, what was fetched last otherwise.

const scope = self as unknown as ServiceWorkerGlobalScope;
const cacheName = 'blp-viewer';
const files = ['./', 'main.js', 'worker.js', 'style.css', 'icon.svg', 'samples/list.json'];

scope.addEventListener('install', (event) => {
  event.waitUntil(fill());
});
scope.addEventListener('activate', (event) => {
  event.waitUntil(scope.clients.claim());
});
scope.addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(answer(event.request));
});

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  const samples: string[] = await (await fetch('samples/list.json')).json();
  await cache.addAll(samples.map((name) => `samples/${name}`));
  await scope.skipWaiting();
}

async function answer(request: globalThis.Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

interface ServiceWorkerGlobalScope {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent {
  request: globalThis.Request;
  respondWith(response: Promise<Response>): void;
}

export {};
