// Real JPEG streams for the JPEG tests, and decoders set up on their own module.

import { decodeModule } from '../../src/kernels/generated/decode-module.js';
import * as javascript from '../../src/kernels/javascript/jpeg.js';
import type { JpegOptions, JpegResult, JpegSource, Kernels } from '../../src/kernels/kernels.js';
import { createJpegDecoder } from '../../src/kernels/wasm/jpeg.js';
import { instantiate } from '../../src/kernels/wasm/memory.js';
import { defaultLimits } from '../../src/limits.js';
import {
  type ExpectedLevel,
  findRealTextures,
  readBytes,
  readCorpusManifest,
  readTextureManifest,
} from '../reference/files.js';

export type JpegKernels = Pick<Kernels, 'jpeg' | 'jpegAlphaPlane'>;

export const strict: JpegOptions = { opaque: false, salvage: false, limits: defaultLimits };

/** The SIMD decoder, on a module of its own. */
export function jpegKernels(): JpegKernels {
  return createJpegDecoder(instantiate(decodeModule));
}

/** The decoder in plain JavaScript. */
export const javascriptKernels: JpegKernels = javascript;

/** One level of a real file, with what its pixels must be once the alpha rule is applied. */
export interface RealLevel {
  name: string;
  level: number;
  source: JpegSource;
  width: number;
  height: number;
  sha256: string;
}

/** All JPEG levels of one set that have expected pixels. */
export function realLevels(set: 'textures' | 'corpus'): RealLevel[] {
  const { folder } = findRealTextures(set);
  const files: { file: string; levels: ExpectedLevel[] }[] =
    set === 'corpus'
      ? readCorpusManifest(folder)
      : readTextureManifest(folder)
          .filter(({ error }) => error === undefined)
          .map(({ name, levels }) => ({ file: name, levels }));
  const found: RealLevel[] = [];
  for (const { file, levels } of files) {
    const bytes = readBytes(folder, file);
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0, true) !== 0x31504c42 || view.getUint32(4, true) !== 0) continue;
    const headerSize = view.getUint32(0x9c, true);
    const header = bytes.subarray(0xa0, 0xa0 + headerSize);
    levels.forEach(({ width, height, sha256 }, level) => {
      const offset = view.getUint32(0x1c + 4 * level, true);
      const size = view.getUint32(0x5c + 4 * level, true);
      const body = bytes.subarray(offset, offset + size);
      found.push({ name: file, level, source: { header, body }, width, height, sha256 });
    });
  }
  return found;
}

/** Decodes a whole level into a fresh buffer. */
export function decodeLevel(
  kernels: JpegKernels,
  source: JpegSource,
  width: number,
  height: number,
  options: JpegOptions = strict,
): JpegResult & { pixels: Uint8Array } {
  const pixels = new Uint8Array(width * height * 4).fill(0xcd);
  const region = { x: 0, y: 0, width, height };
  const result = kernels.jpeg(source, options, { width, height, region, target: pixels });
  return { ...result, pixels };
}
