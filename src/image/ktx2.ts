// A texture → KTX2, its own blocks untouched.

import {
  createDefaultContainer,
  KHR_DF_CHANNEL_RGBSDA_ALPHA,
  KHR_DF_CHANNEL_RGBSDA_BLUE,
  KHR_DF_CHANNEL_RGBSDA_GREEN,
  KHR_DF_CHANNEL_RGBSDA_RED,
  KHR_DF_MODEL_RGBSDA,
  KHR_DF_PRIMARIES_BT709,
  KHR_DF_SAMPLE_DATATYPE_LINEAR,
  KHR_DF_TRANSFER_LINEAR,
  KHR_DF_TRANSFER_SRGB,
  type KTX2Container,
  VK_FORMAT_BC1_RGB_SRGB_BLOCK,
  VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
  VK_FORMAT_BC2_SRGB_BLOCK,
  VK_FORMAT_BC3_SRGB_BLOCK,
  VK_FORMAT_BC5_UNORM_BLOCK,
  VK_FORMAT_R8G8B8A8_SRGB,
  write,
} from 'ktx-parse';
import { blockBytes, blockFormat } from '../container/blocks.js';
import { blocksToStore, type TextureSource } from './image.js';

// Colour models and channels of the block formats (Khronos Data Format Specification 1.3, sections 5.6.1 to 5.6.5).
const modelBc1a = 128;
const modelBc2 = 129;
const modelBc3 = 130;
const modelBc5 = 132;
const channelColor = 0;
const channelBc1AlphaPresent = 1;
const channelBc5Red = 0;
const channelBc5Green = 1;

// Alpha is never stored by the sRGB curve, and the descriptor must say so.
const linearAlpha = KHR_DF_CHANNEL_RGBSDA_ALPHA | KHR_DF_SAMPLE_DATATYPE_LINEAR;

interface Layout {
  vkFormat: KTX2Container['vkFormat'];
  colorModel: number;
  /** Bits of each sample of a texel block, in the order in which they are stored. */
  sampleBits: number;
  channels: readonly number[];
}

const layouts = {
  opaqueDxt1: {
    vkFormat: VK_FORMAT_BC1_RGB_SRGB_BLOCK,
    colorModel: modelBc1a,
    sampleBits: 64,
    channels: [channelColor],
  },
  dxt1: {
    vkFormat: VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
    colorModel: modelBc1a,
    sampleBits: 64,
    channels: [channelBc1AlphaPresent],
  },
  dxt3: {
    vkFormat: VK_FORMAT_BC2_SRGB_BLOCK,
    colorModel: modelBc2,
    sampleBits: 64,
    channels: [linearAlpha, channelColor],
  },
  dxt5: {
    vkFormat: VK_FORMAT_BC3_SRGB_BLOCK,
    colorModel: modelBc3,
    sampleBits: 64,
    channels: [linearAlpha, channelColor],
  },
  // Two coordinates of a normal: not colours, so no curve.
  bc5: {
    vkFormat: VK_FORMAT_BC5_UNORM_BLOCK,
    colorModel: modelBc5,
    sampleBits: 64,
    channels: [channelBc5Red, channelBc5Green],
  },
  rgba: {
    vkFormat: VK_FORMAT_R8G8B8A8_SRGB,
    colorModel: KHR_DF_MODEL_RGBSDA,
    sampleBits: 8,
    channels: [
      KHR_DF_CHANNEL_RGBSDA_RED,
      KHR_DF_CHANNEL_RGBSDA_GREEN,
      KHR_DF_CHANNEL_RGBSDA_BLUE,
      linearAlpha,
    ],
  },
} as const satisfies Record<string, Layout>;

/**
 * Writes a KTX2 file without supercompression. DXT and BC5 blocks are copied as they are; everything else becomes RGBA.
 * Colour is marked as sRGB, which is how the games show these values; BC5 as linear.
 *
 * @param firstLevel the level that becomes the file's largest.
 */
export function writeKtx2(source: TextureSource, firstLevel = 0): Uint8Array {
  const format = blockFormat(source.encoding);
  const layout: Layout =
    format === undefined
      ? layouts.rgba
      : format === 'dxt1' && source.alphaBits === 0
        ? layouts.opaqueDxt1
        : layouts[format];
  const levels = source.levels.slice(firstLevel);
  const container = createDefaultContainer();
  container.vkFormat = layout.vkFormat;
  container.typeSize = 1;
  container.pixelWidth = levels[0].width;
  container.pixelHeight = levels[0].height;
  container.levelCount = levels.length;
  container.levels = levels.map((level, index) => {
    const data =
      format === undefined
        ? source.decodeLevel(firstLevel + index).data
        : blocksToStore(source, level);
    // The decoder may lend the same buffer for the next level, and the container wants a plain one of its own.
    return { levelData: new Uint8Array(data), uncompressedByteLength: data.length };
  });
  const isLinear = format === 'bc5';
  const descriptor = container.dataFormatDescriptor[0];
  descriptor.colorModel = layout.colorModel;
  descriptor.colorPrimaries = KHR_DF_PRIMARIES_BT709;
  descriptor.transferFunction = isLinear ? KHR_DF_TRANSFER_LINEAR : KHR_DF_TRANSFER_SRGB;
  descriptor.texelBlockDimension = format === undefined ? [0, 0, 0, 0] : [3, 3, 0, 0];
  descriptor.bytesPlane = [format === undefined ? 4 : blockBytes[format], 0, 0, 0, 0, 0, 0, 0];
  descriptor.samples = layout.channels.map((channelType, index) => ({
    bitOffset: index * layout.sampleBits,
    bitLength: layout.sampleBits - 1, // the format stores one less
    channelType,
    samplePosition: [0, 0, 0, 0],
    sampleLower: 0,
    // Blocks span all values of 32 bits, whatever their samples are.
    sampleUpper: layout.sampleBits === 8 ? 255 : 0xffffffff,
  }));
  container.keyValue = { KTXorientation: 'rd', KTXwriter: 'blp-wasm' };
  return write(container, { keepWriter: true });
}
