// `validate`: would the game show this file?

import { versionOf } from '../container/header.js';
import type { LevelFiles } from '../container/slots.js';
import { BlpError } from '../errors.js';
import { type Limits, resolveLimits } from '../limits.js';
import { checkBytes, checkLevelFiles, checkOptions } from '../options.js';
import type { Finding, Game } from './codes.js';
import { inspect } from './inspect.js';
import type { InspectOptions } from './inspection.js';

/** Options of {@link validate} and `repair`. */
export interface ValidateOptions {
  /** Whose rules apply; `any`, the default, takes BLP2 for World of Warcraft and all else for Warcraft III. */
  game?: Game | 'any';
  /** The contents of a BLP0 texture's `.b00`, `.b01` … files, in this order. */
  levelFiles?: LevelFiles;
  /** Bounds on what the file may cost; a file that exceeds them is reported as `over-limit`. */
  limits?: Partial<Limits>;
}

/**
 * Checks a file against what is known about the game's own reader. Nothing about the file makes it throw.
 *
 * @returns findings about the whole file first, then level by level; an empty list for a file without fault.
 *   docs/validation.md explains every code.
 * @throws BlpError `argument` for options or input of a wrong type
 * @example
 * ```ts
 * const findings = validate(bytes, { game: 'wow' });
 * if (findings.some(({ severity }) => severity === 'error')) console.log(findings);
 * ```
 */
export function validate(
  bytes: Uint8Array | ArrayBuffer,
  options: ValidateOptions = {},
): Finding[] {
  const input = checkBytes(bytes, 'bytes');
  return sortFindings(inspect(input, resolveOptions(input, options)).findings);
}

/** @throws BlpError `argument` */
export function resolveOptions(bytes: Uint8Array, options: ValidateOptions): InspectOptions {
  checkOptions(options, ['game', 'levelFiles', 'limits']);
  const { game = 'any', levelFiles = [] } = options;
  if (game !== 'any' && game !== 'wow' && game !== 'warcraft3') {
    throw new BlpError('argument', `game must be wow, warcraft3 or any, got ${String(game)}`);
  }
  return {
    game: game === 'any' ? (versionOf(bytes) === 2 ? 'wow' : 'warcraft3') : game,
    levelFiles: checkLevelFiles(levelFiles) ?? [],
    limits: resolveLimits(options.limits),
  };
}

/** Whole-file findings first, then by level; otherwise in the order in which they arose. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => (a.level ?? -1) - (b.level ?? -1));
}
