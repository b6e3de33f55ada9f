// Huffman tables (ITU-T T.81 C and F.2.2): definition, lookup tables, codes longer than the lookup.

import { BAD_HUFFMAN_TABLE, report } from './fault';

/** Bits that index the lookup: longer codes are rare, and 2 KiB a table stay in the first-level cache. */
const LOOKUP_BITS = 10;
const LOOKUP_SIZE: usize = 1 << LOOKUP_BITS;

/**
 * Entries of the lookup, u16: bits 0-5 a length, bits 8-15 the symbol (zero run and size of the value).
 * With `WITH_VALUE` the length is that of the code and its value together, else that of the code alone.
 * 0 stands for a code longer than the lookup. A 64-bit shift uses the lowest six bits of its count only,
 * so that the reader can be shifted by an entry as it is.
 */
export const WITH_VALUE: u32 = 64;

/** Offsets in a table: the lookup, per length the first code past it (16 bits) and symbol index minus code. */
const CODE_END: usize = LOOKUP_SIZE * 2;
const INDEX_DELTA: usize = CODE_END + 80;
/** Sixteen counts and up to 256 symbols as the stream defines them. */
const DEFINITION: usize = INDEX_DELTA + 80;
const SYMBOLS: usize = DEFINITION + 16;
const DEFINITION_LENGTH: usize = SYMBOLS + 256;
/** Is the lookup of this definition built? Is the table defined by the current stream? */
const BUILT: usize = DEFINITION_LENGTH + 4;
const DEFINED: usize = BUILT + 4;
const TABLE_SIZE: usize = 2496;

const TABLES: usize = memory.data(8 * 2496, 16);

/** `kind` 0 for DC, 1 for AC; `slot` 0 to 3. */
export function huffmanTable(kind: i32, slot: i32): usize {
  return TABLES + <usize>(kind * 4 + slot) * TABLE_SIZE;
}

export function forgetHuffmanTables(): void {
  for (let table = TABLES; table < TABLES + 8 * TABLE_SIZE; table += TABLE_SIZE) {
    store<i32>(table, 0, DEFINED);
  }
}

/** Takes over a definition; a lookup built from the same bytes is kept, also from an earlier stream. */
export function defineHuffmanTable(table: usize, source: usize, length: i32): void {
  store<i32>(table, 1, DEFINED);
  if (
    load<i32>(table, DEFINITION_LENGTH) == length &&
    memory.compare(table + DEFINITION, source, length) == 0
  ) {
    return;
  }
  store<i32>(table, 0, BUILT);
  store<i32>(table, length, DEFINITION_LENGTH);
  memory.fill(table + DEFINITION, 0, 272);
  memory.copy(table + DEFINITION, source, length);
}

export function isHuffmanTableDefined(table: usize): bool {
  return load<i32>(table, DEFINED) != 0;
}

/** Builds the lookup when a scan first uses the table. Returns a fault, or 0. */
export function buildHuffmanTable(table: usize, isDc: bool, address: usize): i32 {
  if (load<i32>(table, BUILT)) return 0;
  memory.fill(table, 0, LOOKUP_SIZE * 2);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    const count: i32 = load<u8>(table + length - 1, DEFINITION);
    // The code of all ones is reserved, so that no length may use up its last code.
    if (count && code + count >= 1 << length) return report(BAD_HUFFMAN_TABLE, address, length);
    store<i32>(table + (length << 2), index - code, INDEX_DELTA);
    for (let i = 0; i < count; i++) {
      const symbol: i32 = load<u8>(table + index, SYMBOLS);
      if (isDc && symbol > 15) return report(BAD_HUFFMAN_TABLE, address, symbol);
      if (length <= LOOKUP_BITS) fillLookup(table, code, length, symbol, isDc);
      code++;
      index++;
    }
    store<i32>(table + (length << 2), code << (16 - length), CODE_END);
    code <<= 1;
  }
  store<i32>(table, 1, BUILT);
  return 0;
}

/** Enters one code under every index that begins with it. */
function fillLookup(table: usize, code: i32, length: i32, symbol: i32, isDc: bool): void {
  const size = symbol & 15;
  // Without a value an AC code stands for a run of zeros, which is another matter.
  const entry = isDc || size != 0 ? (length + size) | WITH_VALUE : length;
  const shift = LOOKUP_BITS - length;
  const end = table + ((<usize>((code + 1) << shift)) << 1);
  for (let p = table + ((<usize>(code << shift)) << 1); p < end; p += 2) {
    store<u16>(p, <u16>(entry | (symbol << 8)));
  }
}

/** The entry that the next bits select. */
export function lookUp(table: usize, next: u64): u32 {
  return load<u16>(table + ((<usize>(next >> (64 - LOOKUP_BITS))) << 1));
}

/** The value that belongs to an entry with value, whose code comes next. No branch: its sign is chance. */
export function valueOf(next: u64, entry: u32): i32 {
  const mask: i32 = (1 << ((entry >> 8) & 15)) - 1;
  // A shift by minus the length is one by 64 minus the length.
  const bits = <i32>(next >> (0 - <u64>entry)) & mask;
  return bits - (mask & ((2 * bits - 1 - mask) >> 31));
}

/** The signed value of `size` ≥ 1 bits (ITU-T T.81 F.2.2.1, EXTEND). */
export function extend(value: i32, size: i32): i32 {
  return value < 1 << (size - 1) ? value + 1 - (1 << size) : value;
}

/** The entry (length and symbol) of a code longer than the lookup; 0 when no code matches the 16 bits. */
export function longCode(table: usize, next16: i32): u32 {
  for (let length: i32 = LOOKUP_BITS + 1; length <= 16; length++) {
    if (next16 < load<i32>(table + (length << 2), CODE_END)) {
      const index = (next16 >> (16 - length)) + load<i32>(table + (length << 2), INDEX_DELTA);
      return <u32>length | ((<u32>load<u8>(table + (index & 255), SYMBOLS)) << 8);
    }
  }
  return 0;
}
