// PNG → a picture: every colour type, bit depth and interlacing of the PNG specification.

import { BlpError } from '../errors.js';
import { type Limits, resolveLimits } from '../limits.js';
import { crc32, inflate } from './deflate.js';
import { checkInput, checkSides, type Image, viewOf } from './image.js';
import { undoFilter } from './png-filter.js';
import { pngSignature } from './png-write.js';

/** PNG's colour types: how many samples a texel has and at which depths they come (section 11.2.2). */
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

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

interface Header {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  samples: number;
  interlaced: boolean;
}

interface Chunks {
  header: Header;
  /** Red, green, blue of every entry. */
  palette: Uint8Array | undefined;
  /** The body of tRNS: alpha of the first palette entries, or the one colour that is transparent. */
  transparency: Uint8Array | undefined;
  data: Uint8Array[];
}

/** Whether the bytes begin as a PNG does. */
export function isPng(bytes: Uint8Array): boolean {
  return pngSignature.every((byte, index) => bytes[index] === byte);
}

/**
 * Reads a PNG. Samples of 16 bits keep their upper 8, as libvips and libpng's `strip_16` do; those of fewer bits are
 * scaled to 0..255. Values are returned as stored: gamma, chromaticities and colour profiles change nothing, so that a
 * texture survives the way through an image editor. Of an animation this is the still picture.
 *
 * @throws BlpError `truncated`, `damaged` (also for a wrong checksum), or `limit` before anything large is allocated.
 */
export async function readPng(bytes: Uint8Array, limits?: Partial<Limits>): Promise<Image> {
  const bounds = resolveLimits(limits);
  checkInput(bytes, bounds);
  const chunks = readChunks(bytes, bounds);
  const { header } = chunks;
  const passes = passesOf(header);
  const length = passes.reduce((sum, pass) => sum + (pass.rowBytes + 1) * pass.height, 0);
  const rows = await inflate(chunks.data, length);
  const data = new Uint8ClampedArray(header.width * header.height * 4);
  const store = storer(chunks, data);
  // Filters reach back to the previous texel, or to the previous byte where texels are smaller than one.
  const step = Math.max(1, (header.samples * header.depth) >> 3);
  let at = 0;
  for (const pass of passes) {
    let above = -1;
    for (let row = 0; row < pass.height; row++) {
      const from = at + 1;
      if (!undoFilter(rows[at]!, rows, from, above, pass.rowBytes, step)) {
        throw new BlpError('damaged', `a PNG row has filter ${rows[at]}; there are 0 to 4`);
      }
      const target = ((pass.y + row * pass.stepY) * header.width + pass.x) * 4;
      store(rows, from, pass.width, target, pass.stepX * 4);
      above = from;
      at = from + pass.rowBytes;
    }
  }
  return { width: header.width, height: header.height, data };
}

function readChunks(bytes: Uint8Array, limits: Readonly<Limits>): Chunks {
  if (!isPng(bytes)) throw new BlpError('damaged', 'not a PNG: its signature is missing', 0);
  const view = viewOf(bytes);
  let header: Header | undefined;
  let palette: Uint8Array | undefined;
  let transparency: Uint8Array | undefined;
  const data: Uint8Array[] = [];
  for (let at = pngSignature.length; ; ) {
    if (at + 12 > bytes.length) {
      // Some writers forget the end marker; whether the data is whole, the inflater will say.
      if (header && data.length > 0) break;
      throw new BlpError('truncated', 'the PNG ends before its data', bytes.length);
    }
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const end = at + 8 + length;
    if (end + 4 > bytes.length) {
      throw new BlpError('truncated', `the PNG ends inside its chunk ${JSON.stringify(type)}`, at);
    }
    if (type === 'IEND') break;
    const body = bytes.subarray(at + 8, end);
    if (!header && type !== 'IHDR') {
      throw new BlpError('damaged', `the PNG begins with ${JSON.stringify(type)}, not IHDR`, at);
    }
    // A capital first letter marks chunks without which the picture cannot be read; transparency counts too.
    const needed = (bytes[at + 4]! & 0x20) === 0 || type === 'tRNS';
    if (needed && crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) {
      throw new BlpError('damaged', `the checksum of PNG chunk ${type} is wrong`, at);
    }
    if (type === 'IHDR') {
      if (header) throw new BlpError('damaged', 'the PNG has two headers', at);
      header = readHeader(body, at);
      checkSides(header.width, header.height, limits);
    } else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IDAT') data.push(body);
    else if (needed)
      throw new BlpError('unsupported', `the PNG needs an unknown chunk ${type}`, at);
    at = end + 4;
  }
  if (!header || data.length === 0) throw new BlpError('damaged', 'the PNG holds no picture data');
  if (header.colourType === 3 && !palette) throw new BlpError('damaged', 'the PNG has no palette');
  return { header, palette, transparency, data };
}

