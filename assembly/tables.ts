// Tables that decoding and encoding share.

/**
 * Byte offset of the k-th zigzag coefficient in a block of 64 i16 (ITU-T T.81, figure A.6). The sixteen entries past the end
 * catch runs that leave the block.
 */
export const NATURAL_OFFSET: usize = memory.data<u8>([
  0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10, 24, 38, 52, 66, 80, 96, 82, 68, 54, 40,
  26, 12, 14, 28, 42, 56, 70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102, 116,
  118, 104, 90, 76, 62, 78, 92, 106, 120, 122, 108, 94, 110, 124, 126, 126, 126, 126, 126, 126, 126,
  126, 126, 126, 126, 126, 126, 126, 126, 126, 126,
]);

/**
 * The weights of the 8-point transform of Loeffler, Ligtenberg and Moschytz (1989), in libjpeg's accurate integer form
 * ("islow"): 0.298631336 → 2446, 0.390180644 → 3196, 0.541196100 → 4433, 0.765366865 → 6270, 0.899976223 → 7373,
 * 1.175875602 → 9633, 1.501321110 → 12299, 1.847759065 → 15137, 1.961570560 → 16069, 2.053119869 → 16819,
 * 2.562915447 → 20995, 3.072711026 → 25172, scaled by 2^13. A rotation of two 16-bit values is one multiply-add of
 * interleaved pairs; each weight joins the constants of the factored form that meet in it, which changes nothing: all
 * of it is exact before the one rounding shift. The comments name the inputs of the inverse transform.
 */
export const DCT_WEIGHTS: usize = memory.data<i16>(
  [
    10703,
    4433,
    10703,
    4433,
    10703,
    4433,
    10703,
    4433, // x2, x6: 0.541196100 + 0.765366865, 0.541196100
    4433,
    -10704,
    4433,
    -10704,
    4433,
    -10704,
    4433,
    -10704, // 0.541196100, 0.541196100 - 1.847759065
    -6436,
    9633,
    -6436,
    9633,
    -6436,
    9633,
    -6436,
    9633, // x3+x7, x1+x5: 1.175875602 - 1.961570560, 1.175875602
    9633,
    6437,
    9633,
    6437,
    9633,
    6437,
    9633,
    6437, // 1.175875602, 1.175875602 - 0.390180644
    -4927,
    -7373,
    -4927,
    -7373,
    -4927,
    -7373,
    -4927,
    -7373, // x7, x1: 0.298631336 - 0.899976223, -0.899976223
    -7373,
    4926,
    -7373,
    4926,
    -7373,
    4926,
    -7373,
    4926, // -0.899976223, 1.501321110 - 0.899976223
    -4176,
    -20995,
    -4176,
    -20995,
    -4176,
    -20995,
    -4176,
    -20995, // x5, x3: 2.053119869 - 2.562915447, -2.562915447
    -20995,
    4177,
    -20995,
    4177,
    -20995,
    4177,
    -20995,
    4177, // -2.562915447, 3.072711026 - 2.562915447
  ],
  16,
);
