// Findings about declared alpha against the alpha that is there.

import { alphaDepths } from '../container/alpha.js';
import { alphaBitsAt } from '../container/header.js';
import type { Add, Inspection } from './inspection.js';

export function checkAlpha(inspection: Inspection, add: Add): void {
  const { header } = inspection;
  if (header.encoding === 'jpeg') checkJpegAlpha(inspection, add);
  else if (header.alphaType !== undefined) checkPair(inspection, add);
}

/**
 * The game takes an invalid depth for 0. With 0 the interface ignores the alpha plane and models use it, so that it
 * has to be 0xFF.
 */
function checkJpegAlpha({ header, levels, needed }: Inspection, add: Add): void {
  const offset = alphaBitsAt(header.version);
  const bits = header.alphaBits;
  const first = levels[0].jpeg?.alphaPlane;
  if (bits !== 0 && bits !== 8) {
    const effect = first === 'mixed' ? ', which hides the alpha that the picture has' : '';
    const message = `alphaBits is ${bits}; JPEG content has 0 or 8, the game takes others for 0${effect}`;
    add('alpha-bits-invalid', message, { offset });
    if (first === 'mixed') return;
  }
  if (bits === 8) {
    if (first === 'zero') {
      const message =
        'alphaBits is 8 and the alpha plane of level 0 is 0 throughout: nothing shows';
      add('alpha-plane-zero', message, { level: 0, offset });
    }
    return;
  }
  const used = levels
    .slice(0, needed)
    .find(({ jpeg }) => jpeg && (jpeg.alphaPlane === 'mixed' || jpeg.alphaPlane === 'zero'));
  if (used === undefined) return;
  const holds = used.jpeg?.alphaPlane === 'zero' ? 'is 0 throughout' : 'is not 0xFF throughout';
  const message = `alphaBits is ${bits}, but the JPEG alpha plane of level ${used.level} ${holds}`;
  add('jpeg-alpha-plane', message, { level: used.level, offset });
}

function checkPair(inspection: Inspection, add: Add): void {
  const { header } = inspection;
  const { shipped } = alphaDepths[header.encoding];
  if (shipped === undefined || shipped.includes(header.alphaBits)) return;
  const repairable = correctedDepth(inspection) !== undefined;
  const why = repairable ? '' : '; another depth would show alpha that is hidden now';
  const message = `alphaDepth ${header.alphaBits} with alphaType ${header.alphaType} (${header.encoding}); clients ship ${shipped.join(' and ')}${why}`;
  add('alpha-pair-unusual', message, { offset: alphaBitsAt(header.version), repairable });
}

/**
 * The depth that makes an unusual pair usual and decodes alike; undefined where there is none: blocks whose alpha a
 * depth of 0 hides would show it.
 */
export function correctedDepth({ header, levels }: Inspection): number | undefined {
  const { graded } = alphaDepths[header.encoding];
  // Of DXT1 this is every case: the client ships it with 0.
  if (header.alphaBits !== 0) return graded;
  const isOpaque = header.encoding === 'dxt3' ? isOpaqueDxt3 : isOpaqueDxt5;
  return levels.every(({ bytes }) => bytes === undefined || everyBlock(bytes, isOpaque))
    ? graded
    : undefined;
}

function everyBlock(bytes: Uint8Array, test: (bytes: Uint8Array, at: number) => boolean): boolean {
  for (let at = 0; at + 16 <= bytes.length; at += 16) {
    if (!test(bytes, at)) return false;
  }
  return true;
}

function isOpaqueDxt3(bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < 8; index++) if (bytes[at + index] !== 0xff) return false;
  return true;
}

/** Each of the sixteen 3-bit indices selects 255. */
function isOpaqueDxt5(bytes: Uint8Array, at: number): boolean {
  const [a0, a1] = bytes.subarray(at, at + 2);
  if (a0 === 255 && a1 === 255) {
    // Equal endpoints interpolate to themselves; only index 6 is the constant 0.
    return indices(bytes, at).every((index) => index !== 6);
  }
  return indices(bytes, at).every(
    (index) =>
      (index === 0 && a0 === 255) || (index === 1 && a1 === 255) || (index === 7 && a0 <= a1),
  );
}

function indices(bytes: Uint8Array, at: number): number[] {
  const found: number[] = [];
  for (let half = 0; half < 2; half++) {
    const start = at + 2 + half * 3;
    const bits = bytes[start] | (bytes[start + 1] << 8) | (bytes[start + 2] << 16);
    for (let index = 0; index < 8; index++) found.push((bits >> (index * 3)) & 7);
  }
  return found;
}
