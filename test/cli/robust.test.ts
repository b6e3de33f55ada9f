// What goes wrong around a run of `blp convert`: every trouble is named, the rest is converted.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConverter } from '../../src/cli/convert-file.js';
import type { ConvertSettings } from '../../src/cli/job.js';
import { sha256 } from '../reference/compare.js';
import { fixturesFolder } from '../reference/files.js';
import { randomBytes, randomNumbers } from '../reference/random.js';
import { listFiles, openWorkshop, run, snapshot, tinyTexture, writeTree } from './support.js';

const workshop = openWorkshop();
const isRoot = process.getuid?.() === 0;

const good = tinyTexture(1, 2, 3);

function convertIn(folder: string, ...args: string[]) {
  return run(workshop, ['convert', ...args], { cwd: folder });
}

describe('outputs that exist', () => {
  function withOutput(): string {
    const folder = workshop.folder();
    writeTree(folder, {
      'in/a.blp': good,
      'in/b.blp': good,
      'out/a.png': Buffer.from('precious'),
    });
    return folder;
  }

  it('are refused by default, and the rest is converted', async () => {
    const folder = withOutput();
    const result = await convertIn(folder, 'in', '-o', 'out');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('out/a.png exists already');
    expect(readFileSync(join(folder, 'out/a.png'), 'utf8')).toBe('precious');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png', 'b.png']);
  });

  it('are kept with --skip-existing', async () => {
    const folder = withOutput();
    const result = await convertIn(folder, 'in', '-o', 'out', '--skip-existing');
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('1 converted, 1 kept');
    expect(readFileSync(join(folder, 'out/a.png'), 'utf8')).toBe('precious');
  });

  it('are replaced with --overwrite', async () => {
    const folder = withOutput();
    expect((await convertIn(folder, 'in', '-o', 'out', '--overwrite')).code).toBe(0);
    const { 'a.png': a, 'b.png': b } = snapshot(join(folder, 'out'));
    expect(a).toBe(b);
  });

  it.each([[[]], [['--overwrite']], [['--skip-existing']]])(
    'and are folders: named, with %j',
    async (options) => {
      const folder = workshop.folder();
      writeTree(folder, { 'in/a.blp': good, 'in/b.blp': good, 'out/a.png/x': good });
      const result = await convertIn(folder, 'in', '-o', 'out', ...options);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain('out/a.png is a folder');
      expect(listFiles(join(folder, 'out'))).toEqual(['a.png/x', 'b.png']);
    },
  );

  it('and links are not written through', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good, elsewhere: Buffer.from('precious') });
    mkdirSync(join(folder, 'out'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'out', 'a.png'));
    expect((await convertIn(folder, 'in', '-o', 'out', '--overwrite')).code).toBe(0);
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('precious');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png']);
  });
});

describe('names', () => {
  it('names two inputs of one output, converts the first', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'one/a.blp': good, 'two/a.blp': tinyTexture(7, 8, 9) });
    const result = await convertIn(folder, 'one', 'two', '-o', 'out');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('two/a.blp: out/a.png is made of one/a.blp already');
    const alone = workshop.folder();
    await run(workshop, ['convert', join(folder, 'one'), '-o', alone]);
    expect(snapshot(join(folder, 'out'))).toEqual(snapshot(alone));
  });

  it('takes a file once that is given twice', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good });
    const result = await convertIn(folder, 'in', 'in/a.blp', '-o', 'out');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain('1 converted');
  });

  it('never replaces an input', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'a.blp': good });
    const result = await convertIn(folder, '.', '-o', '.', '--to', 'blp', '--overwrite');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('is an input');
    expect(sha256(readFileSync(join(folder, 'a.blp')))).toBe(sha256(good));
  });

  it('converts beside the inputs, and leaves an output folder inside them alone', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'a.blp': good, 'out/old.blp': good });
    const beside = await convertIn(folder, '.', '-o', '.');
    expect(beside.code).toBe(0);
    expect(listFiles(folder)).toEqual(['a.blp', 'a.png', 'out/old.blp', 'out/old.png']);
    const inside = await convertIn(folder, '.', '-o', 'out');
    expect(inside.code).toBe(0);
    expect(inside.stderr).toContain('the output folder lies inside the input');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png', 'old.blp', 'old.png']);
  });

  it('writes names as long as the file system allows', async () => {
    const folder = workshop.folder();
    const name = 'x'.repeat(251);
    writeTree(folder, { [`in/${name}.blp`]: good });
    expect((await convertIn(folder, 'in', '-o', 'out')).code).toBe(0);
    expect(listFiles(join(folder, 'out'))).toEqual([`${name}.png`]);
  });
});

