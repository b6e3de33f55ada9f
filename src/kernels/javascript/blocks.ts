// DXT1, DXT3, DXT5 and BC5 blocks → RGBA in plain JavaScript.

import type { BlockFormat, Destination, Region } from '../kernels.js';
import { opaqueAlpha, wordsOf } from './words.js';

/** Decodes the block at `position` into four rows of four words, `stride` apart, from `out` on. */
type BlockDecoder = (
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
) => void;

/** See {@link Kernels.blocks}. */
export function decodeBlocks(
  format: BlockFormat,
  source: Uint8Array,
  opaque: boolean,
  destination: Destination,
): void {
  const { x, y, width, height } = destination.region;
  const size = format === 'dxt1' ? 8 : 16;
  const stride = Math.ceil(destination.width / 4) * size;
  const decode = (opaque ? opaqueDecoders : decoders)[format];
  const right = x + width;
  const bottom = y + height;
  const { words, flush } = wordsOf(destination.target);
  for (let blockY = y & ~3; blockY < bottom; blockY += 4) {
    const wholeRows = blockY >= y && blockY + 4 <= bottom;
    let position = (blockY >> 2) * stride + (x >> 2) * size;
    for (let blockX = x & ~3; blockX < right; blockX += 4, position += size) {
      if (wholeRows && blockX >= x && blockX + 4 <= right) {
        decode(source, position, words, (blockY - y) * width + blockX - x, width);
        continue;
      }
      decode(source, position, partial, 0, 4);
      copyPartial(destination.region, blockX, blockY, words);
    }
  }
  flush();
}

/** The sixteen texels of a block that lies only partly in the region. */
const partial = new Int32Array(16);

function copyPartial(region: Region, blockX: number, blockY: number, words: Int32Array): void {
  const right = Math.min(blockX + 4, region.x + region.width);
  const bottom = Math.min(blockY + 4, region.y + region.height);
  for (let y = Math.max(blockY, region.y); y < bottom; y++) {
    const row = (y - region.y) * region.width - region.x;
    for (let x = Math.max(blockX, region.x); x < right; x++) {
      words[row + x] = partial[((y & 3) << 2) | (x & 3)];
    }
  }
}

const decoders: Record<BlockFormat, BlockDecoder> = {
  dxt1: decodeDxt1,
  dxt3: decodeDxt3,
  dxt5: decodeDxt5,
  bc5: decodeBc5,
};

const opaqueDecoders: Record<BlockFormat, BlockDecoder> = {
  dxt1: decodeDxt1Opaque,
  dxt3: decodeColorOpaque,
  dxt5: decodeColorOpaque,
  bc5: decodeBc5,
};

function decodeDxt1(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildColors(source, position, true, opaqueAlpha, 0);
  writeColors(source, position + 4, words, out, stride);
}

function decodeDxt1Opaque(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildColors(source, position, true, opaqueAlpha, opaqueAlpha);
  writeColors(source, position + 4, words, out, stride);
}

/** The colours of a DXT3 or DXT5 block without its alpha. */
function decodeColorOpaque(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildColors(source, position + 8, false, opaqueAlpha, 0);
  writeColors(source, position + 12, words, out, stride);
}

function decodeDxt3(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildColors(source, position + 8, false, 0, 0);
  for (let row = 0; row < 4; row++, out += stride) {
    const indices = source[position + 12 + row];
    const low = source[position + row * 2];
    const high = source[position + row * 2 + 1];
    // Four bits of alpha, times 17: 15 becomes 255.
    words[out] = colors[indices & 3] | (((low & 15) * 17) << 24);
    words[out + 1] = colors[(indices >> 2) & 3] | (((low >> 4) * 17) << 24);
    words[out + 2] = colors[(indices >> 4) & 3] | (((high & 15) * 17) << 24);
    words[out + 3] = colors[indices >> 6] | (((high >> 4) * 17) << 24);
  }
}

function decodeDxt5(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildColors(source, position + 8, false, 0, 0);
  buildValues(source, position, values, 24);
  for (let row = 0; row < 4; row++, out += stride) {
    const indices = source[position + 12 + row];
    const steps = valueIndices(source, position, row);
    words[out] = colors[indices & 3] | values[steps & 7];
    words[out + 1] = colors[(indices >> 2) & 3] | values[(steps >> 3) & 7];
    words[out + 2] = colors[(indices >> 4) & 3] | values[(steps >> 6) & 7];
    words[out + 3] = colors[indices >> 6] | values[(steps >> 9) & 7];
  }
}

