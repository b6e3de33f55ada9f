// RGBA rows → DXT1, DXT3 and DXT5 blocks.
import { writeAlpha4, writeAlpha8 } from './dxt-alpha';
import { loadPartialBlock, loadWholeBlock, selectFitted, TEXELS } from './dxt-block';
import { buildClusterTables } from './dxt-cluster';
import { packIndices, writeColor } from './dxt-color';
import { EITHER, FOUR_ONLY, THREE_ONLY } from './dxt-search';
import { buildSingleColorTables } from './dxt-single';

let tablesBuilt: bool = false;

/** Two set bits per texel below the threshold: index 3, transparent in three-colour blocks. */
function transparentBits(threshold: i32): u32 {
  const limit = i32x4.splat(threshold);
  const three = i32x4.splat(3);
  return packIndices(
    v128.and(i32x4.lt_s(i32x4.shr_u(v128.load(TEXELS), 24), limit), three),
    v128.and(i32x4.lt_s(i32x4.shr_u(v128.load(TEXELS, 16), 24), limit), three),
    v128.and(i32x4.lt_s(i32x4.shr_u(v128.load(TEXELS, 32), 24), limit), three),
    v128.and(i32x4.lt_s(i32x4.shr_u(v128.load(TEXELS, 48), 24), limit), three),
  );
}

/** The loaded block as DXT1; texels with alpha below `threshold` become transparent. */
function writeDxt1(target: usize, preset: i32, threshold: i32): void {
  const transparent = transparentBits(threshold);
  if (selectFitted(threshold) == 0) {
    // c0 < c1 and index 3 throughout.
    store<u64>(target, 0xffffffffffff0000);
    return;
  }
  writeColor(target, preset, transparent == 0 ? EITHER : THREE_ONLY);
  store<u32>(target, load<u32>(target, 4) | transparent, 4);
}

/** The colour half of the loaded block in DXT3 and DXT5; texels below `threshold` do not matter if others do. */
function writeFourColor(target: usize, preset: i32, threshold: i32): void {
  if (selectFitted(threshold) == 0) selectFitted(0);
  writeColor(target, preset, FOUR_ONLY);
}

/**
 * Encodes rows of RGBA texels, tightly packed, as rows of blocks.
 *
 * @param kind 1, 3 or 5
 * @param preset 0 fast, 1 normal, 2 best
 * @param threshold alpha from which a texel takes part in the colour fit; below it DXT1 makes it transparent
 */
export function encodeDxt(
  source: usize,
  width: i32,
  height: i32,
  target: usize,
  kind: i32,
  preset: i32,
  threshold: i32,
): void {
  if (!tablesBuilt) {
    buildSingleColorTables();
    buildClusterTables();
    tablesBuilt = true;
  }
  const stride = (<usize>width) << 2;
  for (let y = 0; y < height; y += 4) {
    const rows = min(4, height - y);
    const row = source + <usize>y * stride;
    for (let x = 0; x < width; x += 4) {
      const block = row + ((<usize>x) << 2);
      const columns = min(4, width - x);
      if (columns == 4 && rows == 4) loadWholeBlock(block, stride);
      else loadPartialBlock(block, stride, columns, rows);
      if (kind == 1) {
        writeDxt1(target, preset, threshold);
        target += 8;
        continue;
      }
      if (kind == 3) writeAlpha4(target);
      else writeAlpha8(target, preset);
      writeFourColor(target + 8, preset, threshold);
      target += 16;
    }
  }
}
