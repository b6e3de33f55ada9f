// Stands in for the long list of file kinds in the small entry: what lies beside textures, and the rest by its bytes.

const kinds: Readonly<Record<string, string>> = {
  PTCH: 'a PTCH patch file',
  MDLX: 'an MDLX model',
  'DDS ': 'a DDS texture',
  '\x89PNG': 'a PNG picture',
};

/** Says in a short phrase what a file is, from its first four bytes. */
export function identify(bytes: Uint8Array): string {
  const first = bytes.subarray(0, 4);
  if (first.length === 0) return 'an empty file';
  const hex = [...first].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return kinds[String.fromCharCode(...first)] ?? `unknown data (first bytes ${hex})`;
}
