// `blp convert` on the fixtures: pixels, names, formats, options, the other direction.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode as encodePng } from 'fast-png';
import { read as readKtx } from 'ktx-parse';
import { describe, expect, it } from 'vitest';
import { decode, parse } from '../../src/index.js';
import { fixturesFolder } from '../reference/files.js';
import {
  listFiles,
  openWorkshop,
  readPngHash,
  run,
  snapshot,
  tinyTexture,
  writeTree,
} from './support.js';

const workshop = openWorkshop();

interface Fixture {
  name: string;
  levels: [number, number, string][];
  tolerance?: number;
}

const fixtures = (
  JSON.parse(readFileSync(join(fixturesFolder, 'expected.json'), 'utf8')) as Fixture[]
).filter(({ tolerance = 0 }) => tolerance === 0);

const fixture = (name: string) => join(fixturesFolder, name);

describe('the output', () => {
  it.each([
    [['icon.blp', '-o', 'icon.jpg'], '.jpg files cannot be written (icon.jpg); it can be .png'],
    [['in', '-o', 'all.png'], 'the output all.png is named like one file, but in is a folder'],
    [['icon.blp', 'icon.blp', '-o', 'all.dds'], 'but there are 2 inputs'],
  ])('is not made a folder where a file was meant: %j', async (args, message) => {
    const folder = workshop.folder();
    writeTree(folder, {
      'icon.blp': tinyTexture(1, 2, 3),
      'in/icon.blp': tinyTexture(1, 2, 3),
    });
    const result = await run(workshop, ['convert', ...args], { cwd: folder });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
    expect(listFiles(folder)).toEqual(['icon.blp', 'in/icon.blp']);
  });

  it('is a folder of such a name where that is said or there already', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/icon.blp': tinyTexture(1, 2, 3) });
    for (const output of ['all.png/', 'all.png']) {
      const args = ['convert', 'in', '-o', output, '--overwrite'];
      expect((await run(workshop, args, { cwd: folder })).code).toBe(0);
    }
    expect(listFiles(folder)).toEqual(['all.png/icon.png', 'in/icon.blp']);
  });

  it('of BLP0 takes no level files of a texture that was there before', async () => {
    const folder = workshop.folder();
    const side = 16;
    const data = new Uint8Array(side * side * 4).fill(255);
    const png = encodePng({ width: side, height: side, data });
    const stray = { 'a.b04': Buffer.from('old'), 'a.B07': Buffer.from('old') };
    writeTree(folder, { 'a.png': png, ...stray });
    const args = ['convert', 'a.png', 'a.blp', '--blp-version', '0', '--mipmaps', '3'];
    const refused = await run(workshop, args, { cwd: folder });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('a.b04 exists already');
    expect(listFiles(folder)).toEqual(['a.B07', 'a.b04', 'a.png']);
    expect((await run(workshop, [...args, '--overwrite'], { cwd: folder })).code).toBe(0);
    expect(listFiles(folder)).toEqual(['a.b00', 'a.b01', 'a.b02', 'a.blp', 'a.png']);
  });
});

