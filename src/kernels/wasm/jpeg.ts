// JPEG behind the kernels interface: hands the stream to the decode module, takes strips of rows from it.

import { checkFrame, checkScans } from '../jpeg-checks.js';
import { clearOutside, copyStrip } from '../jpeg-copy.js';
import { jpegFault } from '../jpeg-faults.js';
import type {
  AlphaPlane,
  Destination,
  JpegOptions,
  JpegResult,
  JpegSource,
  Kernels,
} from '../kernels.js';
import type { WasmMemory } from './memory.js';

/** What the decode module exports for this file; addresses and lengths are bytes of its memory. */
interface JpegExports {
  heapBase(): number;
  jpegOpen(stream: number, length: number): number;
  jpegScans(most: number): number;
  jpegWorkspaceBytes(): number;
  jpegCoefficientBytes(): number;
  jpegStart(workspace: number, coefficients: number, salvage: boolean, opaque: boolean): number;
  jpegRows(strip: number, capacity: number): number;
  jpegAlphaState(): number;
  jpegFault: WebAssembly.Global<'i32'>;
  jpegFaultAddress: WebAssembly.Global<'i32'>;
  jpegFaultDetail: WebAssembly.Global<'i32'>;
  jpegComponents: WebAssembly.Global<'i32'>;
  jpegWidth: WebAssembly.Global<'i32'>;
  jpegHeight: WebAssembly.Global<'i32'>;
  jpegMaxVertical: WebAssembly.Global<'i32'>;
}

/** A strip stays within the processor's second-level cache. */
const stripBytes = 128 * 1024;

/** Room between the stream and what follows it: vector loads may reach past its end. */
const streamMargin = 32;

/** As jpegAlphaState numbers them. */
const alphaPlanes: AlphaPlane[] = ['unseen', 'zero', 'full', 'mixed'];

/** The JPEG kernels on the given module. Memory beyond `heapBase` is theirs while they run. */
export function createJpegDecoder(
  runtime: WasmMemory<object>,
): Pick<Kernels, 'jpeg' | 'jpegAlphaPlane'> {
  const wasm = runtime.exports as unknown as JpegExports;
  const base = wasm.heapBase();

  /** Copies the stream in, reads its headers and checks its frame and scans; returns its end. */
  function open(source: JpegSource, options: JpegOptions, level?: Destination): number {
    const { header, body } = source;
    const length = header.length + body.length;
    runtime.ensure(base + length + streamMargin, options.limits.maxWasmMemory);
    const bytes = runtime.bytes();
    bytes.set(header, base);
    bytes.set(body, base + header.length);
    check(wasm.jpegOpen(base, length));
    checkFrame(wasm.jpegWidth.value, wasm.jpegHeight.value, options.limits, level);
    const scans = wasm.jpegScans(options.limits.maxJpegScans);
    if (scans < 0) check(-scans);
    checkScans(scans, options.limits);
    return base + length + streamMargin;
  }

  /** Makes room behind `end` and starts decoding; returns the strip's address and its lines. */
  function start(
    end: number,
    opaque: boolean,
    options: JpegOptions,
  ): { strip: number; lines: number } {
    const rowBytes = wasm.jpegWidth.value * 4;
    // Whole MCU rows, and the lines by which smoothing lags behind.
    const leastLines = wasm.jpegMaxVertical.value * 9;
    const mostLines = wasm.jpegHeight.value + leastLines;
    const lines = Math.min(Math.max(leastLines, Math.floor(stripBytes / rowBytes)), mostLines);
    const workspace = align(end);
    const strip = align(workspace + wasm.jpegWorkspaceBytes());
    const coefficients = align(strip + rowBytes * lines);
    const coefficientBytes = wasm.jpegCoefficientBytes();
    const total = coefficients + coefficientBytes;
    runtime.ensure(total, options.limits.maxWasmMemory);
    if (coefficientBytes > 0) runtime.bytes().fill(0, coefficients, total);
    check(wasm.jpegStart(workspace, coefficients, options.salvage, opaque));
    return { strip, lines };
  }

  function check(fault: number): void {
    if (fault === 0) return;
    const offset = (wasm.jpegFaultAddress.value >>> 0) - base;
    throw jpegFault(fault, offset, wasm.jpegFaultDetail.value);
  }

  /**
   * A stream of one scan is decoded no further than to the region's last row: `alphaPlane` and `complete`
   * speak of the whole frame only when the region reaches its end.
   */
  function jpeg(source: JpegSource, options: JpegOptions, destination: Destination): JpegResult {
    const end = open(source, options, destination);
    const frameWidth = wasm.jpegWidth.value;
    const frameHeight = wasm.jpegHeight.value;
    const { strip, lines } = start(end, options.opaque, options);
    const { region } = destination;
    const lastLine = Math.min(region.y + region.height, frameHeight);
    let line = 0;
    while (line < lastLine) {
      const count = wasm.jpegRows(strip, lines);
      if (count <= 0) {
        check(-count);
        break;
      }
      copyStrip(runtime.bytes(), strip, frameWidth, line, count, destination);
      line += count;
    }
    clearOutside(frameWidth, frameHeight, destination);
    return {
      frameWidth,
      frameHeight,
      alphaPlane: alphaPlane(),
      complete: wasm.jpegFault.value === 0,
    };
  }

  function jpegAlphaPlane(source: JpegSource, options: JpegOptions): AlphaPlane {
    const end = open(source, options);
    if (wasm.jpegComponents.value !== 4) return 'none';
    const { strip, lines } = start(end, false, options);
    while (alphaPlane() !== 'mixed') {
      const count = wasm.jpegRows(strip, lines);
      if (count < 0) check(-count);
      if (count <= 0) break;
    }
    return alphaPlane();
  }

  function alphaPlane(): AlphaPlane {
    return wasm.jpegComponents.value === 4 ? alphaPlanes[wasm.jpegAlphaState()] : 'none';
  }

  return { jpeg, jpegAlphaPlane };
}

function align(address: number): number {
  return Math.ceil(address / 16) * 16;
}
