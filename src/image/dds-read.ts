// DDS → its blocks as they are, or its uncompressed texels as a picture.

import { identify } from '../container/identify.js';
import { levelBytes } from '../container/sides.js';
import { BlpError } from '../errors.js';
import type { BlockFormat } from '../kernels/kernels.js';
import { checkFileSize, type Limits, resolveLimits } from '../limits.js';
import {
  at,
  cubeOrVolume,
  dimension2d,
  dx10Cube,
  fourCC,
  headerDx10End,
  headerEnd,
  pixelFlag,
} from './dds-header.js';
import { checkSides, type Image, type SourceLevel, viewOf } from './image.js';

/** What a DDS file holds: blocks that need no decoding to be copied, or a picture. */
export type DdsContent =
  | {
      kind: 'blocks';
      format: BlockFormat;
      /** Level 0 first: the levels that are wholly in the file. The bytes are views into it. */
      levels: SourceLevel[];
    }
  | { kind: 'pixels'; image: Image };

const blockCodes: Readonly<Record<string, BlockFormat>> = {
  DXT1: 'dxt1',
  DXT3: 'dxt3',
  DXT5: 'dxt5',
  ATI2: 'bc5',
  BC5U: 'bc5',
};

/** DXGI_FORMAT numbers of blocks: typeless, UNORM and sRGB alike, since values are not changed. */
const dxgiBlocks: Readonly<Record<number, BlockFormat>> = {
  70: 'dxt1',
  71: 'dxt1',
  72: 'dxt1',
  73: 'dxt3',
  74: 'dxt3',
  75: 'dxt3',
  76: 'dxt5',
  77: 'dxt5',
  78: 'dxt5',
  82: 'bc5',
  83: 'bc5',
};

