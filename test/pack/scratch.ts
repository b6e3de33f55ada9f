// A scratch project with the packed package installed, as its users have it.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const consumers = fileURLToPath(new URL('./consumers/', import.meta.url));
const execute = promisify(execFile);

export interface Scratch {
  folder: string;
  /** The packed package. */
  tarball: string;
}

/** Runs a program and returns what it printed; what it said on failure is in the error. */
export async function run(program: string, args: string[], folder: string): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', npm_config_update_notifier: 'false' };
  const { stdout } = await execute(program, args, { cwd: folder, env, maxBuffer: 1 << 26 });
  return stdout;
}

/** Packs the package as it was built, installs it, and lays the consumers and fixtures beside it. */
export async function createScratch(): Promise<Scratch> {
  if (!existsSync(`${root}dist/esm/index.js`))
    throw new Error('build the package first: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'blp-wasm-pack-'));
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], root);
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (!name) throw new Error('npm pack made no file');
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'scratch', private: true, type: 'module' }),
  );
  const quiet = ['--omit=optional', '--no-audit', '--no-fund', '--ignore-scripts', '--offline'];
  await run('npm', ['install', `./${name}`, ...quiet], folder);
  cpSync(consumers, folder, { recursive: true });
  mkdirSync(join(folder, 'public'));
  for (const fixture of [...fixtures, 'blp1-jpeg-alpha8.blp']) {
    cpSync(`${root}fixtures/${fixture}`, join(folder, 'public', fixture));
  }
  return { folder, tarball: join(folder, name) };
}

/** Makes packages of this project visible in the scratch project. */
export function link(folder: string, names: string[]): void {
  for (const name of names) {
    const target = join(folder, 'node_modules', name);
    mkdirSync(join(target, '..'), { recursive: true });
    if (!existsSync(target)) symlinkSync(`${root}node_modules/${name}`, target);
  }
}

/** What the consumers decode. */
export const fixtures = ['blp2-dxt5-alpha8.blp', 'blp1-paletted-alpha8.blp'];

/** SHA-256 of level 0 of each fixture, from the list that the generator of the fixtures wrote. */
export function expectedHashes(): string[] {
  const all: { name: string; levels: [number, number, string][] }[] = JSON.parse(
    readFileSync(`${root}fixtures/expected.json`, 'utf8'),
  );
  return fixtures.map((name) => {
    const found = all.find((entry) => entry.name === name);
    if (!found) throw new Error(`expected.json has no ${name}`);
    return found.levels[0][2];
  });
}
