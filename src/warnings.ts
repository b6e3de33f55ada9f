// Warnings as data: what was odd about a file that could be read all the same.

/** Stable identifiers; docs/format.md explains each of them. */
export type WarningCode =
  | 'level-empty'
  | 'level-in-header'
  | 'level-past-end'
  | 'level-overlap'
  | 'level-too-short'
  | 'level-undecodable'
  | 'level-past-chain'
  | 'level-clipped'
  | 'palette-short'
  | 'alpha-missing'
  | 'alpha-bits-invalid'
  | 'alpha-bits-disagree'
  | 'jpeg-header-past-end'
  | 'jpeg-header-size'
  | 'jpeg-frame-size'
  | 'truncated';

/** Something in the file that deviates from the format without preventing its decoding. */
export interface BlpWarning {
  code: WarningCode;
  /** The mip level concerned; absent where the whole file is. */
  level?: number;
  /** What was found, for people. */
  message: string;
}

/** Takes each warning as it arises. */
export type WarningSink = (warning: BlpWarning) => void;
