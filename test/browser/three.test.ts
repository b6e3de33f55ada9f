// BLPLoader with a real renderer: the class and filters of each texture, and the pixels of a quad drawn with it.
import {
  CompressedTexture,
  DataTexture,
  LinearFilter,
  LinearMipmapLinearFilter,
  LoadingManager,
  Mesh,
  NearestFilter,
  NoColorSpace,
  OrthographicCamera,
  PlaneGeometry,
  RED_GREEN_RGTC2_Format,
  RGB_S3TC_DXT1_Format,
  RGBA_S3TC_DXT1_Format,
  RGBA_S3TC_DXT3_Format,
  RGBA_S3TC_DXT5_Format,
  Scene,
  ShaderMaterial,
  SRGBColorSpace,
  type Texture,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { afterAll, describe, expect, test } from 'vitest';
import { BlpError, decode, parse } from '../../src/index.js';
import { BLPLoader, toThreeTexture } from '../../src/three.js';
import { fetchFixture, largestDifference } from './support.js';

const renderer = new WebGLRenderer({ alpha: true, premultipliedAlpha: false });
const everything = { s3tc: true, rgtc: true };
afterAll(() => renderer.dispose());

/** Draws one level of a texture on a quad of the level's sides; the first row is the picture's first. */
function render(texture: Texture, level: number, width: number, height: number): Uint8Array {
  texture.magFilter = NearestFilter;
  const material = new ShaderMaterial({
    uniforms: { map: { value: texture }, level: { value: level } },
    vertexShader:
      'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0, 1); }',
    fragmentShader: `
      uniform sampler2D map;
      uniform float level;
      varying vec2 at;
      void main() { gl_FragColor = textureLod(map, at, level); }`,
  });
  const scene = new Scene().add(new Mesh(new PlaneGeometry(2, 2), material));
  const target = new WebGLRenderTarget(width, height);
  renderer.setRenderTarget(target);
  renderer.render(scene, new OrthographicCamera());
  const pixels = new Uint8Array(width * height * 4);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  expect(renderer.getContext().getError()).toBe(0);
  return pixels;
}

/** Draws every level and compares it with the decoder's texels. */
function expectRendered(texture: Texture, bytes: Uint8Array, tolerance: number): void {
  const blp = parse(bytes);
  for (const { level, width, height } of blp.levels) {
    const difference = largestDifference(
      render(texture, level, width, height),
      blp.decode({ level }).data,
    );
    expect(difference, `level ${level}`).toBeLessThanOrEqual(tolerance);
  }
}

describe('detectSupport', () => {
  test('asks a WebGL renderer for its extensions', () => {
    const loader = new BLPLoader();
    expect(loader.support).toEqual({ s3tc: false, rgtc: false });
    expect(loader.detectSupport(renderer)).toBe(loader);
    expect(loader.support).toEqual(everything);
  });

  test('asks a WebGPU renderer for its features, whichever API is behind it', () => {
    const over = (features: string[], isWebGPUBackend: boolean) => {
      const fake = {
        isWebGPURenderer: true as const,
        backend: { isWebGPUBackend },
        hasFeature: (name: string) => features.includes(name),
      };
      return new BLPLoader().detectSupport(fake).support;
    };
    expect(over(['texture-compression-bc'], true)).toEqual(everything);
    expect(over([], true)).toEqual({ s3tc: false, rgtc: false });
    // Over WebGL, the name of the BC feature stands for BPTC.
    expect(over(['texture-compression-bc'], false)).toEqual({ s3tc: false, rgtc: false });
    expect(over(['texture-compression-s3tc'], false)).toEqual({ s3tc: true, rgtc: false });
  });
});

describe('blocks', () => {
  test.each([
    ['blp2-dxt1-alpha0.blp', RGB_S3TC_DXT1_Format],
    ['blp2-dxt1-alpha1.blp', RGBA_S3TC_DXT1_Format],
    ['odd-dxt1-alpha0-index3.blp', RGB_S3TC_DXT1_Format],
    ['blp2-dxt3-alpha8.blp', RGBA_S3TC_DXT3_Format],
    ['blp2-dxt5-alpha8.blp', RGBA_S3TC_DXT5_Format],
    ['odd-dxt5-alpha0.blp', RGBA_S3TC_DXT5_Format],
    ['blp2-bc5.blp', RED_GREEN_RGTC2_Format],
  ])('%s stays compressed with its whole chain', async (name, format) => {
    const bytes = await fetchFixture(name);
    const loader = new BLPLoader().detectSupport(renderer);
    const texture = await loader.loadAsync(`/fixtures/${name}`);
    expect(texture).toBeInstanceOf(CompressedTexture);
    expect(texture.format).toBe(format);
    expect(texture.mipmaps?.length).toBe(parse(bytes).levels.length);
    expect(texture.flipY).toBe(false);
    expect(texture.generateMipmaps).toBe(false);
    expect(texture.colorSpace).toBe(NoColorSpace);
    expectRendered(texture, bytes, 1);
  });

  test('in linear light when the texture is declared sRGB', async () => {
    const bytes = await fetchFixture('blp2-dxt1-alpha0.blp');
    const compressed = toThreeTexture(parse(bytes), everything);
    const decoded = toThreeTexture(parse(bytes), { s3tc: false, rgtc: false });
    compressed.colorSpace = SRGBColorSpace;
    decoded.colorSpace = SRGBColorSpace;
    const { width, height } = parse(bytes);
    const linear = render(compressed, 0, width, height);
    expect(largestDifference(linear, render(decoded, 0, width, height))).toBeLessThanOrEqual(1);
    expect(largestDifference(linear, decode(bytes).data)).toBeGreaterThan(20);
  });
});

describe('decoded', () => {
  test.each([
    'blp2-dxt5-alpha8.blp',
    'blp2-bc5.blp',
    'blp2-bgra-alpha8.blp',
    'blp1-paletted-alpha8.blp',
    'blp1-paletted-alpha1-odd-sides.blp',
    'blp1-jpeg-alpha8.blp',
    'blp1-jpeg-odd-sides.blp',
  ])('%s: the texels of every level', async (name) => {
    const bytes = await fetchFixture(name);
    const texture = await new BLPLoader().loadAsync(`/fixtures/${name}`);
    expect(texture).toBeInstanceOf(DataTexture);
    expectRendered(texture, bytes, 0);
  });

  test('sides that are no whole blocks, also when the GPU takes blocks', async () => {
    const bytes = await fetchFixture('blp2-dxt5-odd-sides.blp');
    const texture = toThreeTexture(parse(bytes), everything);
    expect(texture).toBeInstanceOf(DataTexture);
    expectRendered(texture, bytes, 0);
  });

  test.each(['blp2-bgra-alpha8.blp', 'blp1-jpeg-alpha8.blp'])(
    '%s when the GPU takes blocks',
    async (name) => {
      const texture = toThreeTexture(parse(await fetchFixture(name)), everything);
      expect(texture).toBeInstanceOf(DataTexture);
    },
  );
});

describe('chains', () => {
  test('that end early are drawn as far as they go', async () => {
    const bytes = await fetchFixture('odd-slot-empty.blp');
    const blp = parse(bytes);
    expect(blp.levels.length).toBe(2);
    for (const support of [everything, { s3tc: false, rgtc: false }]) {
      const texture = toThreeTexture(blp, support);
      expect(texture.minFilter).toBe(LinearMipmapLinearFilter);
      expectRendered(texture, bytes, 1);
      // Past the last level, the GPU shows the last level.
      const [, last] = blp.levels;
      const shown = render(texture, 4, last.width, last.height);
      expect(largestDifference(shown, blp.decode({ level: 1 }).data)).toBeLessThanOrEqual(1);
    }
  });

  test('of one level have no mipmaps to filter between', async () => {
    const bytes = (await fetchFixture('blp2-dxt5-alpha8.blp')).slice();
    const view = new DataView(bytes.buffer);
    for (let slot = 1; slot < 16; slot++) view.setUint32(0x54 + slot * 4, 0, true);
    for (const support of [everything, { s3tc: false, rgtc: false }]) {
      const texture = toThreeTexture(parse(bytes), support);
      expect(texture.minFilter).toBe(LinearFilter);
      expectRendered(texture, bytes, 1);
    }
  });
});

describe('loading', () => {
  test('errors reach onError and the manager', async () => {
    const failed: string[] = [];
    const manager = new LoadingManager(undefined, undefined, (url) => failed.push(url));
    const loader = new BLPLoader(manager);
    await expect(loader.loadAsync('/fixtures/README.md')).rejects.toBeInstanceOf(BlpError);
    await expect(loader.loadAsync('/fixtures/not-there.blp')).rejects.toThrow();
    expect(failed).toContain('/fixtures/README.md');
  });

  test('setPath, progress and callbacks', async () => {
    const loader = new BLPLoader().setPath('/fixtures/');
    const texture = await new Promise<Texture>((resolve, reject) => {
      loader.load('blp2-bc5.blp', resolve, undefined, reject);
    });
    expect(texture).toBeInstanceOf(DataTexture);
  });

  test('dispose ends what is under way', async () => {
    const loader = new BLPLoader();
    const run = loader.loadAsync('/fixtures/blp2-dxt3-alpha8.blp');
    loader.dispose();
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('parse takes bytes, and keeps to the limits set', async () => {
    const bytes = await fetchFixture('blp2-bc5.blp');
    const loader = new BLPLoader();
    expect(loader.parse(bytes)).toBeInstanceOf(DataTexture);
    loader.parseOptions = { limits: { maxPixels: 4 } };
    expect(() => loader.parse(bytes)).toThrow(/maxPixels/);
  });
});
