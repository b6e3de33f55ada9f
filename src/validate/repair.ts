// `repair`: mends what validation finds, and touches nothing else.

import { levelSlots, slotPosition } from '../container/header.js';
import type { LevelFiles } from '../container/slots.js';
import { checkBytes } from '../options.js';
import { correctedDepth } from './check-alpha.js';
import type { Finding, FindingCode } from './codes.js';
import { inspect } from './inspect.js';
import type { Inspection } from './inspection.js';
import {
  decodeDirect,
  encodeDirect,
  fullPalette,
  type MadeLevel,
  makeMissingLevels,
} from './make-levels.js';
import { describeActions, type RepairAction } from './repair-actions.js';

export type { RepairAction } from './repair-actions.js';

import { repairStreams } from './repair-jpeg.js';
import { type Content, type StoredFile, storeFile } from './store.js';
import { resolveOptions, sortFindings, type ValidateOptions } from './validate.js';

/** What became of a file. */
export interface RepairResult {
  /** The repaired file; the input itself where nothing was done. */
  bytes: Uint8Array;
  /** What was done, one entry per finding that is gone. */
  actions: RepairAction[];
  /** What validation finds in the repaired file. */
  remaining: Finding[];
  /** BLP0: the contents of the level files; those passed in where nothing was done. */
  levelFiles?: LevelFiles;
}

/**
 * Mends a file so that the game shows it: clears garbage slots, puts offsets and sizes right, makes missing levels from
 * the last good one, corrects header fields, recodes JPEG streams. Levels that are good keep their texels: their bytes
 * stay as they are, and JPEG streams that have to be recoded keep their coefficients. Notes are no reason to change
 * anything. Repairing again changes nothing.
 *
 * @returns the file, what was done, and what is left; nothing is done to a file whose level 0 cannot be used.
 * @throws BlpError `argument` for options or input of a wrong type; `unsupported` where levels have to be encoded and
 *   there is no WebAssembly
 * @example
 * ```ts
 * const { bytes: repaired, actions, remaining } = repair(bytes, { game: 'wow' });
 * for (const { code, message } of actions) console.log(code, message);
 * ```
 */
export function repair(
  bytes: Uint8Array | ArrayBuffer,
  options: ValidateOptions = {},
): RepairResult {
  const input = checkBytes(bytes, 'bytes');
  const resolved = resolveOptions(input, options);
  const inspection = inspect(input, resolved);
  const isBlp0 = 'header' in inspection && inspection.header.version === 0;
  const files = isBlp0 ? { levelFiles: resolved.levelFiles } : {};
  const unchanged = (findings: readonly Finding[]): RepairResult => ({
    bytes: input,
    actions: [],
    remaining: sortFindings(findings),
    ...files,
  });
  const mendable = inspection.findings.filter(
    ({ severity, repairable }) => severity !== 'note' && repairable,
  );
  if (!('levels' in inspection) || mendable.length === 0) return unchanged(inspection.findings);

  const { stored, facts } = mend(inspection);
  const after = inspect(stored.bytes, { ...resolved, ...stored });
  const isLeft = ({ code, level }: Finding): boolean =>
    after.findings.some((finding) => finding.code === code && finding.level === level);
  const gone = sortFindings(mendable.filter((finding) => !isLeft(finding)));
  const tried = (finding: Finding): Finding => ({ ...finding, repairable: false });
  // A repaired file may exceed the limits, so that nothing is known about it.
  if (gone.length === 0 || !('levels' in after)) return unchanged(inspection.findings.map(tried));
  return {
    ...stored,
    actions: describeActions(inspection, gone, facts),
    remaining: sortFindings(after.findings.map(tried)),
  };
}

/** What the messages of the actions tell. */
export interface RepairFacts {
  fields: Content['fields'];
  made: readonly MadeLevel[];
  levels: readonly Uint8Array[];
  /** JPEG: quality of the levels that were made, and size of the shared chunk. */
  quality?: number;
  chunkSize?: number;
}

function mend(inspection: Inspection): { stored: StoredFile; facts: RepairFacts } {
  const { header, needed } = inspection;
  const fields = {
    alphaBits: correctAlphaBits(inspection),
    hasMips: header.hasMips === 0 && needed > 1 ? 1 : header.hasMips,
  };
  const extras = keptExtras(inspection);
  return header.encoding === 'jpeg'
    ? mendJpeg(inspection, fields, extras)
    : mendDirect(inspection, fields, extras);
}

