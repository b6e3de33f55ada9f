// Whole batches: the corpus, shards, ending by signals and going on, workers that die.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryPath, temporarySuffix } from '../../src/cli/output.js';
import { shardOf } from '../../src/cli/shard.js';
import { findRealTextures, fixturesFolder, readCorpusManifest } from '../reference/files.js';
import { randomBytes, randomNumbers } from '../reference/random.js';
import { listFiles, openWorkshop, readPngHash, run, snapshot, writeTree } from './support.js';

const workshop = openWorkshop();

const corpus = findRealTextures('corpus');

describe.skipIf(corpus.missing)(`corpus${corpus.note}`, () => {
  it('converts to PNG with two jobs, every pixel as the manifest says', async () => {
    const out = workshop.folder();
    const result = await run(workshop, ['convert', corpus.folder, '-o', out, '--jobs', '2']);
    expect(result.code).toBe(0);
    const wrong: string[] = [];
    const entries = readCorpusManifest(corpus.folder);
    for (const { file, levels } of entries) {
      const png = readPngHash(join(out, file.replace(/\.blp$/i, '.png')));
      const { width, height, sha256 } = levels[0]!;
      if (png.width !== width || png.height !== height || png.sha256 !== sha256) wrong.push(file);
    }
    expect(entries).toHaveLength(614);
    expect(wrong).toEqual([]);
  }, 180_000);
});

/** Enough textures that a run can be ended in the middle of it. */
function makeTree(count: number): string {
  const folder = workshop.folder();
  const names = readdirSync(fixturesFolder).filter((name) => /^blp[12].*\.blp$/.test(name));
  for (let index = 0; index < count; index++) {
    const sub = join(folder, 'in', String(index % 7));
    mkdirSync(sub, { recursive: true });
    copyFileSync(join(fixturesFolder, names[index % names.length]!), join(sub, `${index}.blp`));
  }
  return folder;
}

/** The outputs so far, without what is being written. */
function countOutputs(folder: string): number {
  if (!existsSync(folder)) return 0;
  return listFiles(folder).filter((name) => !name.endsWith(temporarySuffix)).length;
}

/** The name under which another process of this machine writes an output. */
function leftover(path: string, pid: number): string {
  return temporaryPath(path).replace(`.${process.pid}-`, `.${pid}-`);
}

async function untilOutputs(folder: string, count: number): Promise<void> {
  while (countOutputs(folder) < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('shards', () => {
  it('together make the files of one run', async () => {
    const folder = makeTree(200);
    const args = ['convert', 'in', '-o'];
    await run(workshop, [...args, 'whole'], { cwd: folder });
    const counts: number[] = [];
    for (const shard of ['1/3', '2/3', '3/3']) {
      const result = await run(workshop, [...args, 'parts', '--shard', shard], { cwd: folder });
      expect(result.code).toBe(0);
      counts.push(Number(/(\d+) converted/.exec(result.stdout)![1]));
    }
    expect(counts.reduce((sum, count) => sum + count)).toBe(200);
    for (const count of counts) expect(count).toBeGreaterThan(40);
    expect(snapshot(join(folder, 'parts'))).toEqual(snapshot(join(folder, 'whole')));
  });

  it('go by the path alone, whatever its Unicode form', () => {
    const shards = Array.from({ length: 1000 }, (_, index) => shardOf(`icons/${index}.blp`, 4));
    for (const shard of [1, 2, 3, 4]) {
      const count = shards.filter((value) => value === shard).length;
      expect(count).toBeGreaterThan(200);
      expect(count).toBeLessThan(300);
    }
    expect(shardOf('\u00fc.blp', 1000)).toBe(shardOf('u\u0308.blp', 1000));
    // Worked out in Python as well. Array jobs of different releases must share a tree: these values may never change.
    expect([shardOf('a.blp', 1000), shardOf('Textures/Icon.blp', 1000)]).toEqual([781, 629]);
  });
});

describe('a run that is ended', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s leaves finished files only and can be resumed', async (signal, code) => {
    const folder = makeTree(800);
    const out = join(folder, 'out');
    const args = ['convert', 'in', '-o', 'out', '--jobs', '2'];
    const ended = await run(workshop, args, {
      cwd: folder,
      started: (child) => {
        untilOutputs(out, 20).then(() => child.kill(signal));
      },
    });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain('stopping');
    expect(ended.stdout).toMatch(/^stopped: /);
    expect(ended.stdout).toContain('not begun');
    const files = listFiles(out);
    expect(files.length).toBeLessThan(800);
    expect(files.filter((name) => name.endsWith(temporarySuffix))).toEqual([]);
    const resumed = await run(workshop, [...args, '--skip-existing'], { cwd: folder });
    expect(resumed.code).toBe(0);
    expect(listFiles(out)).toHaveLength(800);
    for (const name of files.slice(0, 5))
      expect(readPngHash(join(out, name)).width).toBeGreaterThan(0);
  });

  it('by SIGKILL ends with the same files, byte for byte, when it is resumed', async () => {
    const folder = makeTree(800);
    const out = join(folder, 'out');
    const args = ['convert', 'in', '--jobs', '2', '-o'];
    let pid = 0;
    const killed = await run(workshop, [...args, 'out'], {
      cwd: folder,
      started: (child) => {
        pid = child.pid!;
        untilOutputs(out, 100).then(() => child.kill('SIGKILL'));
      },
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(countOutputs(out)).toBeLessThan(800);
    // What a run leaves that is killed while it writes: before its file has its name, and after.
    const [finished] = listFiles(out);
    writeTree(out, {
      [leftover('0/798.png', pid)]: Buffer.from('half'),
      [leftover(finished!, pid)]: Buffer.from('whole'),
    });
    const resumed = await run(workshop, [...args, 'out', '--skip-existing'], { cwd: folder });
    expect(resumed.code).toBe(0);
    await run(workshop, [...args, 'clean'], { cwd: folder });
    expect(snapshot(out)).toEqual(snapshot(join(folder, 'clean')));
  });
});

describe('a file that takes too long', () => {
  it('is given up, and the rest is converted', async () => {
    const folder = workshop.folder();
    writeTree(folder, {
      'in/a.blp': readFileSync(join(fixturesFolder, 'blp2-bc5.blp')),
      'in/b.blp': large(4096),
      'in/c.blp': readFileSync(join(fixturesFolder, 'blp2-bc5.blp')),
    });
    // Its encoding takes several times as long as the timeout, the others a hundredth of it.
    const options = ['--timeout', '4', '--jobs', '1', '--to', 'blp'];
    options.push('--encoding', 'dxt5', '--preset', 'best');
    const result = await run(workshop, ['convert', 'in', '-o', 'out', ...options], { cwd: folder });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('in/b.blp: it took longer than 4 s and was given up');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.blp', 'c.blp']);
  });
});

/** A BLP2 file of side × side noisy BGRA texels. */
function large(side: number): Uint8Array {
  const bytes = Buffer.alloc(1172 + side * side * 4);
  bytes.set(readFileSync(join(fixturesFolder, 'blp2-bgra-alpha8.blp')).subarray(0, 20));
  bytes.writeUInt32LE(side, 0x0c);
  bytes.writeUInt32LE(side, 0x10);
  bytes.writeUInt32LE(1172, 0x14);
  bytes.writeUInt32LE(side * side * 4, 0x54);
  bytes.set(randomBytes(bytes.length - 1172, randomNumbers(1)), 1172);
  return bytes;
}
