// What a decode of one level is asked to do, after its options have been checked.

import type { BlpHeader } from '../container/header.js';
import type { Chain, LevelRange } from '../container/levels.js';
import type { Destination, Kernels } from '../kernels/kernels.js';
import type { Limits } from '../limits.js';
import type { WarningSink } from '../warnings.js';

/**
 * Which alpha the texels get:
 *
 * - `auto`: as declared, but for JPEG by what level 0 holds: all 0 or all 255 is opaque, anything else is used
 * - `declared`: as the header declares; JPEG alpha is used where it declares 8 bits, as the game's interface does
 * - `stored`: whatever is stored, also where the header declares no alpha
 * - `opaque`: 255 everywhere
 */
export type AlphaMode = 'auto' | 'declared' | 'stored' | 'opaque';

export interface LevelRequest {
  header: BlpHeader;
  chain: Chain;
  level: LevelRange;
  destination: Destination;
  alpha: AlphaMode;
  salvage: boolean;
  limits: Readonly<Limits>;
  kernels: Kernels;
  warn: WarningSink;
}
