// Real pictures for the encoder benchmarks: level 0 of textures of the corpus.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, type Image } from '../src/index.js';
import { realTexturesFolder } from '../test/reference/files.js';

/** A texture's level 0. */
export interface NamedPicture extends Image {
  name: string;
}

/**
 * Decodes textures of the corpus, spread evenly over what fits.
 *
 * @param count pictures wanted
 * @param folders which folders of the corpus, as a pattern on their names
 * @param leastSide smaller textures are left out
 */
export function corpusPictures(count: number, folders: RegExp, leastSide: number): NamedPicture[] {
  const corpus = join(realTexturesFolder, 'corpus');
  const found = readdirSync(corpus, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && folders.test(entry.name))
    .flatMap(({ name }) => readdirSync(join(corpus, name)).map((file) => join(name, file)))
    .sort()
    .map((name) => ({ name, ...decode(readFileSync(join(corpus, name))) }))
    .filter(({ width, height }) => Math.min(width, height) >= leastSide);
  const step = Math.max(1, found.length / count);
  return found.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
