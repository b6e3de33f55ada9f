// Every fixture and every real texture in the browser: the hashes that hold in Node hold here, with both kernels.
import { describe, expect, test } from 'vitest';
import { type BlpTexture, decode, kernelsInUse, parse } from '../../src/index.js';
import {
  fetchBytes,
  fetchFixture,
  fetchText,
  implementations,
  realTextures,
  sha256,
} from './support.js';

/** Width, height, SHA-256 of the RGBA rows. */
type ExpectedLevel = [number, number, string];

const [wasm, javascript] = implementations;

/** Compares every level by its hash, through both kernels. */
async function expectLevels(texture: BlpTexture, expected: ExpectedLevel[]): Promise<void> {
  expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
    expected.map(([width, height]) => [width, height]),
  );
  for (const [level, [width, height, hash]] of expected.entries()) {
    const exact = texture.decode({ level, kernels: wasm });
    expect(await sha256(exact.data), `level ${level}, wasm`).toBe(hash);
    // JPEG in plain JavaScript is slow: small levels are enough.
    if (texture.encoding === 'jpeg' && width * height > 4096) continue;
    const twin = texture.decode({ level, kernels: javascript });
    expect(await sha256(twin.data), `level ${level}, javascript`).toBe(hash);
  }
}

test('WebAssembly is in use, and says so', () => {
  expect(kernelsInUse()).toEqual({ name: 'wasm', reason: 'the SIMD module compiled' });
});

test('files that are not BLP are refused', async () => {
  expect(() => decode(new TextEncoder().encode('<!doctype html>'))).toThrow(/not|unknown/i);
});

const fixtures: { name: string; levelFiles?: string[]; levels: ExpectedLevel[] }[] = JSON.parse(
  await fetchText('/fixtures/expected.json'),
);

describe('fixtures', () => {
  test.each(fixtures)('$name', async ({ name, levelFiles, levels }) => {
    const files = levelFiles && (await Promise.all(levelFiles.map(fetchFixture)));
    const options = files === undefined ? {} : { levelFiles: files };
    await expectLevels(parse(await fetchFixture(name), options), levels);
  });
});

interface TextureEntry {
  name: string;
  error?: string;
  levels: { width: number; height: number; sha256: string }[];
}

const textures: TextureEntry[] = realTextures
  ? JSON.parse(await fetchText(`${realTextures}/textures/manifest.json`)).files
  : [];
const corpus: { file: string; levels: ExpectedLevel[] }[] = realTextures
  ? (await fetchText(`${realTextures}/corpus/manifest.jsonl`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];

describe.skipIf(!realTextures)('real textures', () => {
  test('are all there', () => {
    expect([textures.length, corpus.length]).toEqual([43, 614]);
  });

  test.each(textures)('$name', async ({ name, error, levels }) => {
    const bytes = await fetchBytes(`${realTextures}/textures/${name}`);
    if (error !== undefined) {
      expect(() => decode(bytes)).toThrow();
      return;
    }
    const expected = levels.map(
      ({ width, height, sha256 }): ExpectedLevel => [width, height, sha256],
    );
    await expectLevels(parse(bytes), expected);
  });

  test.each(corpus)('$file', async ({ file, levels }) => {
    await expectLevels(parse(await fetchBytes(`${realTextures}/corpus/${file}`)), levels);
  });
});
