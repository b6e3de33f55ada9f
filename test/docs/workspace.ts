// A folder as the pages suppose it: the package installed, textures and pictures beside it, the command on the path.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './blocks.js';

export interface Workspace {
  /** Holds node_modules/blp-wasm; inside the project, so that three is found. */
  folder: string;
  /** A new copy of the files that the pages name. */
  files(): string;
  close(): void;
}

/** What lies where; each is a fixture, or a picture made from one. */
const contents: Record<string, string> = {
  'icon.blp': 'fixtures/blp2-dxt5-alpha8.blp',
  'icon.png': 'fixtures/reference/blp2-bc5.png',
  'broken.blp': 'fixtures/odd-slot-past-end.blp',
  'Textures/grass.blp': 'fixtures/blp2-dxt1-alpha0.blp',
  'Textures/grass_n.blp': 'fixtures/blp2-bc5.blp',
  'Textures/Interface/button.blp': 'fixtures/blp2-paletted-alpha8.blp',
  'Media/clean.blp': 'fixtures/blp2-dxt3-alpha8.blp',
  'Media/Icons/broken.blp': 'fixtures/odd-slot-past-end.blp',
  'art/sign.png': 'fixtures/reference/blp1-jpeg-odd-sides.png',
  'old.blp': 'fixtures/blp0-paletted-alpha8.blp',
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5, 6].map((level) => [
      `old.b0${level}`,
      `fixtures/blp0-paletted-alpha8.b0${level}`,
    ]),
  ),
};

/** Builds the package into a folder below build/. */
export function openWorkspace(): Workspace {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', 'docs-run-'));
  const installed = join(folder, 'node_modules', 'blp-wasm');
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'package.json'), join(installed, 'package.json'));
  // A package of its own: inside the project's, `blp-wasm` would be the project itself and its dist/.
  const scope = { name: 'examples', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(scope));
  const build = join(root, 'scripts', 'build.mjs');
  execFileSync(process.execPath, [build, '--no-types', '--outdir', join(installed, 'dist')]);
  const commands = join(folder, 'bin');
  mkdirSync(commands);
  const command = join(installed, 'dist', 'cli', 'index.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`;
  writeFileSync(join(commands, 'blp'), script, { mode: 0o755 });
  const original = join(folder, 'original');
  for (const [name, source] of Object.entries(contents)) {
    cpSync(join(root, source), join(original, name), { recursive: true });
  }
  execFileSync(join(commands, 'blp'), ['convert', 'icon.blp', '-o', 'icon.dds'], { cwd: original });
  return {
    folder,
    files: () => {
      const copy = mkdtempSync(join(folder, 'files-'));
      cpSync(original, copy, { recursive: true });
      return copy;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end with the command on the path. */
export function run(
  { folder }: Workspace,
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1', PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
