// The simplest possible decoders of uncompressed and block content: one texel at a time, formulas as the format states them.

/** An RGBA texel, each 0..255. */
export type Texel = [red: number, green: number, blue: number, alpha: number];

/** A picture: RGBA rows top to bottom without padding. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Calls `texelAt` for every texel. */
export function fillPicture(
  width: number,
  height: number,
  texelAt: (x: number, y: number) => Texel,
): Picture {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const texel = texelAt(x, y);
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 4; channel++) data[at + channel] = texel[channel];
    }
  }
  return { width, height, data };
}

/** Cuts a rectangle out of a picture. */
export function crop(
  picture: Picture,
  region: { x: number; y: number; width: number; height: number },
): Picture {
  const data = new Uint8Array(region.width * region.height * 4);
  for (let y = 0; y < region.height; y++) {
    const from = ((region.y + y) * picture.width + region.x) * 4;
    data.set(picture.data.subarray(from, from + region.width * 4), y * region.width * 4);
  }
  return { width: region.width, height: region.height, data };
}

/** Palette entries are blue, green, red and padding; an entry that the palette lacks is black. */
export function paletted(
  source: Uint8Array,
  palette: Uint8Array,
  alphaBits: 0 | 1 | 4 | 8,
  width: number,
  height: number,
): Picture {
  return fillPicture(width, height, (x, y) => {
    const texel = y * width + x;
    const entry = source[texel] * 4;
    const complete = entry + 4 <= palette.length;
    const alpha = alphaBits === 0 ? 255 : alphaFromList(source, width * height, alphaBits, texel);
    return complete
      ? [palette[entry + 2], palette[entry + 1], palette[entry], alpha]
      : [0, 0, 0, alpha];
  });
}

/** The alpha list follows `start` indices and is packed from the least significant bit upwards. */
function alphaFromList(source: Uint8Array, start: number, bits: 1 | 4 | 8, texel: number): number {
  const firstBit = texel * bits;
  const byte = source[start + Math.floor(firstBit / 8)];
  const value = Math.floor(byte / 2 ** (firstBit % 8)) % 2 ** bits;
  return (value * 255) / (2 ** bits - 1);
}

/** Four bytes a texel: blue, green, red, alpha. */
export function bgra(source: Uint8Array, opaque: boolean, width: number, height: number): Picture {
  return fillPicture(width, height, (x, y) => {
    const at = (y * width + x) * 4;
    return [source[at + 2], source[at + 1], source[at], opaque ? 255 : source[at + 3]];
  });
}

/** DXT1, DXT3, DXT5 or BC5. `opaque` is alphaDepth 0. */
export function blocks(
  format: 'dxt1' | 'dxt3' | 'dxt5' | 'bc5',
  source: Uint8Array,
  opaque: boolean,
  width: number,
  height: number,
): Picture {
  const size = format === 'dxt1' ? 8 : 16;
  const perRow = Math.ceil(width / 4);
  const decoded = new Map<number, Texel[]>();
  return fillPicture(width, height, (x, y) => {
    const number = Math.floor(y / 4) * perRow + Math.floor(x / 4);
    let texels = decoded.get(number);
    if (texels === undefined) {
      texels = block(format, source.subarray(number * size, number * size + size), opaque);
      decoded.set(number, texels);
    }
    return texels[(y % 4) * 4 + (x % 4)];
  });
}

/** The sixteen texels of one block. */
export function block(
  format: 'dxt1' | 'dxt3' | 'dxt5' | 'bc5',
  bytes: Uint8Array,
  opaque: boolean,
): Texel[] {
  if (format === 'bc5') {
    const red = gradientBlock(bytes.subarray(0, 8));
    const green = gradientBlock(bytes.subarray(8, 16));
    return red.map((value, texel) => [value, green[texel], 0, 255]);
  }
  if (format === 'dxt1') {
    return colorBlock(bytes, true).map(([r, g, b, a]) => [r, g, b, opaque ? 255 : a]);
  }
  const alpha =
    format === 'dxt5' ? gradientBlock(bytes.subarray(0, 8)) : nibbles(bytes.subarray(0, 8));
  return colorBlock(bytes.subarray(8, 16), false).map(([r, g, b], texel) => [
    r,
    g,
    b,
    opaque ? 255 : alpha[texel],
  ]);
}

