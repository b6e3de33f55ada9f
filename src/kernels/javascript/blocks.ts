// DXT1, DXT3, DXT5 and BC5 blocks → RGBA in plain JavaScript.

import type { BlockFormat, Destination } from '../kernels.js';
import { opaqueAlpha, withWords } from './words.js';

/** Writes the sixteen texels of the block at `position` as words. */
type BlockDecoder = (source: Uint8Array, position: number, texels: Int32Array) => void;

/** See {@link Kernels.blocks}. */
export function decodeBlocks(
  format: BlockFormat,
  source: Uint8Array,
  opaque: boolean,
  destination: Destination,
): void {
  const { region, target } = destination;
  const size = format === 'dxt1' ? 8 : 16;
  const stride = Math.ceil(destination.width / 4) * size;
  const decode = (opaque ? opaqueDecoders : decoders)[format];
  const texels = new Int32Array(16);
  const right = region.x + region.width;
  const bottom = region.y + region.height;
  withWords(target, (words) => {
    for (let blockY = region.y & ~3; blockY < bottom; blockY += 4) {
      const y0 = Math.max(blockY, region.y);
      const y1 = Math.min(blockY + 4, bottom);
      for (let blockX = region.x & ~3; blockX < right; blockX += 4) {
        decode(source, (blockY >> 2) * stride + (blockX >> 2) * size, texels);
        const x0 = Math.max(blockX, region.x);
        const x1 = Math.min(blockX + 4, right);
        let out = (y0 - region.y) * region.width + x0 - region.x;
        if (x1 - x0 === 4) {
          for (let y = y0; y < y1; y++, out += region.width) {
            const from = (y & 3) << 2;
            words[out] = texels[from];
            words[out + 1] = texels[from + 1];
            words[out + 2] = texels[from + 2];
            words[out + 3] = texels[from + 3];
          }
        } else {
          for (let y = y0; y < y1; y++, out += region.width) {
            for (let x = x0; x < x1; x++) words[out + x - x0] = texels[((y & 3) << 2) | (x & 3)];
          }
        }
      }
    }
  });
}

const decoders: Record<BlockFormat, BlockDecoder> = {
  dxt1: (source, position, texels) => decodeColor(source, position, texels, true, opaqueAlpha, 0),
  dxt3: (source, position, texels) => {
    decodeColor(source, position + 8, texels, false, 0, 0);
    decodeExplicitAlpha(source, position, texels);
  },
  dxt5: (source, position, texels) => {
    decodeColor(source, position + 8, texels, false, 0, 0);
    decodeInterpolated(source, position, texels, 24);
  },
  bc5: decodeRedGreen,
};

const opaqueDecoders: Record<BlockFormat, BlockDecoder> = {
  dxt1: (source, position, texels) =>
    decodeColor(source, position, texels, true, opaqueAlpha, opaqueAlpha),
  dxt3: decodeOpaqueFourColor,
  dxt5: decodeOpaqueFourColor,
  bc5: decodeRedGreen,
};

function decodeOpaqueFourColor(source: Uint8Array, position: number, texels: Int32Array): void {
  decodeColor(source, position + 8, texels, false, opaqueAlpha, 0);
}

/** Two channels of interpolated values; blue is 0, alpha 255. */
function decodeRedGreen(source: Uint8Array, position: number, texels: Int32Array): void {
  texels.fill(opaqueAlpha);
  decodeInterpolated(source, position, texels, 0);
  decodeInterpolated(source, position + 8, texels, 8);
}

const colors = new Int32Array(4);

/**
 * Eight bytes: two 565 endpoints and sixteen 2-bit indices. Endpoints widen by bit replication;
 * the colours between are taken on the wide values, rounded down.
 *
 * @param threeColor allow the mode of one midpoint and black, chosen by the endpoints' order
 * @param alpha the bits of the alpha channel, `blackAlpha` those of the black of the three-colour mode
 */
function decodeColor(
  source: Uint8Array,
  position: number,
  texels: Int32Array,
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
  for (let row = 0; row < 4; row++) {
    const indices = source[position + 4 + row];
    const out = row << 2;
    texels[out] = colors[indices & 3];
    texels[out + 1] = colors[(indices >> 2) & 3];
    texels[out + 2] = colors[(indices >> 4) & 3];
    texels[out + 3] = colors[indices >> 6];
  }
}

/** Eight bytes of 4-bit alpha; 15 becomes 255. */
function decodeExplicitAlpha(source: Uint8Array, position: number, texels: Int32Array): void {
  for (let i = 0; i < 8; i++) {
    const pair = source[position + i];
    texels[i * 2] |= ((pair & 15) * 17) << 24;
    texels[i * 2 + 1] |= ((pair >> 4) * 17) << 24;
  }
}

const values = new Int32Array(8);

/** Eight bytes: two 8-bit endpoints and sixteen 3-bit indices, put into the byte of each texel at `shift`. */
function decodeInterpolated(
  source: Uint8Array,
  position: number,
  texels: Int32Array,
  shift: number,
): void {
  const a0 = source[position];
  const a1 = source[position + 1];
  values[0] = a0;
  values[1] = a1;
  if (a0 > a1) {
    for (let i = 1; i < 7; i++) values[i + 1] = (((7 - i) * a0 + i * a1) / 7) | 0;
  } else {
    for (let i = 1; i < 5; i++) values[i + 1] = (((5 - i) * a0 + i * a1) / 5) | 0;
    values[6] = 0;
    values[7] = 255;
  }
  // Eight indices are 24 bits, which is two rows.
  for (let half = 0; half < 2; half++) {
    const at = position + 2 + half * 3;
    const bits = source[at] | (source[at + 1] << 8) | (source[at + 2] << 16);
    for (let i = 0; i < 8; i++) texels[half * 8 + i] |= values[(bits >> (3 * i)) & 7] << shift;
  }
}
