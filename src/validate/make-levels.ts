// Levels that are missing: made from the last good one by halving, encoded as the file's other levels are.

import { storedPalette } from '../container/chunks.js';
import { paletteSize } from '../container/header.js';
import { encodeBgra } from '../encode/bgra.js';
import { encodeDxt } from '../encode/dxt.js';
import { halve } from '../encode/mipmaps.js';
import { defaultAlphaThreshold, type RgbaImage } from '../encode/options.js';
import { encodeWithPalette } from '../encode/paletted.js';
import type { BlockFormat } from '../kernels/kernels.js';
import { selectKernels } from '../kernels/select.js';
import type { Inspection } from './inspection.js';

/** A level to be made. */
export interface MadeLevel {
  level: number;
  /** The good level that it comes from. */
  from: number;
  image: RgbaImage;
}

/**
 * Pictures of the levels below `count` for which there are no bytes.
 *
 * @param isPresent whether a level's own picture can be had from `decode`
 * @param weighted weight colour by alpha
 */
export function makeMissingLevels(
  count: number,
  isPresent: (level: number) => boolean,
  decode: (level: number) => RgbaImage,
  weighted: boolean,
): MadeLevel[] {
  const made: MadeLevel[] = [];
  for (let level = 1; level < count; level++) {
    if (isPresent(level)) continue;
    const last = made[made.length - 1];
    const larger = last?.level === level - 1 ? last : undefined;
    const image = halve(larger?.image ?? decode(level - 1), weighted);
    made.push({ level, from: larger?.from ?? level - 1, image });
  }
  return made;
}

/** The palette as the decoder reads it, filled up with black. */
export function fullPalette({ bytes, header, levels }: Inspection): Uint8Array {
  const palette = new Uint8Array(paletteSize);
  palette.set(storedPalette(bytes, header, levels[0].offset));
  return palette;
}

/** Paletted, DXT or BGRA bytes of a level → its picture. */
export function decodeDirect(inspection: Inspection, level: number, alphaBits: number): RgbaImage {
  const { header, levels, paletteAlphaBits } = inspection;
  const { width, height, bytes = new Uint8Array(0) } = levels[level];
  const target = new Uint8Array(width * height * 4);
  const destination = { width, height, region: { x: 0, y: 0, width, height }, target };
  const kernels = selectKernels();
  switch (header.encoding) {
    case 'paletted':
      kernels.paletted(bytes, fullPalette(inspection), paletteAlphaBits, destination);
      break;
    case 'bgra':
      kernels.bgra(bytes, alphaBits === 0, destination);
      break;
    default:
      kernels.blocks(header.encoding as BlockFormat, bytes, alphaBits === 0, destination);
  }
  return { width, height, data: target };
}

/** A picture → bytes of the file's encoding. */
export function encodeDirect(
  inspection: Inspection,
  image: RgbaImage,
  alphaBits: number,
): Uint8Array {
  const { encoding } = inspection.header;
  switch (encoding) {
    case 'paletted':
      return encodeWithPalette(image, fullPalette(inspection), {
        alphaBits: inspection.paletteAlphaBits,
        alphaThreshold: defaultAlphaThreshold,
      });
    case 'bgra':
      return encodeBgra(image, alphaBits === 0);
    case 'bc5':
      return encodeBc5(image);
    case 'dxt1':
    case 'dxt3':
    case 'dxt5':
      return encodeDxt(image, encoding, { alpha: alphaBits === 0 ? 0 : 1 });
    default:
      throw new TypeError(`${encoding} levels are not encoded here`);
  }
}

/** A BC5 block is two DXT5 alpha blocks, the first of red, the second of green. */
function encodeBc5({ width, height, data }: RgbaImage): Uint8Array {
  const [red, green] = [0, 1].map((channel) => {
    const asAlpha = new Uint8Array(data.length);
    for (let at = 0; at < data.length; at += 4) asAlpha[at + 3] = data[at + channel];
    return encodeDxt({ width, height, data: asAlpha }, 'dxt5');
  });
  for (let at = 0; at < red.length; at += 16) red.set(green.subarray(at, at + 8), at + 8);
  return red;
}
