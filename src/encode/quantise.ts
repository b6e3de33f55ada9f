// A picture → the at most 256 colours that show it best: exact where that many suffice, else median cut and k-means.

import { type Colors, nearestColor } from './nearest.js';

/** Colours and how often each occurs; coordinates lie in `colors`, 3 a colour. */
interface Histogram {
  colors: Uint8Array;
  counts: Float64Array;
}

/** Distinct colours above which the two low bits of each channel are averaged away: bounds time and memory, at 0.02 dB. */
const maxDistinct = 1 << 14;

/** Rounds of k-means; it is left earlier when a round gains less than `leastGain` of the error. */
const maxRounds = 12;
const leastGain = 0.005;

/**
 * Chooses a palette.
 *
 * @param data RGBA texels
 * @param leastAlpha texels with less alpha are invisible and take no entries, unless all colours fit anyway. Visible
 *   texels count alike whatever their alpha: games use it for more than transparency.
 * @param limit entries at most, 1 to 256
 * @returns entries in the order of first appearance where all distinct colours fit, otherwise by falling popularity.
 */
export function choosePalette(
  data: Uint8Array | Uint8ClampedArray,
  leastAlpha: number,
  limit: number,
): Colors {
  const exact = distinctColors(data, 0, limit) ?? distinctColors(data, leastAlpha, limit);
  if (exact !== undefined) return exact.colors;
  const histogram = distinctColors(data, leastAlpha, maxDistinct) ?? coarseColors(data, leastAlpha);
  return refine(histogram, medianCut(histogram, limit));
}

/** @returns undefined when there are more than `limit` distinct colours. */
function distinctColors(
  data: Uint8Array | Uint8ClampedArray,
  leastAlpha: number,
  limit: number,
): Histogram | undefined {
  // Open addressing, at most half full; 0 is an empty slot.
  const bits = 33 - Math.clz32(limit - 1 || 1);
  const slots = new Int32Array(1 << bits);
  const mask = slots.length - 1;
  const keys = new Int32Array(limit);
  const counts = new Float64Array(limit);
  let found = 0;
  let lastKey = -1;
  let lastIndex = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < leastAlpha) continue;
    const key = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    if (key !== lastKey) {
      // Multiplicative hashing with the golden ratio in 32 bits.
      let slot = Math.imul(key, 0x9e3779b1) >>> (32 - bits);
      let entry = slots[slot];
      while (entry !== 0 && keys[entry - 1] !== key) {
        slot = (slot + 1) & mask;
        entry = slots[slot];
      }
      if (entry === 0) {
        if (found === limit) return undefined;
        keys[found] = key;
        entry = ++found;
        slots[slot] = entry;
      }
      lastKey = key;
      lastIndex = entry - 1;
    }
    counts[lastIndex]++;
  }
  const colors = new Uint8Array(found * 3);
  for (let index = 0; index < found; index++) {
    colors[index * 3] = keys[index] >> 16;
    colors[index * 3 + 1] = (keys[index] >> 8) & 255;
    colors[index * 3 + 2] = keys[index] & 255;
  }
  return { colors, counts: counts.subarray(0, found) };
}

/** Colours that agree in the upper six bits of every channel, as their average. */
function coarseColors(data: Uint8Array | Uint8ClampedArray, leastAlpha: number): Histogram {
  const sums = new Float64Array(4 << 18);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < leastAlpha) continue;
    const r = data[at];
    const g = data[at + 1];
    const b = data[at + 2];
    const bin = (((r >> 2) << 12) | ((g >> 2) << 6) | (b >> 2)) << 2;
    sums[bin] += r;
    sums[bin + 1] += g;
    sums[bin + 2] += b;
    sums[bin + 3]++;
  }
  let found = 0;
  for (let bin = 0; bin < sums.length; bin += 4) if (sums[bin + 3] > 0) found++;
  const colors = new Uint8Array(found * 3);
  const counts = new Float64Array(found);
  let index = 0;
  for (let bin = 0; bin < sums.length; bin += 4) {
    const count = sums[bin + 3];
    if (count === 0) continue;
    for (let channel = 0; channel < 3; channel++) {
      colors[index * 3 + channel] = Math.round(sums[bin + channel] / count);
    }
    counts[index++] = count;
  }
  return { colors, counts };
}

/** Part of the histogram, a range of `order`, and the best way to cut it in two. */
interface Box {
  start: number;
  end: number;
  /** Weight and sums of red, green, blue. */
  total: number[];
  /** How much the squared error falls by the cut; 0 where all colours are the same. */
  gain: number;
  channel: number;
  /** Colours up to here go to the lower part. */
  threshold: number;
}

