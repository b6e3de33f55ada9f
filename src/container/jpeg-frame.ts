// Finds the frame header of a JPEG stream stored in two pieces, without decoding or joining them.

/** What the frame header (ITU-T T.81, B.2.2) says. */
export interface JpegFrame {
  width: number;
  height: number;
  components: number;
  progressive: boolean;
}

/**
 * Walks the marker segments up to the first frame header.
 *
 * @returns undefined where there is none before the entropy-coded data or the end.
 */
export function findJpegFrame(header: Uint8Array, body: Uint8Array): JpegFrame | undefined {
  const split = header.length;
  const end = split + body.length;
  const at = (i: number): number => (i < split ? header[i] : body[i - split]);
  const at16 = (i: number): number => (at(i) << 8) | at(i + 1);
  let position = 2;
  if (end < 4 || at16(0) !== 0xffd8) return undefined;
  while (position + 4 <= end) {
    if (at(position) !== 0xff) {
      position++;
      continue;
    }
    const marker = at(position + 1);
    if (marker === 0xff) {
      position++;
      continue;
    }
    // Stuffed zeros, TEM, restart markers and a repeated SOI have no length.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      position += 2;
      continue;
    }
    // EOI, start of scan
    if (marker === 0xd9 || marker === 0xda) return undefined;
    const isFrame =
      marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) {
      if (position + 10 > end) return undefined;
      return {
        height: at16(position + 5),
        width: at16(position + 7),
        components: at(position + 9),
        progressive: marker === 0xc2,
      };
    }
    position += 2 + Math.max(2, at16(position + 2));
  }
  return undefined;
}
