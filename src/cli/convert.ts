// `blp convert`: the options and what they mean.

import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import type { AlphaMode } from '../decode/request.js';
import type { AlphaBits, Preset, WritableEncoding } from '../encode/options.js';
import type { ResizeMode } from '../encode/resize.js';
import { type FormatName, formatNames, formats } from '../image/formats.js';
import { defaultLimits } from '../limits.js';
import { runConvert } from './convert-run.js';
import type { ConvertSettings, Target } from './job.js';
import type { Shard } from './shard.js';
import { collect, mipmaps, seconds, shard, whole } from './usage.js';

/** The options as commander hands them over. */
interface ConvertOptions {
  output?: string;
  to?: Target;
  level: number;
  allLevels?: true;
  alpha: AlphaMode;
  salvage?: true;
  compressionLevel?: number;
  overwrite?: true;
  skipExisting?: true;
  dryRun?: true;
  include?: string[];
  exclude?: string[];
  shard?: Shard;
  jobs: number;
  timeout: number;
  maxPixels: number;
  json?: true;
  quiet?: true;
  verbose?: true;
  blpVersion?: '0' | '1' | '2';
  encoding?: WritableEncoding;
  alphaBits?: string;
  mipmaps?: boolean | number;
  minimumSize?: number;
  quality?: number;
  dither?: true;
  preset?: Preset;
  alphaThreshold?: number;
  keepTransparentColor?: true;
  resize?: ResizeMode;
  allowAnySize?: true;
}

/** What is taken from folders when textures are made. */
const pictureExtensions = [
  ...['.png', '.tga', '.dds', '.blp', '.jpg', '.jpeg', '.webp', '.gif', '.tif', '.tiff'],
  ...['.avif', '.svg'],
];

const targets: readonly Target[] = [...formatNames, 'blp'];

/** Options that mean something for one direction only. */
const onlyForBlp = [
  ...['blpVersion', 'encoding', 'alphaBits', 'mipmaps', 'minimumSize', 'quality', 'dither'],
  ...['preset', 'alphaThreshold', 'keepTransparentColor', 'resize', 'allowAnySize'],
] as const satisfies readonly (keyof ConvertOptions)[];

const examples = `
Examples:
  blp convert Textures -o png                         every .blp of a folder, with its subfolders
  blp convert icon.blp -o icon.png                    one file
  blp convert Textures -o dds --to dds                DXT blocks and mip chains copied as they are
  blp convert Textures -o png --jobs 8 --skip-existing   go on where an earlier run was ended
  blp convert Textures -o png --include 'Interface/**' --exclude '*_n.blp'
  blp convert Textures -o png --shard 3/16            the third of sixteen parts (see docs/batch.md)
  blp convert icon.png icon.blp --blp-version 1       a picture to a Warcraft III texture
  blp convert art -o Textures --to blp --resize nearest --preset best

Exit codes: 0 all went well, 1 something failed, 2 wrong usage, 130 ended by Ctrl-C (143 by SIGTERM).`;

