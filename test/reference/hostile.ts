// What must become of each of the hostile files that are not part of the project.

export interface Outcome {
  /** The error's code, or 'decoded'. */
  result: string;
  levels?: number;
  warnings?: string[];
}

/** What becomes of each file of the folder. */
export const outcomes: Record<string, Outcome> = {
  '00-control-good-jpeg': { result: 'decoded', levels: 1, warnings: ['level-empty'] },
  '01-height-bomb-dxt1': { result: 'damaged' },
  '02-area-bomb-bgra': { result: 'limit' },
  '03-negative-dims': { result: 'damaged' },
  '04-area-wraps-u32': { result: 'damaged' },
  '05-slot-wraps-u32': { result: 'decoded', levels: 2, warnings: ['level-past-end'] },
  '06-slot-in-header': { result: 'damaged' },
  '07-sixteen-full-slots': { result: 'decoded', levels: 1, warnings: ['level-overlap'] },
  '08-jpeg-header-size-4G': {
    result: 'decoded',
    levels: 1,
    warnings: ['jpeg-header-past-end', 'jpeg-header-size', 'level-empty'],
  },
  '09-jpeg-frame-bomb': { result: 'damaged' },
  '10-second-sof-grows': { result: 'damaged' },
  '11-progressive-scan-flood': { result: 'limit' },
  '12-jpeg-zero-sampling': { result: 'damaged' },
  '13-palette-alpha-overflow': {
    result: 'decoded',
    levels: 1,
    warnings: ['alpha-bits-invalid'],
  },
  '14-palette-under-mip': { result: 'decoded', levels: 1, warnings: ['palette-short'] },
};