function readHeader(body: Uint8Array, offset: number): Header {
  if (body.length !== 13) {
    throw new BlpError('damaged', `the PNG header has ${body.length} bytes, not 13`, offset);
  }
  const view = viewOf(body);
  const depth = body[8]!;
  const colourType = body[9]!;
  const kind = colourTypes[colourType];
  if (!kind?.depths.includes(depth)) {
    throw new BlpError('damaged', `PNG has no colour type ${colourType} at ${depth} bits`, offset);
  }
  if (body[10] !== 0 || body[11] !== 0 || body[12]! > 1) {
    throw new BlpError(
      'damaged',
      `unknown PNG methods: compression ${body[10]}, filter ${body[11]}, interlace ${body[12]}`,
      offset,
    );
  }
  return {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    colourType,
    samples: kind.samples,
    interlaced: body[12] === 1,
  };
}

/** The passes that hold texels, with their own sides and bytes a row. */
function passesOf({ width, height, depth, samples, interlaced }: Header) {
  return (interlaced ? adam7 : wholePicture)
    .map((pass) => {
      const passWidth = Math.ceil((width - pass.x) / pass.stepX);
      const passHeight = Math.ceil((height - pass.y) / pass.stepY);
      const rowBytes = Math.ceil((passWidth * samples * depth) / 8);
      return { ...pass, width: passWidth, height: passHeight, rowBytes };
    })
    .filter((pass) => pass.width > 0 && pass.height > 0);
}

/** Stores `count` texels of an unfiltered row that begins at `from`, every `step` bytes from `target` on. */
type Store = (rows: Uint8Array, from: number, count: number, target: number, step: number) => void;

function storer({ header, palette, transparency }: Chunks, data: Uint8ClampedArray): Store {
  const { colourType, depth } = header;
  if (colourType === 3) return indexStorer(data, depth, palette!, transparency);
  const grey = colourType === 0 || colourType === 4;
  const hasAlpha = colourType >= 4;
  const size = depth === 16 ? 2 : 1;
  // The transparent colour is compared before the samples lose bits.
  const keySamples = grey ? 1 : 3;
  const key =
    !hasAlpha && transparency && transparency.length >= keySamples * 2
      ? Array.from({ length: keySamples }, (_, index) => viewOf(transparency).getUint16(index * 2))
      : undefined;
  if (depth < 8) return bitsStorer(data, depth, key?.[0]);
  const blueAt = grey ? 0 : 2 * size;
  const greenAt = grey ? 0 : size;
  const alphaAt = grey ? size : 3 * size;
  const texelSize = header.samples * size;
  const sample = (rows: Uint8Array, at: number) =>
    size === 2 ? (rows[at]! << 8) | rows[at + 1]! : rows[at]!;
  return (rows, from, count, target, step) => {
    for (let index = 0; index < count; index++, from += texelSize, target += step) {
      data[target] = rows[from]!;
      data[target + 1] = rows[from + greenAt]!;
      data[target + 2] = rows[from + blueAt]!;
      if (hasAlpha) data[target + 3] = rows[from + alphaAt]!;
      else if (key === undefined) data[target + 3] = 255;
      else {
        const isKey = key.every((value, channel) => sample(rows, from + channel * size) === value);
        data[target + 3] = isKey ? 0 : 255;
      }
    }
  };
}

/** Grey of 1, 2 or 4 bits, packed from the highest bit down. */
function bitsStorer(data: Uint8ClampedArray, depth: number, key: number | undefined): Store {
  const mask = (1 << depth) - 1;
  const scale = 255 / mask;
  return (rows, from, count, target, step) => {
    for (let index = 0; index < count; index++, target += step) {
      const bit = index * depth;
      const value = (rows[from + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask;
      data[target] = data[target + 1] = data[target + 2] = value * scale;
      data[target + 3] = value === key ? 0 : 255;
    }
  };
}

function indexStorer(
  data: Uint8ClampedArray,
  depth: number,
  palette: Uint8Array,
  transparency: Uint8Array | undefined,
): Store {
  const entries = Math.floor(palette.length / 3);
  const mask = (1 << depth) - 1;
  return (rows, from, count, target, step) => {
    for (let index = 0; index < count; index++, target += step) {
      const bit = index * depth;
      const entry = (rows[from + (bit >> 3)]! >> (8 - depth - (bit & 7))) & mask;
      if (entry >= entries) {
        throw new BlpError(
          'damaged',
          `a PNG texel has index ${entry}, its palette ${entries} entries`,
        );
      }
      data[target] = palette[entry * 3]!;
      data[target + 1] = palette[entry * 3 + 1]!;
      data[target + 2] = palette[entry * 3 + 2]!;
      data[target + 3] = transparency?.[entry] ?? 255;
    }
  };
}