/** Cuts the box whose cut lowers the squared error most, until there are `limit`. */
function medianCut(histogram: Histogram, limit: number): Colors {
  const { colors, counts } = histogram;
  const order = Uint32Array.from(counts, (_, index) => index);
  const boxes: Box[] = [measureBox(histogram, order, 0, order.length)];
  while (boxes.length < limit) {
    let widest = 0;
    for (let box = 1; box < boxes.length; box++) {
      if (boxes[box].gain > boxes[widest].gain) widest = box;
    }
    const { start, end, gain, channel, threshold } = boxes[widest];
    if (gain <= 0) break;
    let low = start;
    let high = end;
    while (low < high) {
      const index = order[low];
      if (colors[index * 3 + channel] <= threshold) {
        low++;
      } else {
        high--;
        order[low] = order[high];
        order[high] = index;
      }
    }
    boxes[widest] = measureBox(histogram, order, start, low);
    boxes.push(measureBox(histogram, order, low, end));
  }
  boxes.sort((a, b) => b.total[0] - a.total[0]);
  return Uint8Array.from(
    boxes.flatMap(({ total }) => [1, 2, 3].map((sum) => Math.round(total[sum] / total[0]))),
  );
}

/** Weight and colour sums by value of one channel: 256 × 4. */
const marginals = new Float64Array(1024);

function measureBox(histogram: Histogram, order: Uint32Array, start: number, end: number): Box {
  const { colors, counts } = histogram;
  const box: Box = { start, end, total: [], gain: 0, channel: 0, threshold: 0 };
  for (let channel = 0; channel < 3; channel++) {
    marginals.fill(0);
    for (let at = start; at < end; at++) {
      const index = order[at];
      const count = counts[index];
      const bin = colors[index * 3 + channel] << 2;
      marginals[bin] += count;
      marginals[bin + 1] += count * colors[index * 3];
      marginals[bin + 2] += count * colors[index * 3 + 1];
      marginals[bin + 3] += count * colors[index * 3 + 2];
    }
    if (channel === 0) {
      box.total = [0, 0, 0, 0];
      for (let at = 0; at < 1024; at++) box.total[at & 3] += marginals[at];
    }
    findCut(box, channel);
  }
  return box;
}

/** The squared error falls by the squared length of the sums over the weight, of both parts, minus that of the whole. */
function findCut(box: Box, channel: number): void {
  const [weight, r, g, b] = box.total as [number, number, number, number];
  const whole = (r * r + g * g + b * b) / weight;
  let lowWeight = 0;
  let lowR = 0;
  let lowG = 0;
  let lowB = 0;
  for (let value = 0; value < 255; value++) {
    const added = marginals[value * 4];
    if (added === 0) continue;
    lowWeight += added;
    if (lowWeight === weight) return;
    lowR += marginals[value * 4 + 1];
    lowG += marginals[value * 4 + 2];
    lowB += marginals[value * 4 + 3];
    const low = (lowR * lowR + lowG * lowG + lowB * lowB) / lowWeight;
    const high = ((r - lowR) ** 2 + (g - lowG) ** 2 + (b - lowB) ** 2) / (weight - lowWeight);
    const gain = low + high - whole;
    if (gain > box.gain) {
      box.gain = gain;
      box.channel = channel;
      box.threshold = value;
    }
  }
}

/** k-means: every colour goes to its nearest entry, every entry to the mean of its colours. */
function refine(histogram: Histogram, start: Colors): Colors {
  const { colors, counts } = histogram;
  let palette = start;
  let best = start;
  let leastError = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= maxRounds; round++) {
    const nearest = nearestColor(palette);
    const sums = new Float64Array((palette.length / 3) * 4);
    let error = 0;
    for (let index = 0; index < counts.length; index++) {
      const r = colors[index * 3];
      const g = colors[index * 3 + 1];
      const b = colors[index * 3 + 2];
      const entry = nearest(r, g, b);
      const count = counts[index];
      const sum = entry * 4;
      sums[sum] += count * r;
      sums[sum + 1] += count * g;
      sums[sum + 2] += count * b;
      sums[sum + 3] += count;
      const dr = r - palette[entry * 3];
      const dg = g - palette[entry * 3 + 1];
      const db = b - palette[entry * 3 + 2];
      error += count * (dr * dr + dg * dg + db * db);
    }
    // Entries are whole numbers, so that a round can also make things worse.
    if (error < leastError) best = palette;
    if (error >= leastError * (1 - leastGain)) break;
    leastError = error;
    palette = palette.map((value, at) => {
      const sum = Math.floor(at / 3) * 4;
      return sums[sum + 3] > 0 ? Math.round(sums[sum + (at % 3)] / sums[sum + 3]) : value;
    });
  }
  return best;
}
