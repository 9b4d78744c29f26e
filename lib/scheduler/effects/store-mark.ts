import { randomUUID } from 'node:crypto'
import type { ScheduleStore } from '../definitions/schedule-store.ts'

export type StoreMark = ReturnType<typeof createStoreMark>

/**
 * Watches a mark in the store. That it is gone, or another one, means that the store lost its data (a restart without
 * persistence, a flush) and with it every schedule.
 */
export function createStoreMark(store: ScheduleStore, now: () => number) {
  let seen: string | null = null
  let lostAt: number | null = null
  let seenAt = now()

  return {
    /** When this process last found the data as it was, milliseconds since the epoch. */
    get seenAt() {
      return seenAt
    },

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
