// Output files: temporary names of their own for each process, and what killed processes leave.
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryPath, writeOutput } from '../../src/cli/output.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blp-output-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from('whole');

/** The name under which another process would write an output. */
function of(pid: number, path: string, machine?: string): string {
  const name = temporaryPath(path).replace(`.${process.pid}-`, `.${pid}-`);
  return machine ? name.replace(/-[0-9a-f]{8}\./, `-${machine}.`) : name;
}

describe('temporary files', () => {
  it('of processes that have ended are removed, others are left alone', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const out = join(folder, 'a.png');
    const running = of(process.ppid, out);
    const elsewhere = of(pid, out, '01234567');
    const abandoned = of(pid, join(folder, 'b.png'), '01234567');
    const foreign = join(folder, 'c.png.blp-partial');
    for (const path of [of(pid, out), running, elsewhere, abandoned, foreign]) {
      writeFileSync(path, 'half');
    }
    const yesterday = Date.now() / 1000 - 25 * 60 * 60;
    utimesSync(abandoned, yesterday, yesterday);
    writeOutput(out, bytes, 'refuse');
    const kept = [out, running, elsewhere, foreign].map((path) => basename(path));
    expect(readdirSync(folder).sort()).toEqual(kept.sort());
    expect(readFileSync(running, 'utf8')).toBe('half');
    expect(readFileSync(out, 'utf8')).toBe('whole');
  });

  it('are never written through a link', () => {
    const out = join(folder, 'a.png');
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, 'precious');
    symlinkSync(elsewhere, temporaryPath(out));
    writeOutput(out, bytes, 'overwrite');
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
    expect(readFileSync(out, 'utf8')).toBe('whole');
  });

  it('have short names where the file system allows no longer ones', () => {
    const out = join(folder, `${'ä'.repeat(125)}.png`);
    writeOutput(out, bytes, 'refuse');
    expect(readdirSync(folder)).toEqual([basename(out)]);
  });
});
