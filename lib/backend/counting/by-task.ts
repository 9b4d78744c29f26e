import { HOUR_MS } from '../../time/units.ts'
import type { ResultBackend } from '../result-backend.ts'
import { HOURS_KEPT_MS, spansTouched, toCountsByTask, toWindowsByTask, type PackedTally } from './tally.ts'

/** The tallies of all tasks in an hour; undefined for an hour without any. */
export type HourOfTasks = ReadonlyMap<string, PackedTally> | undefined

/**
 * The driver methods that group by task, built on the hours that it reads.
 * @param readHours reads at least one hour; `end` is exclusive
 */
export function byTaskFrom(
  readHours: (first: number, end: number) => Promise<HourOfTasks[]>
): Pick<ResultBackend, 'windowByTask' | 'hoursByTask'> {
  async function hoursTouched(fromMs: number, toMs: number): Promise<HourOfTasks[]> {
    const { first, end } = spansTouched(fromMs, toMs, HOUR_MS, HOURS_KEPT_MS)
    return end <= first ? [] : await readHours(first, end)
  }

  return {
    windowByTask: async (fromMs, toMs, wholeOf) => toWindowsByTask(await hoursTouched(fromMs, toMs), wholeOf),
    hoursByTask: async (fromMs, toMs, wholeOf) => toCountsByTask(await hoursTouched(fromMs, toMs), wholeOf)
  }
}
