// RGBA levels → the JPEG content of BLP: baseline streams of four raw planes that share their beginning.

import { maxJpegHeader } from '../container/write.js';
import { encoderModule } from './encoder-module.js';
import {
  fillCodes,
  huffmanSegment,
  huffmanTable,
  quantisationSegment,
  quantisationSteps,
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
  loadSteps(steps);
  exports.jpegBegin();
  for (const level of levels) {
    exports.jpegReset();
    transformRows(level, opaque, (coded, blocks) => exports.jpegCount(coded, blocks));
  }
  const { segments, alphaSet } = fitHuffmanTables();
  const tables = [0xff, 0xd8, ...quantisationSegment(steps), ...segments];
  const streams = levels.map((level) => {
    const head = Uint8Array.from([...tables, ...frameHeader(level), ...scanHeader(alphaSet)]);
    return concatenate([head, ...entropyCode(level, opaque), endOfImage]);
  });
  return shareBeginning(streams);
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
  const colour = counts.subarray(0, setSymbols);
  const alpha = counts.subarray(setSymbols);
  const apart = [fitSet(colour, 0), fitSet(alpha, 1)];
  const together = fitSet(
    colour.map((count, symbol) => count + alpha[symbol]),
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

/** SOF0 (ITU-T T.81, B.2.2): components 0 to 3, as the game's own files number them, none subsampled. */
function frameHeader({ width, height }: RgbaImage): number[] {
  const components = [0, 1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  return [
    ...[0xff, 0xc0, 0, 20, 8, height >> 8, height & 255, width >> 8, width & 255, 4],
    ...components,
  ];
}

/** SOS (ITU-T T.81, B.2.3): one scan of all components, the colours with table set 0. */
function scanHeader(alphaSet: 0 | 1): number[] {
  return [0xff, 0xda, 0, 14, 4, 0, 0, 1, 0, 2, 0, 3, alphaSet * 0x11, 0, 63, 0];
}

const endOfImage = Uint8Array.of(0xff, 0xd9);

/** Room for one row of blocks: its pixels, its coded blocks and its entropy-coded bytes. */
function rowWindow(width: number): {
  blocks: number;
  padded: number;
  pixels: number;
  coded: number;
  entropy: number;
} {
  const module = encoderModule();
  const blocks = (width + 7) >> 3;
  const pixels = module.base;
  const coded = pixels + blocks * 256;
  const entropy = coded + blocks * 4 * codedBlockBytes;
  // A few bytes more for the pending bits at the end.
  module.ensure(entropy + blocks * maxEntropyBytes + 64);
  return { blocks, padded: blocks * 8, pixels, coded, entropy };
}

/** Transforms a level by rows of blocks and hands each row's coded blocks over. */
function transformRows(
  level: RgbaImage,
  opaque: boolean,
  take: (coded: number, blocks: number) => void,
): void {
  const { width, height, data } = level;
  const { exports, bytes } = encoderModule();
  const { blocks, padded, pixels, coded } = rowWindow(width);
  for (let y = 0; y < height; y += 8) {
    const rows = Math.min(8, height - y);
    const memory = bytes();
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
    take(coded, blocks);
  }
}

/** Codes a level with the tables that the module was given; the parts follow one another. */
function entropyCode(level: RgbaImage, opaque: boolean): Uint8Array[] {
  const { exports, bytes } = encoderModule();
  const { entropy } = rowWindow(level.width);
  const parts: Uint8Array[] = [];
  const keep = (end: number): void => {
    parts.push(bytes().slice(entropy, end));
  };
  exports.jpegReset();
  transformRows(level, opaque, (coded, blocks) => keep(exports.jpegEmit(coded, blocks, entropy)));
  keep(exports.jpegFlush(entropy));
  return parts;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/**
 * Takes the longest common beginning off all streams, up to what the game's buffer holds. Each level keeps a byte of
 * its own at least: an empty level would end the chain.
 */
function shareBeginning(streams: readonly Uint8Array[]): JpegLevels {
  const first = streams[0];
  const most = Math.min(maxJpegHeader, ...streams.map((stream) => stream.length - 1));
  let shared = 0;
  while (shared < most && streams.every((stream) => stream[shared] === first[shared])) shared++;
  return {
    header: first.slice(0, shared),
    levels: streams.map((stream) => stream.subarray(shared)),
  };
}
