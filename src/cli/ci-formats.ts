// Findings for machines that review code: SARIF 2.1.0, and the annotations of GitHub Actions.

import { sep } from 'node:path';
import {
  type CodeEntry,
  codes,
  type Finding,
  type FindingCode,
  type Severity,
} from '../validate/codes.js';
import type { Problem } from './find.js';

/** What was found in one file. */
export interface FileFindings {
  file: string;
  findings: readonly Finding[];
}

/** One run as a SARIF log. Files that could not be read are notifications of the tool. */
export function toSarif(
  files: readonly FileFindings[],
  failures: readonly Problem[],
  version: string,
): object {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ code }) => code)))];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'blp', version, rules: used.map(toRule) } },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: failures.map(({ path, message }) => ({
              level: 'error',
              message: { text: message },
              locations: [toLocation(path)],
            })),
          },
        ],
        results: files.flatMap(({ file, findings }) =>
          findings.map(({ code, severity, message, offset }) => ({
            ruleId: code,
            ruleIndex: used.indexOf(code),
            level: severity,
            message: { text: message },
            locations: [toLocation(file, offset)],
          })),
        ),
      },
    ],
  };
}

function toRule(code: FindingCode): object {
  const { explanation, source }: CodeEntry = codes[code];
  return {
    id: code,
    shortDescription: { text: explanation },
    help: { text: `${explanation} Source: ${source}.` },
  };
}

/** Consumers want a line; what the finding is about is told by the byte offset. */
function toLocation(file: string, offset?: number): object {
  const uri = file.split(sep).map(encodeURIComponent).join('/');
  const region = { startLine: 1, ...(offset !== undefined && { byteOffset: offset }) };
  return { physicalLocation: { artifactLocation: { uri }, region } };
}

const annotationKinds: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

/** Workflow commands, one line a finding, which GitHub shows beside the changed files. */
export function toAnnotations({ file, findings }: FileFindings): string[] {
  return findings.map(({ code, severity, message }) =>
    annotation(annotationKinds[severity], file, code, message),
  );
}

/** The annotation of a file that could not be read. */
export function toFailureAnnotation({ path, code, message }: Problem): string {
  return annotation('error', path, code, message);
}

function annotation(kind: string, file: string, title: string, message: string): string {
  const path = escapeProperty(file.split(sep).join('/'));
  return `::${kind} file=${path},title=${escapeProperty(title)}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
