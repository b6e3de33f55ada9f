// A JPEG stream → its tables, frame and scans, as far as recoding its coefficients needs them.

import { BlpError } from '../errors.js';
import { isFrameMarker } from '../jpeg.js';

/** One component of the frame (ITU-T T.81, B.2.2). */
export interface Component {
  id: number;
  horizontal: number;
  vertical: number;
  /** The 64 steps in zigzag order that were in force at the component's first scan. */
  steps: Uint16Array | undefined;
  stepsId: number;
  /** Blocks a row and rows of blocks, filled up to whole MCUs. */
  blocksWide: number;
  blocksHigh: number;
  /** Blocks that hold texels, which scans of this component alone cover. */
  usedWide: number;
  usedHigh: number;
  /** 64 coefficients a block, in zigzag order, quantised. */
  coefficients: Int16Array;
}

export interface Frame {
  width: number;
  height: number;
  progressive: boolean;
  components: Component[];
  mcusWide: number;
  mcusHigh: number;
}

/** A Huffman table for decoding: per code length the first code, its place in `symbols`, and how many there are. */
export interface DecodingTable {
  firstCode: Int32Array;
  firstIndex: Int32Array;
  counts: Uint8Array;
  symbols: Uint8Array;
}

/** One scan (B.2.3) and where its entropy-coded data begins. */
export interface Scan {
  components: {
    component: Component;
    dc: DecodingTable | undefined;
    ac: DecodingTable | undefined;
  }[];
  spectralStart: number;
  spectralEnd: number;
  approximationHigh: number;
  approximationLow: number;
  restartInterval: number;
  position: number;
}

/**
 * Walks the segments and hands each scan to `decodeScan`, which returns where the scan's data ends.
 *
 * @throws BlpError `damaged` or `unsupported`
 */
export function walkSegments(
  stream: Uint8Array,
  decodeScan: (scan: Scan, frame: Frame) => number,
): Frame {
  const steps: (Uint16Array | undefined)[] = [];
  const tables: (DecodingTable | undefined)[] = [];
  let frame: Frame | undefined;
  let restartInterval = 0;
  let position = 2;
  for (;;) {
    while (position < stream.length && stream[position] !== 0xff) position++;
    while (stream[position] === 0xff) position++;
    const marker = stream[position++];
    if (marker === undefined || marker === 0xd9) break;
    // Without a length: stuffed zero, TEM, restart markers, SOI.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    const end = position + ((stream[position] << 8) | stream[position + 1]);
    // Also false for a length that the end of the stream cuts off.
    if (!(end >= position + 2 && end <= stream.length)) throw damaged('a segment is cut short');
    const segment = stream.subarray(position + 2, end);
    position = end;
    if (marker === 0xdb) readSteps(segment, steps);
    else if (marker === 0xc4) readTables(segment, tables);
    else if (marker === 0xdd) restartInterval = (segment[0] << 8) | segment[1];
    else if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      if (frame) throw damaged('there is a second frame header');
      frame = readFrame(segment, marker === 0xc2);
    } else if (marker === 0xda) {
      if (!frame) throw damaged('a scan comes before the frame header');
      const scan = readScan(segment, frame, steps, tables);
      position = decodeScan({ ...scan, restartInterval, position }, frame);
    } else if (isFrameMarker(marker)) {
      throw new BlpError('unsupported', `frame type FF ${marker.toString(16)} cannot be recoded`);
    }
  }
  if (!frame) throw damaged('there is no frame header');
  return frame;
}

function damaged(what: string): BlpError {
  return new BlpError('damaged', `the JPEG stream cannot be recoded: ${what}`);
}

function readSteps(segment: Uint8Array, steps: (Uint16Array | undefined)[]): void {
  for (let at = 0; at + 65 <= segment.length; ) {
    const wide = segment[at] >> 4 !== 0;
    const table = new Uint16Array(64);
    steps[segment[at++] & 15] = table;
    for (let index = 0; index < 64; index++) {
      table[index] = wide ? (segment[at++] << 8) | segment[at++] : segment[at++];
    }
  }
}

function readTables(segment: Uint8Array, tables: (DecodingTable | undefined)[]): void {
  for (let at = 0; at + 17 <= segment.length; ) {
    const id = segment[at];
    const counts = segment.slice(at + 1, at + 17);
    at += 17;
    const firstCode = new Int32Array(17);
    const firstIndex = new Int32Array(17);
    let code = 0;
    let index = 0;
    for (let length = 1; length <= 16; length++) {
      firstCode[length] = code;
      firstIndex[length] = index;
      index += counts[length - 1];
      code = (code + counts[length - 1]) << 1;
    }
    tables[id] = { firstCode, firstIndex, counts, symbols: segment.slice(at, at + index) };
    at += index;
  }
}

function readFrame(segment: Uint8Array, progressive: boolean): Frame {
  const height = (segment[1] << 8) | segment[2];
  const width = (segment[3] << 8) | segment[4];
  const count = segment[5] ?? 0;
  if (count < 1 || segment.length < 6 + count * 3) throw damaged('the frame header is too short');
  if (segment[0] !== 8) throw damaged(`samples have ${segment[0]} bits`);
  const factors = Array.from({ length: count }, (_, index) => {
    const [id, sampling, stepsId] = segment.subarray(6 + index * 3);
    return { id, horizontal: sampling >> 4, vertical: sampling & 15, stepsId };
  });
  const mostHorizontal = Math.max(...factors.map(({ horizontal }) => horizontal));
  const mostVertical = Math.max(...factors.map(({ vertical }) => vertical));
  const mcusWide = Math.ceil(width / (8 * mostHorizontal));
  const mcusHigh = Math.ceil(height / (8 * mostVertical));
  const components = factors.map((factor) => {
    const blocksWide = mcusWide * factor.horizontal;
    const blocksHigh = mcusHigh * factor.vertical;
    return {
      ...factor,
      steps: undefined,
      blocksWide,
      blocksHigh,
      usedWide: Math.ceil(Math.ceil((width * factor.horizontal) / mostHorizontal) / 8),
      usedHigh: Math.ceil(Math.ceil((height * factor.vertical) / mostVertical) / 8),
      coefficients: new Int16Array(blocksWide * blocksHigh * 64),
    };
  });
  return { width, height, progressive, components, mcusWide, mcusHigh };
}

function readScan(
  segment: Uint8Array,
  frame: Frame,
  steps: readonly (Uint16Array | undefined)[],
  tables: readonly (DecodingTable | undefined)[],
): Omit<Scan, 'restartInterval' | 'position'> {
  const count = segment[0] ?? 0;
  if (count < 1 || segment.length < 4 + count * 2) throw damaged('a scan header is too short');
  const components = Array.from({ length: count }, (_, index) => {
    const [id, selectors] = segment.subarray(1 + index * 2);
    const component = frame.components.find((candidate) => candidate.id === id);
    if (!component) throw damaged(`a scan names component ${id}, which the frame does not have`);
    component.steps ??= steps[component.stepsId];
    return { component, dc: tables[selectors >> 4], ac: tables[0x10 | (selectors & 15)] };
  });
  const [spectralStart, spectralEnd, approximation] = segment.subarray(1 + count * 2);
  return {
    components,
    spectralStart,
    spectralEnd,
    approximationHigh: approximation >> 4,
    approximationLow: approximation & 15,
  };
}
