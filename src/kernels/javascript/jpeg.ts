// JPEG in plain JavaScript: jpeg-js decodes the coefficients, after checks that it does not make itself.

import { BlpError } from '../../errors.js';
import { checkLimit } from '../../limits.js';
import { JpegImage } from '../generated/jpeg-js.js';
import { clearOutside, copyStrip } from '../jpeg-copy.js';
import { faults, jpegFault } from '../jpeg-faults.js';
import type { AlphaPlane, Destination, JpegOptions, JpegResult, JpegSource } from '../kernels.js';
import { type Plane, putTexels, upsampleLine } from './jpeg-lines.js';
import type { FrameComponent } from './jpeg-segments.js';
import { type JpegStream, readJpegStream } from './jpeg-stream.js';
import { transformBlock } from './jpeg-transform.js';

/** A frame as blocks of coefficients. */
interface Coefficients {
  stream: JpegStream;
  /** By component, row and column. */
  blocks: Int32Array[][][];
  complete: boolean;
  /** Has every component at least a coarse picture? */
  isVisible: boolean;
}

/**
 * As the SIMD decoder, byte for byte, with two differences on damaged streams: with `salvage` only a
 * progressive stream yields something, from the scans before the damaged one, and some corrupt data is
 * not noticed.
 *
 * @throws BlpError `damaged`, `unsupported` or `limit`
 */
export function jpeg(
  source: JpegSource,
  options: JpegOptions,
  destination: Destination,
): JpegResult {
  const decoded = decodeCoefficients(source, options, destination);
  const { stream, blocks, complete } = decoded;
  const { width, height, components } = stream;
  if (!decoded.isVisible) {
    // Nothing can be shown of a picture that was cut before every component had a scan.
    clearOutside(0, 0, destination);
    return {
      frameWidth: width,
      frameHeight: height,
      alphaPlane: unseenPlane(stream),
      complete: false,
    };
  }
  const planes = components.map((component, i) => transformPlane(component, stream, blocks[i]));
  const lines = components.map(() => new Uint8Array(width));
  const texels = new Uint8ClampedArray(width * 4);
  const bytes = new Uint8Array(texels.buffer);
  const most = maxSampling(stream);
  const { region } = destination;
  for (let y = region.y; y < Math.min(region.y + region.height, height); y++) {
    planes.forEach((plane, i) => {
      upsampleLine(plane, most, y, components.length === 3, lines[i]);
    });
    putTexels(lines, stream.isRgb, options.opaque, texels);
    copyStrip(bytes, 0, width, y, 1, destination);
  }
  clearOutside(width, height, destination);
  return {
    frameWidth: width,
    frameHeight: height,
    alphaPlane: alphaPlaneOf(planes),
    complete,
  };
}

/** The plane of a stream of which nothing is decoded. */
function unseenPlane({ components }: JpegStream): AlphaPlane {
  return components.length === 4 ? 'unseen' : 'none';
}

/** As the SIMD decoder; here the whole stream is decoded. */
export function jpegAlphaPlane(source: JpegSource, options: JpegOptions): AlphaPlane {
  const { stream, blocks, isVisible } = decodeCoefficients(source, options);
  if (!isVisible) return unseenPlane(stream);
  const planes = stream.components.map((component, i) =>
    i === 3 ? transformPlane(component, stream, blocks[i]) : undefined,
  );
  return alphaPlaneOf(planes);
}

/** Runs all checks, then jpeg-js. */
function decodeCoefficients(
  source: JpegSource,
  options: JpegOptions,
  level?: Destination,
): Coefficients {
  const stream = readJpegStream(source, options, level);
  checkMemory(stream, options);
  checkGrid(stream);
  // Damage shows in the last scan of a stream that was cut, so that the scans before it can be salvaged.
  let scans = stream.usedScans;
  while (true) {
    try {
      const blocks = runJpegJs(stream.clean(scans));
      const complete = !stream.isCut && scans === stream.usedScans;
      const isVisible = stream.components.every(({ firstScan }) => firstScan <= scans);
      return { stream, blocks, complete, isVisible };
    } catch (error) {
      const isSalvageable = options.salvage && stream.progressive && scans > 1;
      if (!isSalvageable || scans < stream.usedScans) throw damage(error, source);
      scans--;
    }
  }
}

