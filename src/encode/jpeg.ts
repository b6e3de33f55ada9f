// RGBA levels → the JPEG content of BLP: baseline streams of four raw planes that share their beginning.

import { concatenate } from '../bytes.js';
import { maxJpegHeader } from '../container/header.js';
import { encoderModule } from './encoder-module.js';
import {
  fillCodes,
  frameSegment,
  huffmanSegment,
  huffmanTable,
  quantisationSegment,
  quantisationSteps,
  scanSegment,
  toZigzag,
} from './jpeg-tables.js';
import type { RgbaImage } from './options.js';

/** What BLP stores: each level's stream is `header` followed by its own bytes. */
export interface JpegLevels {
  header: Uint8Array;
  levels: Uint8Array[];
}

/** Bytes of a coded block: 64 coefficients of 16 bits and the mask of those that are not 0. */
const codedBlockBytes = 144;
/** Most that four coded blocks can take as entropy-coded bytes: 64 × 27 bits each, every byte stuffed, rounded up. */
const maxEntropyBytes = 2048;
/** Coded blocks of a whole texture are kept up to here: 512 × 512 with its chain takes 3 MiB. */
const maxKeptBytes = 16 * 1024 * 1024;
/** Symbols of a table set: 16 DC sizes, then 256 AC pairs of run and size. */
const dcSymbols = 16;
const setSymbols = dcSymbols + 256;

/**
 * Encodes the levels of a texture.
 *
 * The planes are blue, green, red and alpha as they are, with neither colour transform nor subsampling nor an Adobe
 * marker. The transform is libjpeg's accurate integer one and the steps are its luminance steps for the same quality.
 * The Huffman tables are fitted to all levels together, so that the levels share them.
 *
 * @param quality 1 to 100
 * @param opaque write 255 as alpha: the game mixes the plane into models even where the header declares no alpha.
 */
export function encodeJpeg(
  levels: readonly RgbaImage[],
  quality: number,
  opaque: boolean,
): JpegLevels {
  const { exports } = encoderModule();
  const steps = quantisationSteps(quality);
  const windows = reserveWindows(levels);
  loadSteps(steps);
  exports.jpegBegin();
  let coded = windows.coded;
  for (const level of levels) {
    exports.jpegReset();
    for (let y = 0; y < level.height; y += 8) {
      transformRow(level, y, opaque, windows.pixels, coded);
      exports.jpegCount(coded, blocksAcross(level));
      if (windows.keepsAll) coded += codedRowBytes(level);
    }
  }
  const { segments, alphaSet } = fitHuffmanTables();
  const tables = [0xff, 0xd8, ...quantisationSegment(0, toZigzag(steps)), ...segments];
  // The colours use table set 0.
  const scan = scanSegment(components.map(({ id }) => ({ id, tablesId: id === 3 ? alphaSet : 0 })));
  coded = windows.coded;
  const streams = levels.map((level) => {
    const frame = frameSegment(level.width, level.height, components);
    const parts = [Uint8Array.from([...tables, ...frame, ...scan])];
    const keep = (end: number): void => {
      parts.push(encoderModule().bytes().slice(windows.entropy, end));
    };
    exports.jpegReset();
    for (let y = 0; y < level.height; y += 8) {
      if (!windows.keepsAll) transformRow(level, y, opaque, windows.pixels, coded);
      keep(exports.jpegEmit(coded, blocksAcross(level), windows.entropy));
      if (windows.keepsAll) coded += codedRowBytes(level);
    }
    keep(exports.jpegFlush(windows.entropy));
    return concatenate([...parts, endOfImage]);
  });
  return shareBeginning(streams);
}

function blocksAcross(level: RgbaImage): number {
  return Math.ceil(level.width / 8);
}

/** Bytes that one row of coded blocks takes, four planes together. */
function codedRowBytes(level: RgbaImage): number {
  return blocksAcross(level) * 4 * codedBlockBytes;
}

/** Where things lie in the module's memory. */
interface Windows {
  /** Eight rows of pixels. */
  pixels: number;
  /** The entropy-coded bytes of one row of blocks. */
  entropy: number;
  /** Coded blocks: those of all levels, or of one row, which then is transformed twice. */
  coded: number;
  keepsAll: boolean;
}

function reserveWindows(levels: readonly RgbaImage[]): Windows {
  const { base, ensure } = encoderModule();
  const widest = Math.max(...levels.map(blocksAcross));
  let all = 0;
  for (const level of levels) all += Math.ceil(level.height / 8) * codedRowBytes(level);
  const keepsAll = all <= maxKeptBytes;
  const pixels = base;
  const entropy = pixels + widest * 256;
  // A few bytes more for the pending bits at the end.
  const coded = entropy + widest * maxEntropyBytes + 64;
  ensure(coded + (keepsAll ? all : widest * 4 * codedBlockBytes));
  return { pixels, entropy, coded, keepsAll };
}

