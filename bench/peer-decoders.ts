// The decoders from npm that read BLP or a part of it, behind one signature.

import { createRequire } from 'node:module';
import { type Encoding, parse } from 'blp-wasm';
import { concatenate } from '../src/bytes.js';

/** Decodes level 0 to RGBA bytes, or another where the package has levels; throws where it cannot. */
export type PeerDecode = (bytes: Uint8Array, level?: number) => Uint8Array | Uint8ClampedArray;

export interface Peer {
  name: string;
  /** What it claims to read. */
  encodings: Encoding[];
  decode: PeerDecode;
}

const peerRequire = createRequire(new URL('./peers/package.json', import.meta.url));

/** Loads those that are installed; the others are named on the console. */
export async function loadPeers(): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const [name, load] of Object.entries(loaders)) {
    try {
      peers.push({ name, ...(await load()) });
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      console.log(`${name} is left out: ${reason} (npm run bench:install installs the peers)`);
    }
  }
  return peers;
}

const loaders: Record<string, () => Promise<Omit<Peer, 'name'>>> = {
  '@wowserhq/format': async () => {
    const { Blp } = peerRequire('@wowserhq/format');
    // 2: eight-bit red, green, blue and alpha in this order in memory
    const rgba = 2;
    return {
      encodings: ['paletted', 'dxt1', 'dxt3', 'dxt5', 'bgra'],
      decode: (bytes) => new Blp().load(bytes).getImage(0, rgba).data,
    };
  },
  'js-blp': async () => {
    const File = peerRequire('js-blp');
    return {
      encodings: ['paletted', 'dxt1', 'dxt3', 'dxt5', 'bgra'],
      decode: (bytes) => {
        const pixels = new File(Buffer.from(bytes)).getPixels(0);
        return new Uint8Array(pixels.raw ?? pixels.buffer ?? pixels.data ?? pixels);
      },
    };
  },
  'war3-model': async () => {
    const { decodeBLP, getBLPImageData } = peerRequire('war3-model');
    return {
      encodings: ['jpeg', 'paletted'],
      decode: (bytes, level = 0) => getBLPImageData(decodeBLP(exactBuffer(bytes)), level).data,
    };
  },
  'mdx-m3-viewer': async () => {
    // It makes an ImageData, which Node does not have.
    (globalThis as Record<string, unknown>).ImageData ??= class {
      data: Uint8ClampedArray;
      constructor(
        readonly width: number,
        readonly height: number,
      ) {
        this.data = new Uint8ClampedArray(width * height * 4);
      }
    };
    const { BlpImage } = peerRequire('mdx-m3-viewer/dist/cjs/parsers/blp/image.js');
    return {
      encodings: ['jpeg', 'paletted'],
      decode: (bytes, level = 0) => {
        const image = new BlpImage();
        image.load(bytes);
        return image.getMipmap(level).data;
      },
    };
  },
  'decode-dxt (blocks)': async () => {
    const decodeDxt = peerRequire('decode-dxt');
    return {
      encodings: ['dxt1', 'dxt3', 'dxt5'],
      decode: (bytes) => {
        const { levels, encoding, width, height } = parse(bytes);
        const { buffer, byteOffset, byteLength } = levels[0].bytes;
        return decodeDxt(new DataView(buffer, byteOffset, byteLength), width, height, encoding);
      },
    };
  },
  'dxt-js (blocks)': async () => {
    const dxt = peerRequire('dxt-js');
    const flags = { dxt1: dxt.flags.DXT1, dxt3: dxt.flags.DXT3, dxt5: dxt.flags.DXT5 };
    return {
      encodings: ['dxt1', 'dxt3', 'dxt5'],
      decode: (bytes) => {
        const { levels, encoding, width, height } = parse(bytes);
        return dxt.decompress(levels[0].bytes, width, height, flags[encoding as 'dxt1']);
      },
    };
  },
  'pdfjs-dist (JPEG)': async () => {
    const path = peerRequire.resolve('pdfjs-dist/legacy/image_decoders/pdf.image_decoders.mjs');
    const { JpegImage } = await import(path);
    return {
      encodings: ['jpeg'],
      decode: (bytes) => {
        const { jpegHeader, levels, width, height } = parse(bytes);
        const image = new JpegImage({ colorTransform: 0 });
        image.parse(concatenate([jpegHeader, levels[0].bytes]));
        const data = image.getData({ width, height, forceRGB: false, isSourcePDF: true });
        for (let at = 0; at < data.length; at += 4) {
          const blue = data[at];
          data[at] = data[at + 2];
          data[at + 2] = blue;
        }
        return data;
      },
    };
  },
};

/** A buffer of its own that holds just the file. */
function exactBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}