/** How the samples lie in a texel of `bits` bits; a mask of 0 means that there is no such sample. */
interface Masks {
  bits: number;
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

const rgba8 = { bits: 32, red: 0xff, green: 0xff00, blue: 0xff0000, alpha: 0xff000000 };
const bgra8 = { bits: 32, red: 0xff0000, green: 0xff00, blue: 0xff, alpha: 0xff000000 };
const bgrx8 = { ...bgra8, alpha: 0 };

/** DXGI_FORMAT numbers of uncompressed texels. */
const dxgiMasks: Readonly<Record<number, Masks>> = {
  27: rgba8,
  28: rgba8,
  29: rgba8,
  85: { bits: 16, red: 0xf800, green: 0x07e0, blue: 0x001f, alpha: 0 },
  86: { bits: 16, red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0x8000 },
  87: bgra8,
  88: bgrx8,
  90: bgra8,
  91: bgra8,
  92: bgrx8,
  93: bgrx8,
  115: { bits: 16, red: 0x0f00, green: 0x00f0, blue: 0x000f, alpha: 0xf000 },
};

/** Whether the bytes begin as a DDS file does. */
export function isDds(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === fourCC('DDS ');
}

/**
 * Reads a DDS file: DXT1, DXT3, DXT5 and BC5 by their FourCC or DXGI number as blocks; 16, 24 and 32-bit (and 8-bit
 * grey) texels by their masks as a picture of level 0. Samples of fewer than 8 bits are widened to the nearest value.
 *
 * @throws BlpError `truncated` when level 0 is not whole, `unsupported` for cube maps, volumes, arrays and other
 *   formats (named in the message), `damaged`, or `limit` before anything is allocated.
 */
export function readDds(bytes: Uint8Array, limits?: Partial<Limits>): DdsContent {
  const bounds = resolveLimits(limits);
  checkFileSize(bounds, bytes.length);
  if (!isDds(bytes)) throw new BlpError('damaged', `not a DDS texture but ${identify(bytes)}`, 0);
  needBytes(bytes, headerEnd, 'header');
  const view = viewOf(bytes);
  const get = (offset: number) => view.getUint32(offset, true);
  const width = get(at.width);
  const height = get(at.height);
  if (get(at.caps2) & cubeOrVolume) {
    throw new BlpError(
      'unsupported',
      'this DDS file is a cube map or a volume; readable are plain textures',
      at.caps2,
    );
  }
  checkSides(width, height, bounds);
  const count = Math.max(1, get(at.mipMapCount));
  if (!(get(at.pixelFormatFlags) & pixelFlag.fourCC)) {
    return { kind: 'pixels', image: readPixels(bytes, headerEnd, width, height, readMasks(view)) };
  }
  const code = String.fromCharCode(...bytes.subarray(at.fourCC, at.fourCC + 4));
  if (code !== 'DX10') {
    const format = blockCodes[code];
    if (!format) {
      throw new BlpError(
        'unsupported',
        `DDS format ${JSON.stringify(code)} is not read; readable are ${Object.keys(blockCodes).join(', ')}`,
        at.fourCC,
      );
    }
    return {
      kind: 'blocks',
      format,
      levels: readBlocks(bytes, headerEnd, width, height, count, format),
    };
  }
  needBytes(bytes, headerDx10End, 'header');
  const number = get(at.dxgiFormat);
  const isPicture = get(at.resourceDimension) === dimension2d && get(at.arraySize) <= 1;
  if (!isPicture || get(at.miscFlag) & dx10Cube) {
    throw new BlpError(
      'unsupported',
      'DDS arrays, cube maps and volumes are not read',
      at.dxgiFormat,
    );
  }
  const format = dxgiBlocks[number];
  if (format) {
    const levels = readBlocks(bytes, headerDx10End, width, height, count, format);
    return { kind: 'blocks', format, levels };
  }
  const masks = dxgiMasks[number];
  if (!masks) throw new BlpError('unsupported', `DXGI format ${number} is not read`, at.dxgiFormat);
  return { kind: 'pixels', image: readPixels(bytes, headerDx10End, width, height, masks) };
}

function needBytes(bytes: Uint8Array, end: number, what: string): void {
  if (bytes.length >= end) return;
  throw new BlpError(
    'truncated',
    `the DDS ${what} ends at ${end}, the file at ${bytes.length}`,
    bytes.length,
  );
}

function readBlocks(
  bytes: Uint8Array,
  start: number,
  width: number,
  height: number,
  count: number,
  format: BlockFormat,
): SourceLevel[] {
  const levels: SourceLevel[] = [];
  let offset = start;
  for (let level = 0; level < count; level++) {
    const sides = { width: Math.max(1, width >>> level), height: Math.max(1, height >>> level) };
    const end = offset + levelBytes(format, sides.width, sides.height, 0);
    if (level === 0) needBytes(bytes, end, 'level 0');
    else if (end > bytes.length) break;
    levels.push({ ...sides, bytes: bytes.subarray(offset, end) });
    if (sides.width === 1 && sides.height === 1) break;
    offset = end;
  }
  return levels;
}

function readMasks(view: DataView): Masks {
  const get = (offset: number) => view.getUint32(offset, true);
  const flags = get(at.pixelFormatFlags);
  const bits = get(at.bitCount);
  if (!(flags & (pixelFlag.rgb | pixelFlag.luminance)) || ![8, 16, 24, 32].includes(bits)) {
    throw new BlpError(
      'unsupported',
      `DDS texels of ${bits} bits with flags 0x${flags.toString(16)} are not read; ` +
        'readable are RGB and grey of 8, 16, 24 or 32 bits, and DXT1, DXT3, DXT5 and BC5',
      at.pixelFormatFlags,
    );
  }
  const red = get(at.redMask);
  const isGrey = (flags & pixelFlag.luminance) !== 0;
  return {
    bits,
    red,
    green: isGrey ? red : get(at.greenMask),
    blue: isGrey ? red : get(at.blueMask),
    alpha: flags & pixelFlag.alphaPixels ? get(at.alphaMask) : 0,
  };
}

function readPixels(
  bytes: Uint8Array,
  start: number,
  width: number,
  height: number,
  masks: Masks,
): Image {
  const size = masks.bits / 8;
  // Rows are packed: the pitch that files state is often wrong, and Microsoft's guide says to compute it.
  needBytes(bytes, start + width * height * size, 'level 0');
  const data = new Uint8ClampedArray(width * height * 4);
  const channels = [
    scaler(masks, 'red', 0),
    scaler(masks, 'green', 0),
    scaler(masks, 'blue', 0),
    scaler(masks, 'alpha', 255),
  ];
  for (let target = 0, offset = start; target < data.length; target += 4, offset += size) {
    let texel = 0;
    for (let index = size - 1; index >= 0; index--) texel = (texel << 8) | bytes[offset + index];
    for (let channel = 0; channel < 4; channel++) data[target + channel] = channels[channel](texel);
  }
  return { width, height, data };
}

/** Where the file stores each channel's mask. */
const maskOffsets = {
  red: at.redMask,
  green: at.greenMask,
  blue: at.blueMask,
  alpha: at.alphaMask,
};

/** Takes one sample out of a texel, as 0..255. */
function scaler(
  masks: Masks,
  channel: keyof typeof maskOffsets,
  missing: number,
): (texel: number) => number {
  const { [channel]: mask, bits } = masks;
  if (mask === 0) return () => missing;
  const shift = 31 - Math.clz32(mask & -mask);
  const largest = mask >>> shift;
  // One run of ones, inside the texel.
  if (largest & (largest + 1) || 32 - Math.clz32(mask) > bits) {
    throw new BlpError(
      'damaged',
      `the DDS mask 0x${mask.toString(16)} makes no sample`,
      maskOffsets[channel],
    );
  }
  if (largest === 255) return (texel) => (texel >>> shift) & 255;
  return (texel) => Math.round((((texel >>> shift) & largest) >>> 0) * (255 / largest));
}
