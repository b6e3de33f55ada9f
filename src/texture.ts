// BlpTexture: a parsed file, its header, levels and warnings, and the decoding of one level.

import type { BlpHeader, Encoding } from './container/header.js';
import { readHeader } from './container/header.js';
import { type Chain, type LevelRange, readChain } from './container/levels.js';
import { type LevelFiles, textureBytes } from './container/slots.js';
import { decodeBgra } from './decode/bgra.js';
import { decodeDxt } from './decode/dxt.js';
import { type AlphaDecision, decodeJpeg } from './decode/jpeg.js';
import { decodePaletted } from './decode/paletted.js';
import type { AlphaMode, LevelRequest } from './decode/request.js';
import { BlpError } from './errors.js';
import { exactLevelBytes, type GpuFormat, gpuFormats } from './gpu.js';
import type { Kernels, Region } from './kernels/kernels.js';
import { selectKernels } from './kernels/select.js';
import { checkFileSize, checkPixels, type Limits, resolveLimits } from './limits.js';
import {
  checkBytes,
  checkLevel,
  checkLevelFiles,
  checkOptions,
  checkOutput,
  checkRegion,
  checkTarget,
  refuseOverlap,
} from './options.js';
import type { BlpWarning, WarningSink } from './warnings.js';

/** A decoded picture: RGBA, 8 bits each, rows top to bottom without padding. Fits `ImageData`. */
export interface Image {
  width: number;
  height: number;
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** One mip level: its byte range in the file, its bytes, and their format on a GPU. */
export interface BlpLevel extends LevelRange {
  /**
   * What the texels take of the range, not copied: DXT, BC5 and BGRA levels are exactly as long as a GPU asks for.
   * Only what salvage found cut short is copied and completed.
   */
  bytes: Uint8Array;
  /** WebGPU's name of the format of `bytes`; undefined for paletted and JPEG levels. */
  gpuFormat: GpuFormat | undefined;
}

/** Options of {@link parse}: how the file is read. */
export interface ParseOptions {
  /** The contents of a BLP0 texture's `.b00`, `.b01` … files, in this order. */
  levelFiles?: LevelFiles;
  /** Return the best picture of a file that is cut short instead of refusing it. Default false. */
  salvage?: boolean;
  /** Bounds on what the file may cost; see {@link Limits} for each and its default. */
  limits?: Partial<Limits>;
  /** Called with each warning as it arises; `texture.warnings` keeps them too. */
  onWarning?: WarningSink;
}

/** Options of {@link BlpTexture.decode}: which texels are wanted, and where they go. */
export interface LevelOptions {
  /** Which mip level; 0, the default, is the full picture. */
  level?: number;
  /**
   * The part of the level that is wanted, in texels. Only its blocks or rows are decoded; of a baseline JPEG stream all rows
   * down to its last one, so that damage further below may go unnoticed.
   */
  region?: Region;
  /** Where the texels go, at least `width * height * 4` bytes, not overlapping the file. The returned `data` is a view of it. */
  into?: Uint8Array | Uint8ClampedArray;
  /** Which alpha the texels get. Default `auto`. */
  alpha?: AlphaMode;
  /**
   * The kernels to use instead of the fastest that work here.
   *
   * @internal
   */
  kernels?: Kernels;
}

/** All options of {@link decode}. */
export interface DecodeOptions extends ParseOptions, LevelOptions {}

/** One list for both: {@link decode} passes its options to either. */
const optionNames: readonly (keyof DecodeOptions)[] = [
  'levelFiles',
  'salvage',
  'limits',
  'onWarning',
  'level',
  'region',
  'into',
  'alpha',
  'kernels',
];

/**
 * Reads the header and finds the levels. Touches no texels and copies nothing: the texture refers to `bytes`.
 *
 * @throws BlpError `not-blp`, `truncated`, `unsupported`, `damaged`, `limit` or `argument`
 * @example
 * ```ts
 * const texture = parse(bytes);
 * console.log(texture.encoding, texture.width, texture.height, texture.levels.length);
 * for (const warning of texture.warnings) console.log(warning.code, warning.message);
 * ```
 */
export function parse(bytes: Uint8Array | ArrayBuffer, options: ParseOptions = {}): BlpTexture {
  checkOptions(options, optionNames);
  const input = checkBytes(bytes, 'bytes');
  const limits = resolveLimits(options.limits);
  const levelFiles = checkLevelFiles(options.levelFiles);
  checkFileSize(limits, textureBytes(input, levelFiles));
  const header = readHeader(input);
  checkPixels(limits, header.width, header.height);
  const warnings: BlpWarning[] = [];
  const salvage = options.salvage ?? false;
  const chain = readChain(input, header, {
    levelFiles,
    salvage,
    warn: (warning) => keepWarning(warnings, warning, options.onWarning),
  });
  return new BlpTexture(input, header, chain, warnings, salvage, limits, options.onWarning);
}

/**
 * Decodes one level of a BLP file to RGBA.
 *
 * @param bytes the whole file
 * @returns the level, or the `region` of it
 * @throws BlpError `not-blp`, `truncated`, `unsupported`, `damaged`, `limit` or `argument`
 * @example
 * ```ts
 * const { width, height, data } = decode(bytes);
 * context.putImageData(new ImageData(data, width, height), 0, 0);
 * ```
 */
export function decode(bytes: Uint8Array | ArrayBuffer, options: DecodeOptions = {}): Image {
  return parse(bytes, options).decode(options);
}

/** A parsed file. Made by {@link parse}. */
export class BlpTexture {
  /** The whole file as it was passed in. */
  readonly bytes: Uint8Array;
  /** Every header field as stored. */
  readonly header: BlpHeader;
  /** What was odd about the file; decoding may add to it. */
  readonly warnings: readonly BlpWarning[];
  /** The limits that it was parsed with; decoding keeps to them. */
  readonly limits: Readonly<Limits>;
  readonly #chain: Chain;
  readonly #salvage: boolean;
  readonly #warn: WarningSink;
  readonly #alpha: AlphaDecision = {};
  #levels: readonly BlpLevel[] | undefined;

