// `blp validate`: would the game show these textures?

import { type Command, Option } from 'commander';
import packageDescription from '../../package.json' with { type: 'json' };
import { defaultLimits } from '../limits.js';
import type { Finding, Severity } from '../validate/codes.js';
import { type ValidateOptions, validate } from '../validate/validate.js';
import { type FileFindings, toAnnotations, toFailureAnnotation, toSarif } from './ci-formats.js';
import { toFailure } from './failure.js';
import type { Problem } from './find.js';
import {
  type Counts,
  countFindings,
  createPainter,
  describeFindings,
  emptyCounts,
  isAtLeast,
  severities,
  summarise,
} from './findings.js';
import { inOptions, limitsFor, mostPixels } from './limits.js';
import { findTextures, readTexture } from './textures.js';
import { addPatternOptions, type PatternOptions, whole } from './usage.js';

const examples = `
Examples:
  blp validate Textures                                every .blp of a folder, with its subfolders
  blp validate --game wow --fail-on warning Media      stop a build at warnings too
  blp validate --format github Media                   annotations in GitHub Actions
  blp validate --json Media | jq -r '.files[] | select(any(.findings[]; .severity == "error")) | .file'

docs/validation.md explains every finding. "blp repair" mends what can be mended.

Exit codes: 0 nothing as serious as --fail-on, 1 something is, 2 a file could not be read, or wrong usage.`;

/** Options that validate and repair share. */
export interface CheckOptions extends PatternOptions {
  game: NonNullable<ValidateOptions['game']>;
  json?: true;
  failOn: Severity;
  maxPixels: number;
}

interface ValidateCommandOptions extends CheckOptions {
  format?: 'text' | 'json' | 'sarif' | 'github';
  minSeverity?: Severity;
}

/** Adds the options that validate and repair share. */
export function addCheckOptions(command: Command): Command {
  const game = new Option(
    '-g, --game <game>',
    'whose rules apply; any: BLP2 is World of Warcraft, BLP0 and BLP1 are Warcraft III',
  )
    .choices(['any', 'wow', 'warcraft3'])
    .default('any');
  return addPatternOptions(command.addOption(game))
    .addOption(
      new Option('--fail-on <severity>', 'the least that makes the exit code 1')
        .choices(severities)
        .default('error'),
    )
    .addOption(
      new Option('--max-pixels <n>', 'do not check larger pictures')
        .argParser(whole(1, mostPixels))
        .default(defaultLimits.maxPixels),
    );
}

export function registerValidate(program: Command): void {
  const command = program
    .command('validate')
    .summary('check whether the game would show textures')
    .description(
      'Check textures against what is known about the readers of World of Warcraft and Warcraft III: mip table, ' +
        'sides, encodings, alpha, JPEG streams.',
    )
    .argument('<input...>', 'files and folders; the level files of BLP0 are found beside them');
  addCheckOptions(command)
    .addOption(
      new Option('--format <format>', 'how to print (default: text)')
        .choices(['text', 'json', 'sarif', 'github'])
        .conflicts('json'),
    )
    .option('--json', 'the same as --format json')
    .addOption(
      new Option(
        '--min-severity <severity>',
        'the least that is printed (default: warning; note in JSON and SARIF)',
      ).choices(severities),
    )
    .addHelpText('after', examples)
    .action((inputs: string[], options: ValidateCommandOptions) => {
      process.exitCode = runValidate(inputs, options);
    });
}

/** @returns the exit code */
function runValidate(inputs: readonly string[], options: ValidateCommandOptions): 0 | 1 | 2 {
  const format = options.json ? 'json' : (options.format ?? 'text');
  const isWhole = format === 'json' || format === 'sarif';
  const least = options.minSeverity ?? (isWhole ? 'note' : 'warning');
  const { files, failures, notes } = findTextures(inputs, options);
  const counts = emptyCounts();
  const kept: FileFindings[] = [];
  let hasFailed = false;
  for (const { path } of files) {
    let findings: Finding[];
    try {
      findings = check(path, options);
    } catch (error) {
      failures.push({ path, ...toFailure(error) });
      continue;
    }
    countFindings(counts, findings, least);
    hasFailed ||= findings.some((finding) => isAtLeast(finding, options.failOn));
    const shown = findings.filter((finding) => isAtLeast(finding, least));
    if (isWhole) kept.push({ file: path, findings: shown });
    else if (shown.length > 0) print(format, { file: path, findings: shown });
  }
  counts.unreadable = failures.length;
  for (const note of notes) process.stderr.write(`${note.path}: ${note.message}\n`);
  printEnd(format, kept, failures, counts);
  if (failures.length > 0) return 2;
  return hasFailed ? 1 : 0;
}

function check(path: string, { game, maxPixels }: CheckOptions): Finding[] {
  const limits = limitsFor(maxPixels);
  const { bytes, levelFiles } = readTexture(path, limits);
  const findings = validate(bytes, { game, limits, ...(levelFiles && { levelFiles }) });
  return findings.map(nameOptions);
}

/** A limit is named by the option that sets it. */
export function nameOptions(finding: Finding): Finding {
  return finding.code === 'over-limit'
    ? { ...finding, message: inOptions(finding.message) }
    : finding;
}

function print(format: 'text' | 'github', entry: FileFindings): void {
  const paint = createPainter(process.stdout);
  const lines =
    format === 'github'
      ? toAnnotations(entry)
      : [paint('bold', entry.file), ...describeFindings(entry.findings, paint), ''];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printEnd(
  format: 'text' | 'json' | 'sarif' | 'github',
  files: readonly FileFindings[],
  failures: readonly Problem[],
  counts: Counts,
): void {
  if (format === 'json') {
    const { filesByCode, ...numbers } = counts;
    const summary = { ...numbers, filesByCode: Object.fromEntries(filesByCode) };
    const report = { files, failures, summary };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  } else if (format === 'sarif') {
    const log = toSarif(files, failures, packageDescription.version);
    process.stdout.write(`${JSON.stringify(log, null, 2)}\n`);
  } else if (format === 'github') {
    for (const failure of failures) process.stdout.write(`${toFailureAnnotation(failure)}\n`);
  }
  if (format !== 'json' && format !== 'sarif') process.stdout.write(`${summarise(counts)}\n`);
  if (format === 'github') return;
  for (const { path, message } of failures) process.stderr.write(`${path}: ${message}\n`);
  if (format === 'text' && counts.repairable > 0) {
    const verb = counts.repairable === 1 ? 'file can' : 'files can';
    process.stdout.write(`${counts.repairable} ${verb} be mended by "blp repair"\n`);
  }
}