function runJpegJs(bytes: Uint8Array): Int32Array[][][] {
  const image = new JpegImage();
  // The limits of jpeg-js count too little; ours are checked before.
  JpegImage.resetMaxMemoryUsage(Number.POSITIVE_INFINITY);
  image.opts = { maxResolutionInMP: Number.POSITIVE_INFINITY };
  image.parse(bytes);
  return image.components.map(({ blocks }) => blocks);
}

function damage(error: unknown, { header, body }: JpegSource): BlpError {
  const reason = error instanceof Error ? error.message : String(error);
  const fault = jpegFault(faults.dataEnds, header.length + body.length);
  return new BlpError(
    fault.code,
    `${fault.message} or is corrupt (${reason}); the JavaScript decoder cannot tell where`,
    fault.offset,
  );
}

/** jpeg-js keeps 64 numbers of 4 bytes a block, whatever the kind of stream. */
function checkMemory(stream: JpegStream, { limits }: JpegOptions): void {
  const most = maxSampling(stream);
  const mcus =
    Math.ceil(stream.width / (8 * most.horizontal)) *
    Math.ceil(stream.height / (8 * most.vertical));
  const blocks = stream.components.reduce((sum, c) => sum + c.horizontal * c.vertical, 0);
  const bytes = mcus * blocks * 256;
  checkLimit(limits, 'maxWasmMemory', bytes, () => `decoding takes ${bytes} bytes of coefficients`);
}

/** Rare combinations of sides and factors for which jpeg-js takes a component for larger than it is. */
function checkGrid(stream: JpegStream): void {
  const most = maxSampling(stream);
  for (const component of stream.alone) {
    const { width, height } = planeSides(component, stream);
    const { horizontal, vertical } = component;
    const wide = Math.ceil((Math.ceil(stream.width / 8) * horizontal) / most.horizontal);
    const high = Math.ceil((Math.ceil(stream.height / 8) * vertical) / most.vertical);
    if (wide !== Math.ceil(width / 8) || high !== Math.ceil(height / 8)) {
      throw new BlpError(
        'unsupported',
        `JPEG sampling factors ${horizontal} × ${vertical} of ${most.horizontal} × ${most.vertical} in scans of their own are read by the WebAssembly decoder only`,
      );
    }
  }
}

function maxSampling({ components }: JpegStream): { horizontal: number; vertical: number } {
  return {
    horizontal: Math.max(...components.map(({ horizontal }) => horizontal)),
    vertical: Math.max(...components.map(({ vertical }) => vertical)),
  };
}

function planeSides(
  component: FrameComponent,
  stream: JpegStream,
): { width: number; height: number } {
  const most = maxSampling(stream);
  return {
    width: Math.ceil((stream.width * component.horizontal) / most.horizontal),
    height: Math.ceil((stream.height * component.vertical) / most.vertical),
  };
}

function transformPlane(
  component: FrameComponent,
  stream: JpegStream,
  blocks: Int32Array[][],
): Plane {
  const stride = blocks[0].length * 8;
  const samples = new Uint8Array(stride * blocks.length * 8);
  blocks.forEach((row, y) => {
    row.forEach((block, x) => {
      transformBlock(block, component.quantisation!, samples, (y * stride + x) * 8, stride);
    });
  });
  const { horizontal, vertical } = component;
  return { samples, stride, ...planeSides(component, stream), horizontal, vertical };
}

function alphaPlaneOf(planes: (Plane | undefined)[]): AlphaPlane {
  const plane = planes[3];
  if (!plane) return 'none';
  let all = 255;
  let any = 0;
  for (let y = 0; y < plane.height; y++) {
    for (let x = 0; x < plane.width; x++) {
      const sample = plane.samples[y * plane.stride + x];
      all &= sample;
      any |= sample;
    }
  }
  return any === 0 ? 'zero' : all === 255 ? 'full' : 'mixed';
}
