// `blp info`: everything that a header says, the levels, the warnings.

import type { Command } from 'commander';
import { type BlpHeader, levelSlots, readHeader } from '../container/header.js';
import { fullChainLength, levelSide } from '../container/sides.js';
import { type BlpTexture, parse } from '../texture.js';
import { type Failure, toFailure } from './failure.js';
import { limitsFor, mostPixels } from './limits.js';
import { findTextures, readTexture } from './textures.js';
import { addPatternOptions, type PatternOptions } from './usage.js';

const examples = `
Examples:
  blp info icon.blp
  blp info Textures                                    every .blp of a folder, with its subfolders
  blp info --json Textures | jq -r '.[] | select(.error) | .file'

Exit codes: 0 every file is a readable texture, 1 one is not, 2 wrong usage.`;

interface InfoOptions extends PatternOptions {
  json?: true;
  salvage?: true;
}

export function registerInfo(program: Command): void {
  const command = program
    .command('info')
    .summary('show header, levels and warnings of textures')
    .description(
      'Show every header field, the chain of levels (offset, size, sides, state) and the warnings. Texels are not decoded.',
    )
    .argument('<input...>', 'files and folders; the level files of BLP0 are found beside them');
  addPatternOptions(command)
    .option('--json', 'print an array of objects as JSON')
    .option('--salvage', 'read files that are cut short as far as they go')
    .addHelpText('after', examples)
    .action((inputs: string[], options: InfoOptions) => {
      process.exitCode = runInfo(inputs, options);
    });
}

/** @returns the exit code */
function runInfo(inputs: readonly string[], options: InfoOptions): 0 | 1 {
  const { files, failures, notes } = findTextures(inputs, options);
  for (const { path, message } of notes) process.stderr.write(`${path}: ${message}\n`);
  const unfound = failures.map(({ path, ...error }): FileInfo => ({ file: path, error }));
  let hasFailed = unfound.length > 0;
  let separator = options.json ? '[\n' : '';
  // One by one: a folder may hold many thousands.
  for (const info of inspectAll(unfound, files, options.salvage ?? false)) {
    hasFailed ||= info.error !== undefined;
    process.stdout.write(
      separator + (options.json ? JSON.stringify(info, null, 2) : describe(info)),
    );
    separator = options.json ? ',\n' : '\n\n';
  }
  process.stdout.write(options.json ? '\n]\n' : '\n');
  return hasFailed ? 1 : 0;
}

function* inspectAll(
  unfound: readonly FileInfo[],
  files: readonly { path: string }[],
  salvage: boolean,
): Generator<FileInfo> {
  yield* unfound;
  for (const { path } of files) yield inspect(path, salvage);
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
  let bytes: Uint8Array | undefined;
  try {
    // Nothing is decoded: pictures of any size can be looked at.
    const limits = limitsFor(mostPixels);
    const read = readTexture(file, limits);
    bytes = read.bytes;
    const { levelFiles } = read;
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
    return { file, ...(bytes && bareHeader(bytes)), error: toFailure(error) };
  }
}

/** What the header says of a file whose level 0 cannot be used; nothing where the header cannot be read. */
function bareHeader(bytes: Uint8Array): Omit<FileInfo, 'file'> {
  try {
    const { offsets, sizes, ...header } = readHeader(bytes);
    const levels = offsets.map((offset, level) => ({
      ...{ level, offset, size: sizes[level], state: 'see the error' },
      width: levelSide(header.width, level),
      height: levelSide(header.height, level),
    }));
    const isUsed = ({ offset, size }: LevelInfo) => offset !== 0 || size !== 0;
    return { bytes: bytes.length, header, levels: levels.filter(isUsed) };
  } catch {
    return {};
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
    const offset = header.offsets[level];
    const size = header.sizes[level];
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
  const { header, levels = [], warnings = [], error } = info;
  const field = (name: string, value: string | number | undefined) => {
    if (value !== undefined) lines.push(`  ${name.padEnd(12)} ${value}`);
  };
  field('bytes', info.bytes);
  if (header) {
    describeHeader(header, field);
    const usable = levels.filter(({ state }) => state === 'ok' || state === 'cut short').length;
    field('levels', `${usable} of ${fullChainLength(header.width, header.height)}`);
    lines.push(...table(levels).map((row) => `    ${row}`));
  }
  if (error) field('error', `${error.code}: ${error.message}`);
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
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padStart(widths[column])))
      .join('  '),
  );
}
