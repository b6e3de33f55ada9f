// BGRA texels → RGBA texels, and alpha put to 255.

/** Texels are rounded up to 16. */
export function decodeBgra(source: usize, target: usize, count: i32): void {
  const order = i8x16(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
  for (const end = source + <usize>count * 4; source < end; source += 64, target += 64) {
    v128.store(target, i8x16.swizzle(v128.load(source), order));
    v128.store(target, i8x16.swizzle(v128.load(source, 16), order), 16);
    v128.store(target, i8x16.swizzle(v128.load(source, 32), order), 32);
    v128.store(target, i8x16.swizzle(v128.load(source, 48), order), 48);
  }
}

/** Makes `count` texels opaque, rounded up to 16. */
export function makeOpaque(target: usize, count: i32): void {
  const alpha = i32x4.splat(0xff000000);
  for (const end = target + <usize>count * 4; target < end; target += 64) {
    v128.store(target, v128.or(v128.load(target), alpha));
    v128.store(target, v128.or(v128.load(target, 16), alpha), 16);
    v128.store(target, v128.or(v128.load(target, 32), alpha), 32);
    v128.store(target, v128.or(v128.load(target, 48), alpha), 48);
  }
}
