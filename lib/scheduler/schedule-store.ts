import type { OverlapPolicy, ScheduleSource } from '../../schemas/schedule.ts'
import type { DocumentStore, StoredDocument } from '../stores/documents.ts'
import type { ScheduleDefinition } from './schedule-input.ts'

/** How a schedule is kept. Times are milliseconds since the epoch. */
export interface ScheduleDocument {
  readonly taskName: string
  readonly timing: StoredTiming
  readonly description: string | null
  readonly args: readonly unknown[]
  readonly enabled: boolean
  readonly priority: number
  readonly overlap: OverlapPolicy
  readonly source: ScheduleSource
  readonly createdAt: number
  readonly updatedAt: number
  /** What the code last declared, for schedules from code: a difference to it is a change of the code, not of an operator. */
  readonly code: ScheduleDefinition | null
}

/** Intervals count from `anchorAt`, so that their runs do not move when they are disabled for a while. */
export type StoredTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string; readonly anchorAt: number }

export type StoredSchedule = StoredDocument<ScheduleDocument>

const SCHEDULES = 'schedules'
const MARKS = 'marks'
const MARK_ID = 'scheduler'
const WRITE_ATTEMPTS = 20

/** Schedules in the broker's store. Every call rejects with the datastore's own error. */
export function createScheduleStore(documents: DocumentStore) {
  return {
    list: () => documents.list<ScheduleDocument>(SCHEDULES),
    get: (scheduleId: string) => documents.get<ScheduleDocument>(SCHEDULES, scheduleId),
    delete: (scheduleId: string) => documents.delete(SCHEDULES, scheduleId),

    /**
     * Reads, changes and writes again until no other process wrote in between.
     * @param change gets null where there is none; returns null to leave it as it is
     */
    async change(scheduleId: string, change: (current: ScheduleDocument | null) => ScheduleDocument | null): Promise<StoredSchedule | null> {
      for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
        const current = await documents.get<ScheduleDocument>(SCHEDULES, scheduleId)
        const next = change(current?.value ?? null)
        if (next === null) return current
        const version = await documents.put(SCHEDULES, scheduleId, next, { ifVersion: current?.version ?? 0 })
        if (version !== null) return { id: scheduleId, version, value: next }
      }
      throw new Error(`The schedule ${scheduleId} is being changed by others all the time`)
    },

    missed: (scheduleIds: readonly string[]) => scheduleIds.length === 0 ? Promise.resolve([]) : documents.counters(SCHEDULES, scheduleIds),
    addMissed: (scheduleId: string, by: number) => documents.increment(SCHEDULES, scheduleId, by),
    forgetMissed: (scheduleId: string) => documents.deleteCounter(SCHEDULES, scheduleId),

    /** The mark that shows whether the store still has what it had: the one that stands, or `mine` when there was none. */
    async readMark(mine: string): Promise<string> {
      const found = await documents.get<string>(MARKS, MARK_ID)
      if (found) return found.value
      if (await documents.put(MARKS, MARK_ID, mine, { ifVersion: 0 }) !== null) return mine
      return (await documents.get<string>(MARKS, MARK_ID))?.value ?? mine
    }
  }
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>