describe('to PNG', () => {
  it('converts every fixture to its expected pixels', async () => {
    const out = workshop.folder();
    const result = await run(workshop, ['convert', fixturesFolder, '-o', out, '--jobs', '2']);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
    expect(fixtures.length).toBeGreaterThan(30);
    for (const { name, levels } of fixtures) {
      const [width, height, sha256] = levels[0]!;
      const png = readPngHash(join(out, name.replace('.blp', '.png')));
      expect({ name, ...png }).toEqual({ name, width, height, sha256 });
    }
    expect(listFiles(out).every((path) => path.endsWith('.png'))).toBe(true);
  });

  it('converts one file to a named file', async () => {
    const out = join(workshop.folder(), 'made', 'Icon.PNG');
    const result = await run(workshop, ['convert', fixture('blp2-dxt5-alpha8.blp'), '-o', out]);
    expect(result.code).toBe(0);
    const level0 = fixtures.find(({ name }) => name === 'blp2-dxt5-alpha8.blp')!.levels[0]!;
    expect(readPngHash(out).sha256).toBe(level0[2]);
  });

  it('keeps subfolders, spaces and letters of any script', async () => {
    const folder = workshop.folder();
    const names = [
      'Textures/Иконки/меч 01',
      'Textures/テクスチャ/氷 [1]',
      'with  two spaces/é’“x”',
    ];
    for (const [index, name] of names.entries()) {
      mkdirSync(join(folder, 'in', name, '..'), { recursive: true });
      writeFileSync(join(folder, 'in', `${name}.BLP`), tinyTexture(index, 2, 3));
    }
    const result = await run(workshop, ['convert', 'in', '-o', 'out'], { cwd: folder });
    expect(result.code).toBe(0);
    expect(listFiles(join(folder, 'out'))).toEqual(names.map((name) => `${name}.png`).sort());
  });

  it('writes each level with --all-levels and one with --level', async () => {
    const out = workshop.folder();
    const input = fixture('blp2-dxt1-alpha1.blp');
    const { levels } = fixtures.find(({ name }) => name === 'blp2-dxt1-alpha1.blp')!;
    expect((await run(workshop, ['convert', input, '-o', out, '--all-levels'])).code).toBe(0);
    for (const [level, [width, height, sha256]] of levels.entries()) {
      const png = readPngHash(join(out, `blp2-dxt1-alpha1.level${level}.png`));
      expect(png).toEqual({ width, height, sha256 });
    }
    expect(listFiles(out)).toHaveLength(levels.length);
    const second = join(out, 'second.png');
    expect((await run(workshop, ['convert', input, '-o', second, '--level', '2'])).code).toBe(0);
    expect(readPngHash(second).sha256).toBe(levels[2]![2]);
    const past = await run(workshop, ['convert', input, '-o', join(out, 'x.png'), '--level', '15']);
    expect(past.code).toBe(1);
    expect(past.stderr).toContain('level 15');
  });

  it('finds the level files of BLP0 whatever the case of their names', async () => {
    const folder = workshop.folder();
    const name = 'blp0-paletted-alpha8';
    copyFileSync(fixture(`${name}.blp`), join(folder, 'Icon.blp'));
    for (const level of [0, 1, 2, 3, 4, 5, 6]) {
      const extension = level % 2 === 0 ? 'B' : 'b';
      copyFileSync(fixture(`${name}.b0${level}`), join(folder, `ICON.${extension}0${level}`));
    }
    const out = join(folder, 'out');
    const result = await run(workshop, ['convert', folder, '-o', out, '--all-levels']);
    expect(result.code).toBe(0);
    const { levels } = fixtures.find((entry) => entry.name === `${name}.blp`)!;
    for (const [level, [, , sha256]] of levels.entries()) {
      expect(readPngHash(join(out, `Icon.level${level}.png`)).sha256).toBe(sha256);
    }
  });

  it('passes --alpha and --salvage on', async () => {
    const folder = workshop.folder();
    const whole = readFileSync(fixture('blp2-bgra-alpha8.blp'));
    writeFileSync(join(folder, 'cut.blp'), whole.subarray(0, 1172 + 200));
    const input = join(folder, 'cut.blp');
    const refused = await run(workshop, ['convert', input, '-o', join(folder, 'a.png')]);
    expect(refused.code).toBe(1);
    const salvaged = join(folder, 'b.png');
    const result = await run(workshop, ['convert', input, '-o', salvaged, '--salvage']);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('truncated 1');
    const opaque = join(folder, 'c.png');
    const args = ['convert', input, '-o', opaque, '--salvage', '--alpha', 'opaque'];
    expect((await run(workshop, args)).code).toBe(0);
    const decoded = decode(whole.subarray(0, 1172 + 200), { salvage: true });
    expect(readPngHash(salvaged).width).toBe(decoded.width);
    expect(readPngHash(opaque).sha256).not.toBe(readPngHash(salvaged).sha256);
  });
});

