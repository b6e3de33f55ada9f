// Size, quality and speed of the JPEG encoder on real pictures, against libjpeg on the same four planes.
//
// npx tsx bench/encode-jpeg.ts [pictures]: needs a C compiler and libjpeg's headers for the comparison. Contenders take
// turns picture by picture and are charged CPU time. All streams are decoded by the same decoder; PSNR is over B, G, R
// and A together.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBlp } from '../src/container/write.js';
import { encodeJpeg } from '../src/encode/jpeg.js';
import { decode } from '../src/index.js';
import { corpusPictures, type NamedPicture } from './pictures.js';
import { table } from './timing.js';

interface Encoded {
  stream: Uint8Array;
  seconds: number;
}

interface Contender {
  name: string;
  encode(picture: NamedPicture, quality: number): Encoded;
}

const folder = mkdtempSync(join(tmpdir(), 'encode-jpeg-'));
const repeats = 4;

const own: Contender = {
  name: 'own',
  encode(picture, quality) {
    let parts = encodeJpeg([picture], quality, false);
    const start = process.cpuUsage();
    for (let repeat = 0; repeat < repeats; repeat++) parts = encodeJpeg([picture], quality, false);
    const { user, system } = process.cpuUsage(start);
    const stream = Uint8Array.from([...parts.header, ...parts.levels[0]]);
    return { stream, seconds: (user + system) / 1e6 / repeats };
  },
};

function libjpeg(): Contender[] {
  const program = join(folder, 'libjpeg');
  const source = fileURLToPath(new URL('libjpeg.c', import.meta.url));
  const built = spawnSync('cc', ['-O2', source, '-o', program, '-ljpeg'], { encoding: 'utf8' });
  if (built.status !== 0) {
    console.log(`libjpeg is left out: ${built.error?.message ?? built.stderr.split('\n')[0]}`);
    return [];
  }
  const input = join(folder, 'input.rgba');
  const output = join(folder, 'output.jpg');
  return [0, 1].map((optimise) => ({
    name: optimise ? 'libjpeg, optimised tables' : 'libjpeg',
    encode({ width, height, data }, quality) {
      writeFileSync(input, data);
      const numbers = [width, height, quality, optimise, repeats].map(String);
      const seconds = Number(execFileSync(program, [input, ...numbers, output]));
      return { stream: readFileSync(output), seconds };
    },
  }));
}

/** Squared error of all samples. */
function squaredError(stream: Uint8Array, { width, height, data }: NamedPicture): number {
  const fields = { version: 1, encoding: 'jpeg', width, height, alphaBits: 8 } as const;
  const decoded = decode(writeBlp(fields, [stream]), { alpha: 'stored' }).data;
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += (decoded[at] - data[at]) ** 2;
  return sum;
}

try {
  const pictures = corpusPictures(Number(process.argv[2] ?? 24), /^blp[12]-/, 128);
  const texels = pictures.reduce((sum, { width, height }) => sum + width * height, 0);
  const contenders = [own, ...libjpeg()];
  const rows: (string | number)[][] = [];
  for (const quality of [50, 75, 90, 97]) {
    const sums = contenders.map(() => ({ bytes: 0, error: 0, seconds: 0 }));
    for (const picture of pictures) {
      contenders.forEach(({ encode }, index) => {
        const { stream, seconds } = encode(picture, quality);
        sums[index].bytes += stream.length;
        sums[index].error += squaredError(stream, picture);
        sums[index].seconds += seconds;
      });
    }
    sums.forEach(({ bytes, error, seconds }, index) => {
      rows.push([
        quality,
        contenders[index].name,
        ((bytes * 8) / texels).toFixed(3),
        `${((bytes / sums[0].bytes - 1) * 100).toFixed(2)} %`,
        (10 * Math.log10((255 ** 2 * texels * 4) / error)).toFixed(3),
        (texels / seconds / 1e6).toFixed(1),
      ]);
    });
  }
  console.log(`${pictures.length} pictures, ${(texels / 1e6).toFixed(1)} million texels`);
  const columns = ['quality', 'encoder', 'bits a texel', 'larger than own', 'PSNR, dB', 'MPix/s'];
  console.log(table(columns, rows));
} finally {
  rmSync(folder, { recursive: true });
}
