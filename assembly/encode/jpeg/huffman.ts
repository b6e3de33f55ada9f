// Quantised blocks → symbol counts, and → entropy-coded bytes (ITU-T T.81, F.1.2).
import { NATURAL_OFFSET } from '../../tables';
import {
  AC_ENTRIES,
  BIT_STATE,
  BLOCK_BYTES,
  BLOCK_MASK,
  CODES,
  COMPONENTS,
  COUNTS,
  PREDICTIONS,
  SET_BYTES,
} from './layout';

/** Run of 16 zeros. */
const ZRL: usize = 0xf0;

/** Bits that a magnitude takes: its category in ITU-T T.81, tables F.1 and F.2. */
function category(value: i32): usize {
  return <usize>(32 - clz<i32>(abs<i32>(value)));
}

function count(entry: usize): void {
  store<u32>(entry, load<u32>(entry) + 1);
}

/** Counts the symbols of `blocks` × 4 coded blocks, alpha apart from the colours. */
export function jpegCount(source: usize, blocks: usize): void {
  for (let index: usize = 0; index < blocks; index++) {
    for (let component: usize = 0; component < COMPONENTS; component++) {
      const counts = COUNTS + (component == 3 ? SET_BYTES : 0);
      const dc = <i32>load<i16>(source);
      const prediction = PREDICTIONS + (component << 2);
      count(counts + (category(dc - load<i32>(prediction)) << 2));
      store<i32>(prediction, dc);
      let mask = load<u64>(source, BLOCK_MASK) & ~1;
      let previous: usize = 0;
      while (mask != 0) {
        const k = <usize>ctz<u64>(mask);
        mask &= mask - 1;
        let run = k - previous - 1;
        previous = k;
        for (; run > 15; run -= 16) count(counts + AC_ENTRIES + (ZRL << 2));
        const value = <i32>load<i16>(source + <usize>load<u8>(k, NATURAL_OFFSET));
        count(counts + AC_ENTRIES + (((run << 4) | category(value)) << 2));
      }
      if (previous != 63) count(counts + AC_ENTRIES);
      source += BLOCK_BYTES;
    }
  }
}

/** Writes 32 bits, most significant first, with a zero byte after every 0xFF (ITU-T T.81, B.1.1.5). */
function writeWord(target: usize, word: u32): usize {
  // A byte of 0xFF in the word is a zero byte in its complement.
  if ((word & (~word - 0x01010101) & 0x80808080) == 0) {
    store<u32>(target, bswap<u32>(word));
    return target + 4;
  }
  for (let shift: i32 = 24; shift >= 0; shift -= 8) {
    const byte = (word >> shift) & 255;
    store<u8>(target, <u8>byte);
    target++;
    if (byte == 255) {
      store<u8>(target, 0);
      target++;
    }
  }
  return target;
}

/**
 * Codes `blocks` × 4 coded blocks.
 *
 * @param target room for 2048 bytes per 4 blocks: at most 64 × 27 bits a block, every byte stuffed
 * @returns the end of what was written; up to 31 bits stay pending
 */
export function jpegEmit(source: usize, blocks: usize, target: usize): usize {
  let bits = load<u64>(BIT_STATE);
  let pending = load<u64>(BIT_STATE, 8);
  for (let index: usize = 0; index < blocks; index++) {
    for (let component: usize = 0; component < COMPONENTS; component++) {
      const codes = CODES + (component == 3 ? SET_BYTES : 0);
      const dc = <i32>load<i16>(source);
      const prediction = PREDICTIONS + (component << 2);
      const difference = dc - load<i32>(prediction);
      store<i32>(prediction, dc);
      let size = category(difference);
      let code = load<u32>(codes + (size << 2));
      // Negative values are coded as their one's complement, in as many bits.
      let extra = <u64>(difference + (difference >> 31)) & (((<u64>1) << size) - 1);
      bits = (((bits << (code & 255)) | <u64>(code >> 8)) << size) | extra;
      pending += <u64>(code & 255) + size;
      if (pending >= 32) {
        pending -= 32;
        target = writeWord(target, <u32>(bits >> pending));
      }
      let mask = load<u64>(source, BLOCK_MASK) & ~1;
      let previous: usize = 0;
      while (mask != 0) {
        const k = <usize>ctz<u64>(mask);
        mask &= mask - 1;
        let run = k - previous - 1;
        previous = k;
        for (; run > 15; run -= 16) {
          code = load<u32>(codes + AC_ENTRIES + (ZRL << 2));
          bits = (bits << (code & 255)) | <u64>(code >> 8);
          pending += <u64>(code & 255);
          if (pending >= 32) {
            pending -= 32;
            target = writeWord(target, <u32>(bits >> pending));
          }
        }
        const value = <i32>load<i16>(source + <usize>load<u8>(k, NATURAL_OFFSET));
        size = category(value);
        code = load<u32>(codes + AC_ENTRIES + (((run << 4) | size) << 2));
        extra = <u64>(value + (value >> 31)) & (((<u64>1) << size) - 1);
        bits = (((bits << (code & 255)) | <u64>(code >> 8)) << size) | extra;
        pending += <u64>(code & 255) + size;
        if (pending >= 32) {
          pending -= 32;
          target = writeWord(target, <u32>(bits >> pending));
        }
      }
      if (previous != 63) {
        code = load<u32>(codes + AC_ENTRIES);
        bits = (bits << (code & 255)) | <u64>(code >> 8);
        pending += <u64>(code & 255);
        if (pending >= 32) {
          pending -= 32;
          target = writeWord(target, <u32>(bits >> pending));
        }
      }
      source += BLOCK_BYTES;
    }
  }
  store<u64>(BIT_STATE, bits);
  store<u64>(BIT_STATE, pending, 8);
  return target;
}

/** Writes the pending bits, filled up with ones (ITU-T T.81, F.1.2.3); returns the end of what was written. */
export function jpegFlush(target: usize): usize {
  let bits = load<u64>(BIT_STATE);
  let pending = load<u64>(BIT_STATE, 8);
  const fill = (8 - (pending & 7)) & 7;
  bits = (bits << fill) | (((<u64>1) << fill) - 1);
  pending += fill;
  while (pending != 0) {
    pending -= 8;
    const byte = <u8>(bits >> pending);
    store<u8>(target, byte);
    target++;
    if (byte == 255) {
      store<u8>(target, 0);
      target++;
    }
  }
  return target;
}
