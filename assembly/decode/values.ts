// Runs of sixteen 8-bit values: 4 bits each, and interpolated between two endpoints as in DXT5 alpha and BC5.

import { interpolate } from '../interpolate';
import { interleaveLow8 } from '../shuffle';

/** Sixteen values of 4 bits in the low half of `pairs`, the lower four bits first; 15 becomes 255. */
export function widenNibbles(pairs: v128): v128 {
  const mask = i8x16.splat(15);
  const low = v128.and(pairs, mask);
  const high = v128.and(i16x8.shr_u(pairs, 4), mask);
  const values = interleaveLow8(low, high);
  return v128.or(values, i16x8.shl(values, 4));
}

/** Sixteen interpolated values of the eight bytes at `source`, which are also the low half of `block`. */
export function interpolated(block: v128, source: usize): v128 {
  const pair = i16x8.extend_low_i8x16_u(block);
  const table = interpolate(
    i32x4.shuffle(pair, pair, 0, 0, 0, 0),
    <u32>load<u8>(source) > <u32>load<u8>(source, 1),
  );
  // Each 3-bit index: bring its two bytes into a lane, shift it to the top, then to the bottom.
  const shifts = i16x8(1 << 13, 1 << 10, 1 << 7, 1 << 12, 1 << 9, 1 << 6, 1 << 11, 1 << 8);
  const low = i16x8.shr_u(
    i16x8.mul(i8x16.swizzle(block, i8x16(2, 3, 2, 3, 2, 3, 3, 4, 3, 4, 3, 4, 4, 5, 4, 5)), shifts),
    13,
  );
  const high = i16x8.shr_u(
    i16x8.mul(
      i8x16.swizzle(block, i8x16(5, 6, 5, 6, 5, 6, 6, 7, 6, 7, 6, 7, 7, -1, 7, -1)),
      shifts,
    ),
    13,
  );
  return i8x16.swizzle(table, i8x16.narrow_i16x8_u(low, high));
}
