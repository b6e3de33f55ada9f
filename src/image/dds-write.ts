// A texture → DDS, its own blocks and chain of levels untouched.

import { concatenate } from '../bytes.js';
import { blockFormat } from '../container/blocks.js';
import { encodeBgra } from '../encode/bgra.js';
import type { BlockFormat } from '../kernels/kernels.js';
import {
  at,
  cap,
  dimension2d,
  dxgiBc5,
  flag,
  fourCC,
  headerDx10End,
  headerEnd,
  headerSize,
  pixelFlag,
  pixelFormatSize,
} from './dds-header.js';
import { blocksToStore, type SourceLevel, type TextureSource, viewOf } from './image.js';

// BC5 goes by the newer header: its old names disagree about which channel comes first ("ATI2" files of some tools hold
// green before red), DXGI_FORMAT_BC5_UNORM does not. The three DXT formats have one meaning and the header that all read.
const fourCodes: Readonly<Record<BlockFormat, string>> = {
  dxt1: 'DXT1',
  dxt3: 'DXT3',
  dxt5: 'DXT5',
  bc5: 'DX10',
};

/**
 * Writes a DDS file: DXT and BC5 blocks as they are, everything else as A8R8G8B8.
 *
 * DDS has no opaque variant of DXT1: where the texture has no alpha, the flag for it is left out, and readers that
 * ignore the flag show black texels of three-colour blocks as transparent.
 *
 * @param firstLevel the level that becomes the file's largest.
 */
export function writeDds(source: TextureSource, firstLevel = 0): Uint8Array {
  const format = blockFormat(source.encoding);
  const levels = source.levels
    .slice(firstLevel)
    .map((level, index) =>
      format === undefined
        ? encodeBgra(source.decodeLevel(firstLevel + index), false)
        : blocksToStore(source, level),
    );
  const start = format === 'bc5' ? headerDx10End : headerEnd;
  const header = new Uint8Array(start);
  writeHeader(viewOf(header), source, source.levels[firstLevel], levels, format);
  return concatenate([header, ...levels]);
}

function writeHeader(
  view: DataView,
  source: TextureSource,
  largest: SourceLevel,
  levels: readonly Uint8Array[],
  format: BlockFormat | undefined,
): void {
  const set = (offset: number, value: number) => view.setUint32(offset, value, true);
  const hasChain = levels.length > 1;
  set(0, fourCC('DDS '));
  set(at.size, headerSize);
  set(
    at.flags,
    flag.caps |
      flag.height |
      flag.width |
      flag.pixelFormat |
      (hasChain ? flag.mipMapCount : 0) |
      (format === undefined ? flag.pitch : flag.linearSize),
  );
  set(at.height, largest.height);
  set(at.width, largest.width);
  set(at.pitchOrLinearSize, format === undefined ? largest.width * 4 : levels[0].length);
  set(at.mipMapCount, levels.length);
  set(at.pixelFormatSize, pixelFormatSize);
  set(at.caps, cap.texture | (hasChain ? cap.complex | cap.mipMap : 0));
  if (format === undefined) {
    set(at.pixelFormatFlags, pixelFlag.rgb | pixelFlag.alphaPixels);
    set(at.bitCount, 32);
    set(at.redMask, 0x00ff0000);
    set(at.greenMask, 0x0000ff00);
    set(at.blueMask, 0x000000ff);
    set(at.alphaMask, 0xff000000);
    return;
  }
  const hasAlpha = format !== 'bc5' && source.alphaBits > 0;
  set(at.pixelFormatFlags, pixelFlag.fourCC | (hasAlpha ? pixelFlag.alphaPixels : 0));
  set(at.fourCC, fourCC(fourCodes[format]));
  if (format === 'bc5') {
    set(at.dxgiFormat, dxgiBc5);
    set(at.resourceDimension, dimension2d);
    set(at.arraySize, 1);
  }
}
