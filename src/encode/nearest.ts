// Finds the palette entry nearest to a colour: exact, by looking only at the entries that can win near it.

/** Palette of at most 256 entries: red, green, blue, in that order, 3 bytes each. */
export type Colors = Uint8Array;

/** From red, green and blue, 0 to 255, to the index of the nearest entry. */
export type NearestColor = (r: number, g: number, b: number) => number;

/** Sides of the cells that the colour cube is cut into, and cut again: powers of two, as shifts. */
const coarseShift = 6;
const fineShift = 4;
const coarseCells = 1 << (3 * (8 - coarseShift));
const fineCells = 1 << (3 * (8 - fineShift));

/**
 * Prepares the search. The entries that can be nearest to any colour of a cell are listed when the first colour of the
 * cell is looked for.
 *
 * @returns the entry with the least squared distance; the one with the lowest index among equals.
 */
export function nearestColor(colors: Colors): NearestColor {
  const all = Uint8Array.from({ length: colors.length / 3 }, (_, entry) => entry);
  const coarse: (Uint8Array | undefined)[] = new Array(coarseCells).fill(undefined);
  const fine: (Uint8Array | undefined)[] = new Array(fineCells).fill(undefined);
  const coordinates = Int32Array.from(colors);
  const addCell = (cell: number, r: number, g: number, b: number): Uint8Array => {
    const outer = cellIndex(coarseShift, r, g, b);
    coarse[outer] ??= contenders(coordinates, all, coarseShift, r, g, b);
    const list = contenders(coordinates, coarse[outer], fineShift, r, g, b);
    fine[cell] = list;
    return list;
  };
  return (r, g, b) => {
    const cell = cellIndex(fineShift, r, g, b);
    const list = fine[cell] ?? addCell(cell, r, g, b);
    let best = list[0];
    if (list.length === 1) return best;
    let least = 0x7fffffff;
    for (let at = 0; at < list.length; at++) {
      const entry = list[at];
      const dr = r - coordinates[entry * 3];
      const dg = g - coordinates[entry * 3 + 1];
      const db = b - coordinates[entry * 3 + 2];
      const distance = dr * dr + dg * dg + db * db;
      if (distance < least) {
        least = distance;
        best = entry;
      }
    }
    return best;
  };
}

function cellIndex(shift: number, r: number, g: number, b: number): number {
  const bits = 8 - shift;
  return ((r >> shift) << (2 * bits)) | ((g >> shift) << bits) | (b >> shift);
}

const leastDistances = new Int32Array(256);
const listed = new Uint8Array(256);

/**
 * Entries whose least distance to the cell around a colour is not above the greatest distance of the entry that covers
 * the cell best.
 */
function contenders(
  coordinates: Int32Array,
  entries: Uint8Array,
  shift: number,
  r: number,
  g: number,
  b: number,
): Uint8Array {
  const last = (1 << shift) - 1;
  const r0 = r & ~last;
  const g0 = g & ~last;
  const b0 = b & ~last;
  let bound = 0x7fffffff;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] * 3;
    const dr = coordinates[entry] - r0;
    const dg = coordinates[entry + 1] - g0;
    const db = coordinates[entry + 2] - b0;
    const nearR = outside(dr, last);
    const nearG = outside(dg, last);
    const nearB = outside(db, last);
    leastDistances[at] = nearR * nearR + nearG * nearG + nearB * nearB;
    const farR = farSide(dr, last);
    const farG = farSide(dg, last);
    const farB = farSide(db, last);
    bound = Math.min(bound, farR * farR + farG * farG + farB * farB);
  }
  let count = 0;
  for (let at = 0; at < entries.length; at++) {
    if (leastDistances[at] <= bound) listed[count++] = entries[at];
  }
  return listed.slice(0, count);
}

/** How far a coordinate, relative to the cell's low side, lies outside the cell. */
function outside(at: number, last: number): number {
  return at < 0 ? at : at > last ? at - last : 0;
}

/** How far it lies from the farther side of the cell. */
function farSide(at: number, last: number): number {
  return Math.max(at < 0 ? -at : at, at < last ? last - at : at - last);
}
