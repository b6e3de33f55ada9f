// Where tests find files: the committed fixtures, and real textures that are not part of the project.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The committed textures. */
export const fixturesFolder = join(projectRoot, 'fixtures');

/** Holds textures/, corpus/ and adversarial/; none of them is part of the project. */
export const realTexturesFolder = process.env.BLP_TEXTURES ?? join(projectRoot, '..', 'shared');

/** Says whether a folder of real textures is there, and how to get it where it is not. */
export function findRealTextures(name: 'textures' | 'corpus' | 'adversarial'): {
  folder: string;
  missing: boolean;
  /** For the title of the group of tests: empty where the folder is there. */
  note: string;
} {
  const folder = join(realTexturesFolder, name);
  const missing = !existsSync(folder);
  const note = missing
    ? ` (skipped: no ${folder}; set BLP_TEXTURES to the folder that holds ${name}/)`
    : '';
  if (missing) console.warn(`tests of real textures${note}`);
  return { folder, missing, note };
}

/** A level's sides and the SHA-256 of its RGBA rows. */
export interface ExpectedLevel {
  width: number;
  height: number;
  sha256: string;
}

/** One file of textures/manifest.json. */
export interface TextureEntry {
  name: string;
  /** Version, content and alpha depth: `blp1-jpeg-a8`. */
  format: string;
  /** 1 where samples may differ by one (JPEG), else 0. */
  tolerance?: number;
  levels: (ExpectedLevel & {
    level: number;
    /** x, y, red, green, blue, alpha */
    samples: [number, number, number, number, number, number][];
    /** SHA-256 where alpha goes by the header's alpha bits instead of the stored plane. */
    sha256_alphabits?: string;
    /** Equals `sha256`; set where `samples` show the alpha that the level would have without level 0's decision. */
    sha256_file_rule?: string;
  })[];
  /** The first level that is not returned, and why. */
  stop?: { level: number; reason: string };
  /** Set where the file must be refused. */
  error?: string;
}

/** Reads textures/manifest.json. */
export function readTextureManifest(folder: string): TextureEntry[] {
  if (!existsSync(folder)) return [];
  const text = readFileSync(join(folder, 'manifest.json'), 'utf8');
  return (JSON.parse(text) as { files: TextureEntry[] }).files;
}

/** One file of corpus/manifest.jsonl. */
export interface CorpusEntry {
  file: string;
  levels: ExpectedLevel[];
}

/** Reads corpus/manifest.jsonl. */
export function readCorpusManifest(folder: string): CorpusEntry[] {
  if (!existsSync(folder)) return [];
  const lines = readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const entry = JSON.parse(line) as { file: string; levels: [number, number, string][] };
    return {
      file: entry.file,
      levels: entry.levels.map(([width, height, sha256]) => ({ width, height, sha256 })),
    };
  });
}

/** Reads a file as a plain byte array (Node's pooled buffers share memory with others). */
export function readBytes(...path: string[]): Uint8Array {
  return new Uint8Array(readFileSync(join(...path)));
}
