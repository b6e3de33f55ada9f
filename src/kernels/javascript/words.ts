// Texels as 32-bit words: one store a texel instead of four.

/** Alpha 255 in a little-endian RGBA word; every JavaScript engine in use is little-endian. */
export const opaqueAlpha = 0xff000000 | 0;

/** Bytes as words, without a copy where they are aligned to four. */
export interface Words {
  words: Int32Array;
  /** Brings what was written back to the bytes, where the words are a copy. */
  flush(): void;
}

/** The whole words of `bytes`, to be read, or to be written and then flushed. */
export function wordsOf(bytes: Uint8Array | Uint8ClampedArray): Words {
  const count = bytes.length >> 2;
  if (bytes.byteOffset % 4 === 0) {
    const words = new Int32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, count);
    return { words, flush: () => {} };
  }
  const words = new Int32Array(count);
  const copy = new Uint8Array(words.buffer);
  copy.set(bytes.subarray(0, count * 4));
  return { words, flush: () => bytes.set(copy) };
}
