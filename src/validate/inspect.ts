// A file → what each of its levels still holds, and every finding about it; validation reports this, repair works from it.

import { jpegChunk } from '../container/chunks.js';
import {
  type BlpHeader,
  contentAt,
  encodingByteAt,
  levelSlots,
  readHeader,
  slotPosition,
  versionOf,
} from '../container/header.js';
import { fullChainLength, levelSide } from '../container/sides.js';
import { type LevelFiles, textureBytes } from '../container/slots.js';
import { BlpError } from '../errors.js';
import { checkFileSize, checkPixels } from '../limits.js';
import { checkOutput } from '../options.js';
import { checkAlpha } from './check-alpha.js';
import { checkPalette, checkPastChain, reportLevels } from './check-chain.js';
import { checkHeader } from './check-header.js';
import { codes, type Finding, type Game, severityOf } from './codes.js';
import type { Add, Inspection, InspectOptions, LevelState } from './inspection.js';
import { judgeDirectLevels } from './judge-direct.js';
import { judgeJpegLevels } from './judge-jpeg.js';

/** Looks at everything; throws nothing because of the file. */
export function inspect(
  bytes: Uint8Array,
  options: InspectOptions,
): Inspection | { findings: Finding[] } {
  try {
    return inspectFile(bytes, options);
  } catch (error) {
    if (!(error instanceof BlpError) || error.code !== 'limit') throw error;
    const findings: Finding[] = [];
    const at = error.offset === undefined ? {} : { offset: error.offset };
    collector(findings, options.game)('over-limit', error.message, at);
    return { findings };
  }
}

/** @throws BlpError `limit` where looking further would take more than is allowed */
function inspectFile(
  bytes: Uint8Array,
  options: InspectOptions,
): Inspection | { findings: Finding[] } {
  const findings: Finding[] = [];
  const add = collector(findings, options.game);
  const { limits, levelFiles } = options;
  checkFileSize(limits, textureBytes(bytes, levelFiles));
  if (isOtherGames(bytes, options.game, add)) return { findings };
  let header: BlpHeader;
  try {
    header = readHeader(bytes);
  } catch (error) {
    return unreadable(bytes, options, error as BlpError, findings, add);
  }
  const { width, height } = header;
  checkPixels(limits, width, height);
  checkOutput(width * height * 4, limits);
  const inspection = inspectLevels(bytes, header, options, findings, add);
  if (options.game !== 'wow' || header.version !== 2 || header.content === 1) return inspection;
  const otherType = withField(bytes, contentAt, 1);
  const asType1 = inspection.levels[0].bytes ? undefined : readable(otherType, options);
  add('type-not-1', `the type is 0 (JPEG content)`, {
    offset: contentAt,
    repairable: asType1 !== undefined,
  });
  return asType1
    ? { ...asType1, findings: [...findings.slice(-1), ...asType1.findings] }
    : inspection;
}

function collector(findings: Finding[], game: Game): Add {
  return (code, message, at = {}) => {
    const severity = severityOf(code, game);
    if (severity === undefined) return;
    const { repairable = codes[code].repair !== 'no', ...place } = at;
    findings.push({ code, severity, ...place, message, repairable });
  };
}

/** What a header that cannot be read means; a wrong type or content is tried as the right one. */
function unreadable(
  bytes: Uint8Array,
  options: InspectOptions,
  error: BlpError,
  findings: Finding[],
  add: Add,
): Inspection | { findings: Finding[] } {
  if (!(error instanceof BlpError)) throw error;
  const isVersion2 = versionOf(bytes) === 2;
  const at = error.offset === undefined ? {} : { offset: error.offset };
  if (error.code === 'unsupported' && error.offset === contentAt) {
    const candidate = readable(withField(bytes, contentAt, isVersion2 ? 1 : 0), options);
    add(isVersion2 ? 'type-not-1' : 'content-unknown', error.message, {
      ...at,
      repairable: candidate !== undefined,
    });
    return candidate
      ? { ...candidate, findings: [...findings, ...candidate.findings] }
      : { findings };
  }
  if (error.code === 'unsupported') {
    add(
      error.offset === encodingByteAt ? 'encoding-unknown' : 'alpha-type-unknown',
      error.message,
      at,
    );
  } else if (error.code === 'not-blp') {
    add('not-blp', error.message, at);
  } else if (error.code === 'truncated') {
    add('header-truncated', error.message, at);
  } else {
    add('sides-invalid', error.message, at);
  }
  return { findings };
}

function withField(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(offset, value, true);
  return copy;
}

/** The inspection of a file whose level 0 can be used; undefined for any other. */
function readable(bytes: Uint8Array, options: InspectOptions): Inspection | undefined {
  const inspection = inspect(bytes, options);
  return 'levels' in inspection && inspection.levels[0].bytes ? inspection : undefined;
}

/** True, with a finding, for a version that the game does not read: its rules say nothing about such a file. */
function isOtherGames(bytes: Uint8Array, game: Game, add: Add): boolean {
  const version = versionOf(bytes);
  if (version === undefined || (version === 2) === (game === 'wow')) return false;
  const wanted = game === 'wow' ? 'World of Warcraft reads BLP2' : 'Warcraft III reads BLP1';
  add('version-of-other-game', `the file is BLP${version}; ${wanted}`, { offset: 0 });
  return true;
}

function inspectLevels(
  bytes: Uint8Array,
  header: BlpHeader,
  options: InspectOptions,
  findings: Finding[],
  add: Add,
): Inspection {
  const { game, levelFiles, limits } = options;
  const levels = listLevels(header, levelFiles);
  const inspection: Inspection = {
    game,
    bytes,
    header,
    levelFiles,
    limits,
    levels,
    needed: levels.length,
    chunk: jpegChunk(bytes, header),
    paletteAlphaBits: 0,
    findings,
  };
  checkHeader(inspection, add);
  if (header.encoding === 'jpeg') judgeJpegLevels(inspection, add);
  else judgeDirectLevels(inspection, add);
  // A file that denies mipmaps and has none is read no further than level 0.
  if (header.hasMips === 0 && !levels.some(({ level, bytes }) => level > 0 && bytes)) {
    inspection.needed = 1;
  }
  reportLevels(inspection, add);
  checkAlpha(inspection, add);
  checkPalette(inspection, add);
  checkPastChain(inspection, add);
  if (levels[0].bytes === undefined) {
    // Without a picture to start from nothing is repaired.
    for (const finding of findings) finding.repairable = false;
  }
  return inspection;
}

function listLevels(header: BlpHeader, files: LevelFiles): LevelState[] {
  const { version, width, height, offsets, sizes } = header;
  return Array.from(
    { length: Math.min(fullChainLength(width, height), levelSlots) },
    (_, level) => {
      const sides = { width: levelSide(width, level), height: levelSide(height, level) };
      if (version === 0) {
        const size = files[level]?.length ?? 0;
        return { level, ...sides, offset: 0, size, slotAt: undefined, isEmpty: size === 0 };
      }
      return {
        level,
        ...sides,
        offset: offsets[level],
        size: sizes[level],
        slotAt: slotPosition(header.version, level),
        isEmpty: offsets[level] === 0 || sizes[level] === 0,
      };
    },
  );
}
