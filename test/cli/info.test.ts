// `blp info`: header fields, the table of levels, folders, errors.
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixturesFolder } from '../reference/files.js';
import { openWorkshop, run, tinyTexture, writeTree } from './support.js';

const workshop = openWorkshop();

/** 4 × 2 BGRA with a slot for each level, the last of which is empty. */
function smallTexture(): Buffer {
  const levels = [32, 8, 0];
  const bytes = Buffer.alloc(1172 + 40);
  bytes.write('BLP2', 'latin1');
  bytes.writeUInt32LE(1, 0x04);
  bytes.set([3, 8, 8, 1], 0x08);
  bytes.writeUInt32LE(4, 0x0c);
  bytes.writeUInt32LE(2, 0x10);
  let offset = 1172;
  levels.forEach((size, level) => {
    bytes.writeUInt32LE(size === 0 ? 0 : offset, 0x14 + 4 * level);
    bytes.writeUInt32LE(size, 0x54 + 4 * level);
    offset += size;
  });
  return bytes;
}

describe('blp info', () => {
  it('prints every field of the header and where the levels lie', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'small.blp': smallTexture() });
    const { code, stdout, stderr } = await run(workshop, ['info', 'small.blp'], { cwd: folder });
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      'small.blp',
      '  bytes        1212',
      '  version      BLP2',
      '  encoding     bgra',
      '  sides        4 × 2',
      '  alphaBits    8',
      '  type         1',
      '  encodingByte 3',
      '  alphaType    8',
      '  hasMips      1',
      '  headerSize   148',
      '  levels       2 of 3',
      '    level  offset  size  sides  state',
      '        0    1172    32  4 × 2  ok',
      '        1    1204     8  2 × 1  ok',
      '  warning      level-empty: the chain ends before level 2: its slot is empty (offset 0, size 0)',
      '',
    ]);
  });

  it('says of the slots behind the chain why they are not used', async () => {
    const folder = workshop.folder();
    const texture = smallTexture();
    texture.writeUInt32LE(5000, 0x14 + 4);
    texture.writeUInt32LE(1172, 0x14 + 8);
    texture.writeUInt32LE(4, 0x54 + 8);
    texture.writeUInt32LE(1172, 0x14 + 12);
    texture.writeUInt32LE(4, 0x54 + 12);
    writeTree(folder, { 'odd.blp': texture });
    const { stdout } = await run(workshop, ['info', '--json', 'odd.blp'], { cwd: folder });
    const [{ levels, warnings }] = JSON.parse(stdout);
    expect(levels.map(({ state }: { state: string }) => state)).toEqual([
      'ok',
      'level-past-end',
      'after the end of the chain',
      'past the chain',
    ]);
    expect(levels[1]).toEqual({
      ...{ level: 1, offset: 5000, size: 8, width: 2, height: 1 },
      state: 'level-past-end',
    });
    expect(warnings.map((warning: { code: string }) => warning.code)).toEqual([
      'level-past-end',
      'level-past-chain',
    ]);
  });

  it('walks folders, keeps to patterns, and goes on where a file is none', async () => {
    const folder = workshop.folder();
    writeTree(folder, {
      'in/a.blp': smallTexture(),
      'in/deep/b.blp': tinyTexture(1, 2, 3),
      'in/deep/skipped.blp': tinyTexture(1, 2, 3),
      'in/broken.blp': Buffer.from('PNG? no'),
      'in/readme.txt': Buffer.from('text'),
    });
    symlinkSync(join(folder, 'in'), join(folder, 'in/deep/loop'));
    const args = ['info', '--json', 'in', 'missing.blp', '--exclude', 'skipped.blp'];
    const { code, stdout, stderr } = await run(workshop, args, { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain('leads back to a folder above it');
    const infos: { file: string; error?: { code: string }; header?: { encoding: string } }[] =
      JSON.parse(stdout);
    expect(infos.map(({ file, error, header }) => [file, error?.code ?? header?.encoding])).toEqual(
      [
        ['missing.blp', 'ENOENT'],
        ['in/a.blp', 'bgra'],
        ['in/broken.blp', 'not-blp'],
        ['in/deep/b.blp', 'bgra'],
      ],
    );
    const text = await run(workshop, ['info', 'in'], { cwd: folder });
    expect(text.code).toBe(1);
    expect(text.stdout).toContain('in/broken.blp\n  error        not-blp: not a BLP texture but');
  });

  it('says that a folder holds no texture', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/readme.txt': Buffer.from('text') });
    const { code, stdout } = await run(workshop, ['info', 'in'], { cwd: folder });
    expect(code).toBe(1);
    expect(stdout).toBe('in\n  error        empty: there is no BLP file, but 1 other file\n');
  });

  it('finds the level files of BLP0, and shows JPEG headers', async () => {
    const { stdout } = await run(workshop, [
      'info',
      '--json',
      join(fixturesFolder, 'blp0-jpeg-alpha8.blp'),
    ]);
    const [{ header, levels }] = JSON.parse(stdout);
    const file = readFileSync(join(fixturesFolder, 'blp0-jpeg-alpha8.blp'));
    expect(header).toMatchObject({ version: 0, encoding: 'jpeg', headerSize: 28 });
    expect(header.jpegHeaderSize).toBe(file.readUInt32LE(28));
    expect(levels[0]).toMatchObject({
      offset: 0,
      size: readFileSync(join(fixturesFolder, 'blp0-jpeg-alpha8.b00')).length,
      state: 'ok',
    });
  });

  it('reads what is cut short with --salvage', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'cut.blp': smallTexture().subarray(0, 1200) });
    const strict = await run(workshop, ['info', 'cut.blp'], { cwd: folder });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain('error        truncated: level 0 cannot be used');
    const { code, stdout } = await run(workshop, ['info', '--salvage', 'cut.blp'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain('0    1172    32  4 × 2  cut short');
  });
});