function hasFinding({ findings }: Inspection, ...codes: FindingCode[]): boolean {
  return findings.some(({ code }) => codes.includes(code));
}

function correctAlphaBits(inspection: Inspection): number {
  const { header, levels, paletteAlphaBits } = inspection;
  const { alphaBits } = header;
  switch (header.encoding) {
    case 'paletted':
      return paletteAlphaBits;
    case 'jpeg': {
      if (!hasFinding(inspection, 'alpha-bits-invalid', 'jpeg-alpha-plane')) return alphaBits;
      // Level 0 decides, as it does when the file is decoded.
      return levels[0].jpeg?.alphaPlane === 'mixed' ? 8 : 0;
    }
    default:
      if (!hasFinding(inspection, 'alpha-pair-unusual')) return alphaBits;
      return correctedDepth(inspection) ?? alphaBits;
  }
}

/** Slots past the needed levels that nothing is wrong with. */
function keptExtras(inspection: Inspection): Content['extras'] {
  const { bytes, header, levelFiles, needed, findings } = inspection;
  const slots = Array.from({ length: levelSlots - needed }, (_, index) => needed + index);
  return slots.flatMap((slot) => {
    if (header.version === 0) {
      const file = levelFiles[slot];
      return file ? [{ slot, bytes: file }] : [];
    }
    const isNoted = findings.some(
      ({ code, offset }) => code === 'extra-level' && offset === slotPosition(header.version, slot),
    );
    if (!isNoted) return [];
    const start = header.offsets[slot];
    return [{ slot, bytes: bytes.subarray(start, start + header.sizes[slot]) }];
  });
}

function mendDirect(
  inspection: Inspection,
  fields: Content['fields'],
  extras: Content['extras'],
): { stored: StoredFile; facts: RepairFacts } {
  const { levels, needed } = inspection;
  const { alphaBits } = fields;
  const made = makeMissingLevels(
    needed,
    (level) => levels[level].bytes !== undefined,
    (level) => decodeDirect(inspection, level, alphaBits),
    alphaBits !== 0,
  );
  const parts = levels.slice(0, needed).map(({ bytes }) => bytes);
  for (const { level, image } of made) parts[level] = encodeDirect(inspection, image, alphaBits);
  const content: Content = {
    fields,
    levels: parts as Uint8Array[],
    isMoved: (level) => levels[level].bytes === undefined,
    extras,
    ...(hasFinding(inspection, 'palette-missing') && { preamble: fullPalette(inspection) }),
  };
  return {
    stored: storeFile(inspection, content),
    facts: { fields, made, levels: content.levels },
  };
}

function mendJpeg(
  inspection: Inspection,
  fields: Content['fields'],
  extras: Content['extras'],
): { stored: StoredFile; facts: RepairFacts } {
  const { levels, needed } = inspection;
  const extraBytes = extras.map(({ bytes }) => bytes);
  const repaired = repairStreams(inspection, needed, fields.alphaBits, extraBytes);
  const { stored, isUnchanged, made, quality } = repaired;
  const whole = levels[0].bytes?.length === 0;
  if (isUnchanged && !whole) {
    const parts = levels.slice(0, needed).map(({ bytes }) => bytes as Uint8Array);
    const content: Content = { fields, levels: parts, isMoved: () => false, extras };
    return { stored: storeFile(inspection, content), facts: { fields, made, levels: parts } };
  }
  const parts = stored.levels.slice(0, needed);
  const content: Content = {
    fields,
    preamble: sizedChunk(stored.header),
    levels: parts,
    isMoved: () => true,
    extras: extras.map(({ slot }, index) => ({ slot, bytes: stored.levels[needed + index] })),
  };
  const facts = { fields, made, quality, levels: parts, chunkSize: stored.header.length };
  return { stored: storeFile(inspection, content), facts };
}

/** The JPEG header chunk as it is stored, after its size. */
function sizedChunk(chunk: Uint8Array): Uint8Array {
  const sized = new Uint8Array(4 + chunk.length);
  new DataView(sized.buffer).setUint32(0, chunk.length, true);
  sized.set(chunk, 4);
  return sized;
}
