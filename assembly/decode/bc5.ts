// BC5 blocks → RGBA rows.

import { interleaveHigh8, interleaveHigh16, interleaveLow8, interleaveLow16 } from '../shuffle';
import { interpolated } from './values';

/** BC5: red and green interpolated like DXT5 alpha, blue 0, alpha 255. */
export function decodeBc5(
  source: usize,
  target: usize,
  blocksPerRow: i32,
  blockRows: i32,
  stride: usize,
): void {
  const blueAlpha = i16x8.splat(<i16>0xff00);
  let block = source;
  for (let row = 0; row < blockRows; row++) {
    let row0 = target + <usize>row * stride * 4;
    for (let column = 0; column < blocksPerRow; column++, block += 16, row0 += 16) {
      const red = interpolated(v128.load(block), block);
      const green = interpolated(v128.load64_zero(block, 8), block + 8);
      const top = interleaveLow8(red, green);
      const bottom = interleaveHigh8(red, green);
      const row2 = row0 + stride * 2;
      v128.store(row0, interleaveLow16(top, blueAlpha));
      v128.store(row0 + stride, interleaveHigh16(top, blueAlpha));
      v128.store(row2, interleaveLow16(bottom, blueAlpha));
      v128.store(row2 + stride, interleaveHigh16(bottom, blueAlpha));
    }
  }
}
