import type { Rollup } from '../result-backend.ts'
import { TallySum } from './tally.ts'

/** Adds up the roll-ups of several tasks, in time order. */
export function addRollups(rollups: readonly Rollup[]): Rollup[] {
  const sums = new Map<number, TallySum>()
  for (const { startMs, tally } of rollups) {
    const sum = sums.get(startMs) ?? new TallySum()
    sums.set(startMs, sum)
    sum.add(tally)
  }
  return [...sums].sort(([one], [other]) => one - other).map(([startMs, sum]) => ({ startMs, tally: sum.toTally() }))
}
