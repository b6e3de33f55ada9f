// What PNG and lossless WebP cost by library and level on real textures: the table that the defaults were chosen from.

import { encode as fastPngWrite } from 'fast-png';
import sharp from 'sharp';
import { readPng } from '../src/image/png-read.js';
import { writePng } from '../src/image/png-write.js';
import { writeWebp } from '../src/image/sharp.js';
import type { Image } from '../src/index.js';
import { corpusPictures } from './pictures.js';
import { median, table } from './timing.js';

interface Contender {
  name: string;
  /** Returns how many bytes it made. */
  run(image: Image, index: number): Promise<number> | number;
}

const rounds = 3;
// As the batch command uses it: one thread a job, nothing kept.
sharp.concurrency(1);
sharp.cache(false);

const pictures = corpusPictures(300, /./, 1);
const area = ({ width, height }: Image) => width * height;
/** So many of a class that it takes a third of the time. */
const spread = (images: Image[], count: number) =>
  images.filter((_, index) => index % Math.ceil(images.length / count) === 0);
const classes = [
  {
    name: 'up to 64 × 64',
    pictures: spread(
      pictures.filter((image) => area(image) <= 4096),
      30,
    ),
  },
  {
    name: 'up to 256 × 256',
    pictures: spread(
      pictures.filter((image) => area(image) > 4096 && area(image) <= 65536),
      12,
    ),
  },
  {
    name: 'larger',
    pictures: spread(
      pictures.filter((image) => area(image) > 65536),
      4,
    ),
  },
];

const sharpPng = (compressionLevel: number, adaptiveFiltering: boolean): Contender => ({
  name: `sharp, level ${compressionLevel}${adaptiveFiltering ? ', adaptive' : ''}`,
  run: async ({ data, width, height }) =>
    (
      await sharp(data, { raw: { width, height, channels: 4 } })
        .png({ compressionLevel, adaptiveFiltering })
        .toBuffer()
    ).length,
});

const writers: Contender[] = [
  ...[1, 2, 3, 4, 5, 6, 9].map((level) => sharpPng(level, true)),
  ...[1, 4].map((level) => sharpPng(level, false)),
  ...([1, 4] as const).map(
    (level): Contender => ({
      name: `fast-png, level ${level}`,
      run: (image) => fastPngWrite(image, { zlib: { level } }).length,
    }),
  ),
  ...[0, 1].map(
    (effort): Contender => ({
      name: `WebP, effort ${effort}`,
      run: async (image) => (await writeWebp(image, { effort })).length,
    }),
  ),
];

/** Lets the contenders take turns; milliseconds of processor time per megapixel, least and median, and bytes per pixel. */
async function race(contenders: readonly Contender[], images: readonly Image[]) {
  const megapixels = images.reduce((sum, image) => sum + area(image), 0) / 1e6;
  const results = contenders.map(({ name }) => ({ name, times: [] as number[], bytes: 0 }));
  for (let round = 0; round <= rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      // The first round warms up on few pictures.
      const chosen = round === 0 ? images.slice(0, 3) : images;
      const before = process.cpuUsage();
      let bytes = 0;
      for (const [at, image] of chosen.entries()) bytes += await contender.run(image, at);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      results[index]!.times.push((user + system) / 1000 / megapixels);
      results[index]!.bytes = bytes;
    }
  }
  return results.map(({ name, times, bytes }) => {
    return {
      name,
      time: `${Math.min(...times).toFixed(1)} / ${median(times).toFixed(1)}`,
      size: (bytes / megapixels / 1e6).toFixed(3),
    };
  });
}

async function print(title: string, contenders: readonly Contender[], images: readonly Image[]) {
  const megapixels = images.reduce((sum, image) => sum + area(image), 0) / 1e6;
  console.log(`\n${title}: ${images.length} pictures, ${megapixels.toFixed(2)} megapixels\n`);
  const results = await race(contenders, images);
  console.log(
    table(
      ['', 'ms/MPix, min / median', 'bytes/pixel'],
      results.map(({ name, time, size }) => [name, time, size]),
    ),
  );
}

for (const { name, pictures: images } of classes) await print(`Writing, ${name}`, writers, images);

for (const { name, pictures: images } of classes) {
  const files = await Promise.all(images.map((image) => writePng(image)));
  const readers: Contender[] = [
    { name: 'sharp', run: async (_, index) => (await readPng(files[index]!)).data.length },
    {
      name: 'fast-png',
      run: async (_, index) =>
        (await readPng(files[index]!, undefined, { library: 'fast-png' })).data.length,
    },
  ];
  await print(`Reading, ${name}`, readers, images);
}