describe('inputs', () => {
  it('names what files are that are no textures', async () => {
    const folder = workshop.folder();
    writeTree(folder, {
      'in/a.blp': good,
      'in/b.blp': readFileSync(join(fixturesFolder, 'reference/blp2-bc5.png')),
      'in/c.blp': Buffer.from('PTCH0123456789'),
      'in/d.blp': new Uint8Array(0),
    });
    const result = await convertIn(folder, 'in', '-o', 'out');
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/in\/b\.blp: .*a PNG picture.*--to blp/);
    expect(result.stderr).toMatch(/in\/c\.blp: .*a PTCH patch file/);
    expect(result.stderr).toMatch(/in\/d\.blp: .*an empty file/);
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png']);
  });

  it('names a folder without textures, and a path that is not there', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.png': good });
    const empty = await convertIn(folder, 'in', '-o', 'out');
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain('no .blp files in in, but 1 other file');
    const missing = await convertIn(folder, 'nowhere', '-o', 'out');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('nowhere: no such file or folder');
  });

  it('follows links, but not in circles', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good, 'in/sub/b.blp': good, 'other/c.blp': good });
    symlinkSync('..', join(folder, 'in/sub/up'));
    symlinkSync('self.blp', join(folder, 'in/self.blp'));
    symlinkSync('gone.blp', join(folder, 'in/dangling.blp'));
    symlinkSync('../other', join(folder, 'in/linked'));
    const result = await convertIn(folder, 'in', '-o', 'out');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('note: in/sub/up: the symbolic link leads back');
    expect(result.stderr).toContain('in/self.blp: symbolic links lead in a circle');
    expect(result.stderr).toContain('in/dangling.blp: the symbolic link leads nowhere');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png', 'linked/c.png', 'sub/b.png']);
  });

  it('does not wait for pipes', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good });
    execFileSync('mkfifo', [join(folder, 'in/pipe.blp')]);
    const result = await convertIn(folder, 'in', '-o', 'out');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('in/pipe.blp: it is neither a file nor a folder');
    expect(listFiles(join(folder, 'out'))).toEqual(['a.png']);
  });

  it('says so when a file vanishes', async () => {
    const folder = workshop.folder();
    const convert = createConverter(settings);
    writeTree(folder, { 'b.blp': good });
    const gone = await convert({
      input: join(folder, 'a.blp'),
      label: 'a',
      stem: join(folder, 'a'),
    });
    expect(gone.failure).toEqual({ code: 'ENOENT', message: 'reading: no such file or folder' });
    const there = await convert({
      input: join(folder, 'b.blp'),
      label: 'b',
      stem: join(folder, 'b'),
    });
    expect(there.status).toBe('converted');
  });

  it('reports 1,000 corrupt files and converts the others', async () => {
    const folder = workshop.folder();
    mkdirSync(join(folder, 'in'));
    const fixture = readFileSync(join(fixturesFolder, 'blp1-jpeg-alpha8.blp'));
    for (let index = 0; index < 1000; index++) {
      writeFileSync(join(folder, `in/bad${index}.blp`), fixture.subarray(0, index % 170));
    }
    for (let index = 0; index < 10; index++)
      writeFileSync(join(folder, `in/good${index}.blp`), good);
    const result = await convertIn(folder, 'in', '-o', 'out', '--jobs', '2');
    expect(result.code).toBe(1);
    expect(result.stderr.match(/^failed: /gm)).toHaveLength(1000);
    expect(result.stdout).toContain('10 converted, 1000 failed');
    expect(result.stdout).toContain('failures: truncated 976, not-blp 24');
    expect(listFiles(join(folder, 'out'))).toHaveLength(10);
  });
});

