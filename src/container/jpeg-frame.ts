// Finds the frame header of a JPEG stream stored in two pieces, without decoding or joining them.

import { isFrameMarker } from '../jpeg.js';

/** What the frame header (ITU-T T.81, B.2.2) says. */
export interface JpegFrame {
  width: number;
  height: number;
  components: number;
  progressive: boolean;
}

/** Bytes of a frame header up to its number of components. */
const frameStart = 10;

/** Where a walk over the segments has come to, or the frame that it found; `none` where there can be none. */
type Walk = { position: number } | { frame: JpegFrame } | 'none';

/**
 * Walks the segments of the chunk that all levels share, once for all of them.
 *
 * @returns a function that finds the frame of the level whose own bytes it is given
 */
export function frameFinder(header: Uint8Array): (body: Uint8Array) => JpegFrame | undefined {
  const start = walk((i) => header[i], 0, header.length - frameStart);
  return (body) => {
    const split = header.length;
    const at = (i: number): number => (i < split ? header[i] : body[i - split]);
    const found =
      typeof start === 'object' && 'position' in start
        ? walk(at, start.position, split + body.length - frameStart)
        : start;
    return typeof found === 'object' && 'frame' in found ? found.frame : undefined;
  };
}

/** Walks from segment to segment as long as `position` is at most `last`, from where all reads are safe. */
function walk(at: (i: number) => number, start: number, last: number): Walk {
  const at16 = (i: number): number => (at(i) << 8) | at(i + 1);
  let position = start;
  while (position <= last) {
    if (position === 0) {
      if (at16(0) !== 0xffd8) return 'none';
      position = 2;
      continue;
    }
    const marker = at(position + 1);
    if (at(position) !== 0xff || marker === 0xff) {
      position++;
      continue;
    }
    // Stuffed zeros, TEM, restart markers and a repeated SOI have no length.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) {
      position += 2;
      continue;
    }
    // EOI, start of scan
    if (marker === 0xd9 || marker === 0xda) return 'none';
    if (isFrameMarker(marker)) {
      const [height, width] = [at16(position + 5), at16(position + 7)];
      const components = at(position + 9);
      return { frame: { width, height, components, progressive: marker === 0xc2 } };
    }
    position += 2 + Math.max(2, at16(position + 2));
  }
  return { position };
}
