// A large DXT5 file whose every block tells where it is.

/** The blue of the block at these block coordinates, as five bits. */
export function blueOf(blockX: number, blockY: number): number {
  return (blockX * 7 + blockY * 13) & 31;
}

/** A DXT5 file of one level of `side` × `side` texels; the colour of a block tells its row and column. */
export function makeAtlas(side: number): Uint8Array {
  const blocks = side / 4;
  const bytes = new Uint8Array(148 + blocks * blocks * 16);
  bytes.set([0x42, 0x4c, 0x50, 0x32, 1, 0, 0, 0, 2, 8, 7, 0]);
  const view = new DataView(bytes.buffer);
  view.setUint32(0x0c, side, true);
  view.setUint32(0x10, side, true);
  view.setUint32(0x14, 148, true);
  view.setUint32(0x54, bytes.length - 148, true);
  for (let y = 0, at = 148; y < blocks; y++) {
    for (let x = 0; x < blocks; x++, at += 16) {
      // Both alphas, then both colours; all indices 0.
      view.setUint16(at, 0x0100 * (y & 255) + (x & 255), true);
      view.setUint16(at + 8, ((x & 31) << 11) | ((y & 63) << 5) | blueOf(x, y), true);
    }
  }
  return bytes;
}

/** The texel of the atlas at these coordinates. */
export function atlasTexel(x: number, y: number): number[] {
  const [blockX, blockY] = [x >> 2, y >> 2];
  const wide = (value: number): number => (value << 3) | (value >> 2);
  const green = blockY & 63;
  return [
    wide(blockX & 31),
    (green << 2) | (green >> 4),
    wide(blueOf(blockX, blockY)),
    blockX & 255,
  ];
}
