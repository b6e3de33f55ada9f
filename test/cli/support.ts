// Builds the package into a folder of its own and runs the command as people run it.

import { execFileSync, spawn } from 'node:child_process';
import {
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeCoverage } from 'node:v8';
import { decode as decodePng } from 'fast-png';
import { afterAll, beforeAll } from 'vitest';
import { sha256 } from '../reference/compare.js';

/** Does "npm run coverage" ask which lines the built package reaches? */
const measuresCoverage = process.env.BLP_COVERAGE !== undefined;

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The built package of this test file, and a folder for what it writes. */
export interface Workshop {
  /** Holds esm/, cjs/ and cli/. */
  package: string;
  /** An empty folder, a new one at each call. */
  folder(): string;
}

/** Builds before the tests of a file and removes everything behind them. */
export function openWorkshop(): Workshop {
  const workshop = { package: '', folder: () => mkdtempSync(join(scratch, 'f-')) };
  let scratch = '';
  beforeAll(() => {
    // Inside the project, so that packages which stay outside the build are found.
    mkdirSync(join(projectRoot, 'build'), { recursive: true });
    workshop.package = mkdtempSync(join(projectRoot, 'build', 'test-'));
    scratch = mkdtempSync(join(tmpdir(), 'blp-test-'));
    execFileSync(process.execPath, [
      join(projectRoot, 'scripts/build.mjs'),
      '--no-types',
      ...(measuresCoverage ? ['--source-maps'] : []),
      '--outdir',
      workshop.package,
    ]);
  }, 120_000);
  afterAll(() => {
    if (measuresCoverage) takeCoverage();
    else rmSync(workshop.package, { recursive: true, force: true });
    rmSync(scratch, { recursive: true, force: true });
  }, 120_000);
  return workshop;
}

export interface CommandResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd?: string;
  uid?: number;
  /** Called when the process has started. */
  started?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs `blp` to its end. */
export function run(
  workshop: Workshop,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(workshop.package, 'cli/index.js'), ...args], {
      cwd: options.cwd,
      uid: options.uid,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    options.started?.(child);
  });
}

/** The files under a folder by their path from there, with the SHA-256 of each. */
export function snapshot(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of listFiles(folder)) files[path] = sha256(readFileSync(join(folder, path)));
  return files;
}

/** The paths of the files under a folder, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** Sides and the SHA-256 of the RGBA rows of a PNG, read by another library. */
export function readPngHash(path: string): { width: number; height: number; sha256: string } {
  const { width, height, data, channels, depth } = decodePng(readFileSync(path));
  if (channels !== 4 || depth !== 8)
    throw new Error(`${path}: ${channels} channels of ${depth} bits`);
  return { width, height, sha256: sha256(data as Uint8Array) };
}

/** Writes files by their paths, with their folders. */
export function writeTree(folder: string, files: Record<string, Uint8Array>): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** A BLP2 file of one BGRA texel: small and quick to convert. */
export function tinyTexture(blue: number, green: number, red: number): Buffer {
  const bytes = Buffer.alloc(148 + 1024 + 4);
  bytes.write('BLP2', 'latin1');
  bytes.writeUInt32LE(1, 0x04);
  bytes.set([3, 8, 0, 0], 0x08);
  bytes.writeUInt32LE(1, 0x0c);
  bytes.writeUInt32LE(1, 0x10);
  bytes.writeUInt32LE(1172, 0x14);
  bytes.writeUInt32LE(4, 0x54);
  bytes.set([blue, green, red, 255], 1172);
  return bytes;
}
