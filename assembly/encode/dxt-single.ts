// Blocks of one colour: the endpoint pair per 8-bit value whose interpolated colour comes closest, in the decoder's arithmetic.

/** Per value: start step, end step, whether some pair gives it exactly, 0; four tables of 256 entries of 4 bytes. */
const FIVE_THIRDS: usize = memory.data(1024, 16);
const SIX_THIRDS: usize = memory.data(1024, 16);
const FIVE_HALVES: usize = memory.data(1024, 16);
const SIX_HALVES: usize = memory.data(1024, 16);

/** Of equally good pairs the closest wins: it depends least on how a decoder rounds. */
function buildTable(table: usize, bits: i32, three: bool): void {
  const count = 1 << bits;
  for (let start = 0; start < count; start++) {
    for (let end = 0; end < count; end++) {
      const c0 = (start << (8 - bits)) | (start >> (2 * bits - 8));
      const c1 = (end << (8 - bits)) | (end >> (2 * bits - 8));
      const color = three ? (c0 + c1) >> 1 : (2 * c0 + c1) / 3;
      const entry = table + ((<usize>color) << 2);
      const distance = abs(<i32>load<u8>(entry) - <i32>load<u8>(entry, 1));
      if (!load<u8>(entry, 2) || abs(start - end) < distance) {
        store<u8>(entry, start);
        store<u8>(entry, end, 1);
        store<u8>(entry, 1, 2);
      }
    }
  }
  // Values that no pair gives take the pair of the nearest that one does; 0 and 255 always are.
  for (let value = 1; value < 255; value++) {
    const entry = table + ((<usize>value) << 2);
    if (load<u8>(entry, 2)) continue;
    let below = entry;
    let above = entry;
    while (!load<u8>(below, 2)) below -= 4;
    while (!load<u8>(above, 2)) above += 4;
    store<u16>(entry, load<u16>(entry - below <= above - entry ? below : above));
  }
}

/** Fills the tables; once per instance. */
export function buildSingleColorTables(): void {
  buildTable(FIVE_THIRDS, 5, false);
  buildTable(SIX_THIRDS, 6, false);
  buildTable(FIVE_HALVES, 5, true);
  buildTable(SIX_HALVES, 6, true);
}

/** One of the two endpoints (0 start, 1 end) whose index 2 comes closest to a colour, in grid steps (r, g, b, 0). */
export function singleColorEndpoint(color: u32, which: usize, three: bool): v128 {
  const five = (three ? FIVE_HALVES : FIVE_THIRDS) + which;
  const six = (three ? SIX_HALVES : SIX_THIRDS) + which;
  let steps = i32x4.splat(0);
  steps = i32x4.replace_lane(steps, 0, load<u8>(five + ((color & 255) << 2)));
  steps = i32x4.replace_lane(steps, 1, load<u8>(six + (((color >> 8) & 255) << 2)));
  return i32x4.replace_lane(steps, 2, load<u8>(five + (((color >> 16) & 255) << 2)));
}
