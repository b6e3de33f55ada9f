// Do a level's bytes hold its texels, its alpha list, a JPEG frame that fits?

import type { WarningSink } from '../warnings.js';
import { type AlphaBits, effectiveAlphaBits } from './alpha.js';
import type { BlpHeader } from './header.js';
import type { JpegFrame } from './jpeg-frame.js';
import type { ChainOptions, LevelRange } from './levels.js';
import { levelBytes } from './sides.js';
import type { Stop } from './slots.js';

/** Finds the frame of a JPEG level by the level's own bytes. */
export type FindFrame = (body: Uint8Array) => JpegFrame | undefined;

/** Why a level's bytes cannot hold its texels, if so. */
export function checkContent(
  header: BlpHeader,
  findFrame: FindFrame,
  range: LevelRange,
  alphaBits: AlphaBits,
  options: ChainOptions,
): Stop | undefined {
  if (header.encoding === 'jpeg') return checkFrame(findFrame, range, options.warn);
  const { level, width, height, offset, bytes } = range;
  const needed = levelBytes(header.encoding, width, height, alphaBits);
  if (bytes.length >= needed) return undefined;
  const message = `${width} × ${height} ${header.encoding} texels take ${needed} bytes, it has ${bytes.length}`;
  if (options.salvage) {
    warnClipped(level, message, options.warn);
    return undefined;
  }
  return { stop: 'level-too-short', error: 'truncated', message, offset: offset + bytes.length };
}

/** Says that a level is salvaged in part. */
export function warnClipped(level: number, message: string, warn: WarningSink): void {
  const code = level === 0 ? 'truncated' : 'level-clipped';
  warn({ code, level, message: `level ${level} is cut short: ${message}` });
}

function checkFrame(
  findFrame: FindFrame,
  { level, width, height, bytes, offset }: LevelRange,
  warn: WarningSink,
): Stop | undefined {
  const frame = findFrame(bytes);
  if (frame === undefined) {
    const message = 'its JPEG stream has no frame header';
    return { stop: 'level-undecodable', error: 'damaged', message, offset };
  }
  const sides = `a JPEG frame of ${frame.width} × ${frame.height} in a level of ${width} × ${height}`;
  if (frame.width === 0 || frame.height === 0) {
    return { stop: 'level-undecodable', error: 'damaged', message: `${sides} is empty`, offset };
  }
  if (frame.width > width || frame.height > height) {
    return {
      stop: 'level-undecodable',
      error: 'damaged',
      message: `${sides} is too large`,
      offset,
    };
  }
  if (frame.width < width || frame.height < height) {
    warn({ code: 'jpeg-frame-size', level, message: `${sides}; the rest is transparent black` });
  }
  return undefined;
}

/** Bits of alpha that paletted levels hold by their header; 0 for other encodings and unknown depths. */
export function declaredPaletteAlpha(header: BlpHeader, warn: WarningSink): AlphaBits {
  const bits = header.alphaBits;
  const effective = effectiveAlphaBits(bits);
  const isBlp2Pixel =
    header.version === 2 && header.encoding !== 'paletted' && header.encoding !== 'jpeg';
  if (header.encoding === 'jpeg' ? bits !== 0 && bits !== 8 : bits !== effective) {
    const allowed = header.encoding === 'jpeg' ? '0 and 8' : '0, 1, 4 and 8';
    const effect =
      header.encoding === 'paletted' ? 'taken as none' : isBlp2Pixel ? 'taken as alpha' : 'ignored';
    warn({
      code: 'alpha-bits-invalid',
      message: `alpha bits are ${bits}, valid are ${allowed}; ${effect}`,
    });
  }
  return header.encoding === 'paletted' ? effective : 0;
}

/** Some tools declare alpha and write the index list alone. */
export function dropMissingAlpha(
  header: BlpHeader,
  available: number,
  alphaBits: AlphaBits,
  options: ChainOptions,
): AlphaBits {
  if (header.encoding !== 'paletted' || alphaBits === 0) return alphaBits;
  const needed = levelBytes(header.encoding, header.width, header.height, alphaBits);
  if (available >= needed) return alphaBits;
  // A level cut inside its indices is cut short, not without alpha.
  if (options.salvage && available < header.width * header.height) return alphaBits;
  options.warn({
    code: 'alpha-missing',
    level: 0,
    message: `level 0 has ${available} of the ${needed} bytes that indices and ${alphaBits}-bit alpha take; read without alpha`,
  });
  return 0;
}
