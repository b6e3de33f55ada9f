// Texels as 32-bit words: one store a texel instead of four.

/** Alpha 255 in a little-endian RGBA word; every JavaScript engine in use is little-endian. */
export const opaqueAlpha = 0xff000000 | 0;

/** Runs `write` on the target as words, through a copy where the target is not aligned to four bytes. */
export function withWords(
  target: Uint8Array | Uint8ClampedArray,
  write: (words: Int32Array) => void,
): void {
  const count = target.length >> 2;
  if (target.byteOffset % 4 === 0) {
    write(new Int32Array(target.buffer as ArrayBuffer, target.byteOffset, count));
    return;
  }
  const words = new Int32Array(count);
  write(words);
  target.set(new Uint8Array(words.buffer));
}
