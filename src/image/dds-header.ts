// The fields of a DDS header that reading and writing share (Microsoft's "Programming Guide for DDS").

/** "DDS " and DDS_HEADER; the texels follow, or DDS_HEADER_DXT10 where the FourCC is "DX10". */
export const headerEnd = 128;
export const headerDx10End = headerEnd + 20;

/** Sizes that the structures state of themselves. */
export const headerSize = 124;
export const pixelFormatSize = 32;

/** Byte offsets in the file. */
export const at = {
  size: 4,
  flags: 8,
  height: 12,
  width: 16,
  pitchOrLinearSize: 20,
  depth: 24,
  mipMapCount: 28,
  pixelFormatSize: 76,
  pixelFormatFlags: 80,
  fourCC: 84,
  bitCount: 88,
  redMask: 92,
  greenMask: 96,
  blueMask: 100,
  alphaMask: 104,
  caps: 108,
  caps2: 112,
  dxgiFormat: 128,
  resourceDimension: 132,
  miscFlag: 136,
  arraySize: 140,
} as const;

export const flag = {
  caps: 0x1,
  height: 0x2,
  width: 0x4,
  pitch: 0x8,
  pixelFormat: 0x1000,
  mipMapCount: 0x20000,
  linearSize: 0x80000,
} as const;

export const pixelFlag = {
  alphaPixels: 0x1,
  fourCC: 0x4,
  rgb: 0x40,
  luminance: 0x20000,
} as const;

export const cap = { complex: 0x8, texture: 0x1000, mipMap: 0x400000 } as const;

/** Cube maps and volumes, in `caps2`. */
export const cubeOrVolume = 0x200 | 0x200000;

export const dxgiBc5 = 83;
export const dimension2d = 3;
/** A cube map, in `miscFlag`. */
export const dx10Cube = 0x4;

/** Four letters as the 32-bit number that a header stores. */
export function fourCC(letters: string): number {
  let code = 0;
  for (let index = 3; index >= 0; index--) code = (code << 8) | letters.charCodeAt(index);
  return code >>> 0;
}
