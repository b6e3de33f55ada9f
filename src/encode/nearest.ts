// Finds the palette entry nearest to a colour: exact, by looking only at the entries that can win in the colour's cell.

/** Palette of at most 256 entries: red, green, blue, in that order, 3 bytes each. */
export type Colours = Uint8Array;

/** Colours are sorted into 16 × 16 × 16 cells of side 16. */
const cellShift = 4;
const cellSide = 1 << cellShift;
const cells = 4096;

/**
 * Prepares the search.
 *
 * @returns a function from red, green and blue, 0 to 255, to the index of the entry with the least squared distance;
 *   the lowest index among equals.
 */
export function nearestColour(colours: Colours): (r: number, g: number, b: number) => number {
  const count = colours.length / 3;
  const candidates: (Uint8Array | undefined)[] = new Array(cells).fill(undefined);
  return (r, g, b) => {
    const cell = ((r >> cellShift) << 8) | ((g >> cellShift) << 4) | (b >> cellShift);
    let list = candidates[cell];
    if (list === undefined) {
      list = cellCandidates(colours, count, cell);
      candidates[cell] = list;
    }
    let best = list[0];
    if (list.length === 1) return best;
    let least = 0x7fffffff;
    for (let at = 0; at < list.length; at++) {
      const entry = list[at];
      const dr = r - colours[entry * 3];
      const dg = g - colours[entry * 3 + 1];
      const db = b - colours[entry * 3 + 2];
      const distance = dr * dr + dg * dg + db * db;
      if (distance < least) {
        least = distance;
        best = entry;
      }
    }
    return best;
  };
}

const nearestDistances = new Int32Array(256);

/** Entries whose least distance to the cell is not above the greatest distance of the entry that covers it best. */
function cellCandidates(colours: Colours, count: number, cell: number): Uint8Array {
  const r0 = (cell >> 8) << cellShift;
  const g0 = ((cell >> 4) & 15) << cellShift;
  const b0 = (cell & 15) << cellShift;
  let bound = 0x7fffffff;
  for (let entry = 0; entry < count; entry++) {
    const r = colours[entry * 3] - r0;
    const g = colours[entry * 3 + 1] - g0;
    const b = colours[entry * 3 + 2] - b0;
    nearestDistances[entry] = square(outside(r)) + square(outside(g)) + square(outside(b));
    const farthest = square(farSide(r)) + square(farSide(g)) + square(farSide(b));
    if (farthest < bound) bound = farthest;
  }
  const list: number[] = [];
  for (let entry = 0; entry < count; entry++) {
    if (nearestDistances[entry] <= bound) list.push(entry);
  }
  return Uint8Array.from(list);
}

/** How far a coordinate, relative to the cell's low side, lies outside the cell. */
function outside(at: number): number {
  return at < 0 ? at : at > cellSide - 1 ? at - (cellSide - 1) : 0;
}

/** How far it lies from the farther side of the cell. */
function farSide(at: number): number {
  return Math.max(Math.abs(at), Math.abs(at - (cellSide - 1)));
}

function square(value: number): number {
  return value * value;
}