/** Red and green as two runs of interpolated values; blue is 0, alpha 255. */
function decodeBc5(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  buildValues(source, position, values, 0);
  buildValues(source, position + 8, greens, 8);
  for (let row = 0; row < 4; row++, out += stride) {
    const red = valueIndices(source, position, row);
    const green = valueIndices(source, position + 8, row);
    words[out] = opaqueAlpha | values[red & 7] | greens[green & 7];
    words[out + 1] = opaqueAlpha | values[(red >> 3) & 7] | greens[(green >> 3) & 7];
    words[out + 2] = opaqueAlpha | values[(red >> 6) & 7] | greens[(green >> 6) & 7];
    words[out + 3] = opaqueAlpha | values[(red >> 9) & 7] | greens[(green >> 9) & 7];
  }
}

/** The four colours of the block at hand, as words. */
const colors = new Int32Array(4);

/**
 * Fills `colors` from two 565 endpoints. They widen by bit replication; the colours between are taken on
 * the wide values, rounded down.
 *
 * @param threeColor allow the mode of one midpoint and black, chosen by the endpoints' order
 * @param alpha the bits of the alpha channel, `blackAlpha` those of the black of the three-colour mode
 */
function buildColors(
  source: Uint8Array,
  position: number,
  threeColor: boolean,
  alpha: number,
  blackAlpha: number,
): void {
  const c0 = source[position] | (source[position + 1] << 8);
  const c1 = source[position + 2] | (source[position + 3] << 8);
  const r0 = ((c0 >> 8) & 0xf8) | (c0 >> 13);
  const g0 = ((c0 >> 3) & 0xfc) | ((c0 >> 9) & 3);
  const b0 = ((c0 << 3) & 0xf8) | ((c0 >> 2) & 7);
  const r1 = ((c1 >> 8) & 0xf8) | (c1 >> 13);
  const g1 = ((c1 >> 3) & 0xfc) | ((c1 >> 9) & 3);
  const b1 = ((c1 << 3) & 0xf8) | ((c1 >> 2) & 7);
  colors[0] = alpha | (b0 << 16) | (g0 << 8) | r0;
  colors[1] = alpha | (b1 << 16) | (g1 << 8) | r1;
  if (!threeColor || c0 > c1) {
    // x · 43691 >> 17 is floor(x / 3) for every x up to 765.
    const r2 = ((2 * r0 + r1) * 43691) >>> 17;
    const g2 = ((2 * g0 + g1) * 43691) >>> 17;
    const b2 = ((2 * b0 + b1) * 43691) >>> 17;
    const r3 = ((r0 + 2 * r1) * 43691) >>> 17;
    const g3 = ((g0 + 2 * g1) * 43691) >>> 17;
    const b3 = ((b0 + 2 * b1) * 43691) >>> 17;
    colors[2] = alpha | (b2 << 16) | (g2 << 8) | r2;
    colors[3] = alpha | (b3 << 16) | (g3 << 8) | r3;
  } else {
    colors[2] = alpha | (((b0 + b1) >> 1) << 16) | (((g0 + g1) >> 1) << 8) | ((r0 + r1) >> 1);
    colors[3] = blackAlpha;
  }
}

/** Sixteen 2-bit indices into `colors`. */
function writeColors(
  source: Uint8Array,
  position: number,
  words: Int32Array,
  out: number,
  stride: number,
): void {
  for (let row = 0; row < 4; row++, out += stride) {
    const indices = source[position + row];
    words[out] = colors[indices & 3];
    words[out + 1] = colors[(indices >> 2) & 3];
    words[out + 2] = colors[(indices >> 4) & 3];
    words[out + 3] = colors[indices >> 6];
  }
}

/** The eight interpolated values of the block at hand, and those of its second half for BC5, in place in the word. */
const values = new Int32Array(8);
const greens = new Int32Array(8);

/** Fills `into` from two 8-bit endpoints: six values between them, or four and the constants 0 and 255. */
function buildValues(source: Uint8Array, position: number, into: Int32Array, shift: number): void {
  const a0 = source[position];
  const a1 = source[position + 1];
  into[0] = a0 << shift;
  into[1] = a1 << shift;
  if (a0 > a1) {
    for (let i = 1; i < 7; i++) into[i + 1] = ((((7 - i) * a0 + i * a1) / 7) | 0) << shift;
  } else {
    for (let i = 1; i < 5; i++) into[i + 1] = ((((5 - i) * a0 + i * a1) / 5) | 0) << shift;
    into[6] = 0;
    into[7] = 255 << shift;
  }
}

/** The four 3-bit indices of a row, out of the 48 bits behind the endpoints. */
function valueIndices(source: Uint8Array, position: number, row: number): number {
  // Two rows are 24 bits.
  const at = position + 2 + (row >> 1) * 3;
  const bits = source[at] | (source[at + 1] << 8) | (source[at + 2] << 16);
  return (row & 1) === 0 ? bits : bits >> 12;
}
