// Real textures: what decodes is clean after repair, keeps the texels of its good levels, and is repaired once only.

import { existsSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BlpTexture, parse } from '../../src/texture.js';
import { repair } from '../../src/validate/repair.js';
import { validate } from '../../src/validate/validate.js';
import { findRealTextures, readBytes } from '../reference/files.js';

describe.each(['corpus', 'textures'] as const)('%s', (name) => {
  const { folder, missing } = findRealTextures(name);
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => extname(file).toLowerCase() === '.blp')
        .sort()
    : [];

  it.skipIf(missing)(
    'is clean after repair',
    () => {
      expect(files.length).toBeGreaterThan(40);
      let repaired = 0;
      for (const file of files) {
        const bytes = readBytes(folder, file);
        const before = parseOrNothing(bytes);
        if (before) repaired += Number(checkRepair(file, bytes, before));
      }
      expect(repaired).toBeGreaterThan(20);
    },
    240_000,
  );
});

function parseOrNothing(bytes: Uint8Array): BlpTexture | undefined {
  try {
    const texture = parse(bytes);
    texture.decode();
    return texture;
  } catch {
    return undefined;
  }
}

/** @returns whether there was something to repair */
function checkRepair(file: string, bytes: Uint8Array, before: BlpTexture): boolean {
  const result = repair(bytes);
  const left = result.remaining.filter(({ severity }) => severity !== 'note');
  expect(left, file).toEqual([]);
  expect(result.remaining, file).toEqual(
    validate(result.bytes).map((finding) => ({ ...finding, repairable: false })),
  );
  if (result.actions.length === 0) {
    expect(result.bytes, file).toBe(bytes);
    return false;
  }
  expect(repair(result.bytes).bytes, file).toBe(result.bytes);
  const after = parse(result.bytes);
  expect(after.levels.length, file).toBeGreaterThanOrEqual(before.levels.length);
  for (const { level } of before.levels) {
    const [expected, actual] = [before, after].map((texture) => texture.decode({ level }).data);
    const difference = Buffer.compare(Buffer.from(expected.buffer), Buffer.from(actual.buffer));
    expect(difference, `${file}, level ${level}`).toBe(0);
  }
  return true;
}
