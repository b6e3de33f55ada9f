// TypeScript: the declarations of every entry, checked without skipping them.
import { type BlpTexture, type BlpWarning, decode, decodeAsync, type Image, parse } from 'blp-wasm';
import { drawToCanvas, toImageBitmap, toImageData } from 'blp-wasm/browser';
import { type DecodeResult, decodeMany } from 'blp-wasm/pool';
import { BLPLoader } from 'blp-wasm/three';
import { type CompressedTexture, type DataTexture, SRGBColorSpace, WebGLRenderer } from 'three';

const bytes = new Uint8Array(1);
const image: Image = decode(bytes, { level: 1, region: { x: 0, y: 0, width: 4, height: 4 } });
const texture: BlpTexture = parse(bytes, {
  onWarning: (warning: BlpWarning) => console.log(warning.code, warning.level),
});
export const pixels: ImageData = toImageData(image, { channels: 'alpha' });
export const inPage: ImageData = new ImageData(image.data, image.width, image.height);
export const bitmap: Promise<ImageBitmap> = toImageBitmap(image);
drawToCanvas(document.createElement('canvas'), image);
export const later: Promise<Image> = decodeAsync(texture, {
  signal: AbortSignal.timeout(1000),
  onProgress: (rows: number, total: number) => console.log(rows / total),
});
const loader = new BLPLoader().detectSupport(new WebGLRenderer()).setPath('textures/');
export async function load(): Promise<CompressedTexture | DataTexture> {
  const map = await loader.loadAsync('grass.blp');
  map.colorSpace = SRGBColorSpace;
  return map;
}
export async function many(paths: string[]): Promise<DecodeResult<string>[]> {
  const results: DecodeResult<string>[] = [];
  for await (const result of decodeMany(paths)) results.push(result);
  return results;
}
