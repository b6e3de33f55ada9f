// `blp repair`: mends textures so that the game shows them.

import { unlinkSync } from 'node:fs';
import { extname } from 'node:path';
import type { Command } from 'commander';
import type { Finding } from '../validate/codes.js';
import type { RepairAction } from '../validate/repair.js';
import { repair } from '../validate/repair.js';
import { toFailure } from './failure.js';
import type { Problem } from './find.js';
import { createPainter, describeFindings, isAtLeast } from './findings.js';
import { limitsFor } from './limits.js';
import { otherLevelFiles } from './output.js';
import { makePlan } from './plan.js';
import {
  backupSuffix,
  outputsAt,
  outputsInPlace,
  type PlacedFile,
  refuseExisting,
  writeOutputs,
} from './repair-files.js';
import { findTextures, nothingFound, readTexture } from './textures.js';
import { isFolder, misuse, refuseStandardStreams } from './usage.js';
import { addCheckOptions, type CheckOptions, nameOptions } from './validate.js';
import { plural } from './words.js';

const examples = `
Examples:
  blp repair --dry-run --in-place Media      what would be done
  blp repair --in-place Media                mend where they are; originals are kept as *.blp.bak
  blp repair Media -o Mended                 all into another folder, mended where needed and possible
  blp repair Media -o Mended --changed-only  only those that needed it

Good levels keep their texels. docs/validation.md tells what is mended, and how.

Exit codes: 0 nothing as serious as --fail-on is left, 1 something is, 2 a file could not be read or written, or
wrong usage.`;

interface RepairCommandOptions extends CheckOptions {
  output?: string;
  inPlace?: true;
  changedOnly?: true;
  overwrite?: true;
  dryRun?: true;
}

export function registerRepair(program: Command): void {
  const command = program
    .command('repair')
    .summary('mend textures that the game would not show')
    .description(
      'Mend what "blp validate" finds: clear garbage slots, put offsets and sizes right, make missing mip levels, ' +
        'correct header fields, shorten JPEG headers. Nothing that is right is changed, and a file without errors ' +
        'and warnings stays as it is.',
    )
    .argument('<input...>', 'files and folders; the level files of BLP0 are found beside them')
    .option('-o, --output <path>', 'the output folder, or the output file of a single input file')
    .option('--in-place', 'write to the files themselves and keep each original as *.bak');
  addCheckOptions(command)
    .option('--changed-only', 'with -o: leave out files that are as they were')
    .option('--overwrite', 'replace outputs and *.bak files that exist')
    .option('--dry-run', 'print what would be done, do nothing')
    .option('--json', 'print a report as JSON to standard output')
    .addHelpText('after', examples)
    .action((inputs: string[], options: RepairCommandOptions) => {
      const { output, inPlace } = options;
      if ((output === undefined) === (inPlace === undefined) || output === '') {
        misuse(command, 'give either -o OUT or --in-place');
      }
      if (output !== undefined) checkOutputName(command, inputs, output);
      process.exitCode = runRepair(inputs, options);
    });
}

/** Whoever names the output like a file does not expect a folder. */
function checkOutputName(command: Command, inputs: readonly string[], output: string): void {
  refuseStandardStreams(command, [...inputs, output]);
  const extension = extname(output).toLowerCase();
  if (inputs.length !== 1 || extension === '' || extension === '.blp' || isFolder(output)) return;
  if (isFolder(inputs[0]) || /[\\/]$/.test(output)) return;
  misuse(command, `the output ${output} is named like a file; a repaired texture is a .blp file`);
}

/** A texture, and where it goes; without an output it is repaired in place. */
interface Job {
  input: string;
  output?: string;
}

interface FileReport {
  file: string;
  /** `left`: nothing could be done, and something is wrong. */
  status: 'clean' | 'repaired' | 'left';
  outputs: string[];
  backups: string[];
  actions: RepairAction[];
  remaining: Finding[];
}

