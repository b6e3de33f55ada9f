// Findings in words: grouped by file, coloured on a terminal, counted at the end.

import { styleText } from 'node:util';
import type { Finding, Severity } from '../validate/codes.js';
import { increase, plural, tally } from './words.js';

/** Most serious first. */
export const severities = ['error', 'warning', 'note'] as const satisfies readonly Severity[];

/** Whether a finding is at least as serious as the given severity. */
export function isAtLeast(finding: Finding, least: Severity): boolean {
  return severities.indexOf(finding.severity) <= severities.indexOf(least);
}

type Style = Parameters<typeof styleText>[0];

/** Colours for a terminal, unless NO_COLOR is set (no-color.org); plain text otherwise. */
export function createPainter(stream: NodeJS.WriteStream): (style: Style, text: string) => string {
  const isColored = stream.isTTY === true && !process.env.NO_COLOR;
  return isColored ? (style, text) => styleText(style, text) : (_, text) => text;
}

const severityStyles: Readonly<Record<Severity, Style>> = {
  error: 'red',
  warning: 'yellow',
  note: 'cyan',
};

/** A finding, and the levels of others of the same code that are told with it. */
interface Group {
  finding: Finding;
  others: number[];
}

/** One line a finding; levels after the first with the same code are listed behind it. */
export function describeFindings(
  findings: readonly Finding[],
  paint: ReturnType<typeof createPainter>,
): string[] {
  const groups: Group[] = [];
  for (const finding of findings) {
    const group = groups.find(({ finding: first }) => first.code === finding.code);
    if (group && finding.level !== undefined) group.others.push(finding.level);
    else groups.push({ finding, others: [] });
  }
  return groups.map(({ finding, others }) => {
    const { severity, code, message, repairable } = finding;
    const more = others.length > 0 ? `; also ${listLevels(others)}` : '';
    const mark = repairable && severity !== 'note' ? paint('dim', ' (can be repaired)') : '';
    return `  ${paint(severityStyles[severity], severity.padEnd(7))}  ${code}: ${message}${more}${mark}`;
  });
}

function listLevels(levels: readonly number[]): string {
  return `level${levels.length > 1 ? 's' : ''} ${levels.join(', ')}`;
}

/** How many findings of each severity, and in how many files. */
export interface Counts {
  files: number;
  clean: number;
  unreadable: number;
  findings: Record<Severity, number>;
  filesWith: Record<Severity, number>;
  /** In how many files each code was found. */
  filesByCode: Map<string, number>;
  repairable: number;
}

export function emptyCounts(): Counts {
  const zeros = (): Record<Severity, number> => ({ error: 0, warning: 0, note: 0 });
  const numbers = { files: 0, clean: 0, unreadable: 0, repairable: 0 };
  return { ...numbers, findings: zeros(), filesWith: zeros(), filesByCode: new Map() };
}

/** @param least what is less serious is not counted by its code */
export function countFindings(counts: Counts, findings: readonly Finding[], least: Severity): void {
  counts.files++;
  if (findings.every(({ severity }) => severity === 'note')) counts.clean++;
  if (findings.some(({ severity, repairable }) => repairable && severity !== 'note')) {
    counts.repairable++;
  }
  const shown = findings.filter((finding) => isAtLeast(finding, least));
  for (const code of new Set(shown.map((finding) => finding.code))) {
    increase(counts.filesByCode, code);
  }
  for (const severity of severities) {
    const count = findings.filter((finding) => finding.severity === severity).length;
    counts.findings[severity] += count;
    if (count > 0) counts.filesWith[severity]++;
  }
}

/** `12 files: 9 clean, 3 errors in 2 files, 1 warning in 1 file`, and the files by code. */
export function summarise(counts: Counts): string {
  const { files, clean, unreadable, findings, filesWith, filesByCode } = counts;
  const parts = [`${clean} clean`];
  for (const severity of severities) {
    if (findings[severity] === 0) continue;
    const where = plural(filesWith[severity], 'file');
    parts.push(`${plural(findings[severity], severity)} in ${where}`);
  }
  if (unreadable > 0) parts.push(`${unreadable} could not be read`);
  const summary = `${plural(files + unreadable, 'file')}: ${parts.join(', ')}`;
  if (files < 2 || filesByCode.size === 0) return summary;
  return `${summary}\nfiles by code: ${tally(filesByCode)}`;
}
