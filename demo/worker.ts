// The worker: parses, decodes, shrinks, writes PNG and measures, so that the page never waits.

import { fullChainLength } from '../src/container/sides.js';
import { writePng } from '../src/image/png-write.js';
import {
  BlpError,
  type BlpTexture,
  decodeAsync,
  type Image,
  kernelsInUse,
  parse,
} from '../src/index.js';
import { javascriptKernels } from '../src/kernels/javascript/kernels.js';
import type { Kernels } from '../src/kernels/kernels.js';
import { selectKernels } from '../src/kernels/select.js';
import type { Reply, Request, Source, Summary, Task, Tasks, Timing } from './messages.js';

/** The texture that was asked for last, which is usually asked for again. */
let last: { id: number; salvage: boolean; texture: Promise<BlpTexture> } | undefined;
const running = new Map<number, AbortController>();

self.onmessage = async ({ data: request }: MessageEvent<Request>) => {
  const { id } = request;
  if (request.task === 'stop') {
    running.get(id)?.abort();
    return;
  }
  const controller = new AbortController();
  running.set(id, controller);
  try {
    const answer = await answers[request.task](request.source, request.ask as never, {
      signal: controller.signal,
      onProgress: (rows, total) => reply({ id, progress: rows / total }),
    });
    reply({ id, answer }, buffersOf(answer));
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({
      id,
      error: { name, message, code: error instanceof BlpError ? error.code : undefined },
    });
  } finally {
    running.delete(id);
  }
};

interface Control {
  signal: AbortSignal;
  onProgress: (rows: number, total: number) => void;
}

const answers: {
  [T in Task]: (
    source: Source,
    ask: Tasks[T]['ask'],
    control: Control,
  ) => Promise<Tasks[T]['answer']>;
} = {
  open: (source, { side }) => summariseAndShrink(source, side),
  async level(source, { level }, control) {
    const texture = await open(source);
    const image = await decodeAsync(texture, { level, ...control });
    return { image, warnings: [...texture.warnings] };
  },
  async chain(source, { side }, { signal }) {
    const texture = await open(source);
    const images = [];
    for (const { level } of texture.levels) {
      const image = await decodeAsync(texture, { level, signal }).catch((error) => {
        if (error instanceof BlpError) return undefined;
        throw error;
      });
      images.push(image && shrink(image, side));
    }
    return { images };
  },
  async png(source, { level }, control) {
    const texture = await open(source);
    return { bytes: await writePng(await decodeAsync(texture, { level, ...control })) };
  },
  async timing(source) {
    const texture = await open(source);
    const kernels = selectKernels();
    const contenders = kernels === javascriptKernels ? [kernels] : [kernels, javascriptKernels];
    const [first, second] = measure(texture, contenders);
    const texels = texture.width * texture.height;
    return second ? { texels, wasm: first, javascript: second } : { texels, javascript: first };
  },
};

/** Parses a file, unless it is the one that was parsed last. */
function open(source: Source): Promise<BlpTexture> {
  if (last?.id === source.id && last.salvage === source.salvage) return last.texture;
  last = { id: source.id, salvage: source.salvage, texture: readTexture(source) };
  return last.texture;
}

async function readTexture({ file, levelFiles, salvage }: Source): Promise<BlpTexture> {
  const bytes = await file.arrayBuffer();
  const files = levelFiles && (await Promise.all(levelFiles.map(readBlob)));
  return parse(bytes, files ? { levelFiles: files, salvage } : { salvage });
}

/** The summary and a thumbnail; what is damaged or cut short is read as far as it goes. */
async function summariseAndShrink(source: Source, side: number): Promise<Tasks['open']['answer']> {
  try {
    const texture = await open(source);
    const thumbnail = shrink(decodeNear(texture, side), side);
    return { summary: summarise(source, texture), thumbnail };
  } catch (error) {
    const curable = error instanceof BlpError && /truncated|damaged/.test(error.code);
    if (!curable || source.salvage) throw error;
    // Where salvage fails as well, the first reason is the one to show.
    return summariseAndShrink({ ...source, salvage: true }, side).catch(() => {
      throw error;
    });
  }
}

async function readBlob(blob: Blob | undefined): Promise<Uint8Array | undefined> {
  return blob && new Uint8Array(await blob.arrayBuffer());
}

function summarise({ file, levelFiles, salvage }: Source, texture: BlpTexture): Summary {
  const size = (levelFiles ?? []).reduce((sum, blob) => sum + (blob?.size ?? 0), file.size);
  return {
    header: texture.header,
    size,
    levels: texture.levels.map(({ level, width, height, offset, size }) => ({
      level,
      width,
      height,
      offset,
      size,
    })),
    fullChain: fullChainLength(texture.width, texture.height),
    warnings: [...texture.warnings],
    salvaged: salvage,
    kernels: kernelsInUse(),
  };
}

/** The smallest level that is at least `side` texels large, or level 0. */
function decodeNear(texture: BlpTexture, side: number): Image {
  const enough = texture.levels.filter(({ width, height }) => Math.max(width, height) >= side);
  const order = [...enough.reverse(), texture.levels[0]];
  for (const { level } of order) {
    try {
      return texture.decode({ level });
    } catch (error) {
      if (level === 0) throw error;
    }
  }
  return texture.decode();
}

/** Halves a picture until neither side is larger than `side`; alpha weighs the colours. */
function shrink(image: Image, side: number): Image {
  let { width, height, data } = image;
  const { halve } = selectKernels();
  while (Math.max(width, height) > side) {
    const [halfWidth, halfHeight] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
    const half = new Uint8ClampedArray(halfWidth * halfHeight * 4);
    halve(data, width, height, true, half);
    [width, height, data] = [halfWidth, halfHeight, half];
  }
  return { width, height, data };
}

/** Milliseconds that a sample takes at least: the clock of a browser ticks ten times a millisecond at most. */
const sampleTime = 4;

/** Decodes level 0 with each in turns, for about half a second each. */
function measure(texture: BlpTexture, contenders: readonly Kernels[]): Timing[] {
  const into = new Uint8Array(texture.width * texture.height * 4);
  const time = (kernels: Kernels, decodes: number): number => {
    const start = performance.now();
    for (let index = 0; index < decodes; index++) texture.decode({ kernels, into });
    return performance.now() - start;
  };
  const repeats = contenders.map((kernels) => {
    // The first runs are slow: engines compile what runs often once more, and better.
    const warm = performance.now() + 100;
    do texture.decode({ kernels, into });
    while (performance.now() < warm);
    let decodes = 1;
    while (time(kernels, decodes) < sampleTime) decodes *= 2;
    return decodes;
  });
  const samples = contenders.map((): number[] => []);
  const end = performance.now() + 500 * contenders.length;
  for (let round = 0; round < 3 || performance.now() < end; round++) {
    for (const [index, kernels] of contenders.entries()) {
      samples[index].push(time(kernels, repeats[index]) / repeats[index]);
    }
  }
  return samples.map((times, index) => {
    times.sort((a, b) => a - b);
    const runs = times.length * repeats[index];
    return { best: times[0], median: times[times.length >> 1], runs };
  });
}

function buffersOf(answer: object): ArrayBuffer[] {
  const images = Object.values(answer).flat() as ({ data?: Uint8ClampedArray } | undefined)[];
  const bytes = 'bytes' in answer ? [answer.bytes as Uint8Array] : [];
  const arrays = [...bytes, ...images.map((image) => image?.data)];
  return arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}

function reply(message: Reply, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
