// Large pictures in pieces: strip by strip, with progress, pauses for other work, and an AbortSignal.

import { BlpError } from './errors.js';
import type { Region } from './kernels/kernels.js';
import { checkLevel, checkObject, checkOutput, checkRegion, checkTarget } from './options.js';
import { BlpTexture, type Image, type LevelOptions } from './texture.js';

/** A horizontal piece of a picture. */
export interface Strip extends Image {
  /** The picture's row that this strip's first row is. */
  y: number;
}

/** Options of {@link decodeStrips}. */
export interface StripOptions extends Omit<LevelOptions, 'into'> {
  /** Rows of a strip. Default: as many as take 1 MiB. Rounded up to a multiple of 4, the side of a block. */
  rows?: number;
}

/** Options of {@link decodeAsync}. */
export interface AsyncDecodeOptions extends LevelOptions {
  /** Ends the decoding between two strips; the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called after each strip with the rows that are done, and the rows of the whole picture. */
  onProgress?: (rows: number, total: number) => void;
}

/** A strip of this size takes about a millisecond, and stays in the processor's cache until the caller uses it. */
const stripSize = 1024 * 1024;

/** Work goes on for so many milliseconds before others get their turn: half a frame at 60 frames a second. */
const slice = 8;

/**
 * Decodes one level in strips from top to bottom, each in memory of its own that can be transferred to another thread.
 * Between two strips the caller may draw, report or stop. JPEG content, whose streams cannot be entered in the middle,
 * comes as one strip.
 *
 * @param options.region the part of the level that is wanted; `strip.y` counts from its first row
 * @throws BlpError as {@link BlpTexture.decode} does
 * @example
 * ```ts
 * for (const { y, width, height, data } of decodeStrips(texture)) {
 *   gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, y, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
 * }
 * ```
 */
export function* decodeStrips(
  texture: BlpTexture,
  options: StripOptions = {},
): Generator<Strip, void, undefined> {
  checkObject(options, 'options');
  checkTexture(texture);
  const { rows, ...levelOptions } = options;
  const { region, strips } = plan(texture, options, rows);
  for (const { y, height } of strips) {
    const part = { ...region, y: region.y + y, height };
    yield { y, ...texture.decode({ ...levelOptions, into: undefined, region: part }) };
  }
}

/**
 * Decodes one level and lets other work of this thread run every few milliseconds: a page stays responsive, and a worker
 * hears that it shall stop. Takes the same total time as {@link BlpTexture.decode}, give or take a few percent. JPEG
 * content is decoded in one go.
 *
 * @throws BlpError as {@link BlpTexture.decode} does, or the reason of `signal`
 * @example
 * ```ts
 * const controller = new AbortController();
 * cancelButton.onclick = () => controller.abort();
 * const image = await decodeAsync(texture, {
 *   signal: controller.signal,
 *   onProgress: (rows, total) => { progress.value = rows / total; },
 * });
 * ```
 */
export async function decodeAsync(
  texture: BlpTexture,
  options: AsyncDecodeOptions = {},
): Promise<Image> {
  checkObject(options, 'options');
  checkTexture(texture);
  const { signal, onProgress, ...levelOptions } = options;
  signal?.throwIfAborted();
  const { region, strips } = plan(texture, options, undefined);
  if (strips.length === 1) {
    const image = texture.decode(levelOptions);
    onProgress?.(image.height, image.height);
    return image;
  }
  const { width, height } = region;
  const stride = width * 4;
  checkOutput(stride * height, texture.limits);
  const data = checkTarget(options.into, stride * height);
  let deadline = performance.now() + slice;
  for (const { y, height: rows } of strips) {
    const into = data.subarray(y * stride, (y + rows) * stride);
    texture.decode({ ...levelOptions, region: { ...region, y: region.y + y, height: rows }, into });
    onProgress?.(y + rows, height);
    if (performance.now() >= deadline) {
      await letOthersRun();
      deadline = performance.now() + slice;
    }
    signal?.throwIfAborted();
  }
  return { width, height, data };
}

function checkTexture(texture: BlpTexture): void {
  if (texture instanceof BlpTexture) return;
  throw new BlpError('argument', 'texture must be what parse returns');
}

interface Plan {
  region: Region;
  /** Rows within the region. */
  strips: { y: number; height: number }[];
}

/** Cuts a region into strips that begin where blocks begin, so that no row of blocks is decoded twice. */
function plan(texture: BlpTexture, options: LevelOptions, rows: number | undefined): Plan {
  const level = checkLevel(texture.levels, options.level ?? 0);
  const region = checkRegion(options.region, level.width, level.height);
  if (texture.encoding === 'jpeg') {
    return { region, strips: [{ y: 0, height: region.height }] };
  }
  const step = stripRows(rows ?? Math.max(1, Math.floor(stripSize / (region.width * 4))));
  const strips = [];
  for (let y = 0; y < region.height; ) {
    const end = Math.min(region.height, y + step - ((region.y + y) % 4));
    strips.push({ y, height: end - y });
    y = end;
  }
  return { region, strips };
}

function stripRows(rows: number): number {
  if (!Number.isInteger(rows) || rows < 1) {
    throw new BlpError('argument', `rows must be a positive whole number, got ${rows}`);
  }
  return Math.ceil(rows / 4) * 4;
}

/** Resolves after the tasks that wait by now; a timer would wait for 4 ms more. */
function letOthersRun(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