export function registerConvert(program: Command): void {
  const command = program
    .command('convert')
    .summary('convert textures to pictures, or pictures to textures')
    .description(
      'Convert BLP textures to PNG and other formats, or pictures to BLP (--to blp).\n\n' +
        'Folders are walked and their subfolders kept. A file that cannot be converted is reported and stops ' +
        'nothing. Files are written under a temporary name (*.blp-partial) and renamed, so that no half-written ' +
        'file is ever found under its own name.',
    )
    .argument('<input...>', 'files and folders; with two files and no -o, the second is the output')
    .option('-o, --output <path>', 'the output folder, or the output file of a single input file')
    .addOption(
      new Option(
        '-t, --to <format>',
        'what to make (default: png, or by the extension of the output file); webp needs the package sharp',
      ).choices(targets),
    );

  command
    .optionsGroup('Which files:')
    .option(
      '--include <pattern>',
      'only these files of the folders, by name or, with a slash, by path; repeatable',
      collect,
    )
    .option('--exclude <pattern>', 'not these files or subfolders; repeatable', collect)
    .addOption(
      new Option(
        '--shard <k/n>',
        'only part K of N, split by path: for array jobs that share one tree',
      ).argParser(shard),
    )
    .option('--overwrite', 'replace outputs that exist')
    .option('--skip-existing', 'keep outputs that exist and count them as done: resumes a run')
    .option('--dry-run', 'print what would be done, do nothing');

  command
    .optionsGroup('Reading textures:')
    .addOption(
      new Option('--level <n>', 'mip level to convert; of DDS and KTX2 the largest that is kept')
        .argParser(whole(0, 15))
        .default(0),
    )
    .option('--all-levels', 'one file for each level: NAME.level0.png, NAME.level1.png …')
    .addOption(
      new Option(
        '--alpha <mode>',
        'auto: as stored, but JPEG alpha that is all 0 means opaque; declared: as the header says',
      )
        .choices(['auto', 'declared', 'stored', 'opaque'])
        .default('auto'),
    )
    .option('--salvage', 'make the best of files that are cut short')
    .addOption(
      new Option('--max-pixels <n>', 'refuse larger pictures')
        .argParser(whole(1, 65535 * 65535))
        .default(defaultLimits.maxPixels),
    )
    .addOption(
      new Option('--compression-level <n>', 'PNG: 0 (fast, large) to 9 (slow, small)').argParser(
        whole(0, 9),
      ),
    );

  command
    .optionsGroup('Writing textures (--to blp):')
    .addOption(
      new Option(
        '--blp-version <n>',
        '1 Warcraft III, 2 World of Warcraft, 0 the beta of Warcraft III (default: 2, jpeg: 1)',
      ).choices(['0', '1', '2']),
    )
    .addOption(
      new Option('--encoding <name>', 'default: 1 jpeg; 2 dxt1 or, with soft alpha, dxt5').choices([
        ...['jpeg', 'paletted', 'dxt1', 'dxt3', 'dxt5', 'bgra'],
      ]),
    )
    .addOption(
      new Option('--alpha-bits <n>', 'default: what the picture needs').choices([
        '0',
        '1',
        '4',
        '8',
      ]),
    )
    .addOption(
      new Option('--mipmaps <n>', 'all, none, or a number of levels (default: all)').argParser(
        mipmaps,
      ),
    )
    .addOption(
      new Option('--minimum-size <n>', 'no levels whose larger side is smaller').argParser(
        whole(1, 65535),
      ),
    )
    .addOption(new Option('--quality <n>', 'JPEG, 1 to 100 (default: 90)').argParser(whole(1, 100)))
    .option('--dither', 'paletted: spread the error of colours')
    .addOption(
      new Option('--preset <name>', 'DXT (default: normal)').choices(['fast', 'normal', 'best']),
    )
    .addOption(
      new Option(
        '--alpha-threshold <n>',
        '1-bit alpha: opaque from here on (default: 128)',
      ).argParser(whole(1, 255)),
    )
    .option('--keep-transparent-color', 'alpha is a mask: colour counts where it is 0 too')
    .addOption(
      new Option('--resize <how>', 'sides that are not powers of two').choices([
        ...['nearest', 'pad', 'stretch'],
      ]),
    )
    .option('--allow-any-size', 'write such sides as they are (World of Warcraft rejects them)');

  command
    .optionsGroup('The run:')
    .addOption(
      new Option('-j, --jobs <n>', 'worker threads')
        .argParser(whole(1, 256))
        .default(availableParallelism(), 'the cores'),
    )
    .addOption(
      new Option('--timeout <seconds>', 'give a file up after this time; 0 for never')
        .argParser(seconds)
        .default(300),
    )
    .option('--json', 'print a report as JSON to standard output')
    .option('-q, --quiet', 'print failures only')
    .option('-v, --verbose', 'print every file and its warnings')
    .addHelpText('after', examples)
    .action(async (inputs: string[], options: ConvertOptions) => {
      await convert(command, inputs, options);
    });
}

async function convert(
  command: Command,
  operands: string[],
  options: ConvertOptions,
): Promise<void> {
  const { inputs, output } = splitOperands(command, operands, options);
  const isFile = isOutputFile(inputs, output);
  const to = resolveTarget(command, options, isFile ? output : undefined);
  checkCombination(command, options, to, isFile);
  process.exitCode = await runConvert({
    settings: toSettings(options, to),
    plan: {
      inputs,
      output,
      isFile,
      extensions: to === 'blp' ? pictureExtensions : ['.blp'],
      outputExtension: to === 'blp' ? '.blp' : formats[to].extensions[0],
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

/** A mistake in how the command was called. */
function misuse(command: Command, message: string): never {
  command.error(`error: ${message}`, { exitCode: 2 });
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
  misuse(command, 'where to? Give the output folder or file with -o');
}

/** The format that an output file's extension stands for. */
function targetOf(path: string): Target | undefined {
  const extension = extname(path).toLowerCase();
  return targets.find((name) =>
    name === 'blp' ? extension === '.blp' : formats[name].extensions[0] === extension,
  );
}

/** One input file and an output with a known extension: a file. Everything else is a folder. */
function isOutputFile(inputs: readonly string[], output: string): boolean {
  if (inputs.length !== 1 || targetOf(output) === undefined || /[\\/]$/.test(output)) return false;
  const isFolder = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  try {
    return !isFolder(inputs[0]!) && !isFolder(output);
  } catch {
    return true;
  }
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
    return;
  }
  const given = onlyForBlp.find((name) => options[name] !== undefined);
  if (given !== undefined) {
    const flag = given.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    misuse(command, `--${flag} is for --to blp, not for ${to}`);
  }
  if (!options.allLevels) return;
  if (options.level > 0) misuse(command, '--level and --all-levels exclude each other');
  if (isFile) misuse(command, '--all-levels makes several files: give a folder with -o');
  if (formats[to as FormatName].holds === 'chain') {
    misuse(command, `a ${to} file holds all levels already: leave --all-levels out`);
  }
}

function toSettings(options: ConvertOptions, to: Target): ConvertSettings {
  const { maxPixels } = options;
  return {
    to,
    level: options.level,
    allLevels: options.allLevels ?? false,
    alpha: options.alpha,
    salvage: options.salvage ?? false,
    // RGBA takes 4 bytes a pixel; the file of an uncompressed chain 4 and a third.
    limits: {
      maxPixels,
      maxOutputBytes: Math.max(defaultLimits.maxOutputBytes, maxPixels * 4),
      maxInputBytes: Math.max(defaultLimits.maxInputBytes, maxPixels * 6),
    },
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
