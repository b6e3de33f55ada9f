// An independent decoder of whole BLP files, written for being obviously right rather than fast: the tests' second opinion.
import { decodeJpegPlanes, jpegPicture, ReferenceJpegError, readFrameSides } from './jpeg.js';
import { bgra, blocks, fillPicture, type Picture, paletted, type Texel } from './pixels.js';

/** Why the chain of levels ends before its last possible level. */
export interface Stop {
  level: number;
  code:
    | 'level-empty'
    | 'level-in-header'
    | 'level-past-end'
    | 'level-overlap'
    | 'level-too-short'
    | 'level-undecodable';
}

/** Every level of a file, decoded. */
export interface ReferenceTexture {
  encoding: 'jpeg' | 'paletted' | 'dxt1' | 'dxt3' | 'dxt5' | 'bc5' | 'bgra';
  levels: Picture[];
  stop: Stop | undefined;
}

/** The file cannot be decoded. */
export class ReferenceDecodeError extends Error {}

interface Slot {
  offset: number;
  size: number;
  /** The file that the level lies in: BLP0 has one per level. */
  file: Uint8Array;
}

/**
 * Decodes every level by the rule for alpha that is the default.
 *
 * @param siblings BLP0's level files, `NAME.b00` first.
 * @throws ReferenceDecodeError for a file without a usable level 0.
 */
export function decodeReference(
  bytes: Uint8Array,
  siblings: readonly (Uint8Array | undefined)[] = [],
): ReferenceTexture {
  const u8 = (at: number): number => bytes[at] ?? 0;
  const u32 = (at: number): number =>
    u8(at) + u8(at + 1) * 2 ** 8 + u8(at + 2) * 2 ** 16 + u8(at + 3) * 2 ** 24;
  const version = ['BLP0', 'BLP1', 'BLP2'].indexOf(String.fromCharCode(...bytes.subarray(0, 4)));
  if (version < 0) throw new ReferenceDecodeError('not BLP');
  const headerSize = [28, 156, 148][version];
  if (bytes.length < headerSize) throw new ReferenceDecodeError('short header');
  const width = u32(0x0c);
  const height = u32(0x10);
  if (width < 1 || width > 65535 || height < 1 || height > 65535) {
    throw new ReferenceDecodeError(`sides ${width} × ${height}`);
  }
  if (width * height > 8192 * 8192) throw new ReferenceDecodeError(`area ${width} × ${height}`);
  const encoding =
    version === 2 ? encodingOfBlp2(u32(4), u8(8), u8(9), u8(10)) : encodingOfBlp1(u32(4));
  const alphaBits = version === 2 ? u8(9) : u32(8);
  const slotsAt = version === 2 ? 0x14 : 0x1c;

  const slots: Slot[] = [];
  for (let level = 0; level < 16; level++) {
    if (version === 0) {
      const file = siblings[level] ?? new Uint8Array(0);
      slots.push({ offset: 0, size: file.length, file });
    } else {
      const offset = u32(slotsAt + level * 4);
      slots.push({ offset, size: u32(slotsAt + 64 + level * 4), file: bytes });
    }
  }

  const chainLength = Math.floor(Math.log2(Math.max(width, height))) + 1;
  const sidesOf = (level: number): [number, number] => [
    Math.max(1, Math.floor(width / 2 ** level)),
    Math.max(1, Math.floor(height / 2 ** level)),
  ];
  const paletteEnd =
    version === 0
      ? Math.min(headerSize + 1024, bytes.length)
      : Math.min(headerSize + 1024, slots[0].offset, bytes.length);
  const palette = bytes.subarray(headerSize, paletteEnd);
  const chunkSize = encoding === 'jpeg' ? u32(headerSize) : 0;
  const chunk = bytes.subarray(headerSize + 4, headerSize + 4 + chunkSize);

  let paletteAlpha: 0 | 1 | 4 | 8 = 0;
  if (alphaBits === 1 || alphaBits === 4 || alphaBits === 8) {
    if (slots[0].size >= width * height + Math.ceil((width * height * alphaBits) / 8)) {
      paletteAlpha = alphaBits;
    }
  }

  const pictures: Picture[] = [];
  let opaqueJpeg = false;
  let stop: Stop | undefined;
  for (let level = 0; level < chainLength && level < 16 && stop === undefined; level++) {
    const [levelWidth, levelHeight] = sidesOf(level);
    const slot = slots[level];
    const earlier = slots.slice(0, level);
    const area = levelWidth * levelHeight;
    const blockCount = Math.ceil(levelWidth / 4) * Math.ceil(levelHeight / 4);
    const needed = {
      jpeg: 1,
      paletted: area + Math.ceil((area * paletteAlpha) / 8),
      dxt1: blockCount * 8,
      dxt3: blockCount * 16,
      dxt5: blockCount * 16,
      bc5: blockCount * 16,
      bgra: area * 4,
    }[encoding];
    if (slot.size === 0 || (version !== 0 && slot.offset === 0)) {
      stop = { level, code: 'level-empty' };
    } else if (version !== 0 && slot.offset < headerSize) {
      stop = { level, code: 'level-in-header' };
    } else if (slot.offset + slot.size > slot.file.length) {
      stop = { level, code: 'level-past-end' };
    } else if (version !== 0 && earlier.some((other) => overlap(other, slot))) {
      stop = { level, code: 'level-overlap' };
    } else if (slot.size < needed) {
      stop = { level, code: 'level-too-short' };
    } else {
      const data = slot.file.subarray(slot.offset, slot.offset + slot.size);
      const opaque = alphaBits === 0;
      if (encoding === 'jpeg') {
        try {
          const stream = join(chunk, data);
          checkFrame(stream, levelWidth, levelHeight);
          const jpeg = decodeJpegPlanes(stream);
          if (level === 0) {
            const plane = jpeg.planes[3];
            opaqueJpeg =
              plane === undefined || plane.every((a) => a === 0) || plane.every((a) => a === 255);
          }
          pictures.push(placeFrame(jpegPicture(jpeg), opaqueJpeg, levelWidth, levelHeight));
        } catch (error) {
          if (!(error instanceof ReferenceJpegError)) throw error;
          stop = { level, code: 'level-undecodable' };
        }
      } else if (encoding === 'paletted') {
        pictures.push(paletted(data, palette, paletteAlpha, levelWidth, levelHeight));
      } else if (encoding === 'bgra') {
        pictures.push(bgra(data, opaque, levelWidth, levelHeight));
      } else {
        pictures.push(blocks(encoding, data, opaque, levelWidth, levelHeight));
      }
    }
  }
  if (pictures.length === 0) throw new ReferenceDecodeError(`level 0: ${stop?.code}`);
  return { encoding, levels: pictures, stop };
}

