// `blp convert`: its options, as they are typed and explained.

import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { levelSlots, maxSide } from '../container/header.js';
import type { AlphaMode } from '../decode/request.js';
import { type Preset, presets, type WritableEncoding } from '../encode/options.js';
import { type ResizeMode, resizeModes } from '../encode/resize.js';
import { formatNames } from '../image/formats.js';
import { defaultLimits } from '../limits.js';
import type { Target } from './job.js';
import { mostPixels } from './limits.js';
import type { Shard } from './shard.js';
import { addPatternOptions, mipmaps, type PatternOptions, seconds, shard, whole } from './usage.js';

/** The options as commander hands them over. */
export interface ConvertOptions extends PatternOptions {
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

/** What can be made. */
export const targets: readonly Target[] = [...formatNames, 'blp'];

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

/** Adds the command with its help. */
export function addConvert(
  program: Command,
  action: (command: Command, inputs: string[], options: ConvertOptions) => Promise<void>,
): void {
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

  addPatternOptions(command.optionsGroup('Which files:'))
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
        .argParser(whole(0, levelSlots - 1))
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
        .argParser(whole(1, mostPixels))
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
        whole(1, maxSide),
      ),
    )
    .addOption(new Option('--quality <n>', 'JPEG, 1 to 100 (default: 90)').argParser(whole(1, 100)))
    .option('--dither', 'paletted: spread the error of colours')
    .addOption(new Option('--preset <name>', 'DXT (default: normal)').choices(presets))
    .addOption(
      new Option(
        '--alpha-threshold <n>',
        '1-bit alpha: opaque from here on (default: 128)',
      ).argParser(whole(1, 255)),
    )
    .option('--keep-transparent-color', 'alpha is a mask: colour counts where it is 0 too')
    .addOption(
      new Option('--resize <how>', 'sides that are not powers of two').choices(resizeModes),
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
    .action((inputs: string[], options: ConvertOptions) => action(command, inputs, options));
}
