// Real textures written as PNG, DDS and KTX2, and read back by others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode as fastPngDecode } from 'fast-png';
import { read as readKtx2 } from 'ktx-parse';
import { describe, expect, it } from 'vitest';
import { blockFormat } from '../../src/container/blocks.js';
import { readDds } from '../../src/image/dds-read.js';
import { writeDds } from '../../src/image/dds-write.js';
import type { TextureSource } from '../../src/image/image.js';
import { writeKtx2 } from '../../src/image/ktx2.js';
import { writePng } from '../../src/image/png-write.js';
import { parse } from '../../src/index.js';
import { sha256 } from '../reference/compare.js';
import { findRealTextures } from '../reference/files.js';
import { difference, hasMagick, magickPixels } from './support.js';

interface Entry {
  file: string;
  /** Width, height and SHA-256 of the RGBA rows of every level. */
  levels: [number, number, string][];
}

const { folder, missing, note } = findRealTextures('corpus');
const entries: Entry[] = missing
  ? []
  : readFileSync(join(folder, 'manifest.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

// One in so many: 1 for the whole corpus.
const step = Number(process.env.CORPUS_STEP ?? 9);
const chosen = entries.filter((_, index) => index % step === 0);

function sourceOf(entry: Entry): TextureSource {
  const texture = parse(readFileSync(join(folder, entry.file)));
  const { width, height, encoding, alphaBits, levels } = texture;
  const decodeLevel = (level: number) => texture.decode({ level });
  return { width, height, encoding, alphaBits, levels, decodeLevel };
}

describe.skipIf(missing)(`real textures${note}`, () => {
  it('come back from PNG as the reference decoder has them', async () => {
    for (const entry of chosen) {
      const file = await writePng(sourceOf(entry).decodeLevel(0));
      const hash = sha256(fastPngDecode(file).data as Uint8Array);
      expect([entry.file, hash]).toEqual([entry.file, entry.levels[0]![2]]);
    }
  });

  it('come back from DDS and KTX2 with all levels', () => {
    for (const entry of chosen) {
      const source = sourceOf(entry);
      const content = readDds(writeDds(source));
      const { levels } = readKtx2(writeKtx2(source));
      expect([entry.file, levels.length]).toEqual([entry.file, entry.levels.length]);
      if (blockFormat(source.encoding) === undefined) {
        if (content.kind !== 'pixels') throw new Error(`${entry.file}: blocks`);
        expect(sha256(content.image.data as Uint8Array)).toBe(entry.levels[0]![2]);
        expect(levels.map(({ levelData }) => sha256(levelData))).toEqual(
          entry.levels.map(([, , hash]) => hash),
        );
        continue;
      }
      if (content.kind !== 'blocks') throw new Error(`${entry.file}: no blocks`);
      expect(content.levels.length).toBe(entry.levels.length);
      for (const [index, { bytes }] of source.levels.entries()) {
        expect(difference(content.levels[index]!.bytes, bytes)).toBeUndefined();
        expect(difference(levels[index]!.levelData, bytes)).toBeUndefined();
      }
    }
  });

  it.skipIf(!hasMagick)('look in ImageMagick as DDS as the reference decoder has them', () => {
    const blocks = chosen.filter(({ file }) => file.startsWith('blp2-dxt'));
    // Its own program for every file: a few of each kind will do unless the whole corpus is asked for.
    for (const entry of step === 1 ? blocks : blocks.slice(0, 8)) {
      const hash = sha256(magickPixels(writeDds(sourceOf(entry)), 'dds'));
      expect([entry.file, hash]).toEqual([entry.file, entry.levels[0]![2]]);
    }
  });
});
