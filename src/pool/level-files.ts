// The level files of a BLP0 texture: NAME.b00, NAME.b01 … beside NAME.blp, whatever their case.

import { levelSlots } from '../container/header.js';
import { type LevelFiles, levelExtension } from '../container/slots.js';
import { BlpError } from '../errors.js';

/** Whether the bytes begin as a BLP0 file, whose levels are files of their own. */
export function isBlp0(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 4 &&
    bytes[0] === 0x42 &&
    bytes[1] === 0x4c &&
    bytes[2] === 0x50 &&
    bytes[3] === 0x30
  );
}

/** The folder that was listed last, for the many textures of one folder. */
let listed: { folder: string; modified: number; names: Map<string, string> } | undefined;

/**
 * Finds and reads the level files of a BLP0 texture.
 *
 * @param path of the texture itself; its extension may be anything.
 * @param fileSystem Node's `fs`
 * @param maxBytes a file larger than this is refused before it is read.
 * @throws BlpError `limit`, or an error of the system
 */
export function readLevelFiles(
  path: string,
  fileSystem: typeof import('node:fs'),
  paths: typeof import('node:path'),
  maxBytes: number,
): LevelFiles {
  return findLevelFiles(path, fileSystem, paths).map((file) => {
    if (file === undefined) return undefined;
    const { size } = fileSystem.statSync(file);
    if (size > maxBytes) {
      throw new BlpError(
        'limit',
        `its level file ${paths.basename(file)} has ${size} bytes, allowed are ${maxBytes} (limits.maxInputBytes)`,
      );
    }
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
