// MCU rows to RGBA lines in the strip window; watches what the fourth component holds.

import { componentCount, height, maxHorizontal, mcusWide, width } from './frame';
import { storeTexels } from './interleave';
import { putLine } from './window';

/** AND and OR of the fourth samples so far, sixteen lanes each. */
const ALPHA: usize = memory.data(32, 16);
/** A block of alpha 255, and eight rows of eight texels of a block cut by the frame's edge. */
const OPAQUE_BLOCK: usize = memory.data(64, 16);
const EDGE: usize = memory.data(256, 16);

let opaque: bool = false;

export function beginOutput(isOpaque: bool): void {
  opaque = isOpaque;
  memory.fill(ALPHA, 0xff, 16);
  memory.fill(ALPHA + 16, 0, 16);
  memory.fill(OPAQUE_BLOCK, 0xff, 64);
}

/** Of the fourth component: 0: no samples yet; 1: all are 0; 2: all are 255; 3: anything else. */
export function alphaState(): i32 {
  const all = v128.load(ALPHA);
  const any = v128.load(ALPHA, 16);
  const isZero = !v128.any_true(any);
  const isFull = i8x16.all_true(i8x16.eq(all, i8x16.splat(-1)));
  return isZero ? (isFull ? 0 : 1) : isFull ? 2 : 3;
}

function watchAlpha(samples: usize): void {
  const a = v128.load(samples);
  const b = v128.load(samples, 16);
  const c = v128.load(samples, 32);
  const d = v128.load(samples, 48);
  v128.store(ALPHA, v128.and(v128.load(ALPHA), v128.and(v128.and(a, b), v128.and(c, d))));
  v128.store(ALPHA, v128.or(v128.load(ALPHA, 16), v128.or(v128.or(a, b), v128.or(c, d))), 16);
}

/** Puts out MCU row `y` of a direct frame: four blocks an MCU, straight to texels. */
export function putDirectRow(y: i32, blocks: usize, present: usize, out: usize): void {
  const stride = (<usize>width) << 2;
  const rows = min(8, height - (y << 3));
  const alphaStep: usize = opaque ? 0 : 256;
  let alpha = opaque ? OPAQUE_BLOCK : blocks + 192;
  let block = blocks;
  for (let x = 0; x < mcusWide; x++, block += 256, alpha += alphaStep) {
    const columns = min(8, width - (x << 3));
    const texels = out + ((<usize>x) << 5);
    if (!load<u8>(present + x)) {
      for (let row = 0; row < rows; row++) {
        memory.fill(texels + <usize>row * stride, 0, columns << 2);
      }
    } else if (rows == 8 && columns == 8) {
      watchAlpha(block + 192);
      storeTexels(block + 128, block + 64, block, alpha, texels, stride);
    } else {
      watchEdge(block + 192, columns, rows);
      storeTexels(block + 128, block + 64, block, alpha, EDGE, 32);
      for (let row = 0; row < rows; row++) {
        memory.copy(texels + <usize>row * stride, EDGE + ((<usize>row) << 5), columns << 2);
      }
    }
  }
}

/** As watchAlpha, for the part of the block that lies in the frame. */
function watchEdge(samples: usize, columns: i32, rows: i32): void {
  let all = load<u8>(ALPHA);
  let any = load<u8>(ALPHA, 16);
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      const sample = load<u8>(samples + (column << 3) + row);
      all &= sample;
      any |= sample;
    }
  }
  store<u8>(ALPHA, all);
  store<u8>(ALPHA, any, 16);
}

/** Puts out line `y` from the sample windows. */
export function putWindowLine(y: i32, present: usize, out: usize): void {
  putLine(y, out);
  const mcuWidth = 8 * maxHorizontal;
  for (let mcu = 0; mcu < mcusWide; mcu++) {
    const start = mcu * mcuWidth;
    const end = min(start + mcuWidth, width);
    if (!load<u8>(present + mcu)) memory.fill(out + (start << 2), 0, (end - start) << 2);
    else if (componentCount == 4) finishAlpha(out + (start << 2), out + (end << 2));
  }
}

/** Watches the alpha of texels already put out, and makes them opaque if that is wanted. */
function finishAlpha(from: usize, to: usize): void {
  let all = load<u8>(ALPHA);
  let any = load<u8>(ALPHA, 16);
  for (let texel = from; texel < to; texel += 4) {
    const alpha = load<u8>(texel, 3);
    all &= alpha;
    any |= alpha;
    if (opaque) store<u8>(texel, 255, 3);
  }
  store<u8>(ALPHA, all);
  store<u8>(ALPHA, any, 16);
}
