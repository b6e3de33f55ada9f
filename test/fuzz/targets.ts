// What every input goes through, and what must hold: pixels or a BlpError, the same pixels from both kernels, in bounded time.

import { identify } from '../../src/container/identify.js';
import { BlpError } from '../../src/errors.js';
import { readSource } from '../../src/image/picture.js';
import type { AlphaMode } from '../../src/index.js';
import { type BlpTexture, parse, repair, validate } from '../../src/index.js';
import { javascriptKernels } from '../../src/kernels/javascript/kernels.js';
import { createWasmKernels } from '../../src/kernels/wasm/kernels.js';
import { randomFor } from './random.js';

/** Small enough that no input takes long, large enough for every branch. */
export const fuzzLimits = {
  maxPixels: 1 << 20,
  maxInputBytes: 1 << 24,
  maxOutputBytes: 1 << 22,
  maxWasmMemory: 1 << 26,
  maxJpegScans: 40,
};

/** Longest that one input may take in all its targets, in milliseconds. */
export const timeBound = 5000;

const wasmKernels = createWasmKernels();

/** An outcome as text: the same for pixels that are the same and refusals of the same kind. */
function outcome(run: () => Uint8ClampedArray): { text: string; data?: Uint8ClampedArray } {
  try {
    return { text: 'pixels', data: run() };
  } catch (error) {
    if (error instanceof BlpError && error.message.length > 0) return { text: error.code };
    throw error;
  }
}

/** @throws where something is wrong with this package */
export async function runTargets(bytes: Uint8Array, number: number): Promise<void> {
  const before = bytes.slice();
  identify(bytes);
  for (const salvage of [false, true]) decodeBoth(bytes, salvage, number);
  // Repair decodes and encodes every level: now and then is enough.
  if (number % 4 === 0) repairTwice(bytes);
  else validate(bytes, { limits: fuzzLimits });
  await readAsPicture(bytes);
  if (!before.every((byte, i) => byte === bytes[i])) throw new Error('the input was changed');
}

/** Repair never throws for what a file holds, and a second time finds nothing to do. */
function repairTwice(bytes: Uint8Array): void {
  const options = { limits: fuzzLimits };
  const { bytes: once, levelFiles } = repair(bytes, options);
  const again = repair(once, { ...options, levelFiles });
  if (again.actions.length > 0) {
    throw new Error(`repairing again did ${again.actions.map(({ code }) => code).join(', ')}`);
  }
}

/** The readers of the command's other direction. */
async function readAsPicture(bytes: Uint8Array): Promise<void> {
  // A TGA has no signature: anything that is nothing else may be one.
  const name = isBlp(bytes) ? 'picture.blp' : 'picture.tga';
  try {
    const content = await readSource(bytes, name, { limits: fuzzLimits });
    if (content.kind === 'pixels' && content.image.data.length > fuzzLimits.maxOutputBytes) {
      throw new Error('a picture beyond the limits');
    }
  } catch (error) {
    if (!(error instanceof BlpError)) throw error;
  }
}

function isBlp(bytes: Uint8Array): boolean {
  return bytes[0] === 0x42 && bytes[1] === 0x4c && bytes[2] === 0x50;
}

function decodeBoth(bytes: Uint8Array, salvage: boolean, number: number): void {
  let texture: BlpTexture;
  try {
    texture = parse(bytes, { limits: fuzzLimits, salvage });
  } catch (error) {
    if (error instanceof BlpError) return;
    throw error;
  }
  const random = randomFor(number, salvage ? 2 : 1);
  const alpha = random.pick<AlphaMode>(['auto', 'declared', 'stored', 'opaque']);
  for (const { level, width, height } of texture.levels) {
    if (level > 0 && !random.oneIn(3)) continue;
    const x = random.below(width);
    const y = random.below(height);
    const region = random.oneIn(2)
      ? undefined
      : {
          x,
          y,
          width: 1 + random.below(width - x),
          height: 1 + random.below(height - y),
        };
    const options = { level, region, alpha };
    const simd = outcome(() => texture.decode({ ...options, kernels: wasmKernels }).data);
    if (texture.encoding === 'jpeg' && width * height > 1 << 16) continue;
    const plain = outcome(() => texture.decode({ ...options, kernels: javascriptKernels }).data);
    if (texture.encoding === 'jpeg') {
      // The JavaScript decoder salvages less, refuses some rare streams and does not notice all damage.
      if (salvage || !simd.data || !plain.data) continue;
    } else if (simd.text !== plain.text) {
      throw new Error(`the kernels disagree: wasm ${simd.text}, javascript ${plain.text}`);
    }
    const difference = simd.data?.findIndex((byte, i) => byte !== plain.data?.[i]) ?? -1;
    if (difference >= 0) {
      throw new Error(`the kernels disagree at byte ${difference} of level ${level}`);
    }
  }
}
