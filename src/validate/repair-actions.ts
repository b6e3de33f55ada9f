// What was done about each finding, in words.

import type { Finding, FindingCode } from './codes.js';
import type { Inspection } from './inspection.js';
import type { RepairFacts } from './repair.js';

/** One thing that was mended. */
export interface RepairAction {
  /** The finding that is gone. */
  code: FindingCode;
  level?: number;
  /** What was done, for people. */
  message: string;
}

/** Describes how each of the findings was mended. */
export function describeActions(
  inspection: Inspection,
  gone: readonly Finding[],
  facts: RepairFacts,
): RepairAction[] {
  return gone.map(({ code, level }) => ({
    code,
    ...(level !== undefined && { level }),
    message: describe(inspection, code, level, facts),
  }));
}

function describe(
  inspection: Inspection,
  code: FindingCode,
  level: number | undefined,
  facts: RepairFacts,
): string {
  const { fields, chunkSize } = facts;
  const { version, encoding } = inspection.header;
  const depth = `${version === 2 ? 'alphaDepth' : 'alphaBits'} set to ${fields.alphaBits}`;
  switch (code) {
    case 'type-not-1':
      return 'type set to 1';
    case 'content-unknown':
      return 'content set to 0 (JPEG)';
    case 'has-mips-disagrees':
      return `hasMips set to ${fields.hasMips}${madeNote(facts)}`;
    case 'chain-incomplete':
      // Levels with a finding of their own are told there.
      return describeMade({
        ...facts,
        made: facts.made.filter(({ level }) => !inspection.levels[level].fault),
      });
    case 'alpha-pair-unusual':
    case 'alpha-bits-invalid':
    case 'alpha-list-missing':
      return depth;
    case 'palette-missing':
      return encoding === 'paletted'
        ? 'palette filled up to 256 entries; those that were missing are black'
        : 'palette block of 1024 bytes put in; levels moved behind it';
    case 'jpeg-header-size':
    case 'jpeg-header-past-end':
    case 'jpeg-whole-in-header':
      return `JPEG header chunk is now ${chunkSize} bytes; levels keep their streams`;
    case 'jpeg-components':
      return 'levels encoded anew with four components, quality 100';
    case 'jpeg-progressive':
      return 'recoded as baseline JPEG; the coefficients are the same';
    case 'jpeg-alpha-plane':
      return fields.alphaBits === 8
        ? 'alphaBits set to 8'
        : 'alpha plane set to 255; the coefficients of the colours are the same';
    default:
      return describeLevel(inspection, level ?? 0, facts);
  }
}

/** A slot: cleared, put right, or filled with a level that was made. */
function describeLevel(
  { levels, needed }: Inspection,
  level: number,
  { made, levels: parts, quality }: RepairFacts,
): string {
  if (level >= needed) return `slot ${level} cleared`;
  const entry = made.find((candidate) => candidate.level === level);
  if (entry) return `level ${level} made from level ${entry.from}${qualityNote(quality)}`;
  if (levels[level].fault?.code === 'jpeg-frame-size') {
    return `level ${level} encoded anew at the sides of the level, quality 100`;
  }
  return `size of level ${level} set to ${parts[level].length}`;
}

function describeMade({ made, quality }: RepairFacts): string {
  const names = made.map(({ level, from }) => `${level} (from ${from})`).join(', ');
  return `levels made: ${names}${qualityNote(quality)}`;
}

function madeNote(facts: RepairFacts): string {
  return facts.made.length > 0 ? `; ${describeMade(facts)}` : '';
}

function qualityNote(quality: number | undefined): string {
  return quality === undefined ? '' : `, JPEG quality ${quality}`;
}
