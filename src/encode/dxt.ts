// RGBA → DXT1, DXT3 and DXT5 blocks.

import { blockBytes } from '../container/blocks.js';
import { encoderModule } from './encoder-module.js';
import {
  defaultAlphaThreshold,
  defaultPreset,
  type Preset,
  presets,
  type RgbaImage,
} from './options.js';

/** The block formats that can be written: 8 bytes per 4 × 4 texels for `dxt1`, 16 for the others. */
export type DxtFormat = 'dxt1' | 'dxt3' | 'dxt5';

export interface DxtOptions {
  /**
   * How much work a block gets. Default `normal`.
   *
   * - `fast`: endpoints on the principal axis, refined
   * - `normal`: also every cut of the texels sorted along that axis, and the grid around flat blocks' endpoints
   * - `best`: also other axes, the runners-up, and the grid around every block's endpoints
   */
  preset?: Preset;
  /** Alpha bits of DXT1: 0 makes everything opaque (the default), 1 makes texels transparent. */
  alpha?: 0 | 1;
  /** For DXT1 with 1 alpha bit: texels with smaller alpha become transparent. 1 to 255, default 128. */
  alphaThreshold?: number;
  /**
   * Whether the colour of fully transparent texels of DXT3 and DXT5 counts. By default it does not where a
   * block has others: they get what is left. Keep it where alpha is not opacity, as with specular masks.
   */
  keepTransparentColor?: boolean;
}

/** The formats as the encoder's module numbers them. */
const kinds: Readonly<Record<DxtFormat, number>> = { dxt1: 1, dxt3: 3, dxt5: 5 };

/** Bytes of texels that are copied to the encoder at once: they and their blocks stay in the second-level cache. */
const stripBytes = 131_072;

/**
 * Encodes one level as DXT blocks, row by row, `ceil(width / 4)` a row. Texels that blocks have outside
 * the picture do not influence the result.
 *
 * @param image the level, in RGBA; neither it nor the options are checked here.
 * @returns `ceil(width / 4) * ceil(height / 4)` blocks of 8 bytes (`dxt1`) or 16
 * @throws BlpError `unsupported` without WebAssembly
 *
 * @example
 * ```ts
 * const blocks = encodeDxt({ width: 256, height: 256, data }, 'dxt5', { preset: 'best' });
 * ```
 */
export function encodeDxt(
  image: RgbaImage,
  format: DxtFormat,
  options: DxtOptions = {},
): Uint8Array {
  const { width, height, data } = image;
  const preset = presets.indexOf(options.preset ?? defaultPreset);
  const threshold = colorThreshold(format, options);

  const blockSize = blockBytes[format];
  const blocksPerRow = Math.ceil(width / 4);
  const target = new Uint8Array(blocksPerRow * Math.ceil(height / 4) * blockSize);
  const rowBytes = width * 4;
  const stripRows = Math.min(height, Math.max(4, Math.floor(stripBytes / rowBytes) & ~3));

  const { exports, base, bytes, ensure } = encoderModule();
  const blocksAt = base + ((stripRows * rowBytes + 15) & ~15);
  ensure(blocksAt + blocksPerRow * Math.ceil(stripRows / 4) * blockSize);
  const memory = bytes();
  let written = 0;
  for (let y = 0; y < height; y += stripRows) {
    const rows = Math.min(stripRows, height - y);
    const length = blocksPerRow * Math.ceil(rows / 4) * blockSize;
    memory.set(data.subarray(y * rowBytes, (y + rows) * rowBytes), base);
    exports.encodeDxt(base, width, rows, blocksAt, kinds[format], preset, threshold);
    target.set(memory.subarray(blocksAt, blocksAt + length), written);
    written += length;
  }
  return target;
}

/** The alpha from which a texel's colour counts. */
function colorThreshold(format: DxtFormat, options: DxtOptions): number {
  if (format !== 'dxt1') return options.keepTransparentColor ? 0 : 1;
  return options.alpha === 1 ? (options.alphaThreshold ?? defaultAlphaThreshold) : 0;
}
