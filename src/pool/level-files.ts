// The level files of a BLP0 texture: NAME.b00, NAME.b01 … beside NAME.blp, whatever their case.

import { levelSlots, versionOf } from '../container/header.js';
import { type LevelFiles, levelExtension } from '../container/slots.js';
import { checkLimit, type Limits } from '../limits.js';

/** The folder that was listed last, for the many textures of one folder. */
let listed: { folder: string; modified: number; names: Map<string, string> } | undefined;

/**
 * Finds and reads the level files of a BLP0 texture.
 *
 * @param texture the texture itself
 * @param path of the texture; its extension may be anything.
 * @param fileSystem Node's `fs`
 * @param limits beyond `maxInputBytes`, with the texture, nothing is read.
 * @returns undefined where the texture is no BLP0
 * @throws BlpError `limit`, or an error of the system
 */
export function readLevelFiles(
  texture: Uint8Array,
  path: string,
  fileSystem: typeof import('node:fs'),
  paths: typeof import('node:path'),
  limits: Readonly<Limits>,
): LevelFiles | undefined {
  if (versionOf(texture) !== 0) return undefined;
  let total = texture.length;
  return findLevelFiles(path, fileSystem, paths).map((file) => {
    if (file === undefined) return undefined;
    const { size } = fileSystem.statSync(file);
    total += size;
    const found = () =>
      `with its level file ${paths.basename(file)} the texture has ${total} bytes`;
    checkLimit(limits, 'maxInputBytes', total, found);
    return fileSystem.readFileSync(file);
  });
}

/** The paths of a texture's level files, by level; undefined where there is none. */
export function findLevelFiles(
  path: string,
  fileSystem: typeof import('node:fs'),
  paths: typeof import('node:path'),
): (string | undefined)[] {
  const folder = paths.dirname(path);
  const names = namesOf(folder, fileSystem);
  const stem = paths.basename(path, paths.extname(path)).toLowerCase();
  return Array.from({ length: levelSlots }, (_, level) => {
    const name = names.get(`${stem}.${levelExtension(level)}`);
    return name && paths.join(folder, name);
  });
}

function namesOf(folder: string, fileSystem: typeof import('node:fs')): Map<string, string> {
  const modified = fileSystem.statSync(folder).mtimeMs;
  if (listed?.folder !== folder || listed.modified !== modified) {
    const levelFiles = fileSystem.readdirSync(folder).filter((name) => /\.b\d\d$/i.test(name));
    const names = new Map(levelFiles.map((name) => [name.toLowerCase(), name]));
    listed = { folder, modified, names };
  }
  return listed.names;
}
