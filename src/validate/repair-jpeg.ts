// JPEG content: the stream that each level has after repair, and the beginning that all of them share.

import { concatenate } from '../bytes.js';
import { maxJpegHeader } from '../container/header.js';
import { encodeJpeg, type JpegLevels, shareBeginning } from '../encode/jpeg.js';
import { quantisationSteps } from '../encode/jpeg-tables.js';
import type { RgbaImage } from '../encode/options.js';
import { BlpError } from '../errors.js';
import { selectKernels } from '../kernels/select.js';
import type { Inspection, LevelState } from './inspection.js';
import { fillComponent, readCoefficients, writeBaseline } from './jpeg-recode.js';
import { walkSegments } from './jpeg-segments.js';
import { type MadeLevel, makeMissingLevels } from './make-levels.js';

/** What was done to the streams besides storing them elsewhere. */
export interface RepairedStreams {
  /** The shared beginning, and each level's own bytes. */
  stored: JpegLevels;
  /** The chunk and the levels' bytes are the file's own. */
  isUnchanged: boolean;
  made: MadeLevel[];
  /** Quality of the levels that were made. */
  quality: number;
}

/**
 * @param count levels that the file is to have
 * @param alphaBits what the header will declare
 * @param extras slots past the chain, whose bytes are kept
 */
export function repairStreams(
  inspection: Inspection,
  count: number,
  alphaBits: number,
  extras: readonly Uint8Array[],
): RepairedStreams {
  const { levels, chunk } = inspection;
  const opaque = alphaBits === 0;
  const originals = levels.slice(0, count).map(({ bytes }) => bytes && concatenate([chunk, bytes]));
  const streams = originals.map((stream, level) => {
    if (stream === undefined) return undefined;
    return needsEncoding(levels[level])
      ? encodeAnew(inspection, stream, levels[level], opaque)
      : recode(inspection, stream, levels[level], opaque);
  });
  const made = makeMissingLevels(
    count,
    (level) => streams[level] !== undefined,
    (level) => decodeStream(inspection, streams[level] as Uint8Array, levels[level], opaque),
    !opaque,
  );
  const quality = estimateQuality(originals[0] as Uint8Array);
  if (made.length > 0) {
    const images = made.map(({ image }) => image);
    const encoded = encodeJpeg(images, quality, opaque);
    made.forEach(({ level }, index) => {
      streams[level] = concatenate([encoded.header, encoded.levels[index]]);
    });
  }
  const isUnchanged =
    chunk.length <= maxJpegHeader &&
    chunk.length === inspection.header.jpegHeaderSize &&
    streams.every((stream, level) => stream === originals[level]);
  const all = [...(streams as Uint8Array[]), ...extras.map((bytes) => concatenate([chunk, bytes]))];
  return { stored: shareBeginning(all), isUnchanged, made, quality };
}

function needsEncoding({ jpeg, width, height }: LevelState): boolean {
  if (!jpeg) return false;
  const { frame } = jpeg;
  return frame.components !== 4 || frame.width !== width || frame.height !== height;
}

/** A picture that has no four components, or not the level's sides, cannot keep its coefficients. */
function encodeAnew(
  inspection: Inspection,
  stream: Uint8Array,
  level: LevelState,
  opaque: boolean,
): Uint8Array {
  const image = decodeStream(inspection, stream, level, opaque);
  const { header, levels } = encodeJpeg([image], 100, opaque);
  return concatenate([header, levels[0]]);
}

/**
 * The stream as baseline and, for a picture without alpha, with an alpha plane of 255; the stream itself where there is
 * nothing to do or the decoded colours would not be the same.
 */
function recode(
  inspection: Inspection,
  stream: Uint8Array,
  level: LevelState,
  opaque: boolean,
): Uint8Array {
  if (!level.jpeg) return stream;
  const fillsAlpha = opaque && level.jpeg.alphaPlane !== 'full';
  if (!level.jpeg.frame.progressive && !fillsAlpha) return stream;
  try {
    const frame = readCoefficients(stream);
    if (fillsAlpha) fillComponent(frame.components[3]);
    const recoded = writeBaseline(frame);
    const before = decodeStream(inspection, stream, level, fillsAlpha);
    const after = decodeStream(inspection, recoded, level, false);
    return before.data.every((sample, at) => sample === after.data[at]) ? recoded : stream;
  } catch (error) {
    if (error instanceof BlpError) return stream;
    throw error;
  }
}

function decodeStream(
  { limits }: Inspection,
  body: Uint8Array,
  { width, height }: LevelState,
  opaque: boolean,
): RgbaImage {
  const target = new Uint8Array(width * height * 4);
  selectKernels().jpeg(
    { header: body.subarray(0, 0), body },
    { opaque, salvage: false, limits },
    { width, height, region: { x: 0, y: 0, width, height }, target },
  );
  return { width, height, data: target };
}

/** The quality whose steps are, in sum, nearest to those of a stream. */
function estimateQuality(stream: Uint8Array): number {
  const wanted = sum(firstSteps(stream));
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let quality = 1; quality <= 100; quality++) {
    const distance = Math.abs(sum(quantisationSteps(quality)) - wanted);
    if (distance > least) continue;
    least = distance;
    best = quality;
  }
  return best;
}

/** The quantisation steps of a stream's first component; none where the stream cannot be walked, which is best quality. */
function firstSteps(stream: Uint8Array): ArrayLike<number> {
  let steps: ArrayLike<number> = [];
  try {
    walkSegments(stream, ({ components }) => {
      steps = components[0].component.steps ?? [];
      return stream.length;
    });
  } catch (error) {
    if (!(error instanceof BlpError)) throw error;
  }
  return steps;
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let index = 0; index < values.length; index++) total += values[index];
  return total;
}