/** @returns the exit code */
function runRepair(inputs: readonly string[], options: RepairCommandOptions): 0 | 1 | 2 {
  const { jobs, failures, notes, ignored } = makeJobs(inputs, options);
  for (const note of notes) process.stderr.write(`${note.path}: ${note.message}\n`);
  const reports: FileReport[] = [];
  for (const job of jobs) {
    try {
      const report = repairFile(job, options);
      reports.push(report);
      if (!options.json) print(report, options.dryRun ?? false);
    } catch (error) {
      const failure = { path: job.input, ...toFailure(error) };
      failures.push(failure);
      process.stderr.write(`${failure.path}: ${failure.message}\n`);
    }
  }
  if (jobs.length === 0 && failures.length === 0) {
    const failure = nothingFound(inputs, ignored);
    failures.push(failure);
    process.stderr.write(`${failure.path}: ${failure.message}\n`);
  }
  const counts = {
    repaired: reports.filter(({ status }) => status === 'repaired').length,
    clean: reports.filter(({ status }) => status === 'clean').length,
    left: reports.filter(({ remaining }) => isFaulty(remaining)).length,
    copied: reports.filter(({ status, outputs }) => status !== 'repaired' && outputs.length > 0)
      .length,
    failed: failures.length,
  };
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ files: reports, failures, summary: counts }, null, 2)}\n`
      : `${summarise(counts, options.dryRun ?? false)}\n`,
  );
  if (failures.length > 0) return 2;
  const isLeft = ({ remaining }: FileReport): boolean =>
    remaining.some((finding) => isAtLeast(finding, options.failOn));
  return reports.some(isLeft) ? 1 : 0;
}

function makeJobs(
  inputs: readonly string[],
  { output, include = [], exclude = [] }: RepairCommandOptions,
): { jobs: Job[]; failures: Problem[]; notes: Problem[]; ignored: number } {
  if (output === undefined) {
    const { files, failures, notes, ignored } = findTextures(inputs, { include, exclude });
    for (const { path, message } of failures) process.stderr.write(`${path}: ${message}\n`);
    return { jobs: files.map(({ path }) => ({ input: path })), failures, notes, ignored };
  }
  const isFile =
    inputs.length === 1 && !isFolder(inputs[0]) && extname(output).toLowerCase() === '.blp';
  const { jobs, failures, notes, ignored } = makePlan({
    ...{ inputs, output, isFile, include, exclude, shard: undefined },
    ...{ extensions: ['.blp'], outputExtension: '.blp' },
  });
  for (const { path, message } of failures) process.stderr.write(`${path}: ${message}\n`);
  const placed = jobs.map(({ input, stem, extension = '.blp' }) => ({
    input,
    output: stem + extension,
  }));
  return { jobs: placed, failures, notes, ignored };
}

function repairFile({ input, output }: Job, options: RepairCommandOptions): FileReport {
  const limits = limitsFor(options.maxPixels);
  const before = readTexture(input, limits);
  const { levelFiles } = before;
  const result = repair(before.bytes, {
    game: options.game,
    limits,
    ...(levelFiles && { levelFiles }),
  });
  const { actions } = result;
  const remaining = result.remaining.map(nameOptions);
  const isClean = actions.length === 0 && !isFaulty(remaining);
  let outputs: PlacedFile[] = [];
  if (output === undefined) {
    if (actions.length > 0) outputs = outputsInPlace(input, before, result);
  } else if (actions.length > 0 || !options.changedOnly) {
    outputs = outputsAt(output, result);
  }
  const isPlaced = output !== undefined && outputs.length > 0;
  const names = outputs.map(({ path }) => path);
  const overwrite = options.overwrite ?? false;
  const others = isPlaced && levelFiles ? otherLevelFiles(names, overwrite) : [];
  if (!options.dryRun) {
    writeOutputs(outputs, overwrite);
    for (const other of others) unlinkSync(other);
  } else if (!overwrite) refuseExisting(outputs);
  return {
    file: input,
    status: actions.length > 0 ? 'repaired' : isClean ? 'clean' : 'left',
    outputs: names,
    backups: outputs.flatMap(({ path, original }) => (original ? [path + backupSuffix] : [])),
    actions,
    remaining,
  };
}

function isFaulty(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity !== 'note');
}

function print(
  { file, status, outputs, backups, actions, remaining }: FileReport,
  isDryRun: boolean,
): void {
  if (status === 'clean') return;
  const paint = createPainter(process.stdout);
  const places = backups.length > 0 ? `original kept as ${backups.join(', ')}` : outputs.join(', ');
  const heading = places === '' ? file : `${file} → ${places}`;
  const verb = isDryRun ? 'planned' : 'mended';
  const lines = [
    paint('bold', heading),
    ...actions.map(
      ({ code, message }) => `  ${paint('green', verb.padEnd(7))}  ${code}: ${message}`,
    ),
  ];
  const left = remaining.filter(({ severity }) => severity !== 'note');
  if (left.length > 0) {
    lines.push('  cannot be mended:', ...describeFindings(left, paint).map((line) => `  ${line}`));
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function summarise(
  counts: { repaired: number; clean: number; left: number; copied: number; failed: number },
  isDryRun: boolean,
): string {
  const files = plural(counts.repaired, 'file');
  const parts = [
    isDryRun ? `${files} would be mended` : `${files} mended`,
    `${counts.clean} needed nothing`,
  ];
  if (counts.left > 0) parts.push(`${counts.left} with something that cannot be mended`);
  if (counts.copied > 0) {
    parts.push(`${counts.copied} ${isDryRun ? 'would be ' : ''}copied as they are`);
  }
  if (counts.failed > 0) parts.push(`${counts.failed} could not be read or written`);
  return parts.join(', ');
}