function encodingOfBlp1(content: number): ReferenceTexture['encoding'] {
  if (content === 0) return 'jpeg';
  if (content === 1) return 'paletted';
  throw new ReferenceDecodeError(`content ${content}`);
}

function encodingOfBlp2(
  type: number,
  encoding: number,
  alphaDepth: number,
  alphaType: number,
): ReferenceTexture['encoding'] {
  if (type === 0) return 'jpeg';
  if (type !== 1) throw new ReferenceDecodeError(`type ${type}`);
  if (encoding === 1) return 'paletted';
  if (encoding === 3 || encoding === 4) return 'bgra';
  if (encoding !== 2) throw new ReferenceDecodeError(`encoding ${encoding}`);
  if (alphaType === 0) return 'dxt1';
  if (alphaType === 1) return 'dxt3';
  if (alphaType === 7) return 'dxt5';
  if (alphaType === 11) return 'bc5';
  if (alphaDepth === 72) return 'dxt5';
  throw new ReferenceDecodeError(`alphaType ${alphaType}`);
}

function overlap(a: Slot, b: Slot): boolean {
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** A frame larger than its level is damage. */
function checkFrame(stream: Uint8Array, width: number, height: number): void {
  const sides = readFrameSides(stream);
  if (sides === undefined) throw new ReferenceJpegError('no frame header');
  if (sides.width > width || sides.height > height) {
    throw new ReferenceJpegError(
      `frame ${sides.width} × ${sides.height} in a level of ${width} × ${height}`,
    );
  }
}

/** The frame at the top left, the rest of the level transparent black. */
function placeFrame(frame: Picture, opaque: boolean, width: number, height: number): Picture {
  return fillPicture(width, height, (x, y): Texel => {
    if (x >= frame.width || y >= frame.height) return [0, 0, 0, 0];
    const at = (y * frame.width + x) * 4;
    const [red, green, blue, alpha] = frame.data.subarray(at, at + 4);
    return [red!, green!, blue!, opaque ? 255 : alpha!];
  });
}
