// Every committed fixture: levels, texels and warnings as expected.json and the reference pictures have them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExpectedFixture } from '../fixtures/generate/fixture.js';
import { parse } from '../src/index.js';
import { expectHash, expectSamePicture, readPng } from './reference/compare.js';
import { fixturesFolder, readBytes } from './reference/files.js';
import { implementations } from './reference/kernels.js';

const fixtures = JSON.parse(
  readFileSync(join(fixturesFolder, 'expected.json'), 'utf8'),
) as ExpectedFixture[];

it('lists every texture of the folder', () => {
  const listed = fixtures.flatMap(({ name, levelFiles }) => [name, ...(levelFiles ?? [])]);
  const present = readdirSync(fixturesFolder).filter((name) => /\.(blp|b\d\d)$/.test(name));
  expect(listed.sort()).toEqual(present.sort());
  const pictures = readdirSync(join(fixturesFolder, 'reference'));
  expect([...new Set(fixtures.map(({ picture }) => picture))].sort()).toEqual(
    pictures.map((name) => `reference/${name}`).sort(),
  );
});

describe.each(fixtures)('$name', ({ name, encoding, levelFiles, picture, levels, warnings }) => {
  const bytes = readBytes(fixturesFolder, name);
  const files = levelFiles?.map((file) => readBytes(fixturesFolder, file));
  const options = files === undefined ? {} : { levelFiles: files };

  it('has the expected header and chain', () => {
    const texture = parse(bytes, options);
    expect(texture.encoding).toBe(encoding);
    expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
      levels.map(([width, height]) => [width, height]),
    );
  });

  it.each(implementations)('decodes by the $name kernels', (kernels) => {
    const texture = parse(bytes, options);
    levels.forEach(([width, height, hash], level) => {
      const decoded = texture.decode({ level, kernels });
      const label = `${name}-level${level}-${kernels.name}`;
      expect([decoded.width, decoded.height], label).toEqual([width, height]);
      if (level === 0) {
        const expected = readPng(readBytes(fixturesFolder, picture));
        expectSamePicture(label, decoded, expected);
      }
      expectHash(label, decoded, hash);
    });
    const found = texture.warnings.map(({ code, level }) =>
      level === undefined ? { code } : { code, level },
    );
    expect(found).toEqual(warnings);
  });
});
