import { randomUUID } from 'node:crypto'
import type { ScheduleStore } from './schedule-store.ts'

/**
 * Watches a mark in the store. That it is gone, or another one, means that the store lost its data (a restart without
 * persistence, a flush) and with it every schedule.
 */
export function createStoreMark(store: ScheduleStore, now: () => number) {
  let seen: string | null = null
  let lostAt: number | null = null

  return {
    /** When this process last found the data lost, milliseconds since the epoch; null when it never did. */
    get lostAt() {
      return lostAt
    },

    /** As it was found last. */
    get current() {
      return seen
    },

    /** For a loss that was found by other means. */
    lost() {
      lostAt = now()
    },

    /** @returns whether the store lost its data since the last call */
    async check(): Promise<boolean> {
      const found = await store.readMark(randomUUID())
      const isLost = seen !== null && found !== seen
      seen = found
      if (isLost) lostAt = now()
      return isLost
    }
  }
}
