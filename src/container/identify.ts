// Names what a file is when it is not the texture that was asked for.

/** A file kind that is recognised by bytes at a fixed place. */
interface Signature {
  /** Latin-1 text; `?` stands for any byte. */
  magic: string;
  offset?: number;
  phrase: string;
}

/** What a file is to a converter; TGA pictures have no signature, and what is unknown may be one. */
export type FileKind = 'picture' | 'tga' | 'empty' | 'unknown' | 'other';

// The order matters only where one signature is the beginning of another: the longer one comes first.
const pictures: readonly Signature[] = [
  { magic: 'DDS ', phrase: 'a DDS texture' },
  { magic: '\xabKTX 20\xbb\r\n\x1a\n', phrase: 'a KTX2 texture' },
  { magic: '\xabKTX 11\xbb\r\n\x1a\n', phrase: 'a KTX texture' },
  { magic: '\x89PNG\r\n\x1a\n', phrase: 'a PNG picture' },
  { magic: '\xff\xd8\xff', phrase: 'a JPEG picture' },
  { magic: 'GIF87a', phrase: 'a GIF picture' },
  { magic: 'GIF89a', phrase: 'a GIF picture' },
  { magic: 'RIFF????WEBP', phrase: 'a WebP picture' },
  { magic: '8BPS', phrase: 'a Photoshop document' },
  { magic: 'II*\0', phrase: 'a TIFF picture' },
  { magic: 'MM\0*', phrase: 'a TIFF picture' },
  { magic: '????ftypavif', phrase: 'an AVIF picture' },
  { magic: '????ftyphei', phrase: 'a HEIF picture' },
  { magic: '\xff\x0a', phrase: 'a JPEG XL picture' },
  { magic: '\0\0\0\x0cJXL \r\n\x87\n', phrase: 'a JPEG XL picture' },
  { magic: 'qoif', phrase: 'a QOI picture' },
  { magic: '\0\0\x01\0', phrase: 'an icon file' },
];

const others: readonly Signature[] = [
  // What lies beside textures in the games' archives, or holds them.
  { magic: 'BLP0', phrase: 'a BLP0 texture' },
  { magic: 'BLP1', phrase: 'a BLP1 texture' },
  { magic: 'BLP2', phrase: 'a BLP2 texture' },
  { magic: 'PTCH', phrase: 'a PTCH patch file (it must be applied to the original file first)' },
  { magic: 'MDLX', phrase: 'an MDLX model' },
  { magic: 'MD20', phrase: 'an M2 model' },
  { magic: 'MD21', phrase: 'an M2 model' },
  { magic: 'REVM', phrase: 'a World of Warcraft chunk file (model, map tile or world)' },
  { magic: 'BLTE', phrase: 'a BLTE container (it must be extracted first)' },
  { magic: 'MPQ\x1a', phrase: 'an MPQ archive' },
  { magic: 'MPQ\x1b', phrase: 'an MPQ archive' },
  { magic: 'HM3W', phrase: 'a Warcraft III map' },
  { magic: 'WDBC', phrase: 'a DBC table' },
  // Archives and the rest of what people drop onto a converter.
  { magic: 'PK\x03\x04', phrase: 'a ZIP archive' },
  { magic: 'PK\x05\x06', phrase: 'an empty ZIP archive' },
  { magic: 'Rar!\x1a\x07', phrase: 'a RAR archive' },
  { magic: "7z\xbc\xaf'\x1c", phrase: 'a 7z archive' },
  { magic: '\x1f\x8b', phrase: 'a gzip file' },
  { magic: '\x28\xb5\x2f\xfd', phrase: 'a Zstandard file' },
  { magic: 'ustar', offset: 257, phrase: 'a tar archive' },
  { magic: '%PDF-', phrase: 'a PDF document' },
  { magic: 'OggS', phrase: 'an Ogg sound' },
  { magic: 'ID3', phrase: 'an MP3 sound' },
  { magic: 'RIFF????WAVE', phrase: 'a WAV sound' },
  { magic: 'SQLite format 3\0', phrase: 'an SQLite database' },
  { magic: '\x7fELF', phrase: 'an ELF program' },
  { magic: 'MZ', phrase: 'a Windows program' },
  { magic: '\0asm', phrase: 'a WebAssembly module' },
  // A clone without Git LFS holds these small texts in place of the real files.
  {
    magic: 'version https://git-lfs.github.com/',
    phrase: 'a Git LFS pointer (fetch the real file with "git lfs pull")',
  },
];

/** How much of a file is looked at to call it text; a picture shows a zero byte far earlier. */
const textProbeBytes = 512;

