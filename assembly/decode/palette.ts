// Palette indices with 0-, 1-, 4- and 8-bit alpha lists → RGBA texels.
//
// Every function takes a run of texels whose number is rounded up to 16: it may read that much and write that much.

import { interleaveHigh8, interleaveHigh16, interleaveLow8, interleaveLow16 } from '../shuffle';
import { widenNibbles } from './values';

/** 256 RGBA words. */
const COLORS: usize = memory.data(1024, 64);

/** Puts the palette, `count` entries of B, G, R, padding at `source`, in place; the others become black. */
export function setPalette(source: usize, count: i32, opaque: bool): void {
  const alpha: u32 = opaque ? 0xff000000 : 0;
  for (let i: usize = 0; i < 256; i++) {
    let color: u32 = 0;
    if (<i32>i < count) {
      const bgr = load<u32>(source + i * 4);
      color = ((bgr >> 16) & 0xff) | (bgr & 0xff00) | ((bgr & 0xff) << 16);
    }
    store<u32>(COLORS + i * 4, color | alpha);
  }
}

function fourColors(i0: u8, i1: u8, i2: u8, i3: u8): v128 {
  let colors = v128.load32_zero((<usize>i0) << 2, COLORS);
  colors = v128.load_lane<u32>((<usize>i1) << 2, colors, 1, COLORS);
  colors = v128.load_lane<u32>((<usize>i2) << 2, colors, 2, COLORS);
  return v128.load_lane<u32>((<usize>i3) << 2, colors, 3, COLORS);
}

export function decodePalette0(indices: usize, target: usize, count: i32): void {
  for (const end = indices + count; indices < end; indices += 8, target += 32) {
    v128.store(
      target,
      fourColors(
        load<u8>(indices),
        load<u8>(indices, 1),
        load<u8>(indices, 2),
        load<u8>(indices, 3),
      ),
    );
    v128.store(
      target,
      fourColors(
        load<u8>(indices, 4),
        load<u8>(indices, 5),
        load<u8>(indices, 6),
        load<u8>(indices, 7),
      ),
      16,
    );
  }
}

// Compile-time names of the alpha depths: one copy of the loop is compiled for each.
class Alpha1 {}
class Alpha4 {}
class Alpha8 {}

/** Sixteen alpha values of the list at `list`. */
function sixteenAlphas<Depth>(list: usize, bits: v128): v128 {
  if (idof<Depth>() == idof<Alpha8>()) return v128.load(list);
  if (idof<Depth>() == idof<Alpha4>()) return widenNibbles(v128.load64_zero(list));
  const flags = i8x16.swizzle(
    i16x8.splat(load<u16>(list)),
    i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1),
  );
  return i8x16.eq(v128.and(flags, bits), bits);
}

function decodeWithAlpha<Depth>(indices: usize, list: usize, target: usize, count: i32): void {
  const zero = i64x2.splat(0);
  const bits = i64x2.splat(<i64>0x8040201008040201);
  const step: usize =
    idof<Depth>() == idof<Alpha8>() ? 16 : idof<Depth>() == idof<Alpha4>() ? 8 : 2;
  for (const end = indices + count; indices < end; indices += 16, target += 64, list += step) {
    const alphas = sixteenAlphas<Depth>(list, bits);
    const low = interleaveLow8(zero, alphas);
    const high = interleaveHigh8(zero, alphas);
    v128.store(
      target,
      v128.or(
        fourColors(
          load<u8>(indices),
          load<u8>(indices, 1),
          load<u8>(indices, 2),
          load<u8>(indices, 3),
        ),
        interleaveLow16(zero, low),
      ),
    );
    v128.store(
      target,
      v128.or(
        fourColors(
          load<u8>(indices, 4),
          load<u8>(indices, 5),
          load<u8>(indices, 6),
          load<u8>(indices, 7),
        ),
        interleaveHigh16(zero, low),
      ),
      16,
    );
    v128.store(
      target,
      v128.or(
        fourColors(
          load<u8>(indices, 8),
          load<u8>(indices, 9),
          load<u8>(indices, 10),
          load<u8>(indices, 11),
        ),
        interleaveLow16(zero, high),
      ),
      32,
    );
    v128.store(
      target,
      v128.or(
        fourColors(
          load<u8>(indices, 12),
          load<u8>(indices, 13),
          load<u8>(indices, 14),
          load<u8>(indices, 15),
        ),
        interleaveHigh16(zero, high),
      ),
      48,
    );
  }
}

/** `list` begins with the alpha of the first index. */
export function decodePalette1(indices: usize, list: usize, target: usize, count: i32): void {
  decodeWithAlpha<Alpha1>(indices, list, target, count);
}

export function decodePalette4(indices: usize, list: usize, target: usize, count: i32): void {
  decodeWithAlpha<Alpha4>(indices, list, target, count);
}

export function decodePalette8(indices: usize, list: usize, target: usize, count: i32): void {
  decodeWithAlpha<Alpha8>(indices, list, target, count);
}
