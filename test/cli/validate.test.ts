// `blp validate` and `blp repair` as people and CI run them: formats, exit codes, backups.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goodFiles } from '../validate/good-files.js';
import { matrix } from '../validate/matrix.js';
import { openWorkshop, run, snapshot, writeTree } from './support.js';

const workshop = openWorkshop();

const good = goodFiles.dxt5.bytes;
const faulty = (name: string): Uint8Array => {
  const found = matrix.find((file) => file.name === name);
  if (!found) throw new Error(`no file ${name} in the matrix`);
  return found.bytes;
};
/** An error that can be mended, a warning that can, an error that cannot. */
const green = faulty("dxt5: the plugin's pattern in slot 5");
const white = faulty('dxt5: without the last level');
const odd = faulty('48 × 16');

function tree(): string {
  const folder = workshop.folder();
  writeTree(folder, {
    'Media/good.blp': good,
    'Media/Icons/green.BLP': green,
    'Media/Icons/white.blp': white,
    'Media/readme.txt': Uint8Array.of(1),
  });
  return folder;
}

describe('blp validate', () => {
  it('groups findings by file and ends with 1 at an error', async () => {
    const cwd = tree();
    const { stdout, stderr, code } = await run(workshop, ['validate', 'Media'], { cwd });
    expect(code).toBe(1);
    expect(stderr).toBe('');
    const lines = stdout.split('\n');
    const at = lines.indexOf(join('Media', 'Icons', 'green.BLP'));
    expect(lines[at + 1]).toMatch(/^ {2}error {4}level-past-end: level 5 .*\(can be repaired\)$/);
    expect(stdout).toMatch(/white\.blp\n {2}warning {2}chain-incomplete: /);
    expect(stdout).not.toContain('good.blp');
    expect(stdout).toContain('3 files: 1 clean, 1 error in 1 file, 1 warning in 1 file\n');
    expect(stdout).toContain('2 files can be mended by "blp repair"');
    // No terminal, no colours.
    expect(stdout).not.toContain('\u001b');
  });

  it('ends with 0, or with 1 from the severity on that is asked for', async () => {
    const cwd = tree();
    const media = join('Media', 'Icons', 'white.blp');
    expect((await run(workshop, ['validate', media], { cwd })).code).toBe(0);
    const strict = await run(workshop, ['validate', media, '--fail-on', 'warning'], { cwd });
    expect(strict.code).toBe(1);
    expect((await run(workshop, ['validate', 'Media/good.blp'], { cwd })).code).toBe(0);
  });

  it('ends with 2 for what cannot be read, and reads the rest', async () => {
    const cwd = tree();
    const result = await run(workshop, ['validate', 'nothing.blp', 'Media'], { cwd });
    expect(result.code).toBe(2);
    expect(result.stderr).toBe('nothing.blp: no such file or folder\n');
    expect(result.stdout).toContain('level-past-end');
    mkdirSync(join(cwd, 'empty'));
    expect((await run(workshop, ['validate', 'empty'], { cwd })).code).toBe(2);
    const wrong = await run(workshop, ['validate', 'Media', '--game', 'diablo'], { cwd });
    expect(wrong.code).toBe(2);
  });

  it('takes the rules of the game that is named', async () => {
    const cwd = tree();
    const result = await run(workshop, ['validate', 'Media/good.blp', '-g', 'warcraft3'], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toContain('version-of-other-game');
  });

  it('leaves files out', async () => {
    const cwd = tree();
    const result = await run(workshop, ['validate', 'Media', '--exclude', 'Icons'], { cwd });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('1 file: 1 clean');
  });

  it('prints JSON', async () => {
    const cwd = tree();
    const { stdout, code } = await run(workshop, ['validate', 'Media', '--json'], { cwd });
    expect(code).toBe(1);
    const { files, failures, summary } = JSON.parse(stdout);
    expect(failures).toEqual([]);
    expect(summary).toMatchObject({ files: 3, clean: 1, unreadable: 0, repairable: 2 });
    const { findings } = files.find(({ file }: { file: string }) => file.endsWith('green.BLP'));
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      ...{ code: 'level-past-end', severity: 'error', level: 5, offset: 0x14 + 5 * 4 },
      repairable: true,
    });
  });

  it('prints SARIF that names rules, places and what could not be read', async () => {
    const cwd = tree();
    const args = ['validate', 'Media', 'lost file.blp', '--format', 'sarif'];
    const { stdout, code } = await run(workshop, args, { cwd });
    expect(code).toBe(2);
    const log = JSON.parse(stdout);
    expect(log.version).toBe('2.1.0');
    const [{ tool, results, invocations }] = log.runs;
    expect(results.length).toBe(2);
    for (const { ruleId, ruleIndex, level, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(['error', 'warning']).toContain(level);
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^Media\/Icons\//);
    }
    expect(invocations[0].executionSuccessful).toBe(false);
    const [notification] = invocations[0].toolExecutionNotifications;
    const { uri } = notification.locations[0].physicalLocation.artifactLocation;
    expect(uri).toBe('lost%20file.blp');
  });

  it('prints annotations for GitHub with everything escaped', async () => {
    const cwd = workshop.folder();
    writeTree(cwd, { 'a,b: 100%/green.blp': green });
    const args = ['validate', '.', '--format', 'github'];
    const { stdout, code } = await run(workshop, args, { cwd });
    expect(code).toBe(1);
    expect(stdout.split('\n')[0]).toMatch(
      /^::error file=a%2Cb%3A 100%25\/green\.blp,title=level-past-end::level 5 leaves the file/,
    );
  });
});

