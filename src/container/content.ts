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
  const { encoding, alphaBits: bits } = header;
  const effective = effectiveAlphaBits(bits);
  const isJpeg = encoding === 'jpeg';
  if (isJpeg ? bits !== 0 && bits !== 8 : bits !== effective) {
    const allowed = isJpeg ? '0 and 8' : '0, 1, 4 and 8';
    const effect =
      encoding === 'paletted' ? 'taken as none' : isJpeg ? 'ignored' : 'taken as alpha';
    warn({
      code: 'alpha-bits-invalid',
      message: `alpha bits are ${bits}, valid are ${allowed}; ${effect}`,
    });
  }
  return encoding === 'paletted' ? effective : 0;
}

/**
 * Whether paletted content goes without the alpha that it declares: some tools write the index list alone. A level cut
 * inside its indices is cut short, not without alpha.
 *
 * @param available bytes of level 0
 */
export function lacksAlpha(header: BlpHeader, available: number, alphaBits: AlphaBits): boolean {
  const { width, height } = header;
  return (
    available >= width * height && available < levelBytes('paletted', width, height, alphaBits)
  );
}

/** No alpha where it is missing, with a warning. */
export function dropMissingAlpha(
  header: BlpHeader,
  available: number,
  alphaBits: AlphaBits,
  warn: WarningSink,
): AlphaBits {
  if (!lacksAlpha(header, available, alphaBits)) return alphaBits;
  const needed = levelBytes('paletted', header.width, header.height, alphaBits);
  warn({
    code: 'alpha-missing',
    level: 0,
    message: `level 0 has ${available} of the ${needed} bytes that indices and ${alphaBits}-bit alpha take; read without alpha`,
  });
  return 0;
}
