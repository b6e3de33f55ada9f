// The good files that mutations begin with: the fixtures, and the real textures where they are at hand.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeTexture } from '../../src/image/formats.js';
import { type BlpTexture, parse } from '../../src/index.js';
import { fixturesFolder, readBytes, realTexturesFolder } from '../reference/files.js';

/** Larger seeds cost time and find nothing more. */
const largest = 40_000;

/** Contents of every seed, in a stable order: textures, then pictures of other formats made from one of them. */
export async function loadSeeds(): Promise<Uint8Array[]> {
  return [...loadTextures(), ...(await makePictures())];
}

async function makePictures(): Promise<Uint8Array[]> {
  const bytes = readBytes(fixturesFolder, 'blp2-dxt5-odd-sides.blp');
  const texture = parse(bytes);
  const source = {
    ...toSource(texture),
    decodeLevel: (level: number) => texture.decode({ level }),
  };
  const formats = ['png', 'tga', 'dds'] as const;
  const files = await Promise.all(formats.map((format) => writeTexture(source, format)));
  // Several times, or they would drown in the textures.
  return [...files, ...files, ...files, ...files].flat().map((file) => Uint8Array.from(file.bytes));
}

function toSource({ width, height, encoding, alphaBits, levels }: BlpTexture) {
  return { width, height, encoding, alphaBits, levels };
}

function loadTextures(): Uint8Array[] {
  const real = ['textures', 'corpus', 'adversarial'].map((name) => join(realTexturesFolder, name));
  return [fixturesFolder, ...real]
    .filter(existsSync)
    .flatMap(listFiles)
    .filter((path) => path.toLowerCase().endsWith('.blp') && statSync(path).size <= largest)
    .map((path) => readBytes(path));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
