import type { ResultBackend } from '../result-backend.ts'
import { HOUR_MS, MINUTE_MS } from '../../time/units.ts'

export interface OrphanedTotalsOptions {
  readonly backend: Pick<ResultBackend, 'countedSchedules' | 'forgetSchedule'>
  /** Which of these schedules exist. At most 500. */
  readonly standing: (scheduleIds: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * How long a schedule must have been missing, milliseconds. Default an hour: if a broker loses its data, its schedules are restored
   * within that time.
   */
  readonly awayForMs?: number
  /** Milliseconds between checks. Default ten minutes. */
  readonly everyMs?: number
  /** A monotonic clock, milliseconds. */
  readonly now?: () => number
}

/**
 * Removes counters of schedules that no longer exist: a run finished after its schedule was deleted, or the backend was unavailable at the
 * time.
 */
export interface OrphanedTotals {
  /**
   * Checks when it is due.
   * @returns how many schedules were forgotten
   */
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
      // After such a gap, another process has held the lease, and what it found is unknown.
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
