// Lines of samples to lines of RGBA: grey, YCbCr and RGB as libjpeg converts them, B, G, R, A as stored.

import { componentAt } from './frame';
import { IDENTIFIER } from './layout';
import { adobeTransform, hasJfif } from './markers';

const OPAQUE: u32 = 0xff000000;

export function greyLine(grey: usize, out: usize, count: i32): void {
  for (let x = 0; x < count; x++) {
    store<u32>(out + (x << 2), (<u32>load<u8>(grey + x) * 0x010101) | OPAQUE);
  }
}

/** Three components are RGB when an Adobe segment or, without any segment, their identifiers say so. */
function isRgb(): bool {
  if (hasJfif) return false;
  if (adobeTransform >= 0) return adobeTransform == 0;
  return (
    load<i32>(componentAt(0), IDENTIFIER) == 0x52 &&
    load<i32>(componentAt(1), IDENTIFIER) == 0x47 &&
    load<i32>(componentAt(2), IDENTIFIER) == 0x42
  );
}

function clamp(value: i32): u32 {
  return min(max(value, 0), 255);
}

/** YCbCr of JFIF in 16-bit fixed point; each rounding is where libjpeg has it. */
export function colorLine(y: usize, cb: usize, cr: usize, out: usize, count: i32): void {
  const stored = isRgb();
  for (let x = 0; x < count; x++) {
    let r: i32 = load<u8>(y + x);
    let g: i32 = load<u8>(cb + x);
    let b: i32 = load<u8>(cr + x);
    if (!stored) {
      const luminance = r;
      const blue = g - 128;
      const red = b - 128;
      r = luminance + ((91881 * red + 32768) >> 16); // 1.402
      g = luminance + ((-22554 * blue - 46802 * red + 32768) >> 16); // 0.344136, 0.714136
      b = luminance + ((116130 * blue + 32768) >> 16); // 1.772
    }
    store<u32>(out + (x << 2), clamp(r) | (clamp(g) << 8) | (clamp(b) << 16) | OPAQUE);
  }
}

export function bgraLine(b: usize, g: usize, r: usize, a: usize, out: usize, count: i32): void {
  for (let x = 0; x < count; x++) {
    store<u8>(out + (x << 2), load<u8>(r + x));
    store<u8>(out + (x << 2), load<u8>(g + x), 1);
    store<u8>(out + (x << 2), load<u8>(b + x), 2);
    store<u8>(out + (x << 2), load<u8>(a + x), 3);
  }
}
