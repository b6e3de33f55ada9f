// PNG: its header, and the chunks that make the picture without the rest.

import { concatenate } from '../bytes.js';
import { identify } from '../container/identify.js';
import { BlpError } from '../errors.js';
import type { Limits } from '../limits.js';
import { checkSides, viewOf } from './image.js';

/** The eight bytes that every PNG begins with (PNG specification, section 5.2). */
export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** The end marker is the same in every file: no bytes, and their checksum. */
const endChunk = Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82);

/** Length and type before a chunk's bytes, the checksum behind them. */
const chunkFrame = 12;

/** PNG's colour types: how many samples a texel has and at which depths they come (section 11.2.2). */
const colorTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

const paletteType = 3;

/** The seven passes of Adam7 (section 8.2): first texel and steps. */
const adam7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
] as const;

const wholePicture = [{ x: 0, y: 0, stepX: 1, stepY: 1 }] as const;

export interface PngHeader {
  width: number;
  height: number;
  /** Bits of a sample, or of a palette's index. */
  depth: number;
  samples: number;
  isInterlaced: boolean;
}

export interface PngParts {
  header: PngHeader;
  /** Whether one colour of a picture without alpha is transparent (tRNS). */
  hasColorKey: boolean;
  /** The compressed rows, in pieces. */
  data: Uint8Array[];
  /** A PNG of nothing but header, palette, transparency, data and end, in this order. */
  file: Uint8Array<ArrayBuffer>;
}

/** Whether the bytes begin as a PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return pngSignature.every((byte, index) => bytes[index] === byte);
}

/**
 * Takes out of a PNG what its picture is made of. All else (gamma, profiles, orientation, texts, frames of an
 * animation) is left behind, so that whoever decodes the result can neither apply it nor spend memory on it. A missing
 * end marker is supplied.
 *
 * @throws BlpError `truncated`, `damaged`, `unsupported` for a chunk that is unknown and needed, or `limit`.
 */
export function readPngParts(bytes: Uint8Array, limits: Readonly<Limits>): PngParts {
  if (!isPng(bytes)) throw new BlpError('damaged', `not a PNG picture but ${identify(bytes)}`, 0);
  const chunks = { IHDR: [], PLTE: [], tRNS: [], IDAT: [] } as Record<string, Uint8Array[]>;
  let at = pngSignature.length;
  for (let type = ''; type !== 'IEND'; ) {
    if (at + chunkFrame > bytes.length) {
      // Some writers forget the end marker; whether the data is whole, the decoder will say.
      if (chunks.IDAT!.length > 0) break;
      throw new BlpError('truncated', 'the PNG ends before its data', bytes.length);
    }
    const end = at + chunkFrame + viewOf(bytes).getUint32(at);
    type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at === pngSignature.length && type !== 'IHDR') {
      throw new BlpError('damaged', `the PNG begins with ${JSON.stringify(type)}, not IHDR`, at);
    }
    if (end > bytes.length) {
      throw new BlpError('truncated', `the PNG ends inside its chunk ${JSON.stringify(type)}`, at);
    }
    const kept = Object.hasOwn(chunks, type) ? chunks[type] : undefined;
    if (kept && kept.length > 0 && type !== 'IDAT') {
      throw new BlpError('damaged', `the PNG has two chunks ${type}`, at);
    }
    // A capital first letter marks chunks without which the picture cannot be read.
    if (!kept && type !== 'IEND' && (bytes[at + 4] & 0x20) === 0) {
      const name = JSON.stringify(type);
      throw new BlpError('unsupported', `the PNG needs an unknown chunk ${name}`, at);
    }
    kept?.push(bytes.subarray(at, end));
    at = end;
  }
  const { IHDR, PLTE, tRNS, IDAT } = chunks;
  const { header, colorType } = readHeader(bodyOf(IHDR![0]));
  checkSides(header.width, header.height, limits);
  if (IDAT!.length === 0) throw new BlpError('damaged', 'the PNG holds no picture data');
  // Other colour types may suggest a palette, which changes no texel.
  const palette = colorType === paletteType ? PLTE! : [];
  if (colorType === paletteType) checkPalette(PLTE![0]);
  // Pictures with alpha of their own have no use for it.
  const transparency = header.samples % 2 === 0 ? [] : tRNS!;
  if (transparency.length > 0) checkTransparency(bodyOf(transparency[0]), colorType, PLTE![0]);
  return {
    header,
    hasColorKey: transparency.length > 0 && colorType !== paletteType,
    data: IDAT!.map(bodyOf),
    file: concatenate([pngSignature, ...IHDR!, ...palette, ...transparency, ...IDAT!, endChunk]),
  };
}

/** How many bytes the compressed rows must hold: a filter byte and the texels for each row of each pass. */
export function rowsLength({ width, height, depth, samples, isInterlaced }: PngHeader): number {
  let length = 0;
  for (const pass of isInterlaced ? adam7 : wholePicture) {
    const columns = Math.ceil((width - pass.x) / pass.stepX);
    const rows = Math.ceil((height - pass.y) / pass.stepY);
    if (columns > 0 && rows > 0) length += rows * (1 + Math.ceil((columns * samples * depth) / 8));
  }
  return length;
}

function readHeader(body: Uint8Array): { header: PngHeader; colorType: number } {
  if (body.length !== 13) {
    throw new BlpError('damaged', `the PNG header has ${body.length} bytes, not 13`, 8);
  }
  const view = viewOf(body);
  const depth = body[8];
  const colorType = body[9];
  const compression = body[10];
  const filter = body[11];
  const interlace = body[12];
  const kind = colorTypes[colorType];
  if (!kind?.depths.includes(depth)) {
    throw new BlpError('damaged', `PNG has no colour type ${colorType} at ${depth} bits`, 8);
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) {
    throw new BlpError(
      'damaged',
      `unknown PNG methods: compression ${compression}, filter ${filter}, interlace ${interlace}`,
      8,
    );
  }
  const header = {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    samples: kind.samples,
    isInterlaced: interlace === 1,
  };
  return { header, colorType };
}

function checkPalette(chunk: Uint8Array | undefined): void {
  if (!chunk) throw new BlpError('damaged', 'the PNG has no palette');
  const { length } = bodyOf(chunk);
  if (length % 3 !== 0 || length < 3 || length > 256 * 3) {
    throw new BlpError(
      'damaged',
      `a PNG palette has 1 to 256 entries of 3 bytes, not ${length} bytes`,
    );
  }
}

/** One alpha for each of the first palette entries, or the samples of the one colour that is transparent. */
function checkTransparency(
  body: Uint8Array,
  colorType: number,
  palette: Uint8Array | undefined,
): void {
  const { length } = body;
  const isRight =
    colorType === paletteType
      ? length <= bodyOf(palette!).length / 3
      : length === colorTypes[colorType].samples * 2;
  if (!isRight) throw new BlpError('damaged', `${length} bytes of PNG transparency do not fit`);
}

function bodyOf(chunk: Uint8Array): Uint8Array {
  return chunk.subarray(8, -4);
}