describe('targets', () => {
  it('names a file where the output folder should be', async () => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good, 'in/sub/b.blp': good, out: good, 'other/sub': good });
    const result = await convertIn(folder, 'in', '-o', 'out');
    expect([result.code, result.stderr]).toEqual([
      1,
      'error: the output folder out: a file has that name\n',
    ]);
    const inner = await convertIn(folder, 'in', '-o', 'other');
    expect(inner.code).toBe(1);
    expect(inner.stderr).toContain('other/sub: a file has that name');
    expect(listFiles(join(folder, 'other'))).toEqual(['a.png', 'sub']);
  });

  it('names folders that may not be read or written', async ({ skip }) => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/a.blp': good, 'in/locked/b.blp': good, 'out/x': good, 'open/x': good });
    for (const name of ['.', 'in', 'in/a.blp']) chmodSync(join(folder, name), 0o755);
    chmodSync(join(folder, 'in/locked'), 0o000);
    chmodSync(join(folder, 'out'), 0o555);
    chmodSync(join(folder, 'open'), 0o777);
    chmodSync(join(folder, '..'), 0o755);
    chmodSync(workshop.package, 0o755);
    // Root may do everything.
    const options = { cwd: folder, ...(isRoot ? { uid: 65534 } : {}) };
    const probe = await run(workshop, ['--version'], options);
    skip(probe.code !== 0, 'another user cannot run the command here');
    const readOnly = await run(workshop, ['convert', 'in', '-o', 'out'], options);
    expect(readOnly.code).toBe(1);
    expect(readOnly.stderr).toContain('in/locked: the folder cannot be read: permission denied');
    expect(readOnly.stderr).toContain('writing out/a.png: permission denied');
    const open = await run(workshop, ['convert', 'in', '-o', 'open'], options);
    expect(open.code).toBe(1);
    expect(listFiles(join(folder, 'open'))).toEqual(['a.png', 'x']);
    const below = await run(workshop, ['convert', 'in', '-o', 'out/new'], options);
    expect(below.stderr).toContain('error: the output folder out/new: permission denied');
    chmodSync(join(folder, 'in/locked'), 0o755);
  });

  it('names a full disk, leaves no part of a file and converts what still fits', async ({
    skip,
  }) => {
    const folder = workshop.folder();
    writeTree(folder, { 'in/b.blp': good });
    // Incompressible, so that the PNG is larger than the disk.
    writeFileSync(join(folder, 'in/a.blp'), noise(256));
    mkdirSync(join(folder, 'out'));
    try {
      const options = ['-t', 'tmpfs', '-o', 'size=64k,mode=777', 'tmpfs', join(folder, 'out')];
      execFileSync('mount', options, { stdio: 'ignore' });
    } catch {
      skip(true, 'a small disk can be mounted by root only');
    }
    try {
      const result = await convertIn(folder, 'in', '-o', 'out');
      expect(result.code).toBe(1);
      expect(result.stderr).toContain('writing out/a.png: the disk is full');
      expect(readdirSync(join(folder, 'out'))).toEqual(['b.png']);
    } finally {
      execFileSync('umount', [join(folder, 'out')]);
    }
  });
});

describe('many files', () => {
  const isLinux = existsSync('/proc/self/status');

  it.skipIf(!isLinux)(
    'takes below 400 MB for 20,000 files, and no more at the end',
    async () => {
      const folder = workshop.folder();
      // Links to a few files: the command does not know.
      writeTree(folder, {
        'seed/a': readFileSync(join(fixturesFolder, 'blp1-jpeg-alpha8.blp')),
        'seed/b': readFileSync(join(fixturesFolder, 'blp2-dxt5-alpha8.blp')),
        'seed/c': good,
        'seed/d': good,
      });
      for (let index = 0; index < 20_000; index++) {
        const sub = join(folder, `in/${index % 100}`);
        if (index < 100) mkdirSync(sub, { recursive: true });
        linkSync(join(folder, `seed/${'abcd'[index % 4]}`), join(sub, `${index}.blp`));
      }
      const samples: number[] = [];
      const result = await run(workshop, ['convert', 'in', '-o', 'out', '--jobs', '2'], {
        cwd: folder,
        started: (child) => {
          const timer = setInterval(() => {
            const status = readProcStatus(child.pid!);
            if (status !== undefined) samples.push(status);
          }, 100);
          child.on('exit', () => clearInterval(timer));
        },
      });
      expect(result.code).toBe(0);
      expect(result.stdout).toContain('20000 converted');
      // The heaps of the threads fill up during the first files.
      const middle = samples.slice(
        Math.floor(samples.length / 2),
        Math.floor(samples.length * 0.7),
      );
      const end = samples.slice(-middle.length);
      console.info(`resident: at most ${Math.max(...samples)} MB of ${samples.length} samples`);
      expect(Math.max(...samples)).toBeLessThan(400);
      expect(Math.max(...end)).toBeLessThan(Math.max(...middle) + 40);
    },
    300_000,
  );
});

/** Resident memory in MB. */
function readProcStatus(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1000;
  } catch {
    return undefined;
  }
}

/** A BLP2 file of side × side BGRA texels that no compression makes smaller. */
function noise(side: number): Uint8Array {
  const header = tinyTexture(0, 0, 0).subarray(0, 1172);
  const bytes = Buffer.alloc(1172 + side * side * 4);
  bytes.set(header);
  bytes.writeUInt32LE(side, 0x0c);
  bytes.writeUInt32LE(side, 0x10);
  bytes.writeUInt32LE(side * side * 4, 0x54);
  bytes.set(randomBytes(bytes.length - 1172, randomNumbers(1)), 1172);
  return bytes;
}

const settings: ConvertSettings = {
  to: 'png',
  level: 0,
  allLevels: false,
  alpha: 'auto',
  salvage: false,
  limits: {},
  compressionLevel: undefined,
  existing: 'refuse',
  blp: { version: undefined, options: {}, resize: undefined },
};
