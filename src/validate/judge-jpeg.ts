// JPEG content: every level is decoded, since nothing less tells whether a game's decoder will take it.

import { maxJpegHeader } from '../container/header.js';
import { frameFinder } from '../container/jpeg-frame.js';
import { BlpError } from '../errors.js';
import type { AlphaPlane } from '../kernels/kernels.js';
import { selectKernels } from '../kernels/select.js';
import { type Add, type Inspection, type LevelState, repeatedSlot } from './inspection.js';

/** Fills in `bytes`, `fault` and `jpeg` of every level, and reports the kinds of stream. */
export function judgeJpegLevels(inspection: Inspection, add: Add): void {
  const { header, levels } = inspection;
  takeWholeFromHeader(inspection, add);
  for (const level of levels) {
    if (!level.isEmpty || level.bytes) judgeLevel(inspection, level);
  }
  if (header.hasMips === 0 && !levels[0].bytes) return;
  const usable = levels.filter(({ bytes }) => bytes !== undefined);
  reportKind(usable, add);
}

/** A file without mipmaps may keep the whole stream in the header chunk. */
function takeWholeFromHeader({ header, levels, chunk }: Inspection, add: Add): void {
  const [first] = levels;
  if (header.hasMips !== 0 || first.size !== 0) return;
  if (frameFinder(chunk)(chunk.subarray(0, 0)) === undefined) return;
  first.bytes = chunk.subarray(0, 0);
  // A larger chunk is a finding already, and is mended in the same way.
  if (chunk.length > maxJpegHeader) return;
  const message = 'level 0 is empty: the header chunk holds the whole stream';
  add('jpeg-whole-in-header', message, { level: 0 });
}

function judgeLevel(inspection: Inspection, level: LevelState): void {
  const { bytes, header, chunk, levelFiles } = inspection;
  const { width, height, offset, size } = level;
  const name = `level ${level.level}`;
  let own = level.bytes;
  if (own === undefined && header.version === 0) {
    own = levelFiles[level.level];
  } else if (own === undefined) {
    const numbers = `offset ${offset}, size ${size}`;
    if (offset < header.headerSize) {
      level.fault = { code: 'level-in-header', message: `${name} lies in the header (${numbers})` };
      return;
    }
    if (offset + size > bytes.length) {
      const message = `${name} leaves the file of ${bytes.length} bytes (${numbers})`;
      level.fault = { code: 'level-past-end', message };
      if (offset >= bytes.length) return;
    }
    own = bytes.subarray(offset, Math.min(offset + size, bytes.length));
  }
  delete level.bytes;
  if (own === undefined) return;
  const frame = frameFinder(chunk)(own);
  const repeated = repeatedSlot(header, level.level);
  const note =
    repeated !== undefined && header.version !== 0 ? `; it repeats slot ${repeated}` : '';
  if (frame === undefined) {
    level.fault ??= {
      code: 'jpeg-undecodable',
      message: `${name} has no JPEG frame header${note}`,
    };
    return;
  }
  const sides = `a frame of ${frame.width} × ${frame.height}`;
  if (frame.width !== width || frame.height !== height) {
    level.fault ??= {
      code: 'jpeg-frame-size',
      message: `${name} of ${width} × ${height} holds ${sides}${note}`,
    };
    // A smaller picture of level 0 is all there is of it; a smaller level is made anew.
    if (level.level > 0 || frame.width > width || frame.height > height) return;
  }
  let result = decodeLevel(inspection, level, own);
  if (result instanceof BlpError) {
    const longer = upToNextLevel(inspection, level);
    const other = longer.length > own.length ? decodeLevel(inspection, level, longer) : result;
    if (other instanceof BlpError) {
      level.fault ??= { code: 'jpeg-undecodable', message: `${name}: ${result.message}` };
      return;
    }
    const message = `${name} has a size of ${size}, but its stream goes on behind that`;
    level.fault ??= { code: 'level-size', message };
    own = longer;
    result = other;
  }
  level.bytes = own;
  level.jpeg = { frame, alphaPlane: result };
}

/** All that may belong to a level whose size is too small: the bytes before the next level begins. */
function upToNextLevel({ bytes, header, levels }: Inspection, level: LevelState): Uint8Array {
  if (header.version === 0) return bytes.subarray(0, 0);
  const starts = levels.map(({ offset }) => offset).filter((offset) => offset > level.offset);
  return bytes.subarray(level.offset, Math.min(bytes.length, ...starts));
}

/** @throws BlpError `limit` */
function decodeLevel(
  { chunk, limits }: Inspection,
  { width, height }: LevelState,
  body: Uint8Array,
): AlphaPlane | BlpError {
  const region = { x: 0, y: 0, width, height };
  const target = new Uint8Array(width * height * 4);
  try {
    const options = { opaque: false, salvage: false, limits };
    const destination = { width, height, region, target };
    return selectKernels().jpeg({ header: chunk, body }, options, destination).alphaPlane;
  } catch (error) {
    // What is refused for its cost is not known to be damaged.
    if (error instanceof BlpError && error.code !== 'limit') return error;
    throw error;
  }
}

/** Once for the whole file: the levels of a file come from one encoder. */
function reportKind(usable: readonly LevelState[], add: Add): void {
  const odd = usable.find(({ jpeg }) => jpeg && jpeg.frame.components !== 4);
  if (odd?.jpeg) {
    const { components } = odd.jpeg.frame;
    const message = `the JPEG stream has ${components} component${components === 1 ? '' : 's'}, not four`;
    add('jpeg-components', message, { level: odd.level });
  }
  const progressive = usable.filter(({ jpeg }) => jpeg?.frame.progressive);
  if (progressive.length > 0) {
    const count = progressive.length;
    const message = `${count} level${count === 1 ? ' is' : 's are'} progressive JPEG`;
    add('jpeg-progressive', message, { level: progressive[0].level });
  }
}
