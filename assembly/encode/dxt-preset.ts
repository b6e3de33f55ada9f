// How much work a block gets.

export const FAST: i32 = 0;
export const NORMAL: i32 = 1;
export const BEST: i32 = 2;
