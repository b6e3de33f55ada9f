// `blp convert`: what its options mean together.

import { extname } from 'node:path';
import type { Command } from 'commander';
import type { AlphaBits } from '../container/alpha.js';
import { resolveOptions } from '../encode/options.js';
import { BlpError } from '../errors.js';
import { type FormatName, formats } from '../image/formats.js';
import { addConvert, type ConvertOptions, targets } from './convert-options.js';
import { runConvert } from './convert-run.js';
import type { BlpSettings, ConvertSettings, Target } from './job.js';
import { inOptions, limitsFor, toFlag } from './limits.js';
import { isFolder, misuse, refuseStandardStreams } from './usage.js';

/** What is taken from folders when textures are made. */
const pictureExtensions = [
  ...['.png', '.tga', '.dds', '.blp', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff'],
  ...['.avif', '.svg'],
];

/** Names of pictures that are not written; an output of such a name is not meant to be a folder. */
const unwritten = [
  ...pictureExtensions.filter((extension) => targetOf(`x${extension}`) === undefined),
  ...['.bmp', '.jxl', '.ktx', '.raw'],
];

/** Options that mean something for one direction only. */
const onlyForBlp = [
  ...['blpVersion', 'encoding', 'alphaBits', 'mipmaps', 'minimumSize', 'quality', 'dither'],
  ...['preset', 'alphaThreshold', 'keepTransparentColor', 'resize', 'allowAnySize'],
] as const satisfies readonly (keyof ConvertOptions)[];

export function registerConvert(program: Command): void {
  addConvert(program, convert);
}

async function convert(
  command: Command,
  operands: string[],
  options: ConvertOptions,
): Promise<void> {
  const { inputs, output } = splitOperands(command, operands, options);
  refuseStandardStreams(command, [...inputs, output]);
  const isFile = isOutputFile(inputs, output);
  if (!isFile) checkFolder(command, inputs, output);
  const to = resolveTarget(command, options, isFile ? output : undefined);
  checkCombination(command, options, to, isFile);
  process.exitCode = await runConvert({
    settings: toSettings(options, to),
    plan: {
      inputs,
      output,
      isFile,
      extensions: to === 'blp' ? pictureExtensions : ['.blp'],
      outputExtension: extensionOf(to),
      include: options.include ?? [],
      exclude: options.exclude ?? [],
      shard: options.shard,
    },
    jobs: options.jobs,
    timeout: options.timeout * 1000,
    isDryRun: options.dryRun ?? false,
    isJson: options.json ?? false,
    isQuiet: options.quiet ?? false,
    isVerbose: options.verbose ?? false,
  });
}

function splitOperands(
  command: Command,
  operands: string[],
  options: ConvertOptions,
): { inputs: string[]; output: string } {
  if (options.output !== undefined) {
    if (options.output === '') misuse(command, 'the output (-o) is empty');
    return { inputs: operands, output: options.output };
  }
  const [input, output] = operands as [string, string | undefined];
  const isPair =
    operands.length === 2 &&
    output !== undefined &&
    targetOf(output) !== undefined &&
    extname(input).toLowerCase() !== extname(output).toLowerCase();
  if (isPair) return { inputs: [input], output };
  if (operands.length === 2 && output !== undefined) checkSecond(command, input, output);
  misuse(command, 'where to? Give the output folder or file with -o');
}

/** Says why the second of two files is not taken for the output. */
function checkSecond(command: Command, input: string, output: string): void {
  const extension = extname(output).toLowerCase();
  if (targetOf(output) !== undefined) {
    misuse(command, `${input} and ${output} are both ${extension} files: name the output with -o`);
  }
  if (unwritten.includes(extension)) checkFolder(command, [input], output);
}

/** The format that an output file's extension stands for. */
function targetOf(path: string): Target | undefined {
  const extension = extname(path).toLowerCase();
  return targets.find((name) => extensionOf(name) === extension);
}

/** The extension of a target's first file, with its dot. */
function extensionOf(target: Target): string {
  return target === 'blp' ? '.blp' : formats[target].extensions[0];
}

/** One input file and an output with a known extension: a file. Everything else is a folder. */
function isOutputFile(inputs: readonly string[], output: string): boolean {
  if (inputs.length !== 1 || targetOf(output) === undefined || /[\\/]$/.test(output)) return false;
  return !isFolder(inputs[0]) && !isFolder(output);
}

/** Whoever names the output like a picture does not expect a folder. */
function checkFolder(command: Command, inputs: readonly string[], output: string): void {
  const extension = extname(output).toLowerCase();
  if (/[\\/]$/.test(output) || isFolder(output)) return;
  if (targetOf(output) === undefined) {
    if (!unwritten.includes(extension)) return;
    const known = targets.map(extensionOf);
    misuse(
      command,
      `${extension} files cannot be written (${output}); it can be ${known.join(', ')}`,
    );
  }
  const given =
    inputs.length === 1 ? `${inputs[0]} is a folder` : `there are ${inputs.length} inputs`;
  misuse(
    command,
    `the output ${output} is named like one file, but ${given}: name a folder (with a / at its end if it must end in ${extension})`,
  );
}

function resolveTarget(
  command: Command,
  options: ConvertOptions,
  file: string | undefined,
): Target {
  const byName = file === undefined ? undefined : targetOf(file);
  if (options.to !== undefined && byName !== undefined && options.to !== byName) {
    misuse(command, `--to is ${options.to}, but the output ${file} is named like a ${byName} file`);
  }
  return options.to ?? byName ?? 'png';
}

function checkCombination(
  command: Command,
  options: ConvertOptions,
  to: Target,
  isFile: boolean,
): void {
  if (options.overwrite && options.skipExisting) {
    misuse(command, '--overwrite and --skip-existing exclude each other');
  }
  if (options.quiet && options.verbose) misuse(command, '--quiet and --verbose exclude each other');
  if (options.compressionLevel !== undefined && to !== 'png') {
    misuse(command, `--compression-level is for png, not for ${to}`);
  }
  if (to === 'blp') {
    if (options.allLevels || options.level > 0) {
      misuse(command, '--level and --all-levels are for textures that are read, not for --to blp');
    }
    checkEncoding(command, toSettings(options, to).blp);
    return;
  }
  const given = onlyForBlp.find((name) => options[name] !== undefined);
  if (given !== undefined) {
    misuse(command, `${toFlag(given)} is for --to blp, not for ${to}`);
  }
  if (!options.allLevels) return;
  if (options.level > 0) misuse(command, '--level and --all-levels exclude each other');
  if (isFile) misuse(command, '--all-levels makes several files: give a folder with -o');
  if (formats[to as FormatName].holds === 'chain') {
    misuse(command, `a ${to} file holds all levels already: leave --all-levels out`);
  }
}

/** Options that fit no picture are a mistake in the call, not in each of its files. */
function checkEncoding(command: Command, { version, options }: BlpSettings): void {
  const picture = { width: 4, height: 4, data: new Uint8Array(64) };
  try {
    if (version === 0) resolveOptions(picture, options, true);
    else resolveOptions(picture, { ...options, version }, false);
  } catch (error) {
    if (!(error instanceof BlpError)) throw error;
    misuse(command, inOptions(error.message));
  }
}

function toSettings(options: ConvertOptions, to: Target): ConvertSettings {
  return {
    to,
    level: options.level,
    allLevels: options.allLevels ?? false,
    alpha: options.alpha,
    salvage: options.salvage ?? false,
    limits: limitsFor(options.maxPixels),
    compressionLevel: options.compressionLevel,
    existing: options.overwrite ? 'overwrite' : options.skipExisting ? 'skip' : 'refuse',
    blp: {
      version:
        options.blpVersion === undefined ? undefined : (Number(options.blpVersion) as 0 | 1 | 2),
      options: {
        encoding: options.encoding,
        alphaBits:
          options.alphaBits === undefined ? undefined : (Number(options.alphaBits) as AlphaBits),
        mipmaps: options.mipmaps,
        minimumSize: options.minimumSize,
        quality: options.quality,
        dither: options.dither,
        preset: options.preset,
        alphaThreshold: options.alphaThreshold,
        keepTransparentColor: options.keepTransparentColor,
        allowAnySize: options.allowAnySize,
      },
      resize: options.resize,
    },
  };
}
