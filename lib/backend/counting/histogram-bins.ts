import { PERCENTILE_ERROR_PERCENT } from '../../../schemas/limits.ts'

const EXACT_UP_TO = 64
const RELATIVE_ERROR = PERCENTILE_ERROR_PERCENT / 100
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
const LOG_GAMMA = Math.log(GAMMA)

/**
 * The bin of a duration in milliseconds, rounded to whole ones; negative values count as 0. Up to `EXACT_UP_TO` each value has its own bin.
 * Above that, bins grow by a constant factor, so the middle of a bin is within 1 % of every value in it.
 */
export function binOf(milliseconds: number): number {
  const whole = Math.max(0, Math.round(milliseconds))
  return whole <= EXACT_UP_TO ? whole : EXACT_UP_TO + Math.ceil(Math.log(whole / EXACT_UP_TO) / LOG_GAMMA)
}

/** Number of bins: no duration or wait is longer. */
export const BINS = binOf(Number.MAX_SAFE_INTEGER) + 1

/** The value in milliseconds that represents a bin, within 1 % of every value in it. */
export function valueOfBin(bin: number): number {
  return bin <= EXACT_UP_TO ? bin : EXACT_UP_TO * 2 * GAMMA ** (bin - EXACT_UP_TO) / (GAMMA + 1)
}