describe('to other formats', () => {
  it.each([
    ['tga', ['.tga']],
    ['webp', ['.webp']],
    ['dds', ['.dds']],
    ['ktx2', ['.ktx2']],
    ['raw', ['.rgba', '.rgba.json']],
  ])('writes %s', async (format, extensions) => {
    const out = workshop.folder();
    const input = fixture('blp2-dxt5-alpha8.blp');
    const result = await run(workshop, ['convert', input, '-o', out, '--to', format]);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
    expect(listFiles(out)).toEqual(extensions.map((extension) => `blp2-dxt5-alpha8${extension}`));
  });

  it('leaves DXT blocks and the chain of levels untouched in KTX2', async () => {
    const out = join(workshop.folder(), 'x.ktx2');
    const input = fixture('blp2-dxt3-alpha8.blp');
    expect((await run(workshop, ['convert', input, '-o', out])).code).toBe(0);
    const { levels } = parse(readFileSync(input));
    const read = readKtx(new Uint8Array(readFileSync(out)));
    expect(read.levels.map(({ levelData }) => Buffer.from(levelData).toString('hex'))).toEqual(
      levels.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    );
  });

  it('writes raw texels that the description fits', async () => {
    const out = workshop.folder();
    const input = fixture('blp2-bgra-alpha8.blp');
    await run(workshop, ['convert', input, '-o', out, '--to', 'raw']);
    const { width, height, data } = decode(readFileSync(input));
    expect([...readFileSync(join(out, 'blp2-bgra-alpha8.rgba'))]).toEqual([...data]);
    const description = readFileSync(join(out, 'blp2-bgra-alpha8.rgba.json'), 'utf8');
    expect(JSON.parse(description)).toMatchObject({ width, height, stride: width * 4 });
  });
});

