// The worker of decodeMany: reads a source, decodes it, hands the texels over.

import { concatenate } from '../bytes.js';
import { BlpError } from '../errors.js';
import { checkFileSize, checkLimit, type Limits, resolveLimits } from '../limits.js';
import { parse } from '../texture.js';
import { PoolError } from './errors.js';
import { readLevelFiles } from './level-files.js';
import type { DecodeAnswer, DecodeMessage, SentError, SentSource } from './messages.js';
import { nodeModule } from './platform.js';
import { type Answer, serve } from './serve.js';

serve(decodeMessage);

async function decodeMessage(message: DecodeMessage): Promise<Answer<DecodeAnswer>> {
  const { source, options } = message;
  try {
    const limits = resolveLimits(options.limits);
    const bytes = await readSource(source, limits);
    const levelFiles = await levelFilesOf(source, bytes, limits);
    const texture = parse(bytes, { ...options, levelFiles });
    const image = texture.decode(options);
    return {
      result: { image, warnings: texture.warnings },
      transfer: [image.data.buffer],
    };
  } catch (error) {
    return { result: { error: toSent(error) } };
  }
}

async function readSource(source: SentSource, limits: Readonly<Limits>): Promise<Uint8Array> {
  switch (source.kind) {
    case 'bytes':
      return source.bytes;
    case 'refused':
      throw new BlpError('argument', source.message);
    case 'path': {
      const fs = nodeModule('node:fs');
      return reading(async () => {
        checkFileSize(limits, fs.statSync(source.path).size);
        return fs.readFileSync(source.path);
      });
    }
    case 'blob':
      checkFileSize(limits, source.blob.size);
      return reading(async () => new Uint8Array(await source.blob.arrayBuffer()));
    case 'url':
      return reading(async () => {
        const response = await fetch(source.url);
        if (!response.ok) throw new Error(`the server answered ${response.status}`);
        return readBody(response, limits);
      });
  }
}

/** The body, as long as it stays within the limit; what a server announces may be wrong or absent. */
async function readBody(response: Response, limits: Readonly<Limits>): Promise<Uint8Array> {
  // Of a compressed body the length is told before it is unpacked.
  const announced = response.headers.has('content-encoding')
    ? 0
    : Number(response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    checkFileSize(limits, announced);
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.length;
      const atLeast = size;
      checkLimit(limits, 'maxInputBytes', size, () => `the file has at least ${atLeast} bytes`);
      chunks.push(part.value);
    }
  } catch (error) {
    // The server need not send the rest.
    reader?.cancel().catch(() => {});
    throw error;
  }
  return concatenate(chunks);
}

async function reading<Value>(read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BlpError) throw error;
    throw new PoolError('read', error instanceof Error ? error.message : String(error));
  }
}

function levelFilesOf(source: SentSource, bytes: Uint8Array, limits: Readonly<Limits>) {
  if (source.kind === 'bytes') return source.levelFiles;
  if (source.kind !== 'path') return undefined;
  const { path } = source;
  return reading(() =>
    readLevelFiles(bytes, path, nodeModule('node:fs'), nodeModule('node:path'), limits),
  );
}

function toSent(error: unknown): SentError {
  if (error instanceof BlpError) {
    const { code, message, offset } = error;
    return { name: 'BlpError', code, message, offset };
  }
  if (error instanceof PoolError) {
    return { name: 'PoolError', code: error.code, message: error.message };
  }
  return { name: 'PoolError', code: 'read', message: String(error) };
}
