import type { ResultBackend } from '../result-backend.ts'
import { HOUR_MS, MINUTE_MS } from '../../time/units.ts'

export interface OrphanedTotalsOptions {
  readonly backend: Pick<ResultBackend, 'countedSchedules' | 'forgetSchedule'>
  /** Which of these schedules there are. At most 500. */
  readonly standing: (scheduleIds: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * How long a schedule must have been away, milliseconds. Default an hour: a broker that lost its data gets its schedules back meanwhile.
   */
  readonly awayForMs?: number
  /** From one look to the next, milliseconds. Default ten minutes. */
  readonly everyMs?: number
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/**
 * Counters of schedules that are gone: a run that ended after its schedule was deleted counted once more, or nobody could forget them then.
 */
export interface OrphanedTotals {
  /** Looks, when it is time to. @returns how many schedules were forgotten */
  tidy(signal: AbortSignal): Promise<number>
}

const IDS_AT_A_TIME = 500

export function createOrphanedTotals(options: OrphanedTotalsOptions): OrphanedTotals {
  const { backend, standing, awayForMs = HOUR_MS, everyMs = 10 * MINUTE_MS, now = () => performance.now() } = options
  let awaySince = new Map<string, number>()
  let lookedAt = -Infinity

  return {
    async tidy(signal) {
      const at = now()
      if (at - lookedAt < everyMs) return 0
      // Another process had the lease: what it saw is not known.
      const before = at - lookedAt > 3 * everyMs ? new Map<string, number>() : awaySince
      const away = new Map<string, number>()
      let forgotten = 0
      let cursor: string | null = null
      do {
        if (signal.aborted) return forgotten
        const page: Awaited<ReturnType<ResultBackend['countedSchedules']>> = await backend.countedSchedules(cursor, IDS_AT_A_TIME)
        const there = await standing(page.scheduleIds)
        for (const id of page.scheduleIds) {
          if (there.has(id)) continue
          const since = before.get(id) ?? at
          if (at - since < awayForMs) {
            away.set(id, since)
          } else {
            await backend.forgetSchedule(id)
            forgotten++
          }
        }
        cursor = page.next
      } while (cursor !== null)
      awaySince = away
      lookedAt = at
      return forgotten
    }
  }
}