describe('to BLP', () => {
  const width = 16;
  const height = 8;
  /** 64 colours and two values of alpha. */
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) =>
    at % 4 === 3 ? (at < 256 ? 255 : 0) : ((at >> 5) * 40 + (at % 4) * 60) & 255,
  );
  const picture = Buffer.from(encodePng({ width, height, data, channels: 4 }));

  function withPicture(): string {
    const folder = workshop.folder();
    writeFileSync(join(folder, 'picture.png'), picture);
    return folder;
  }

  it.each([
    ['2', 'bgra', '8'],
    ['2', 'paletted', '8'],
    ['1', 'paletted', '1'],
  ])('writes BLP%s %s exactly', async (version, encoding, alphaBits) => {
    const folder = withPicture();
    const options = ['--blp-version', version, '--encoding', encoding, '--alpha-bits', alphaBits];
    const args = ['convert', 'picture.png', 'texture.blp', ...options];
    expect((await run(workshop, args, { cwd: folder })).code).toBe(0);
    const texture = parse(readFileSync(join(folder, 'texture.blp')));
    expect([texture.version, texture.encoding]).toEqual([Number(version), encoding]);
    expect(texture.levels).toHaveLength(5);
    expect(Buffer.from(texture.decode().data).equals(data)).toBe(true);
    expect(texture.warnings).toEqual([]);
  });

  it('writes the files of BLP0, which convert back', async () => {
    const folder = withPicture();
    const options = ['--blp-version', '0', '--encoding', 'paletted', '--to', 'blp'];
    const made = await run(workshop, ['convert', 'picture.png', '-o', 'made', ...options], {
      cwd: folder,
    });
    expect(made.code).toBe(0);
    const levels = [0, 1, 2, 3, 4].map((level) => `picture.b0${level}`);
    expect(listFiles(join(folder, 'made'))).toEqual([...levels, 'picture.blp']);
    const back = await run(workshop, ['convert', 'made', '-o', 'back'], { cwd: folder });
    expect(back.code).toBe(0);
    expect(readPngHash(join(folder, 'back/picture.png'))).toEqual(
      readPngHash(join(folder, 'picture.png')),
    );
  });

  it('copies the blocks of DDS and BLP instead of encoding them again', async () => {
    const folder = workshop.folder();
    const input = fixture('blp2-dxt1-alpha1.blp');
    await run(workshop, ['convert', input, '-o', join(folder, 'a.dds')]);
    await run(workshop, ['convert', join(folder, 'a.dds'), '-o', join(folder, 'b.blp')]);
    const again = ['convert', join(folder, 'b.blp'), '-o', join(folder, 'out'), '--to', 'blp'];
    expect((await run(workshop, again)).code).toBe(0);
    const blocks = (path: string) =>
      parse(readFileSync(path)).levels.map(({ bytes }) => [...bytes]);
    expect(blocks(join(folder, 'b.blp'))).toEqual(blocks(input));
    expect(blocks(join(folder, 'out/b.blp'))).toEqual(blocks(input));
    expect(decode(readFileSync(join(folder, 'out/b.blp')))).toEqual(decode(readFileSync(input)));
  });

  it('completes the chain of copied blocks from the smallest of them', async () => {
    const folder = workshop.folder();
    const input = fixture('blp2-dxt5-alpha8.blp');
    const one = join(folder, 'one.blp');
    await run(workshop, ['convert', input, '-o', one, '--to', 'blp', '--mipmaps', 'none']);
    await run(workshop, ['convert', one, '-o', join(folder, 'all.blp'), '--to', 'blp']);
    const texture = parse(readFileSync(join(folder, 'all.blp')));
    const original = parse(readFileSync(input));
    expect(parse(readFileSync(one)).levels).toHaveLength(1);
    expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
      original.levels.map(({ width, height }) => [width, height]),
    );
    expect([...texture.levels[0]!.bytes]).toEqual([...original.levels[0]!.bytes]);
    expect(texture.warnings).toEqual([]);
  });

  it('offers --resize for sides that are no powers of two', async () => {
    const folder = workshop.folder();
    const odd = { width: 6, height: 5, data: new Uint8Array(120).fill(200), channels: 4 as const };
    writeFileSync(join(folder, 'odd.png'), encodePng(odd));
    const refused = await run(workshop, ['convert', 'odd.png', 'odd.blp'], { cwd: folder });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--resize');
    const args = ['convert', 'odd.png', 'odd.blp', '--resize', 'pad'];
    expect((await run(workshop, args, { cwd: folder })).code).toBe(0);
    const { width, height } = parse(readFileSync(join(folder, 'odd.blp')));
    expect([width, height]).toEqual([8, 8]);
  });

  it('takes pictures and textures of folders, in shards as well', async () => {
    const folder = workshop.folder();
    mkdirSync(join(folder, 'art/icons'), { recursive: true });
    writeFileSync(join(folder, 'art/icons/a.png'), picture);
    writeFileSync(join(folder, 'art/b.png'), picture);
    writeFileSync(join(folder, 'art/notes.txt'), 'no picture');
    copyFileSync(fixture('blp1-jpeg-alpha8.blp'), join(folder, 'art/c.blp'));
    const args = ['convert', 'art', '--to', 'blp', '--encoding', 'dxt5'];
    expect((await run(workshop, [...args, '-o', 'whole'], { cwd: folder })).code).toBe(0);
    expect(listFiles(join(folder, 'whole'))).toEqual(['b.blp', 'c.blp', 'icons/a.blp']);
    for (const shard of ['1/2', '2/2']) {
      const result = await run(workshop, [...args, '-o', 'parts', '--shard', shard], {
        cwd: folder,
      });
      expect(result.code).toBe(0);
    }
    expect(snapshot(join(folder, 'parts'))).toEqual(snapshot(join(folder, 'whole')));
  });
});

