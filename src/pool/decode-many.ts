// decodeMany: many textures decoded by a few workers, as an async iterable.

import type { LevelFiles } from '../container/slots.js';
import { BlpError } from '../errors.js';
import { resolveLimits } from '../limits.js';
import { checkOptions, describe } from '../options.js';
import type { DecodeOptions, Image } from '../texture.js';
import type { BlpWarning } from '../warnings.js';
import { PoolError } from './errors.js';
import type {
  DecodeAnswer,
  DecodeMessage,
  SentError,
  SentOptions,
  SentSource,
} from './messages.js';
import { availableThreads, isNode, nodeModule } from './platform.js';
import { type Outcome, runJobs } from './run.js';

/** A texture's bytes, and for BLP0 the contents of its `.b00`, `.b01` … files. */
export interface SourceFiles {
  bytes: Uint8Array | ArrayBuffer;
  levelFiles?: LevelFiles;
}

/**
 * Where a texture comes from: a path (Node; BLP0 level files beside it are found), a URL (fetched; `file:` in Node), a
 * `Blob` or `File`, or its bytes, which are copied. A string is a path in Node and a URL in browsers.
 */
export type DecodeSource = string | URL | Blob | Uint8Array | ArrayBuffer | SourceFiles;

/** Options of {@link decodeMany}. */
export interface DecodeManyOptions
  extends Pick<DecodeOptions, 'level' | 'region' | 'alpha' | 'salvage' | 'limits'> {
  /** How many workers decode at once, 1 to 256. Default: what the machine can run at once. */
  concurrency?: number;
  /** Results in the order of the sources, or each as soon as it is there. Default `input`. */
  order?: 'input' | 'completion';
  /** Milliseconds that one source may take before it is given up; 0 for any time. Default 60,000. */
  timeout?: number;
  /** Ends the workers at once; the iteration throws the signal's reason. */
  signal?: AbortSignal;
  /** Where the worker script is, if a bundler moved it: `blp-wasm/worker` as a URL. */
  workerUrl?: URL | string;
}

/** What became of one source: an image, or the error that it met. */
export type DecodeResult<Source> =
  | { source: Source; image: Image; warnings: readonly BlpWarning[]; error?: undefined }
  | { source: Source; image?: undefined; warnings?: undefined; error: BlpError | PoolError };

/**
 * Decodes many textures in worker threads.
 *
 * A source that cannot be decoded yields its error and stops nothing. Sources are taken, and textures decoded, only a
 * little ahead of the results that are consumed; leaving the loop ends the workers. A worker that dies is replaced, and
 * what it worked on is tried once more.
 *
 * @param sources paths, URLs, blobs or bytes, from an array or any (async) iterable
 * @returns for each source `{ source, image, warnings }` or `{ source, error }`; `image.data` is yours to keep
 * @throws BlpError `argument` at once for a bad option; the iteration throws `signal`'s reason, or PoolError `crash`
 *   when no worker starts.
 *
 * @example
 * ```ts
 * import { decodeMany } from 'blp-wasm/pool';
 *
 * for await (const { source, image, error } of decodeMany(paths, { concurrency: 4 })) {
 *   if (error) console.error(`${source}: ${error.message}`);
 *   else show(image.width, image.height, image.data);
 * }
 * ```
 */
export function decodeMany<Source extends DecodeSource>(
  sources: Iterable<Source> | AsyncIterable<Source>,
  options: DecodeManyOptions = {},
): AsyncIterableIterator<DecodeResult<Source>> {
  checkCall(sources, options);
  const { level, region, alpha, salvage, limits } = options;
  const sent: SentOptions = { level, region, alpha, salvage, limits };
  const outcomes = runJobs<Source, DecodeAnswer>(sources, {
    // Written in this form, bundlers find the file and ship it.
    worker: options.workerUrl ?? new URL('./worker.js', import.meta.url),
    concurrency: options.concurrency ?? availableThreads(),
    order: options.order ?? 'input',
    timeout: options.timeout ?? 60_000,
    signal: options.signal,
    prepare: (source) => prepare(source, sent),
    jobBytes: sizeOf,
    resultBytes: (answer) => (answer.error ? 0 : answer.image.data.length),
  });
  return toResults(outcomes);
}

async function* toResults<Source>(
  outcomes: AsyncIterable<Outcome<Source, DecodeAnswer>>,
): AsyncGenerator<DecodeResult<Source>, void, undefined> {
  for await (const { job: source, result, error } of outcomes) {
    if (error) yield { source, error };
    else if (result.error) yield { source, error: fromSent(result.error) };
    else yield { source, image: result.image, warnings: result.warnings };
  }
}

