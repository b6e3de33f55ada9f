// The SIMD kernels: moves level bytes through a small window of WebAssembly memory, strip by strip.
//
// Copying costs more than decoding, so that memory stays small and warm: a source window and a target window of
// fixed size after the module's tables. A strip is decoded in the target window and copied to the caller's buffer.

import { decodeModule } from '../generated/decode-module.js';
import type { Destination, Kernels } from '../kernels.js';
import { createJpegDecoder } from './jpeg.js';
import { instantiate, type WasmMemory } from './memory.js';

/** What assembly/index.ts exports, apart from JPEG. */
interface DecodeExports {
  heapBase(): number;
  prepareBlocks(): void;
  decodeDxt1: BlockKernel;
  decodeDxt3: BlockKernel;
  decodeDxt5: BlockKernel;
  decodeBc5: BlockKernel;
  setPalette(source: number, count: number, opaque: boolean): void;
  decodePalette0(indices: number, target: number, count: number): void;
  decodePalette1: AlphaKernel;
  decodePalette4: AlphaKernel;
  decodePalette8: AlphaKernel;
  decodeBgra(source: number, target: number, count: number): void;
  makeOpaque(target: number, count: number): void;
  halveRows: HalveKernel;
  halveRowsWeighted: HalveKernel;
}
type BlockKernel = (
  source: number,
  target: number,
  blocksPerRow: number,
  blockRows: number,
  stride: number,
  opaque: boolean,
) => void;
type AlphaKernel = (indices: number, list: number, target: number, count: number) => void;
type HalveKernel = (
  source: number,
  target: number,
  width: number,
  rows: number,
  below: number,
) => void;

/** Compiles the module and makes one instance of it. */
export function instantiateDecodeModule(): WasmMemory<DecodeExports> {
  return instantiate<DecodeExports>(decodeModule);
}

/** A strip of this size stays in the second-level cache while it is decoded and copied. */
const stripBytes = 256 * 1024;
/** One row of blocks of the widest level, 65535 texels: four rows of texels, and the blocks they come from. */
const targetWindow = 65536 * 4 * 4;
const sourceWindow = 16384 * 16;
/** Kernels read and write up to 16 texels past the end. */
const slack = 64;

/**
 * Compiles the module, which takes about two milliseconds.
 *
 * @param runtime another instance of the module to run on
 * @throws WebAssembly.CompileError where the engine has no SIMD or the content security policy forbids compilation
 */
