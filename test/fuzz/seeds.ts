// The good files that mutations begin with: the fixtures, and the real textures where they are at hand.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Larger seeds cost time and find nothing more. */
const largest = 40_000;

/** Contents of every seed, in a stable order. */
export function loadSeeds(): Uint8Array[] {
  const root = new URL('../../', import.meta.url).pathname;
  const shared = process.env.BLP_TEXTURES ?? join(root, '../shared');
  return [
    join(root, 'fixtures'),
    join(shared, 'textures'),
    join(shared, 'corpus'),
    join(shared, 'adversarial'),
  ]
    .filter(existsSync)
    .flatMap(listFiles)
    .filter((path) => path.toLowerCase().endsWith('.blp') && statSync(path).size <= largest)
    .map((path) => new Uint8Array(readFileSync(path)));
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFiles(path) : [path];
    });
}
