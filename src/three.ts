// BLPLoader for three.js: blocks as they are where the GPU takes them, decoded texels elsewhere.

import {
  type CompressedPixelFormat,
  CompressedTexture,
  DataTexture,
  FileLoader,
  LinearFilter,
  LinearMipmapLinearFilter,
  Loader,
  type LoadingManager,
  RED_GREEN_RGTC2_Format,
  RGB_S3TC_DXT1_Format,
  RGBA_S3TC_DXT1_Format,
  RGBA_S3TC_DXT3_Format,
  RGBA_S3TC_DXT5_Format,
  type WebGLRenderer,
} from 'three';
import { BlpError } from './errors.js';
import { opaqueBlocks } from './gpu.js';
import { type BlpTexture, type ParseOptions, parse } from './texture.js';

/** The block formats that a GPU samples. */
export interface BLPSupport {
  /** DXT1, DXT3, DXT5, also in sRGB. */
  s3tc: boolean;
  /** BC5. */
  rgtc: boolean;
}

/** What the loader asks of a `WebGPURenderer`, which has to be initialised before. */
export interface FeatureRenderer {
  readonly isWebGPURenderer?: true;
  /** Whether the GPU has the feature of that name, such as `texture-compression-bc`. */
  hasFeature(name: string): boolean;
}

/**
 * Loads BLP textures with their whole mip chain: as `CompressedTexture` where the GPU samples the file's blocks, as
 * `DataTexture` of decoded texels otherwise. Used like `KTX2Loader`; without `detectSupport` everything is decoded.
 *
 * The file does not tell its colour space, so that of the texture stays `NoColorSpace`: set `SRGBColorSpace` for colours.
 * The first row is the top of the picture, as the models of both games expect; `flipY` is false.
 *
 * @example
 * ```ts
 * const loader = new BLPLoader().detectSupport(renderer);
 * const map = await loader.loadAsync('textures/grass.blp');
 * map.colorSpace = SRGBColorSpace;
 * const material = new MeshStandardMaterial({ map });
 * ```
 */
export class BLPLoader extends Loader<CompressedTexture | DataTexture> {
  readonly isBLPLoader = true;
  /** What the renderer's GPU takes; nothing before {@link detectSupport}. */
  support: BLPSupport = { s3tc: false, rgtc: false };
  /** How files are parsed: limits, salvage, a sink for warnings. */
  parseOptions: ParseOptions = {};
  readonly #pending = new Set<FileLoader>();

  constructor(manager?: LoadingManager) {
    super(manager);
  }

  /** Asks the renderer which block formats its GPU samples. Call it before loading. */
  detectSupport(renderer: WebGLRenderer | FeatureRenderer): this {
    if ('extensions' in renderer) {
      const { extensions } = renderer;
      this.support = {
        // Both: a texture may be declared sRGB after it is loaded.
        s3tc:
          extensions.has('WEBGL_compressed_texture_s3tc') &&
          extensions.has('WEBGL_compressed_texture_s3tc_srgb'),
        rgtc: extensions.has('EXT_texture_compression_rgtc'),
      };
      return this;
    }
    // Over WebGL 2, three calls BPTC 'texture-compression-bc' and S3TC by its own name, and has none for RGTC.
    const overWebGL = renderer.hasFeature('texture-compression-s3tc');
    const bc = !overWebGL && isWebGPU(renderer) && renderer.hasFeature('texture-compression-bc');
    this.support = { s3tc: overWebGL || bc, rgtc: bc };
    return this;
  }

  /**
   * Loads a texture. `onError` gets what went wrong with the request, or the `BlpError` of a file that cannot be read;
   * without it the error goes to the console, as in three.js's own loaders.
   */
  override load(
    url: string,
    onLoad?: (texture: CompressedTexture | DataTexture) => void,
    onProgress?: (event: ProgressEvent) => void,
    onError?: (error: unknown) => void,
  ): void {
    const loader = new FileLoader(this.manager);
    loader.setPriority(this.priority);
    loader.setCache(this.cache);
    loader.setPath(this.path);
    loader.setResponseType('arraybuffer');
    loader.setRequestHeader(this.requestHeader);
    loader.setCrossOrigin(this.crossOrigin);
    loader.setWithCredentials(this.withCredentials);
    this.#pending.add(loader);
    const fail = (error: unknown): void => {
      if (onError) onError(error);
      else console.error(error);
    };
    loader.load(
      url,
      (buffer) => {
        this.#pending.delete(loader);
        let texture: CompressedTexture | DataTexture;
        try {
          texture = this.parse(buffer as ArrayBuffer);
        } catch (error) {
          fail(error);
          this.manager.itemError(url);
          return;
        }
        onLoad?.(texture);
      },
      onProgress,
      (error) => {
        this.#pending.delete(loader);
        fail(error);
      },
    );
  }