describe('usage', () => {
  it.each([
    [['convert'], 'input'],
    [['convert', 'x.blp'], '-o'],
    [['convert', 'x.blp', '-o', 'o', '--to', 'bmp'], 'bmp'],
    [['convert', 'x.blp', '-o', 'o', '--jobs', '0'], 'whole numbers from 1'],
    [['convert', 'x.blp', '-o', 'o', '--shard', '0/3'], 'K from 1 to N'],
    [['convert', 'x.blp', '-o', 'o', '--shard', '4/3'], 'K from 1 to N'],
    [['convert', 'x.blp', '-o', 'o', '--overwrite', '--skip-existing'], 'exclude each other'],
    [['convert', 'x.blp', '-o', 'o', '--quality', '50'], '--quality is for --to blp'],
    [['convert', 'x.blp', '-o', 'o.png', '--to', 'dds'], 'png file'],
    [['convert', 'x.blp', '-o', 'o', '--to', 'dds', '--all-levels'], 'holds all levels'],
    [['frobnicate'], 'frobnicate'],
    [['convert', 'x.blp', '-o', 'o', '--frobnicate'], '--frobnicate'],
  ])('%j ends with 2', async (args, message) => {
    const result = await run(workshop, args, { cwd: workshop.folder() });
    expect(result.stderr).toContain(message);
    expect(result.code).toBe(2);
  });

  it('explains every option', async () => {
    const result = await run(workshop, ['convert', '--help']);
    expect(result.code).toBe(0);
    for (const text of ['--shard', '--skip-existing', '--resize', 'Examples:', 'Exit codes:']) {
      expect(result.stdout).toContain(text);
    }
    expect((await run(workshop, ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('prints what it would do with --dry-run and does nothing', async () => {
    const out = join(workshop.folder(), 'out');
    const result = await run(workshop, ['convert', fixturesFolder, '-o', out, '--dry-run']);
    expect(result.code).toBe(0);
    expect(result.stdout).toContain(join(out, 'blp2-bc5.png'));
    expect(existsSync(out)).toBe(false);
  });

  it('takes only what --include and --exclude leave', async () => {
    const out = workshop.folder();
    const patterns = ['--include', 'blp2-*.blp', '--exclude', '*dxt*', '--exclude', '*JPEG*'];
    expect((await run(workshop, ['convert', fixturesFolder, '-o', out, ...patterns])).code).toBe(0);
    const names = listFiles(out);
    expect(names).toContain('blp2-bc5.png');
    expect(names.every((name) => /^blp2-(?!.*(dxt|jpeg))/.test(name))).toBe(true);
    const none = await run(workshop, ['convert', fixturesFolder, '-o', out, '--include', 'nope*']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('--include')]);
  });

  it('takes patterns with a slash for paths, others for names', async () => {
    const cwd = workshop.folder();
    const texture = tinyTexture(1, 2, 3);
    const names = [
      'Interface/a.blp',
      'Interface/Deep/b_n.blp',
      'Interface/Deep/c.blp',
      'World/d.blp',
    ];
    writeTree(cwd, Object.fromEntries(names.map((name) => [`in/${name}`, texture])));
    const outputs = async (...patterns: string[]): Promise<string[]> => {
      const out = join(workshop.folder(), 'out');
      await run(workshop, ['convert', 'in', '-o', out, ...patterns], { cwd });
      return listFiles(out);
    };
    const paths = ['--include', 'Interface/**', '--exclude', '*_n.blp'];
    expect(await outputs(...paths)).toEqual(['Interface/Deep/c.png', 'Interface/a.png']);
    expect(await outputs('--exclude', 'interface/deep')).toEqual([
      'Interface/a.png',
      'World/d.png',
    ]);
    expect(await outputs('--exclude', 'Deep')).toEqual(['Interface/a.png', 'World/d.png']);
    expect(await outputs('--include', '*.blp', '--exclude', '**/*_n.blp')).toHaveLength(3);
  });

  it('reports as JSON', async () => {
    const folder = workshop.folder();
    writeFileSync(join(folder, 'a.blp'), tinyTexture(1, 2, 3));
    writeFileSync(join(folder, 'b.blp'), 'MDLX, a model');
    copyFileSync(fixture('odd-slot-empty.blp'), join(folder, 'c.blp'));
    const result = await run(workshop, ['convert', '.', '-o', 'out', '--json'], { cwd: folder });
    expect(result.code).toBe(1);
    const { files, summary } = JSON.parse(result.stdout);
    expect(files).toMatchObject([
      { input: 'a.blp', status: 'converted', format: 'BLP2 bgra', width: 1, warnings: [] },
      { input: 'b.blp', status: 'failed', error: { code: 'not-blp' } },
      { input: 'c.blp', status: 'converted', warnings: [{ code: 'level-empty', level: 2 }] },
    ]);
    expect(files[1].error.message).toContain('an MDLX model');
    expect(summary).toMatchObject({
      complete: true,
      converted: 2,
      failed: 1,
      warnings: { 'level-empty': 1 },
    });
  });
});
