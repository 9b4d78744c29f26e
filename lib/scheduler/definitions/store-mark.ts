import { randomUUID } from 'node:crypto'
import type { ScheduleStore } from './schedule-store.ts'

export type StoreMark = ReturnType<typeof createStoreMark>

/**
 * Watches a mark in the store. If it is missing or different, the store lost its data (a restart without persistence, a flush), including
 * every schedule.
 */
export function createStoreMark(store: ScheduleStore, now: () => number) {
  let seen: string | null = null
  let lostAt: number | null = null
  let seenAt = now()

  return {
    /** When this process last found the data intact, milliseconds since the epoch. */
    get seenAt() {
      return seenAt
    },

    /** When this process last found the data lost, milliseconds since the epoch; null if never. */
    get lostAt() {
      return lostAt
    },

    /** The last mark found. */
    get current() {
      return seen
    },

    /** Records a loss that was detected by other means. */
    lost() {
      lostAt = now()
    },

    /** Changes nothing, unlike `check`. */
    async isStanding(): Promise<boolean> {
      const isStanding = await store.findMark() === seen
      if (isStanding) seenAt = now()
      return isStanding
    },

    /** @returns whether the store lost its data since the last call */
    async check(): Promise<boolean> {
      const found = await store.readMark(randomUUID())
      const isLost = seen !== null && found !== seen
      seen = found
      seenAt = now()
      if (isLost) lostAt = now()
      return isLost
    }
  }
}