  /**
   * Makes a texture of a file's bytes.
   *
   * @throws BlpError `not-blp`, `truncated`, `unsupported`, `damaged` or `limit`
   */
  parse(buffer: ArrayBuffer | Uint8Array): CompressedTexture | DataTexture {
    return toThreeTexture(parse(buffer, this.parseOptions), this.support);
  }

  /** Ends the requests that are under way; their `onError` is called. */
  override abort(): this {
    for (const loader of this.#pending) loader.abort();
    this.#pending.clear();
    return this;
  }

  /** Ends the requests that are under way. Textures that were loaded live on until they are disposed of themselves. */
  dispose(): void {
    this.abort();
  }
}

/**
 * Makes a three.js texture of a parsed file, as {@link BLPLoader} does: for files that are parsed already, and for BLP0,
 * whose levels are files of their own.
 *
 * @throws BlpError when level 0 cannot be decoded
 */
export function toThreeTexture(
  blp: BlpTexture,
  support: BLPSupport,
): CompressedTexture | DataTexture {
  const format = compressedFormat(blp, support);
  const texture = format === undefined ? decodedTexture(blp) : compressedTexture(blp, format);
  // Levels that the file lacks are not made up: the GPU stops at the last one that there is.
  const { length } = texture.mipmaps ?? [];
  texture.minFilter = length > 1 ? LinearMipmapLinearFilter : LinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}

function compressedTexture(blp: BlpTexture, format: CompressedPixelFormat): CompressedTexture {
  const opaque = blp.alphaBits === 0;
  const mipmaps = blp.levels.map(({ width, height, bytes }) => ({
    data: opaque ? opaqueBlocks(blp.encoding, bytes) : bytes,
    width,
    height,
  }));
  return new CompressedTexture(mipmaps, blp.width, blp.height, format);
}

function decodedTexture(blp: BlpTexture): DataTexture {
  const first = blp.decode();
  const texture = new DataTexture(asBytes(first.data), first.width, first.height);
  const mipmaps = [{ ...first, data: asBytes(first.data) }];
  for (const { level } of blp.levels.slice(1)) {
    try {
      const { width, height, data } = blp.decode({ level });
      mipmaps.push({ width, height, data: asBytes(data) });
    } catch (error) {
      // A damaged level ends the chain; the levels before it are sound.
      if (error instanceof BlpError && error.code !== 'argument') break;
      throw error;
    }
  }
  // With one level only, the picture alone is uploaded.
  if (mipmaps.length > 1) texture.mipmaps = mipmaps;
  return texture;
}

function compressedFormat(
  blp: BlpTexture,
  { s3tc, rgtc }: BLPSupport,
): CompressedPixelFormat | undefined {
  if (!blp.levels.every(isUploadable)) return undefined;
  switch (blp.encoding) {
    case 'dxt1':
      if (!s3tc) return undefined;
      return blp.alphaBits === 0 ? RGB_S3TC_DXT1_Format : RGBA_S3TC_DXT1_Format;
    case 'dxt3':
      return s3tc ? RGBA_S3TC_DXT3_Format : undefined;
    case 'dxt5':
      return s3tc ? RGBA_S3TC_DXT5_Format : undefined;
    case 'bc5':
      return rgtc ? RED_GREEN_RGTC2_Format : undefined;
    default:
      return undefined;
  }
}

/** WebGL and WebGPU take whole blocks at level 0; WebGL takes parts of a block, 1 or 2 texels, at the others. */
function isUploadable({ level, width, height }: BlpTexture['levels'][number]): boolean {
  return [width, height].every((side) => side % 4 === 0 || (level > 0 && side <= 2));
}

function isWebGPU(renderer: FeatureRenderer): boolean {
  const { backend } = renderer as { backend?: { isWebGPUBackend?: boolean } };
  return backend?.isWebGPUBackend === true;
}

function asBytes(data: Uint8ClampedArray<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
