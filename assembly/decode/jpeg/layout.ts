// The decoder's static memory: tables, and records whose fields are reached by constant offsets.

// One record per frame component.
export const COMPONENT_SIZE: usize = 256;
export const COMPONENTS: usize = memory.data(4 * 256, 16);
export const COMPONENTS_END: usize = COMPONENTS + 4 * COMPONENT_SIZE;

export const IDENTIFIER: usize = 0;
/** Sampling factors, blocks of this component in one MCU. */
export const HORIZONTAL: usize = 4;
export const VERTICAL: usize = 8;
export const QUANTISATION_SLOT: usize = 12;
/** Addresses of the Huffman tables that the current scan uses. */
export const DC_TABLE: usize = 16;
export const AC_TABLE: usize = 20;
/** The last DC coefficient of the current scan, undifferenced. */
export const PREDICTION: usize = 24;
/** Blocks that hold picture data; the stored grid is rounded up to whole MCUs. */
export const BLOCKS_WIDE: usize = 28;
export const BLOCKS_HIGH: usize = 32;
export const GRID_WIDE: usize = 36;
/** Address of the coefficients, 128 bytes a block, and of one byte a block: was its DC decoded? */
export const COEFFICIENTS: usize = 40;
export const DECODED: usize = 44;
/** Index of the component's first block in an MCU. */
export const FIRST_BLOCK: usize = 48;
/** Sample window: two MCU rows used in turn, see window.ts. */
export const WINDOW: usize = 52;
export const WINDOW_STRIDE: usize = 56;
export const WINDOW_ROWS: usize = 60;
export const SAMPLES_WIDE: usize = 64;
export const SAMPLES_HIGH: usize = 68;
/** Does QUANTISATION hold the table in force at the component's first scan? */
export const LATCHED: usize = 72;
/** Address of one u64 a block of a progressive frame: bit k says that the k-th zigzag AC coefficient is not 0. */
export const NONZERO: usize = 76;
/** 64 u16 in natural order. */
export const QUANTISATION: usize = 80;

// Which blocks one MCU of the current scan consists of; at most ten (ITU-T T.81 B.2.3).
export const SCAN_BLOCK_SIZE: usize = 16;
export const SCAN_BLOCKS: usize = memory.data(10 * 16, 16);
/** Address of the component's record, place within the MCU in blocks, index within a whole-frame MCU. */
export const BLOCK_COMPONENT: usize = 0;
export const BLOCK_X: usize = 4;
export const BLOCK_Y: usize = 8;
export const BLOCK_INDEX: usize = 12;

/** The four quantisation slots of a stream, 64 u16 in natural order each. */
export const QUANTISATION_SLOTS: usize = memory.data(4 * 128, 16);

/** Coefficients of the block at hand; all zero between blocks. */
export const BLOCK: usize = memory.data(128, 16);
