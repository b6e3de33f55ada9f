// The eight values between two 8-bit endpoints that DXT5 alpha and BC5 blocks choose from; shared with the encoder.

/**
 * For a0 <= a1, then for a0 > a1, in 64 bytes each: the weights of a0 and a1 for values 0 to 7, times a reciprocal of 14
 * bits, then bytes that are set whatever the endpoints. The reciprocals of 5 and 7 are rounded up: their floor is exact
 * up to five and seven times 255.
 */
const WEIGHTS: usize = memory.data<i16>(
  [
    // Six values of 3277 / 16384, the constants 0 and 255.
    16385, 0, 0, 16385, 13108, 3277, 9831, 6554, 6554, 9831, 3277, 13108, 0, 0, 0, 0, 0, 0, 0, -256,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    // Eight values of 2341 / 16384.
    16387, 0, 0, 16387, 14046, 2341, 11705, 4682, 9364, 7023, 7023, 9364, 4682, 11705, 2341, 14046,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ],
  16,
);

/**
 * The eight values, in the low half.
 *
 * @param endpoints a0 and a1 as 16-bit lanes, four times
 * @param isEight whether a0 > a1
 */
export function interpolate(endpoints: v128, isEight: bool): v128 {
  const row = (<usize>isEight) << 6;
  const low = i32x4.shr_u(i32x4.dot_i16x8_s(endpoints, v128.load(row, WEIGHTS)), 14);
  const high = i32x4.shr_u(i32x4.dot_i16x8_s(endpoints, v128.load(row, WEIGHTS + 16)), 14);
  const values = i16x8.narrow_i32x4_s(low, high);
  return v128.or(i8x16.narrow_i16x8_u(values, values), v128.load(row, WEIGHTS + 32));
}