/**
 * Says in a short phrase what a file is, from its bytes alone, for messages such as "expected a BLP texture, found a
 * DDS texture".
 *
 * @param bytes the file, or at least its first 512 bytes; TGA pictures of version 2 are known by their last 18.
 * @returns a phrase with its article: "a PNG picture", "an MDLX model", "an empty file",
 *   "unknown data (first bytes 12 34 56 78)".
 *
 * @example
 * ```ts
 * identify(await readFile('icon.blp')); // "a PTCH patch file (it must be applied to the original file first)"
 * ```
 */
export function identify(bytes: Uint8Array): string {
  return identifyFile(bytes).phrase;
}

/** As {@link identify}, with the kind for programs. */
export function identifyFile(bytes: Uint8Array): { kind: FileKind; phrase: string } {
  if (bytes.length === 0) return { kind: 'empty', phrase: 'an empty file' };
  const picture = pictures.find(({ magic }) => matches(bytes, magic, 0));
  if (picture) return { kind: 'picture', phrase: picture.phrase };
  const other = others.find(({ magic, offset = 0 }) => matches(bytes, magic, offset));
  if (other) return { kind: 'other', phrase: other.phrase };
  if (isBitmap(bytes)) return { kind: 'picture', phrase: 'a BMP picture' };
  if (matches(bytes, 'TRUEVISION-XFILE.\0', bytes.length - 18) || isTga(bytes)) {
    return { kind: 'tga', phrase: 'a TGA picture' };
  }
  const probe = bytes.subarray(0, textProbeBytes);
  if (probe.every((byte) => byte === 0)) {
    const isLonger = bytes.length > probe.length;
    return {
      kind: 'unknown',
      phrase: isLonger ? 'data that begins with zeros only' : 'zeros only',
    };
  }
  if (isText(probe)) return textOf(probe);
  const shown = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0'));
  return { kind: 'unknown', phrase: `unknown data (first bytes ${shown.join(' ')})` };
}

function matches(bytes: Uint8Array, magic: string, offset: number): boolean {
  if (offset < 0 || offset + magic.length > bytes.length) return false;
  for (let index = 0; index < magic.length; index++) {
    if (magic[index] !== '?' && bytes[offset + index] !== magic.charCodeAt(index)) return false;
  }
  return true;
}

/** "BM" alone is two letters of any text: the header size at byte 14 must be one that was ever used. */
function isBitmap(bytes: Uint8Array): boolean {
  return (
    matches(bytes, 'BM', 0) &&
    bytes.length >= 18 &&
    [12, 40, 52, 56, 64, 108, 124].includes(bytes[14]) &&
    bytes[15] === 0
  );
}

/** TGA has no signature at its beginning; all of its small fields must make sense together. */
function isTga(bytes: Uint8Array): boolean {
  if (bytes.length < 19) return false;
  const mapType = bytes[1];
  const imageType = bytes[2];
  const indexed = imageType === 1 || imageType === 9;
  const mapEntries = bytes[5] | (bytes[6] << 8);
  const mapBits = bytes[7];
  const width = bytes[12] | (bytes[13] << 8);
  const height = bytes[14] | (bytes[15] << 8);
  return (
    [1, 2, 3, 9, 10, 11].includes(imageType) &&
    (indexed
      ? mapType === 1 && mapEntries > 0 && [15, 16, 24, 32].includes(mapBits)
      : mapType === 0 && mapEntries === 0 && mapBits === 0) &&
    [8, 15, 16, 24, 32].includes(bytes[16]) &&
    (bytes[17] & 0xc0) === 0 &&
    width > 0 &&
    height > 0
  );
}

function isText(probe: Uint8Array): boolean {
  let end = probe.length;
  // The probe may cut the last character of a longer text: up to three bytes are let go.
  if (end === textProbeBytes) end -= 3;
  for (let index = 0; index < end; index++) {
    const byte = probe[index];
    if (byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13)) {
      return false;
    }
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(probe.subarray(0, end), { stream: true });
    return true;
  } catch {
    return false;
  }
}

function textOf(probe: Uint8Array): { kind: FileKind; phrase: string } {
  const start = new TextDecoder().decode(probe).trimStart().toLowerCase();
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) {
    return { kind: 'other', phrase: 'an HTML page' };
  }
  if (start.startsWith('<svg') || (start.startsWith('<?xml') && start.includes('<svg'))) {
    return { kind: 'picture', phrase: 'an SVG drawing' };
  }
  if (start.startsWith('<?xml')) return { kind: 'other', phrase: 'an XML text' };
  return { kind: 'other', phrase: 'a text' };
}