describe('blp repair', () => {
  it('mends in place and keeps the originals', async () => {
    const cwd = tree();
    const icons = join(cwd, 'Media', 'Icons');
    chmodSync(join(icons, 'green.BLP'), 0o640);
    const result = await run(workshop, ['repair', 'Media', '--in-place'], { cwd });
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/mended +level-past-end: level 5 made from level 4/);
    expect(result.stdout).toContain('2 files mended, 1 needed nothing\n');
    expect(new Uint8Array(readFileSync(join(icons, 'green.BLP.bak')))).toEqual(green);
    expect(new Uint8Array(readFileSync(join(icons, 'white.blp.bak')))).toEqual(white);
    expect(statSync(join(icons, 'green.BLP')).mode & 0o777).toBe(0o640);
    expect(existsSync(join(cwd, 'Media', 'good.blp.bak'))).toBe(false);
    const strict = ['validate', 'Media', '--fail-on', 'warning'];
    expect((await run(workshop, strict, { cwd })).code).toBe(0);

    const after = snapshot(cwd);
    const again = await run(workshop, ['repair', 'Media', '--in-place'], { cwd });
    expect(again.code).toBe(0);
    expect(snapshot(cwd)).toEqual(after);
  });

  it('does not replace an earlier backup unasked', async () => {
    const cwd = tree();
    const backup = join(cwd, 'Media', 'Icons', 'green.BLP.bak');
    writeFileSync(backup, 'an earlier original');
    const before = snapshot(cwd);
    const file = join('Media', 'Icons', 'green.BLP');
    const refused = await run(workshop, ['repair', file, '--in-place'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/green\.BLP\.bak exists already .*--overwrite replaces it/);
    expect(snapshot(cwd)).toEqual(before);
    const forced = await run(workshop, ['repair', file, '--in-place', '--overwrite'], { cwd });
    expect(forced.code).toBe(0);
    expect(new Uint8Array(readFileSync(backup))).toEqual(green);
  });

  it('writes every texture into another folder, or only what changed', async () => {
    const cwd = tree();
    const before = snapshot(join(cwd, 'Media'));
    expect((await run(workshop, ['repair', 'Media', '-o', 'all'], { cwd })).code).toBe(0);
    expect(Object.keys(snapshot(join(cwd, 'all')))).toEqual([
      ...['Icons/green.blp', 'Icons/white.blp', 'good.blp'],
    ]);
    expect(new Uint8Array(readFileSync(join(cwd, 'all', 'good.blp')))).toEqual(good);
    expect(snapshot(join(cwd, 'Media'))).toEqual(before);
    const refused = await run(workshop, ['repair', 'Media', '-o', 'all'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('exists already');

    await run(workshop, ['repair', 'Media', '-o', 'some', '--changed-only'], { cwd });
    const changed = Object.keys(snapshot(join(cwd, 'some')));
    expect(changed).toEqual(['Icons/green.blp', 'Icons/white.blp']);
  });

  it('writes one texture to a named file', async () => {
    const cwd = tree();
    const args = ['repair', join('Media', 'Icons', 'white.blp'), '-o', 'whole.blp'];
    expect((await run(workshop, args, { cwd })).code).toBe(0);
    expect((await run(workshop, ['validate', 'whole.blp'], { cwd })).stdout).toContain('1 clean');
  });

  it('shows its plan without doing anything', async () => {
    const cwd = tree();
    const before = snapshot(cwd);
    const args = ['repair', 'Media', '--in-place', '--dry-run'];
    const { stdout, code } = await run(workshop, args, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/planned +level-past-end: level 5 made from level 4/);
    expect(stdout).toContain('2 files would be mended');
    expect(snapshot(cwd)).toEqual(before);
  });

  it('says what it cannot mend, and leaves it alone', async () => {
    const cwd = workshop.folder();
    writeTree(cwd, { 'odd.blp': odd });
    const before = snapshot(cwd);
    const result = await run(workshop, ['repair', 'odd.blp', '--in-place'], { cwd });
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/cannot be mended:\n +error +sides-not-power-of-two: 48 × 16/);
    expect(snapshot(cwd)).toEqual(before);
    const out = await run(workshop, ['repair', 'odd.blp', '-o', 'out'], { cwd });
    expect(out.code).toBe(1);
    expect(readFileSync(join(cwd, 'out/odd.blp'))).toEqual(Buffer.from(odd));
  });

  it('reports as JSON', async () => {
    const cwd = tree();
    const args = ['repair', 'Media', '--in-place', '--json'];
    const { stdout, code } = await run(workshop, args, { cwd });
    expect(code).toBe(0);
    const { files, summary } = JSON.parse(stdout);
    expect(summary).toEqual({ repaired: 2, clean: 1, left: 0, copied: 0, failed: 0 });
    const report = files.find(({ file }: { file: string }) => file.endsWith('white.blp'));
    expect(report).toMatchObject({ status: 'repaired', remaining: [] });
    expect(report.actions.map(({ code: action }: { code: string }) => action)).toEqual([
      'chain-incomplete',
    ]);
    expect(report.backups).toEqual([join('Media', 'Icons', 'white.blp.bak')]);
  });

  it('mends the level files of BLP0', async () => {
    const cwd = workshop.folder();
    const { bytes, levelFiles = [] } = matrix.find(
      ({ name }) => name === 'BLP0 paletted without .b03',
    )!;
    writeTree(cwd, { 'old.blp': bytes });
    levelFiles.forEach((file, level) => {
      if (file) writeFileSync(join(cwd, `old.B0${level}`), file);
    });
    const before = snapshot(cwd);
    const result = await run(workshop, ['repair', 'old.blp', '--in-place'], { cwd });
    expect(result.code).toBe(0);
    const { 'old.b03': made, ...others } = snapshot(cwd);
    expect(made).toBeDefined();
    expect(others).toEqual(before);
  });

  it('mends what a link leads to', async () => {
    const cwd = workshop.folder();
    writeTree(cwd, { 'real/green.blp': green });
    mkdirSync(join(cwd, 'links'));
    symlinkSync(join('..', 'real', 'green.blp'), join(cwd, 'links', 'green.blp'));
    const result = await run(workshop, ['repair', 'links/green.blp', '--in-place'], { cwd });
    expect(result.code).toBe(0);
    expect(existsSync(join(cwd, 'real', 'green.blp.bak'))).toBe(true);
    expect(existsSync(join(cwd, 'links', 'green.blp.bak'))).toBe(false);
    expect((await run(workshop, ['validate', 'real'], { cwd })).stdout).toContain('1 clean');
  });

  it('mends the level file that a link leads to', async () => {
    const cwd = workshop.folder();
    const { bytes, levelFiles = [] } = matrix.find(
      ({ name }) => name === 'BLP0 paletted without .b03',
    )!;
    const short = levelFiles[2]!.subarray(0, 1);
    writeTree(cwd, { 'old.blp': bytes, 'real/two.b02': short });
    levelFiles.forEach((file, level) => {
      if (file && level !== 2) writeFileSync(join(cwd, `old.b0${level}`), file);
    });
    symlinkSync(join('real', 'two.b02'), join(cwd, 'old.b02'));
    const result = await run(workshop, ['repair', 'old.blp', '--in-place'], { cwd });
    expect(result.code).toBe(0);
    expect(lstatSync(join(cwd, 'old.b02')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(cwd, 'real/two.b02'))).toHaveLength(levelFiles[2]!.length);
    expect(readFileSync(join(cwd, 'real/two.b02.bak'))).toEqual(Buffer.from(short));
  });

  it('wants to know where to', async () => {
    const cwd = tree();
    copyFileSync(join(cwd, 'Media', 'good.blp'), join(cwd, 'good.blp'));
    for (const args of [[], ['-o', 'out', '--in-place']]) {
      const { code, stderr } = await run(workshop, ['repair', 'good.blp', ...args], { cwd });
      expect(code).toBe(2);
      expect(stderr).toContain('either -o OUT or --in-place');
    }
  });
});