/** What the quantiser multiplies with: forward DCT output is 8 times too large. */
function loadSteps(steps: Uint8Array): void {
  const { exports, bytes } = encoderModule();
  const { buffer } = bytes();
  const reciprocals = new Float32Array(buffer, exports.jpegReciprocals(), 64);
  const halves = new Int16Array(buffer, exports.jpegHalves(), 64);
  steps.forEach((step, position) => {
    halves[position] = step * 4;
    // Too large by one part in 2^22 at most: exact multiples of the step then never fall below their quotient.
    reciprocals[position] = (1 / (step * 8)) * (1 + 2 ** -23);
  });
}

/** The fitted tables as DHT segments, and which set alpha uses; the colours use set 0. */
interface FittedTables {
  segments: number[];
  alphaSet: 0 | 1;
}

/**
 * Fits Huffman tables to the counted symbols and hands the codes to the module. Alpha gets tables of its own where that
 * saves more than they take.
 */
function fitHuffmanTables(): FittedTables {
  const { exports, bytes } = encoderModule();
  const counts = new Uint32Array(bytes().buffer, exports.jpegCounts(), 2 * setSymbols);
  const codes = new Uint32Array(bytes().buffer, exports.jpegCodes(), 2 * setSymbols);
  const color = counts.subarray(0, setSymbols);
  const alpha = counts.subarray(setSymbols);
  const apart = [fitSet(color, 0), fitSet(alpha, 1)];
  const together = fitSet(
    color.map((count, symbol) => count + alpha[symbol]),
    0,
  );
  const isApart = apart[0].bits + apart[1].bits < together.bits;
  const sets = isApart ? apart : [together, together];
  sets.forEach((set, index) => {
    codes.set(set.codes, index * setSymbols);
  });
  return {
    segments: isApart ? sets.flatMap((set) => set.segments) : together.segments,
    alphaSet: isApart ? 1 : 0,
  };
}

/** A DC and an AC table for the counts, and the bits that tables and codes take. */
function fitSet(
  counts: Uint32Array,
  id: number,
): { codes: Uint32Array; segments: number[]; bits: number } {
  const codes = new Uint32Array(setSymbols);
  const dc = huffmanTable(counts.subarray(0, dcSymbols));
  const ac = huffmanTable(counts.subarray(dcSymbols));
  fillCodes(dc, codes.subarray(0, dcSymbols));
  fillCodes(ac, codes.subarray(dcSymbols));
  const segments = [...huffmanSegment('dc', id, dc), ...huffmanSegment('ac', id, ac)];
  let bits = segments.length * 8;
  counts.forEach((count, symbol) => {
    bits += count * (codes[symbol] & 255);
  });
  return { codes, segments, bits };
}

/** Blue, green, red and alpha as components 0 to 3, as the game's own files number them, none subsampled. */
const components = [0, 1, 2, 3].map((id) => ({ id, horizontal: 1, vertical: 1, stepsId: 0 }));

const endOfImage = Uint8Array.of(0xff, 0xd9);

/** Transforms one row of blocks, from the row `y` of the picture on, into coded blocks. */
function transformRow(
  { width, height, data }: RgbaImage,
  y: number,
  opaque: boolean,
  pixels: number,
  coded: number,
): void {
  const { exports, bytes } = encoderModule();
  const memory = bytes();
  const blocks = Math.ceil(width / 8);
  const padded = blocks * 8;
  const rows = Math.min(8, height - y);
  if (padded === width) {
    memory.set(data.subarray(y * width * 4, (y + rows) * width * 4), pixels);
  } else {
    for (let row = 0; row < rows; row++) {
      const start = (y + row) * width * 4;
      memory.set(data.subarray(start, start + width * 4), pixels + row * padded * 4);
    }
  }
  if (padded !== width || rows < 8) exports.jpegPad(pixels, rows, width, padded);
  exports.jpegTransform(pixels, padded * 4, blocks, opaque ? 1 : 0, coded);
}

/**
 * Takes the longest common beginning off all streams, up to what the game's buffer holds. Each level keeps a byte of
 * its own at least: an empty level would end the chain.
 */
export function shareBeginning(streams: readonly Uint8Array[]): JpegLevels {
  const first = streams[0];
  const most = Math.min(maxJpegHeader, ...streams.map((stream) => stream.length - 1));
  let shared = 0;
  while (shared < most && streams.every((stream) => stream[shared] === first[shared])) shared++;
  return {
    header: first.slice(0, shared),
    levels: streams.map((stream) => stream.subarray(shared)),
  };
}
