// Quantisation and Huffman tables from a quality and from symbol counts, and the segments of a baseline stream.

import { zigzag } from '../jpeg.js';

/** ITU-T T.81, table K.1: luminance steps, row by row. */
const luminanceSteps = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
  92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];

/**
 * Steps for a quality from 1 to 100 on the scale of the Independent JPEG Group, in natural order. All four planes use
 * the luminance steps, as the game's own textures do: blue, green and red are no chrominance, whose steps are coarser.
 */
export function quantisationSteps(quality: number): Uint8Array {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return Uint8Array.from(luminanceSteps, (step) =>
    Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))),
  );
}

/** The steps in the order in which a stream holds them. */
export function toZigzag(steps: Uint8Array): number[] {
  return zigzag.map((position) => steps[position]);
}

/** A DQT segment (ITU-T T.81, B.2.4.1) with one table of 8-bit steps, in zigzag order. */
export function quantisationSegment(id: number, steps: Iterable<number>): number[] {
  return [0xff, 0xdb, 0, 67, id, ...steps];
}

/** A component as the frame header has it: sampling factors and the table of its steps. */
export interface FrameComponent {
  id: number;
  horizontal: number;
  vertical: number;
  stepsId: number;
}

/** SOF0 (ITU-T T.81, B.2.2): a baseline frame of 8 bits a sample. */
export function frameSegment(
  width: number,
  height: number,
  components: readonly FrameComponent[],
): number[] {
  const size = 8 + components.length * 3;
  return [
    ...[0xff, 0xc0, 0, size, 8, height >> 8, height & 255, width >> 8, width & 255],
    components.length,
    ...components.flatMap(({ id, horizontal, vertical, stepsId }) => [
      id,
      (horizontal << 4) | vertical,
      stepsId,
    ]),
  ];
}

/** SOS (ITU-T T.81, B.2.3): one baseline scan of components, each with the DC and AC table of one number. */
export function scanSegment(components: readonly { id: number; tablesId: number }[]): number[] {
  return [
    ...[0xff, 0xda, 0, 6 + components.length * 2, components.length],
    ...components.flatMap(({ id, tablesId }) => [id, tablesId * 0x11]),
    ...[0, 63, 0],
  ];
}

/** A Huffman table as JPEG stores it: how many codes have each length, 1 to 16, and the symbols by rising length. */
export interface HuffmanTable {
  lengths: number[];
  symbols: number[];
}

/**
 * The shortest prefix code for the counts with at most 16 bits a code and none of all ones
 * (ITU-T T.81, K.2: a symbol that never occurs is given the longest code and dropped afterwards).
 */
export function huffmanTable(counts: ArrayLike<number>): HuffmanTable {
  const used: number[] = [];
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0) used.push(symbol);
  }
  // Rare symbols first; among equals the larger first, so that the smaller gets the shorter code.
  used.sort((a, b) => counts[a] - counts[b] || b - a);
  const perLength = limitLengths(codeLengths([0, ...used.map((symbol) => counts[symbol])]));
  // The reserved code is the last of the longest ones.
  let longest = 16;
  while (perLength[longest] === 0) longest--;
  perLength[longest]--;
  return { lengths: perLength.slice(1), symbols: used.reverse() };
}

/**
 * Huffman's algorithm over counts in rising order.
 *
 * @returns how many codes have each length
 */
function codeLengths(counts: number[]): number[] {
  const leaves = counts.length;
  const weights = counts.slice();
  const parent: number[] = [];
  let leaf = 0;
  let node = leaves;
  // Merged nodes arise in rising order too: the lightest is always at the head of one of the two queues.
  const takeLightest = (): number => {
    const isLeaf = leaf < leaves && (node >= weights.length || weights[leaf] <= weights[node]);
    return isLeaf ? leaf++ : node++;
  };
  for (let merges = 1; merges < leaves; merges++) {
    const first = takeLightest();
    const second = takeLightest();
    parent[first] = weights.length;
    parent[second] = weights.length;
    weights.push(weights[first] + weights[second]);
  }
  const depth: number[] = new Array(weights.length).fill(0);
  const perLength: number[] = new Array(Math.max(17, leaves + 1)).fill(0);
  for (let at = weights.length - 2; at >= 0; at--) {
    depth[at] = depth[parent[at]] + 1;
    if (at < leaves) perLength[depth[at]]++;
  }
  return perLength;
}

/** Shortens codes above 16 bits: a pair moves up to its parent, and a shorter code makes room (ITU-T T.81, K.3). */
function limitLengths(perLength: number[]): number[] {
  for (let length = perLength.length - 1; length > 16; length--) {
    while (perLength[length] > 0) {
      let shorter = length - 2;
      while (perLength[shorter] === 0) shorter--;
      perLength[length] -= 2;
      perLength[length - 1] += 1;
      perLength[shorter + 1] += 2;
      perLength[shorter] -= 1;
    }
  }
  return perLength.slice(0, 17);
}

/** A DHT segment (ITU-T T.81, B.2.4.2). */
export function huffmanSegment(kind: 'dc' | 'ac', id: number, table: HuffmanTable): number[] {
  const size = 19 + table.symbols.length;
  return [
    ...[0xff, 0xc4, size >> 8, size & 255, (kind === 'ac' ? 0x10 : 0) | id],
    ...table.lengths,
    ...table.symbols,
  ];
}

/** Writes `code << 8 | length` of each symbol into `codes`: codes count up, with a zero appended per length (C.2). */
export function fillCodes(table: HuffmanTable, codes: Uint32Array): void {
  let code = 0;
  let at = 0;
  table.lengths.forEach((count, index) => {
    for (let n = 0; n < count; n++) {
      codes[table.symbols[at++]] = (code++ << 8) | (index + 1);
    }
    code <<= 1;
  });
}