function fromSent(sent: SentError): BlpError | PoolError {
  return sent.name === 'BlpError'
    ? new BlpError(sent.code, sent.message, sent.offset)
    : new PoolError(sent.code, sent.message);
}

function prepare(
  source: DecodeSource,
  options: SentOptions,
): { message: DecodeMessage; transfer?: ArrayBuffer[] } {
  const sent = toSentSource(source);
  if (sent.kind !== 'bytes') return { message: { source: sent, options } };
  const views = [sent.bytes, ...(sent.levelFiles ?? [])].filter((view) => view !== undefined);
  const transfer = views.map((view) => view.buffer as ArrayBuffer);
  return { message: { source: sent, options }, transfer };
}

/** Never throws: what is wrong with one source is that source's error. */
function toSentSource(source: DecodeSource): SentSource {
  try {
    return describeSource(source);
  } catch (error) {
    const name = typeof source === 'string' || source instanceof URL ? `${source} ` : '';
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'refused', message: `the source ${name}cannot be used: ${reason}` };
  }
}

function describeSource(source: DecodeSource): SentSource {
  if (typeof source === 'string') {
    if (isNode && !/^(https?|data|blob|file):/.test(source)) return { kind: 'path', path: source };
    // Workers resolve by their own place, not by the page's.
    return fromUrl(new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href));
  }
  if (source instanceof URL) return fromUrl(source);
  if (typeof Blob !== 'undefined' && source instanceof Blob) return { kind: 'blob', blob: source };
  const files = isBytes(source) ? { bytes: source } : (source as SourceFiles | null | undefined);
  if (!isBytes(files?.bytes)) {
    const message =
      'a source must be a path, URL, Blob, Uint8Array, ArrayBuffer or { bytes, levelFiles }';
    return { kind: 'refused', message };
  }
  const { bytes, levelFiles = [] } = files;
  if (!Array.isArray(levelFiles) || !levelFiles.every((file) => !file || isBytes(file))) {
    return { kind: 'refused', message: 'levelFiles must be an array of Uint8Array or undefined' };
  }
  try {
    const copies = files.levelFiles && levelFiles.map((file) => (file ? copyOf(file) : undefined));
    return { kind: 'bytes', bytes: copyOf(bytes), levelFiles: copies };
  } catch {
    return {
      kind: 'refused',
      message: 'the bytes are detached: their buffer was transferred away',
    };
  }
}

function fromUrl(url: URL): SentSource {
  if (isNode && url.protocol === 'file:') {
    return { kind: 'path', path: nodeModule('node:url').fileURLToPath(url) };
  }
  return { kind: 'url', url: url.href };
}

function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

/** The bytes in a buffer of their own, which can be moved: a view may be a small part of a large buffer. */
function copyOf(bytes: Uint8Array | ArrayBuffer): Uint8Array {
  return new Uint8Array(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
}

function sizeOf(source: DecodeSource): number {
  try {
    const bytes = isBytes(source) ? source : (source as SourceFiles | null | undefined)?.bytes;
    return isBytes(bytes) ? bytes.byteLength : 0;
  } catch {
    // What cannot be measured cannot be sent either; that says why.
    return 0;
  }
}

const optionNames: readonly (keyof DecodeManyOptions)[] = [
  ...(['level', 'region', 'alpha', 'salvage', 'limits'] as const),
  ...(['concurrency', 'order', 'timeout', 'signal', 'workerUrl'] as const),
];

function checkCall(sources: unknown, options: DecodeManyOptions): void {
  checkOptions(options, optionNames);
  const isIterable =
    typeof sources === 'object' &&
    sources !== null &&
    (Symbol.iterator in sources || Symbol.asyncIterator in sources);
  if (!isIterable || ArrayBuffer.isView(sources))
    fail(`sources must be an array or another (async) iterable, got ${describe(sources)}`);
  const { concurrency = 1, timeout = 0, order = 'input' } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 256) {
    fail(`concurrency must be a whole number from 1 to 256, got ${concurrency}`);
  }
  // The longest time that timers can wait for.
  if (!(timeout >= 0 && timeout < 2 ** 31)) {
    fail(`timeout must be milliseconds from 0 to 2147483647, got ${timeout}`);
  }
  if (order !== 'input' && order !== 'completion') {
    fail(`order must be input or completion, got ${order}`);
  }
  resolveLimits(options.limits);
}

function fail(message: string): never {
  throw new BlpError('argument', message);
}