  /** @internal */
  constructor(
    bytes: Uint8Array,
    header: BlpHeader,
    chain: Chain,
    warnings: BlpWarning[],
    salvage: boolean,
    limits: Readonly<Limits>,
    onWarning: WarningSink | undefined,
  ) {
    this.bytes = bytes;
    this.header = header;
    this.warnings = warnings;
    this.#chain = chain;
    this.#salvage = salvage;
    this.limits = limits;
    this.#warn = (warning) => keepWarning(warnings, warning, onWarning);
  }

  /** The levels that can be used, the full picture first. */
  get levels(): readonly BlpLevel[] {
    // Describing them takes longer than finding them, and decoding does without.
    this.#levels ??= this.#chain.levels.map((level) => describeLevel(this.encoding, level));
    return this.#levels;
  }

  /** 0, 1 (both Warcraft III) or 2 (World of Warcraft). */
  get version(): 0 | 1 | 2 {
    return this.header.version;
  }

  /** How the texels are stored. */
  get encoding(): Encoding {
    return this.header.encoding;
  }

  /** Alpha bits as the header declares them, which need not be true. */
  get alphaBits(): number {
    return this.header.alphaBits;
  }

  /** Texels in a row of level 0. */
  get width(): number {
    return this.header.width;
  }

  /** Rows of level 0. */
  get height(): number {
    return this.header.height;
  }

  /** The palette as stored, B, G, R, padding per entry; empty unless the encoding is `paletted`. */
  get palette(): Uint8Array {
    return this.#chain.palette;
  }

  /** The chunk that precedes every JPEG level; empty unless the encoding is `jpeg`. */
  get jpegHeader(): Uint8Array {
    return this.#chain.jpegHeader;
  }

  /**
   * Decodes one level to RGBA.
   *
   * @throws BlpError `damaged`, `unsupported`, `limit` or `argument`
   * @example
   * ```ts
   * const icon = parse(bytes).decode({ level: 2 });
   * ```
   */
  decode(options: LevelOptions = {}): Image {
    checkOptions(options, optionNames);
    const level = checkLevel(this.#chain.levels, options.level ?? 0);
    const region = checkRegion(options.region, level.width, level.height);
    const alpha = checkAlpha(options.alpha ?? 'auto');
    const size = region.width * region.height * 4;
    checkOutput(size, this.limits);
    const data = checkTarget(options.into, size);
    const { palette, jpegHeader } = this.#chain;
    if (options.into) refuseOverlap(data, [level.bytes, palette, jpegHeader]);
    decodeLevel(
      {
        header: this.header,
        chain: this.#chain,
        level,
        destination: { width: level.width, height: level.height, region, target: data },
        alpha,
        salvage: this.#salvage,
        limits: this.limits,
        kernels: options.kernels ?? selectKernels(),
        warn: this.#warn,
      },
      this.#alpha,
    );
    return { width: region.width, height: region.height, data };
  }
}

function describeLevel(encoding: Encoding, range: LevelRange): BlpLevel {
  return {
    ...range,
    gpuFormat: gpuFormats[encoding],
    // Not before it is asked for: a file of a few bytes could claim 256 MiB.
    get bytes() {
      return exactLevelBytes(encoding, range.width, range.height, range.bytes);
    },
  };
}

function decodeLevel(request: LevelRequest, alphaDecision: AlphaDecision): void {
  switch (request.header.encoding) {
    case 'jpeg':
      decodeJpeg(request, alphaDecision);
      break;
    case 'paletted':
      decodePaletted(request);
      break;
    case 'bgra':
      decodeBgra(request);
      break;
    default:
      decodeDxt(request);
  }
}

const alphaModes: readonly AlphaMode[] = ['auto', 'declared', 'stored', 'opaque'];

function checkAlpha(alpha: AlphaMode): AlphaMode {
  if (alphaModes.includes(alpha)) return alpha;
  throw new BlpError('argument', `alpha must be one of ${alphaModes.join(', ')}, got ${alpha}`);
}

/** Keeps a warning once: decoding a level again tells nothing new. */
function keepWarning(
  warnings: BlpWarning[],
  warning: BlpWarning,
  onWarning: WarningSink | undefined,
): void {
  const known = warnings.some(
    ({ code, level, message }) =>
      code === warning.code && level === warning.level && message === warning.message,
  );
  if (known) return;
  warnings.push(warning);
  onWarning?.(warning);
}
