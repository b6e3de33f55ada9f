// JPEG levels → RGBA, and the rule for their alpha plane.

import type { LevelRange } from '../container/levels.js';
import { BlpError } from '../errors.js';
import type { AlphaPlane, JpegOptions } from '../kernels/kernels.js';
import type { LevelRequest } from './request.js';

/** What was found in level 0's alpha plane, kept by the texture: it decides for every level. */
export interface AlphaDecision {
  plane?: AlphaPlane;
}

export function decodeJpeg(request: LevelRequest, decision: AlphaDecision): void {
  const { header, chain, level, destination, alpha, salvage, limits, kernels, warn } = request;
  const source = { header: chain.jpegHeader, body: level.bytes };
  const options: JpegOptions = { opaque: alpha === 'opaque', salvage, limits };
  if (alpha === 'declared') options.opaque = header.alphaBits !== 8;
  const { region } = destination;
  const isWhole = region.width === level.width && region.height === level.height;
  const decides = level.level === 0 && isWhole;
  if (alpha === 'auto' && decision.plane === undefined && !decides) {
    const first = chain.levels[0];
    try {
      decision.plane = kernels.jpegAlphaPlane(
        { header: chain.jpegHeader, body: first.bytes },
        options,
      );
    } catch (error) {
      const why = level.level === 0 ? '' : 'level 0, whose alpha plane decides for all levels: ';
      throw locate(error, request, first, why);
    }
    warnDisagreement(request, decision.plane);
  }
  if (alpha === 'auto' && decision.plane !== undefined) options.opaque = isUnused(decision.plane);
  const run = (opaque: boolean) => {
    try {
      return kernels.jpeg(source, { ...options, opaque }, destination);
    } catch (error) {
      throw locate(error, request, level, level.level === 0 ? '' : `level ${level.level}: `);
    }
  };
  const result = run(options.opaque);
  if (!result.complete) {
    warn({
      code: level.level === 0 ? 'truncated' : 'level-clipped',
      level: level.level,
      message: `the JPEG stream of level ${level.level} is cut short or corrupt; what it lacks is transparent black`,
    });
  }
  if (alpha !== 'auto' || !decides || decision.plane !== undefined) return;
  decision.plane = result.alphaPlane;
  warnDisagreement(request, decision.plane);
  if (decision.plane !== 'zero') return;
  // The plane of zeros is known to be unused only now that the last row is there.
  if (result.complete) makeOpaque(request, result.frameWidth, result.frameHeight);
  else run(true);
}

/** Tools fill a plane that means nothing with 0 or with 255. */
function isUnused(plane: AlphaPlane): boolean {
  return plane === 'zero' || plane === 'full';
}

function makeOpaque(request: LevelRequest, frameWidth: number, frameHeight: number): void {
  const { width, target } = request.destination;
  for (let y = 0; y < frameHeight; y++) {
    const end = (y * width + frameWidth) * 4;
    for (let at = y * width * 4 + 3; at < end; at += 4) target[at] = 255;
  }
}

function warnDisagreement({ header, warn }: LevelRequest, plane: AlphaPlane): void {
  const declares = header.alphaBits === 8;
  if (plane === 'mixed' && header.alphaBits === 0) {
    warn({
      code: 'alpha-bits-disagree',
      message: 'the header declares no alpha, but the JPEG alpha plane holds some; it is used',
    });
  } else if (plane === 'zero' && declares) {
    warn({
      code: 'alpha-bits-disagree',
      message: 'the header declares alpha, but the JPEG alpha plane is all 0; read as opaque',
    });
  } else if (plane === 'none' && declares) {
    warn({
      code: 'alpha-bits-disagree',
      message: 'the header declares alpha, but the JPEG stream has no fourth component',
    });
  }
}

/** A kernel's failure with its offset counted in the file (in BLP0: in the level's own file) instead of the stream. */
function locate(
  error: unknown,
  { header, chain }: LevelRequest,
  level: LevelRange,
  prefix: string,
): unknown {
  if (!(error instanceof BlpError)) return error;
  let { offset } = error;
  if (offset !== undefined) {
    const own = offset - chain.jpegHeader.length;
    offset = own < 0 ? header.jpegHeaderOffset! + offset : level.offset + own;
  }
  return new BlpError(error.code, prefix + error.message, offset);
}
