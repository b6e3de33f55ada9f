// Calls that are not what they seem: refused with what is wrong, before anything is written.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode as encodePng } from 'fast-png';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDds } from '../../src/image/dds-read.js';
import { decode, encode, parse } from '../../src/index.js';
import { listFiles, openWorkshop, run, tinyTexture, writeTree } from './support.js';

const workshop = openWorkshop();
let folder = '';
/** 8 × 8, half transparent. */
const data = Uint8Array.from({ length: 8 * 8 * 4 }, (_, at) => (at % 4 === 3 ? at % 200 : at));
const files = {
  'icon.blp': tinyTexture(1, 2, 3),
  'other.blp': tinyTexture(4, 5, 6),
  'soft.blp': encode({ width: 8, height: 8, data }, { encoding: 'dxt5' }),
  'wide.blp': encode(
    { width: 12, height: 4, data: data.subarray(0, 192) },
    {
      ...{ encoding: 'dxt1', allowAnySize: true },
    },
  ),
  'soft.png': encodePng({ width: 8, height: 8, data, channels: 4 }),
  'empty/readme.txt': Buffer.from('text'),
  'note.blp': Buffer.from('no texture'),
};

beforeAll(() => {
  folder = workshop.folder();
  writeTree(folder, files);
});

const names = Object.keys(files).sort();

describe('wrong usage', () => {
  it.each([
    ['convert icon.blp -o -', 'standard input and output are not supported'],
    ['convert - -o x.png', 'standard input and output are not supported'],
    ['repair icon.blp -o -', 'standard input and output are not supported'],
    ['repair icon.blp -o mended.png', 'the output mended.png is named like a file'],
    ['convert icon.blp -o icon.raw --to raw', '.raw files cannot be written (icon.raw)'],
    ['convert icon.blp icon.bmp', '.bmp files cannot be written (icon.bmp)'],
    ['convert icon.blp other.blp', 'icon.blp and other.blp are both .blp files: name the output'],
    ['convert icon.blp icon', 'where to? Give the output folder or file with -o'],
    [
      'convert soft.png -o out --to blp --encoding jpeg --blp-version 2',
      'encoding jpeg is not for BLP2',
    ],
    [
      'convert soft.png -o out --to blp --encoding dxt1 --alpha-bits 8',
      '--alpha-bits is 8; dxt1 allows 0, 1',
    ],
  ])('blp %s', async (call, message) => {
    const { code, stdout, stderr } = await run(workshop, call.split(' '), { cwd: folder });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(listFiles(folder)).toEqual(names);
  });

  it.each([
    ['convert empty -o out', 1, 'there are no .blp files in empty, but 1 other file'],
    ['validate empty', 2, 'empty: there is no BLP file, but 1 other file'],
    ['repair empty -o out', 2, 'empty: there is no BLP file, but 1 other file'],
    ['convert wide.blp -o wide.tga --max-pixels 10', 1, 'allowed are 10 (--max-pixels)'],
    ['convert missing.blp -o missing.png', 1, 'missing.blp: no such file or folder'],
  ])('blp %s ends with %i', async (call, expected, message) => {
    const { code, stderr } = await run(workshop, call.split(' '), { cwd: folder });
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});

describe('options that count', () => {
  async function converted(call: string): Promise<Buffer> {
    const target = workshop.folder();
    const [input, name, ...options] = call.split(' ');
    const output = join(target, name);
    const args = ['convert', join(folder, input), '-o', output, ...options];
    const { code, stderr } = await run(workshop, args);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    return readFileSync(output);
  }
  const alphas = (texels: ArrayLike<number>) =>
    Array.from({ length: texels.length / 4 }, (_, at) => texels[at * 4 + 3]);

  it('--alpha opaque, where blocks are copied', async () => {
    const content = readDds(await converted('soft.blp soft.dds --alpha opaque'));
    if (content.kind !== 'blocks') throw new Error('no blocks');
    // Both endpoints 255, all indices 0.
    for (const { bytes } of content.levels) {
      for (let at = 0; at < bytes.length; at += 16) {
        expect([...bytes.subarray(at, at + 8)]).toEqual([255, 255, 0, 0, 0, 0, 0, 0]);
      }
    }
    const kept = readDds(await converted('soft.blp soft.dds'));
    if (kept.kind !== 'blocks') throw new Error('no blocks');
    const [level] = parse(files['soft.blp']).levels;
    expect(Buffer.compare(kept.levels[0].bytes, level.bytes)).toBe(0);
  });

  it('--alpha opaque, of a picture', async () => {
    const texture = await converted('soft.png soft.blp --alpha opaque');
    expect(new Set(alphas(decode(texture).data))).toEqual(new Set([255]));
    const soft = await converted('soft.png soft.blp');
    expect(new Set(alphas(decode(soft).data)).size).toBeGreaterThan(4);
  });

  it('--resize, also where blocks could be copied', async () => {
    const texture = parse(await converted('wide.blp wide2.blp --resize stretch --allow-any-size'));
    expect([texture.width, texture.height]).toEqual([16, 4]);
    const copied = parse(await converted('wide.blp wide2.blp --allow-any-size'));
    expect([copied.width, copied.height]).toEqual([12, 4]);
  });

  it('repair -o: what cannot be mended goes along as it is', async () => {
    const target = workshop.folder();
    const inputs = ['note.blp', 'soft.blp'].map((name) => join(folder, name));
    const { code, stdout } = await run(workshop, ['repair', ...inputs, '-o', target]);
    expect(code).toBe(1);
    expect(stdout).toContain('2 copied as they are');
    for (const name of ['note.blp', 'soft.blp'] as const) {
      expect(readFileSync(join(target, name))).toEqual(Buffer.from(files[name]));
    }
    const changed = workshop.folder();
    await run(workshop, ['repair', ...inputs, '-o', changed, '--changed-only']);
    expect(listFiles(changed)).toEqual([]);
  });

  it('info: the header and the slots of a file whose level 0 cannot be used', async () => {
    const cwd = workshop.folder();
    const broken = Buffer.from(tinyTexture(1, 2, 3));
    broken.writeUInt32LE(100, 0x14);
    writeTree(cwd, { 'broken.blp': broken });
    const { code, stdout } = await run(workshop, ['info', 'broken.blp'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('  encoding     bgra\n  sides        1 × 1\n');
    expect(stdout).toContain('        0     100     4  1 × 1  see the error\n');
    expect(stdout).toMatch(/ {2}error {8}damaged: level 0 cannot be used: its slot points into/);
  });
});
