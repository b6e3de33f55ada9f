// The zlib streams inside PNG: Node's own zlib where there is one, the platform's compression streams elsewhere.

import { BlpError } from '../errors.js';

type NodeZlib = typeof import('node:zlib');

// Asked for at run time, not imported: bundlers for browsers find nothing to resolve.
const nodeZlib: NodeZlib | undefined = globalThis.process?.getBuiltinModule?.('node:zlib');

/**
 * Compresses into one zlib stream.
 *
 * @param level 0 (stored) to 9 (smallest). Browsers know one level only and use it for all.
 */
export async function deflate(bytes: Uint8Array<ArrayBuffer>, level: number): Promise<Uint8Array> {
  // memLevel 9: a larger hash table, 128 KiB more memory, 5 to 20 % less time at the same size.
  if (nodeZlib) return nodeZlib.deflateSync(bytes, { level, memLevel: 9 });
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Deflate's limit: 258 bytes from a length and a distance of one bit each (RFC 1951). */
const mostExpansion = 1032;

/**
 * Expands a zlib stream that must hold exactly `length` bytes; a stream that holds more is given up as soon as it does.
 *
 * @throws BlpError `truncated` when it holds fewer, `damaged` when it holds more or is no zlib stream.
 */
export async function inflate(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const packed = pieces.reduce((sum, piece) => sum + piece.length, 0);
  // A few bytes that claim a huge picture are refused before it is allocated.
  if (packed * mostExpansion < length) {
    throw new BlpError(
      'truncated',
      `the compressed data has ${packed} bytes, too few for the picture's ${length}`,
    );
  }
  const bytes = nodeZlib
    ? inflateInNode(nodeZlib, pieces, length)
    : await inflateStream(pieces, length);
  if (bytes.length < length) throw tooShort(bytes.length, length);
  return bytes;
}

function inflateInNode(zlib: NodeZlib, pieces: readonly Uint8Array[], length: number): Uint8Array {
  const packed = join(pieces);
  try {
    return zlib.inflateSync(packed, { maxOutputLength: length });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(length);
    if (code === 'Z_BUF_ERROR') {
      throw new BlpError('truncated', `the compressed data ends before its ${length} bytes`);
    }
    throw notZlib(message);
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function inflateStream(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  const packed = new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream();
  const reader = packed.pipeThrough(new DecompressionStream('deflate')).getReader();
  const bytes = new Uint8Array(length);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.subarray(0, filled);
      if (filled + value.length > length) throw tooLong(length);
      bytes.set(value, filled);
      filled += value.length;
    }
  } catch (error) {
    if (error instanceof BlpError) throw error;
    // Browsers report a cut stream and a broken one alike; which it is, is known only by how much came out.
    if (filled < length) throw tooShort(filled, length);
    throw notZlib(error instanceof Error ? error.message : String(error));
  } finally {
    // Its failure says nothing new: the stream has ended or is being given up.
    reader.cancel().catch(() => {});
  }
}

function tooShort(found: number, length: number): BlpError {
  return new BlpError('truncated', `the compressed data holds ${found} bytes of ${length}`);
}

function tooLong(length: number): BlpError {
  return new BlpError(
    'damaged',
    `the compressed data holds more than the picture's ${length} bytes`,
  );
}

function notZlib(reason: string): BlpError {
  return new BlpError('damaged', `the compressed data is broken: ${reason}`);
}

/** The checksum of PNG chunks (ISO 3309), over several pieces as if they were one. */
export function crc32(...pieces: readonly Uint8Array[]): number {
  if (nodeZlib?.crc32) {
    let value = 0;
    for (const piece of pieces) value = nodeZlib.crc32(piece, value);
    return value;
  }
  let value = 0xffffffff;
  for (const piece of pieces) {
    for (let index = 0; index < piece.length; index++) {
      value = crcTable[(value ^ piece[index]!) & 0xff]! ^ (value >>> 8);
    }
  }
  return ~value >>> 0;
}

/** The remainder of every byte by the polynomial of ISO 3309, lowest bit first. */
const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ (remainder >>> 1) : remainder >>> 1;
  }
  return remainder;
});
