// The worker of decodeMany: reads a source, decodes it, hands the texels over.

import { concatenate } from '../bytes.js';
import { BlpError } from '../errors.js';
import { resolveLimits } from '../limits.js';
import { parse } from '../texture.js';
import { PoolError } from './errors.js';
import { isBlp0, readLevelFiles } from './level-files.js';
import type { DecodeAnswer, DecodeMessage, SentError, SentSource } from './messages.js';
import { nodeModule } from './platform.js';
import { type Answer, serve } from './serve.js';

serve(decodeMessage);

async function decodeMessage(message: DecodeMessage): Promise<Answer<DecodeAnswer>> {
  const { source, options } = message;
  try {
    const { maxInputBytes } = resolveLimits(options.limits);
    const bytes = await readSource(source, maxInputBytes);
    const levelFiles = await levelFilesOf(source, bytes, maxInputBytes);
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

async function readSource(source: SentSource, maxBytes: number): Promise<Uint8Array> {
  switch (source.kind) {
    case 'bytes':
      return source.bytes;
    case 'refused':
      throw new BlpError('argument', source.message);
    case 'path': {
      const fs = nodeModule('node:fs');
      return reading(async () => {
        checkSize(fs.statSync(source.path).size, maxBytes);
        return fs.readFileSync(source.path);
      });
    }
    case 'blob':
      checkSize(source.blob.size, maxBytes);
      return reading(async () => new Uint8Array(await source.blob.arrayBuffer()));
    case 'url':
      return reading(async () => {
        const response = await fetch(source.url);
        if (!response.ok) throw new Error(`the server answered ${response.status}`);
        return readBody(response, maxBytes);
      });
  }
}

/** The body, as long as it stays within the limit; what a server announces may be wrong or absent. */
async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  // Of a compressed body the length is told before it is unpacked.
  const announced = response.headers.has('content-encoding')
    ? 0
    : Number(response.headers.get('content-length') ?? 0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  try {
    checkSize(announced, maxBytes);
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      size += part.value.length;
      checkSize(size, maxBytes, 'at least ');
      chunks.push(part.value);
    }
  } catch (error) {
    // The server need not send the rest.
    reader?.cancel().catch(() => {});
    throw error;
  }
  return concatenate(chunks);
}

function checkSize(size: number, maxBytes: number, atLeast = ''): void {
  if (size <= maxBytes) return;
  throw new BlpError(
    'limit',
    `the file has ${atLeast}${size} bytes, allowed are ${maxBytes} (limits.maxInputBytes)`,
  );
}

async function reading<Value>(read: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof BlpError) throw error;
    throw new PoolError('read', error instanceof Error ? error.message : String(error));
  }
}

function levelFilesOf(source: SentSource, bytes: Uint8Array, maxBytes: number) {
  if (source.kind === 'bytes') return source.levelFiles;
  if (source.kind !== 'path' || !isBlp0(bytes)) return undefined;
  const { path } = source;
  return reading(() =>
    readLevelFiles(path, nodeModule('node:fs'), nodeModule('node:path'), maxBytes),
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
