// Palette of 256 colours: quality and speed of the own quantiser against image-q and libimagequant.
//
// The peers are optional: npm install --no-save --prefix bench/peers image-q libimagequant-wasm (or name another folder
// in BLP_PEERS). libimagequant is GPL or commercial, so that it could not be part of the package in any case.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeBlp } from '../src/container/write.js';
import { encodePaletted } from '../src/encode/paletted.js';
import { decode, type Image } from '../src/index.js';
import { corpusPictures, type NamedPicture } from './pictures.js';
import { table } from './timing.js';

/** Picture in, picture of at most 256 colours out. */
interface Contender {
  name: string;
  quantise(picture: NamedPicture): Uint8Array | Uint8ClampedArray;
}

function own(dither: boolean): Contender {
  return {
    name: `own${dither ? ', dithered' : ''}`,
    quantise(picture) {
      const { width, height } = picture;
      const options = { alphaBits: 0, alphaThreshold: 128, dither } as const;
      const { palette, levels } = encodePaletted([picture], options);
      const fields = { version: 1, encoding: 'paletted', width, height, alphaBits: 0, palette };
      return decode(writeBlp(fields as Parameters<typeof writeBlp>[0], levels)).data;
    },
  };
}

/** The parts of image-q 4 that are used. */
interface ImageQ {
  utils: {
    PointContainer: {
      fromUint8Array(data: ArrayLike<number>, width: number, height: number): ImageQPoints;
    };
  };
  buildPaletteSync(points: ImageQPoints[], options: object): unknown;
  applyPaletteSync(points: ImageQPoints, palette: unknown, options: object): ImageQPoints;
}
interface ImageQPoints {
  toUint8Array(): Uint8Array;
}

function imageQ(library: ImageQ, paletteQuantization: string, dither: boolean): Contender {
  return {
    name: `image-q ${paletteQuantization}${dither ? ', dithered' : ''}`,
    quantise({ width, height, data }) {
      const points = library.utils.PointContainer.fromUint8Array(data, width, height);
      const colorDistanceFormula = 'euclidean';
      const palette = library.buildPaletteSync([points], {
        colors: 256,
        paletteQuantization,
        colorDistanceFormula,
      });
      return library
        .applyPaletteSync(points, palette, {
          colorDistanceFormula,
          imageQuantization: dither ? 'floyd-steinberg' : 'nearest',
        })
        .toUint8Array();
    },
  };
}

/** The parts of libimagequant-wasm 0.3 that are used. */
interface ImageQuant {
  initSync(options: { module: BufferSource }): void;
  ImageQuantizer: new () => {
    setMaxColors(count: number): void;
    setSpeed(speed: number): void;
    quantizeImage(
      data: Uint8ClampedArray,
      width: number,
      height: number,
    ): {
      setDithering(amount: number): void;
      remapImage(data: Uint8ClampedArray, width: number, height: number): Uint8ClampedArray;
      free(): void;
    };
    free(): void;
  };
}

function imageQuant(library: ImageQuant, speed: number, dither: boolean): Contender {
  return {
    name: `libimagequant speed ${speed}${dither ? ', dithered' : ''}`,
    quantise({ width, height, data }) {
      const texels = new Uint8ClampedArray(data);
      const quantizer = new library.ImageQuantizer();
      quantizer.setMaxColors(256);
      quantizer.setSpeed(speed);
      const result = quantizer.quantizeImage(texels, width, height);
      result.setDithering(dither ? 1 : 0);
      const picture = result.remapImage(texels, width, height);
      result.free();
      quantizer.free();
      return picture;
    },
  };
}

async function peers(): Promise<Contender[]> {
  const folder = process.env.BLP_PEERS ?? fileURLToPath(new URL('peers', import.meta.url));
  const contenders: Contender[] = [];
  const require = createRequire(join(folder, 'package.json'));
  const imageQFolder = join(folder, 'node_modules/image-q');
  if (existsSync(imageQFolder)) {
    const library = require('image-q') as ImageQ;
    contenders.push(imageQ(library, 'wuquant', false), imageQ(library, 'wuquant', true));
  }
  const wasmFolder = join(folder, 'node_modules/libimagequant-wasm/dist/wasm');
  if (existsSync(wasmFolder)) {
    const url = pathToFileURL(join(wasmFolder, 'libimagequant_wasm.js')).href;
    const library = (await import(url)) as ImageQuant;
    library.initSync({ module: readFileSync(join(wasmFolder, 'libimagequant_wasm_bg.wasm')) });
    contenders.push(imageQuant(library, 4, false), imageQuant(library, 1, false));
    contenders.push(imageQuant(library, 4, true));
  }
  return contenders;
}

/** Red, green and blue together. */
function squaredError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) if ((at & 3) !== 3) sum += (a[at] - b[at]) ** 2;
  return sum / ((a.length * 3) / 4);
}

/** 4 × 4 texels averaged: what the eye sees of dithering from afar. */
function averaged(data: ArrayLike<number>, { width, height }: Image): Float64Array {
  const across = width >> 2;
  const means = new Float64Array(across * (height >> 2) * 4);
  for (let y = 0; y < (height & ~3); y++) {
    for (let x = 0; x < (width & ~3); x++) {
      const to = ((y >> 2) * across + (x >> 2)) * 4;
      for (let channel = 0; channel < 4; channel++) {
        means[to + channel] += data[(y * width + x) * 4 + channel] / 16;
      }
    }
  }
  return means;
}

function decibels(error: number): number {
  return 10 * Math.log10(255 ** 2 / Math.max(error, 1e-3));
}

function colorCount({ data }: Image): number {
  return new Set(new Uint32Array(data.slice().buffer)).size;
}

const pictures = corpusPictures(Number(process.argv[2] ?? 20), /^blp[12]-/, 128)
  .filter((picture) => colorCount(picture) > 256)
  // All opaque: libimagequant and image-q weigh colours by alpha, each in its own way.
  .map((picture) => ({
    ...picture,
    data: picture.data.map((v, at) => ((at & 3) === 3 ? 255 : v)),
  }));
const texels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
const contenders = [own(false), own(true), ...(await peers())];

const fastest = contenders.map(() => Number.POSITIVE_INFINITY);
const rounds = Number(process.env.ROUNDS ?? 3);
for (let round = 0; round < rounds; round++) {
  contenders.forEach(({ quantise }, index) => {
    const start = process.cpuUsage();
    for (const picture of pictures) quantise(picture);
    const { user, system } = process.cpuUsage(start);
    fastest[index] = Math.min(fastest[index], (user + system) / 1e6);
  });
}

console.log(
  `${pictures.length} pictures, ${(texels / 1e6).toFixed(1)} million texels, 256 colours`,
);
console.log(
  table(
    ['quantiser', 'mean dB', 'worst dB', 'mean dB of 4 × 4 averages', 'MPix/s', 'time to own'],
    contenders.map(({ name, quantise }, index) => {
      const results = pictures.map((picture) => ({ picture, data: quantise(picture) }));
      const plain = results.map(({ picture, data }) => decibels(squaredError(data, picture.data)));
      const far = results.map(({ picture, data }) =>
        decibels(squaredError(averaged(data, picture), averaged(picture.data, picture))),
      );
      const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
      return [
        name,
        mean(plain).toFixed(2),
        Math.min(...plain).toFixed(2),
        mean(far).toFixed(2),
        (texels / fastest[index] / 1e6).toFixed(2),
        `${(fastest[index] / fastest[0]).toFixed(1)}×`,
      ];
    }),
  ),
);
