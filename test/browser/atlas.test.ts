// An atlas of 8192 × 8192 texels: decoded in a worker while the page goes on, stopped half way, cut by region.
import { describe, expect, onTestFinished, test } from 'vitest';
import { decodeStrips, type Image, parse } from '../../src/index.js';
import { atlasTexel, makeAtlas } from './atlas.js';

const side = 8192;

interface Reply {
  id: number;
  rows?: number;
  image?: Image;
  error?: string;
}

function startWorker(): Worker {
  const worker = new Worker(new URL('./atlas-worker.ts', import.meta.url), { type: 'module' });
  onTestFinished(() => worker.terminate());
  return worker;
}

/** Resolves with the last reply. */
function run(worker: Worker, onReply: (reply: Reply) => void): Promise<Reply> {
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message));
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      onReply(data);
      if (data.image || data.error) resolve(data);
    };
    worker.postMessage({ id: 1, side });
  });
}

describe('in a worker', () => {
  test('progress arrives while the page goes on', async () => {
    const worker = startWorker();
    const rows: number[] = [];
    let ticks = 0;
    let ticksBetween = 0;
    const timer = setInterval(() => ticks++, 1);
    onTestFinished(() => clearInterval(timer));
    const reply = await run(worker, (reply) => {
      if (reply.rows === undefined) return;
      if (rows.length === 0) ticks = 0;
      rows.push(reply.rows);
      ticksBetween = ticks;
    });
    expect(reply.error).toBeUndefined();
    const image = reply.image as Image;
    expect([image.width, image.height, image.data.length]).toEqual([side, side, side * side * 4]);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(rows.at(-1)).toBe(side);
    // The page's own timer ran between the first strip and the last.
    expect(ticksBetween).toBeGreaterThan(0);
    for (const [x, y] of [
      [0, 0],
      [8191, 0],
      [5, 8191],
      [4097, 4095],
      [8191, 8191],
    ]) {
      const at = (y * side + x) * 4;
      expect([...image.data.subarray(at, at + 4)]).toEqual(atlasTexel(x, y));
    }
  });

  test('an AbortSignal stops it half way', async () => {
    const worker = startWorker();
    let last = 0;
    const reply = await run(worker, ({ rows }) => {
      if (rows === undefined) return;
      if (last === 0) worker.postMessage({ id: 1, stop: true });
      last = rows;
    });
    expect(reply.error).toBe('AbortError');
    expect(last).toBeLessThan(side);
  });
});

describe('on the page', () => {
  test('a region is cut out, also where it begins inside a block', () => {
    const texture = parse(makeAtlas(side));
    const region = { x: 4001, y: 6002, width: 130, height: 67 };
    const { width, height, data } = texture.decode({ region });
    expect([width, height]).toEqual([130, 67]);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const expected = atlasTexel(region.x + x, region.y + y);
        if (expected.some((value, channel) => value !== data[at + channel])) {
          expect([x, y, ...data.subarray(at, at + 4)]).toEqual([x, y, ...expected]);
        }
      }
    }
  });

  test('strips are transferable one by one', () => {
    const texture = parse(makeAtlas(1024));
    const buffers = [...decodeStrips(texture)].map(({ data }) => data.buffer);
    expect(new Set(buffers).size).toBe(4);
    const moved = structuredClone(buffers, { transfer: buffers });
    expect(moved.map(({ byteLength }) => byteLength)).toEqual([1 << 20, 1 << 20, 1 << 20, 1 << 20]);
  });
});
