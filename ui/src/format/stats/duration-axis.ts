import { formatDuration } from '../time/duration.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time/units.ts'

/** How durations are drawn: from `min` to `max`, milliseconds, with a label at each tick. */
export interface DurationAxis {
  /** Equal distances stand for equal factors, so values that differ a hundredfold can still be compared. */
  readonly isLogarithmic: boolean
  readonly min: number
  readonly max: number
  readonly ticks: readonly number[]
}

const [S, M, H, D] = [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS]
const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, S, 2 * S, 5 * S, 10 * S, 20 * S, M, 2 * M, 5 * M, 10 * M, 20 * M,
  H, 2 * H, 6 * H, 12 * H, D, 2 * D, 7 * D, 30 * D, 90 * D, 365 * D
]
/** Values that differ by less are best compared on a linear axis. */
const LOGARITHMIC_FROM = 20
const MAX_TICKS = 5

/** @param values milliseconds; null where nothing is known */
export function toDurationAxis(values: ReadonlyArray<number | null>): DurationAxis {
  const known = values.filter(value => value !== null && value > 0) as number[]
  const least = known.reduce((min, value) => Math.min(min, value), Infinity)
  const most = known.reduce((max, value) => Math.max(max, value), 10)
  return most / least >= LOGARITHMIC_FROM ? logarithmic(least, most) : linear(most)
}

function linear(most: number): DurationAxis {
  // Each label is one number and one unit, because 6 m 40 s is hard to read on an axis.
  const step = STEPS.find(each => most / each <= MAX_TICKS - 1 && ticksOf(each, most).every(isRound)) ?? STEPS.at(-1)!
  const ticks = ticksOf(step, most)
  return { isLogarithmic: false, min: 0, max: ticks.at(-1)!, ticks }
}

function logarithmic(least: number, most: number): DurationAxis {
  const from = Math.max(0, STEPS.findLastIndex(step => step <= least))
  const to = STEPS.findIndex(step => step >= most)
  const steps = STEPS.slice(from, to === -1 ? undefined : to + 1)
  const every = Math.ceil((steps.length - 1) / (MAX_TICKS - 1))
  return {
    isLogarithmic: true, min: Math.min(steps[0]!, least), max: Math.max(steps.at(-1)!, most),
    ticks: steps.filter((_, index) => index % every === 0)
  }
}

function ticksOf(step: number, most: number): number[] {
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step)
}

function isRound(ms: number): boolean {
  return /^\S+ \S+$/.test(formatDuration(ms))
}
