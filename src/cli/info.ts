// `blp info`: everything that a header says, the levels, the warnings.

import * as fs from 'node:fs';
import { readFileSync, statSync } from 'node:fs';
import * as paths from 'node:path';
import type { Command } from 'commander';
import { type BlpHeader, levelSlots } from '../container/header.js';
import { fullChainLength, levelSide } from '../container/sides.js';
import { defaultLimits } from '../limits.js';
import { isBlp0, readLevelFiles } from '../pool/level-files.js';
import { type BlpTexture, parse } from '../texture.js';
import { type Failure, toFailure } from './failure.js';

const examples = `
Examples:
  blp info icon.blp
  blp info --json Textures/*.blp | jq -r '.[] | select(.error) | .file'

Exit codes: 0 every file is a readable texture, 1 one is not, 2 wrong usage.`;

export function registerInfo(program: Command): void {
  program
    .command('info')
    .summary('show header, levels and warnings of textures')
    .description(
      'Show every header field, the chain of levels (offset, size, sides, state) and the warnings. Texels are not decoded.',
    )
    .argument('<file...>', 'BLP files; the level files of BLP0 are found beside them')
    .option('--json', 'print an array of objects as JSON')
    .option('--salvage', 'read files that are cut short as far as they go')
    .addHelpText('after', examples)
    .action((files: string[], options: { json?: true; salvage?: true }) => {
      const infos = files.map((file) => inspect(file, options.salvage ?? false));
      const text = options.json ? JSON.stringify(infos, null, 2) : infos.map(describe).join('\n\n');
      process.stdout.write(`${text}\n`);
      if (infos.some((info) => info.error)) process.exitCode = 1;
    });
}

/** One row of the table of levels. */
interface LevelInfo {
  level: number;
  offset: number;
  size: number;
  width: number;
  height: number;
  /** `ok`, or why the level cannot be used. */
  state: string;
}

/** What is known about a file. */
interface FileInfo {
  file: string;
  bytes?: number;
  header?: Omit<BlpHeader, 'offsets' | 'sizes'>;
  levels?: LevelInfo[];
  warnings?: BlpTexture['warnings'];
  error?: Failure;
}

function inspect(file: string, salvage: boolean): FileInfo {
  try {
    const { size } = statSync(file);
    if (size > defaultLimits.maxInputBytes) {
      const message = `the file has ${size} bytes, allowed are ${defaultLimits.maxInputBytes}`;
      return { file, bytes: size, error: { code: 'limit', message } };
    }
    const bytes = readFileSync(file);
    const levelFiles = isBlp0(bytes)
      ? readLevelFiles(file, fs, paths, defaultLimits.maxInputBytes)
      : undefined;
    // Nothing is decoded: pictures of any size can be looked at.
    const limits = { maxPixels: 65535 * 65535 };
    const texture = parse(bytes, { levelFiles, salvage, limits });
    const { offsets: _, sizes: __, ...header } = texture.header;
    return {
      file,
      bytes: bytes.length,
      header,
      levels: levelTable(texture),
      warnings: texture.warnings,
    };
  } catch (error) {
    return { file, error: toFailure(error) };
  }
}

/** The levels that can be used, and what the slots after them hold. */
function levelTable(texture: BlpTexture): LevelInfo[] {
  const { header, levels, warnings, width, height } = texture;
  const rows: LevelInfo[] = levels.map(({ level, offset, size, width, height }) => {
    const clipped = warnings.find(
      (warning) =>
        warning.level === level &&
        (warning.code === 'level-clipped' || warning.code === 'truncated'),
    );
    return { level, offset, size, width, height, state: clipped ? 'cut short' : 'ok' };
  });
  const full = fullChainLength(width, height);
  for (let level = levels.length; level < Math.min(levelSlots, header.offsets.length); level++) {
    const offset = header.offsets[level]!;
    const size = header.sizes[level]!;
    if (offset === 0 && size === 0) continue;
    const ended = warnings.find((warning) => warning.level === level)?.code;
    const state = level >= full ? 'past the chain' : (ended ?? 'after the end of the chain');
    rows.push({
      level,
      offset,
      size,
      width: levelSide(width, level),
      height: levelSide(height, level),
      state,
    });
  }
  return rows;
}

function describe(info: FileInfo): string {
  const lines = [info.file];
  if (info.error) {
    lines.push(`  error        ${info.error.code}: ${info.error.message}`);
    return lines.join('\n');
  }
  const { header, levels = [], warnings = [] } = info;
  const field = (name: string, value: string | number | undefined) => {
    if (value !== undefined) lines.push(`  ${name.padEnd(12)} ${value}`);
  };
  field('bytes', info.bytes);
  if (header) describeHeader(header, field);
  const usable = levels.filter(({ state }) => state === 'ok' || state === 'cut short').length;
  field('levels', `${usable} of ${fullChainLength(header!.width, header!.height)}`);
  lines.push(...table(levels).map((row) => `    ${row}`));
  for (const { code, message } of warnings) field('warning', `${code}: ${message}`);
  return lines.join('\n');
}

function describeHeader(
  header: Omit<BlpHeader, 'offsets' | 'sizes'>,
  field: (name: string, value: string | number | undefined) => void,
): void {
  field('version', `BLP${header.version}`);
  field('encoding', header.encoding);
  field('sides', `${header.width} × ${header.height}`);
  field('alphaBits', header.alphaBits);
  field(header.version === 2 ? 'type' : 'content', header.content);
  field('encodingByte', header.encodingByte);
  field('alphaType', header.alphaType);
  field('extra', header.extra);
  field('hasMips', header.hasMips);
  field('headerSize', header.headerSize);
  if (header.jpegHeaderSize !== undefined) {
    field('jpegHeader', `${header.jpegHeaderSize} bytes at ${header.jpegHeaderOffset}`);
  }
}

function table(levels: readonly LevelInfo[]): string[] {
  const rows = [
    ['level', 'offset', 'size', 'sides', 'state'],
    ...levels.map(({ level, offset, size, width, height, state }) => [
      String(level),
      String(offset),
      String(size),
      `${width} × ${height}`,
      state,
    ]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padStart(widths[column]!)))
      .join('  '),
  );
}