export function createWasmKernels(runtime = instantiateDecodeModule()): Kernels {
  const { exports } = runtime;
  exports.prepareBlocks();
  const source = exports.heapBase();
  const target = source + sourceWindow + slack;
  runtime.ensure(target + targetWindow + slack, Number.POSITIVE_INFINITY);
  const blockKernels = {
    dxt1: exports.decodeDxt1,
    dxt3: exports.decodeDxt3,
    dxt5: exports.decodeDxt5,
    bc5: exports.decodeBc5,
  };
  const alphaKernels = {
    1: exports.decodePalette1,
    4: exports.decodePalette4,
    8: exports.decodePalette8,
  };

  const blocks: Kernels['blocks'] = (format, bytes, opaque, destination) => {
    const { region } = destination;
    const size = format === 'dxt1' ? 8 : 16;
    const sourceStride = Math.ceil(destination.width / 4) * size;
    // Whole blocks around the region.
    const left = region.x >> 2;
    const columns = ((region.x + region.width + 3) >> 2) - left;
    const top = region.y >> 2;
    const bottom = (region.y + region.height + 3) >> 2;
    const stride = ((columns + 3) >> 2) * 64;
    const rowSize = columns * size;
    const rowsPerStrip = Math.max(1, Math.floor(stripBytes / (stride * 4)));
    const kernel = blockKernels[format];
    for (let row = top; row < bottom; row += rowsPerStrip) {
      const rows = Math.min(rowsPerStrip, bottom - row);
      const memory = runtime.bytes();
      const first = row * sourceStride + left * size;
      if (rowSize === sourceStride) {
        memory.set(bytes.subarray(first, first + rows * rowSize), source);
      } else {
        for (let i = 0; i < rows; i++) {
          const at = first + i * sourceStride;
          memory.set(bytes.subarray(at, at + rowSize), source + i * rowSize);
        }
      }
      kernel(source, target, columns, rows, stride, opaque);
      if (opaque && size === 16) exports.makeOpaque(target, rows * stride);
      handOver(memory, stride, left * 4, row * 4, rows * 4, destination);
    }
  };

  /** Copies what the region wants of a strip that begins at texel `x`, `y` of the level. */
  const handOver = (
    memory: Uint8Array,
    stride: number,
    x: number,
    y: number,
    rows: number,
    destination: Destination,
  ): void => {
    const { region } = destination;
    const out = destination.target;
    const rowSize = region.width * 4;
    const first = Math.max(y, region.y);
    const end = Math.min(y + rows, region.y + region.height);
    let from = target + (first - y) * stride + (region.x - x) * 4;
    let to = (first - region.y) * rowSize;
    if (stride === rowSize) {
      out.set(memory.subarray(from, from + (end - first) * rowSize), to);
      return;
    }
    for (let row = first; row < end; row++, from += stride, to += rowSize) {
      out.set(memory.subarray(from, from + rowSize), to);
    }
  };

  const bgra: Kernels['bgra'] = (bytes, opaque, { width, region, target: out }) => {
    forEachRun(width, region, sourceWindow / 4, (first, count, to) => {
      const memory = runtime.bytes();
      memory.set(bytes.subarray(first * 4, (first + count) * 4), source);
      exports.decodeBgra(source, target, count);
      if (opaque) exports.makeOpaque(target, count);
      out.set(memory.subarray(target, target + count * 4), to);
    });
  };

  const paletted: Kernels['paletted'] = (bytes, palette, alphaBits, destination) => {
    const { width, height, region, target: out } = destination;
    runtime.bytes().set(palette, source);
    exports.setPalette(source, palette.length >> 2, alphaBits === 0);
    const list = width * height;
    const alphaWindow = source + sourceWindow / 2;
    // A run takes a quarter of each window: with 8 bits of alpha as much of the source window's second half again.
    forEachRun(width, region, stripBytes / 4, (first, count, to) => {
      const memory = runtime.bytes();
      if (alphaBits === 0) {
        memory.set(bytes.subarray(first, first + count), source);
        exports.decodePalette0(source, target, count);
        out.set(memory.subarray(target, target + count * 4), to);
        return;
      }
      // A run may begin inside a byte of the alpha list: begin with the texel that begins the byte.
      const skip = alphaBits === 8 ? 0 : first & 7;
      const start = first - skip;
      memory.set(bytes.subarray(start, first + count), source);
      const listStart = list + (start * alphaBits) / 8;
      const listEnd = list + Math.ceil(((first + count) * alphaBits) / 8);
      memory.set(bytes.subarray(listStart, listEnd), alphaWindow);
      alphaKernels[alphaBits](source, alphaWindow, target, count + skip);
      const from = target + skip * 4;
      out.set(memory.subarray(from, from + count * 4), to);
    });
  };

  const halve: Kernels['halve'] = (bytes, width, height, weighted, out) => {
    if (width === 1 && height === 1) {
      out.set(bytes.subarray(0, 4));
      return;
    }
    // A column lies in memory as a row does, and halves alike.
    if (width === 1) {
      halve(bytes, height, 1, weighted, out);
      return;
    }
    const kernel = weighted ? exports.halveRowsWeighted : exports.halveRows;
    const halfSize = (width >> 1) * 4;
    const pairSize = width * (height > 1 ? 8 : 4);
    const rows = Math.max(1, height >> 1);
    // Pairs of rows in the target window, the larger of the two; half rows in the source window.
    const rowsPerStrip = Math.max(1, Math.floor(stripBytes / pairSize));
    for (let row = 0; row < rows; row += rowsPerStrip) {
      const count = Math.min(rowsPerStrip, rows - row);
      const memory = runtime.bytes();
      memory.set(bytes.subarray(row * pairSize, (row + count) * pairSize), target);
      kernel(target, source, width, count, height > 1 ? width * 4 : 0);
      out.set(memory.subarray(source, source + count * halfSize), row * halfSize);
    }
  };

  return { name: 'wasm', blocks, paletted, bgra, halve, ...createJpegDecoder(runtime) };
}

/** Calls back with runs of texels that follow each other in the level: first texel, count, byte in the target. */
function forEachRun(
  width: number,
  region: Destination['region'],
  longest: number,
  visit: (first: number, count: number, to: number) => void,
): void {
  // Rows of full width follow each other without a gap.
  const whole = region.width === width;
  const runs = whole ? 1 : region.height;
  const length = whole ? region.width * region.height : region.width;
  for (let run = 0; run < runs; run++) {
    const start = (region.y + run) * width + region.x;
    for (let done = 0; done < length; done += longest) {
      const count = Math.min(longest, length - done);
      visit(start + done, count, (run * length + done) * 4);
    }
  }
}