/** Two 565 endpoints and sixteen 2-bit indices; three colours only where DXT1 has c0 ≤ c1. */
function colorBlock(bytes: Uint8Array, mayHaveThree: boolean): Texel[] {
  const c0 = bytes[0] + bytes[1] * 256;
  const c1 = bytes[2] + bytes[3] * 256;
  const first = expand565(c0);
  const second = expand565(c1);
  const mix = (combine: (a: number, b: number) => number): Texel => [
    Math.floor(combine(first[0], second[0])),
    Math.floor(combine(first[1], second[1])),
    Math.floor(combine(first[2], second[2])),
    255,
  ];
  const colors: Texel[] =
    mayHaveThree && c0 <= c1
      ? [first, second, mix((a, b) => (a + b) / 2), [0, 0, 0, 0]]
      : [first, second, mix((a, b) => (2 * a + b) / 3), mix((a, b) => (a + 2 * b) / 3)];
  return Array.from({ length: 16 }, (_, texel) => {
    const row = bytes[4 + Math.floor(texel / 4)];
    return colors[Math.floor(row / 4 ** (texel % 4)) % 4];
  });
}

/** Five or six bits become eight by repeating their top bits below. */
function expand565(value: number): Texel {
  const red = Math.floor(value / 2048);
  const green = Math.floor(value / 32) % 64;
  const blue = value % 32;
  return [
    red * 8 + Math.floor(red / 4),
    green * 4 + Math.floor(green / 16),
    blue * 8 + Math.floor(blue / 4),
    255,
  ];
}

function nibbles(bytes: Uint8Array): number[] {
  return Array.from({ length: 16 }, (_, texel) => {
    const byte = bytes[Math.floor(texel / 2)];
    return (texel % 2 === 0 ? byte % 16 : Math.floor(byte / 16)) * 17;
  });
}

/** Two 8-bit endpoints and sixteen 3-bit indices, least significant bit first. */
function gradientBlock(bytes: Uint8Array): number[] {
  const [a, b] = [bytes[0], bytes[1]];
  const values = [a, b];
  if (a > b) {
    for (let step = 1; step <= 6; step++) values.push(Math.floor(((7 - step) * a + step * b) / 7));
  } else {
    for (let step = 1; step <= 4; step++) values.push(Math.floor(((5 - step) * a + step * b) / 5));
    values.push(0, 255);
  }
  const bitAt = (position: number): number =>
    Math.floor(bytes[2 + Math.floor(position / 8)] / 2 ** (position % 8)) % 2;
  return Array.from({ length: 16 }, (_, texel) => {
    const position = texel * 3;
    return values[bitAt(position) + 2 * bitAt(position + 1) + 4 * bitAt(position + 2)];
  });
}

/** 2 × 2 box filter; a side of 1 stays, an odd last row or column is dropped. Sums round to nearest, halves up. */
export function halve(picture: Picture, weighted: boolean): Picture {
  const width = Math.max(1, Math.floor(picture.width / 2));
  const height = Math.max(1, Math.floor(picture.height / 2));
  return fillPicture(width, height, (x, y) => {
    const texels = [
      [2 * x, 2 * y],
      [2 * x + 1, 2 * y],
      [2 * x, 2 * y + 1],
      [2 * x + 1, 2 * y + 1],
    ].map(([column, row]) => {
      const at =
        (Math.min(row!, picture.height - 1) * picture.width +
          Math.min(column!, picture.width - 1)) *
        4;
      return picture.data.subarray(at, at + 4);
    });
    const sum = (of: (texel: Uint8Array) => number): number =>
      texels.reduce((total, texel) => total + of(texel), 0);
    const alpha = sum((texel) => texel[3]);
    const channel = (c: number): number =>
      weighted && alpha > 0
        ? Math.floor((sum((t) => t[c] * t[3]) + Math.floor(alpha / 2)) / alpha)
        : Math.floor((sum((t) => t[c]) + 2) / 4);
    return [channel(0), channel(1), channel(2), Math.floor((alpha + 2) / 4)];
  });
}
