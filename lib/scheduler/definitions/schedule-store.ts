import type { DriftWinner, ScheduleSource } from '../../../schemas/schedule.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { CHANGE_WITHIN_MS } from '../../time/budgets.ts'
import type { DocumentStore, Increment, StoredDocument } from '../../stores/documents/documents.ts'
import type { ScheduleDefinition } from './schedule-input.ts'

/** How a schedule is kept. Times are milliseconds since the epoch. */
export interface ScheduleDocument extends Omit<ScheduleDefinition, 'timing'> {
  readonly timing: StoredTiming
  readonly source: ScheduleSource
  readonly createdAt: number
  readonly updatedAt: number
  /** Since when it runs at these times: what was due before is not missed. */
  readonly activeSince: number
  /** What the code last declared, for schedules from code: a difference to it is a change of the code, not of an operator. */
  readonly code: ScheduleDefinition | null
  readonly wins: DriftWinner
  /** Who changed a field last, and when: the fields of a schedule from code that an operator chose. */
  readonly edits: Readonly<Partial<Record<EditableField, Edit>>>
}

/** `timing` is one field: cron or interval, and time zone. */
export type EditableField = Exclude<keyof ScheduleDefinition, 'taskName'>

export interface Edit {
  readonly at: number
  /** The user of the request, null when not known. */
  readonly by: string | null
}

/** Intervals count from `anchorAt`, so that their runs do not move when they are disabled for a while. */
export type StoredTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string; readonly anchorAt: number }

export type StoredSchedule = StoredDocument<ScheduleDocument>

const SCHEDULES = 'schedules'
const LATE = 'schedules-late'
const REVISIONS = 'schedule-revisions'
/** However the revision came to be wrong, the schedules are read again after it. */
const KNOWN_FOR_MS = 15_000
const MARKS = 'marks'
const MARK_ID = 'scheduler'
const WRITE_ATTEMPTS = 20

type Change = (current: ScheduleDocument | null, version: number) => ScheduleDocument | null

/** Schedules in the broker's store. Every call rejects with the datastore's own error. */
export function createScheduleStore(documents: DocumentStore) {
  let known: { readonly revision: number; readonly schedules: readonly StoredSchedule[]; readonly at: number } | undefined
  const increments = [{ collection: REVISIONS, id: SCHEDULES, by: 1 }]

  return {
    /** All of them, by id. For convergence: always read. */
    async list(): Promise<StoredSchedule[]> {
      return (await documents.list<ScheduleDocument>(SCHEDULES)).map(completed)
    },

    /** The same, read again only when a process changed one. */
    async listKnown(): Promise<readonly StoredSchedule[]> {
      const [revision = 0] = await documents.counters(REVISIONS, [SCHEDULES])
      if (known?.revision === revision && performance.now() - known.at < KNOWN_FOR_MS) return known.schedules
      const schedules = await this.list()
      schedules.sort((one, other) => one.value.createdAt - other.value.createdAt || (one.id < other.id ? -1 : 1))
      known = { revision, schedules, at: performance.now() }
      return schedules
    },

    async get(scheduleId: string): Promise<StoredSchedule | null> {
      const found = await documents.get<ScheduleDocument>(SCHEDULES, scheduleId)
      return found && completed(found)
    },
    async getMany(scheduleIds: readonly string[]): Promise<Array<StoredSchedule | null>> {
      return (await documents.getMany<ScheduleDocument>(SCHEDULES, scheduleIds)).map(found => found && completed(found))
    },
    delete: (scheduleId: string): Promise<boolean> => documents.delete(SCHEDULES, scheduleId, { increments }),

    /**
     * Writes one that is new, in a single round trip.
     * @returns the one that stands with this id, which is another when it was there; null when there are `maxSchedules` already
     */
    async create(scheduleId: string, value: ScheduleDocument, maxSchedules: number): Promise<StoredSchedule | null> {
      const version = await documents.put(SCHEDULES, scheduleId, value, { ifVersion: 0, ifFewerThan: maxSchedules, increments })
      return version === null ? this.get(scheduleId) : { id: scheduleId, version, value }
    },

    /**
     * Reads, changes and writes again until no other process wrote in between.
     * Rejects with CONFLICT when others change it all the time.
     * @param change gets null where there is none; returns null to leave it as it is
     * @param known as it was read a moment ago; default: it is read
     */
    async change(scheduleId: string, change: Change, known?: StoredSchedule | null): Promise<StoredSchedule | null> {
      const started = performance.now()
      let current = known === undefined ? await this.get(scheduleId) : known
      for (let attempt = 1; ; attempt++) {
        const next = change(current?.value ?? null, current?.version ?? 0)
        if (next === null) return current
        const version = await documents.put(SCHEDULES, scheduleId, next, { ifVersion: current?.version ?? 0, increments })
        if (version !== null) return { id: scheduleId, version, value: next }
        if (attempt === WRITE_ATTEMPTS || performance.now() - started > CHANGE_WITHIN_MS) {
          throw createTaskDashboardError('CONFLICT', [`The schedule ${scheduleId} is constantly being changed by other processes; try ` +
            'again'])
        }
        current = await this.get(scheduleId)
      }
    },

    /** Counters in the order of the ids. */
    async missedAndLate(scheduleIds: readonly string[]): Promise<{ missed: number[]; late: number[] }> {
      if (scheduleIds.length === 0) return { missed: [], late: [] }
      const [missed, late] = await Promise.all([documents.counters(SCHEDULES, scheduleIds), documents.counters(LATE, scheduleIds)])
      return { missed, late }
    },
    /** Where the counters of missed runs are. */
    missedCounters: SCHEDULES,
    /** For a write that changes both numbers with the books in one step: whoever dies after it has counted, too. */
    countersOf: (scheduleId: string, { missed, late }: { readonly missed: number; readonly late: number }): Increment[] => [
      ...missed === 0 ? [] : [{ collection: SCHEDULES, id: scheduleId, by: missed }],
      ...late === 0 ? [] : [{ collection: LATE, id: scheduleId, by: late }]
    ],
    addMissed: (scheduleId: string, by: number) => documents.increment(SCHEDULES, scheduleId, by),
    addLate: (scheduleId: string, by = 1) => documents.increment(LATE, scheduleId, by),
    async forgetCounters(scheduleId: string): Promise<void> {
      await Promise.all([documents.deleteCounter(SCHEDULES, scheduleId), documents.deleteCounter(LATE, scheduleId)])
    },

    /** The mark that shows whether the store still has what it had; null when there is none. */
    async findMark(): Promise<string | null> {
      return (await documents.get<string>(MARKS, MARK_ID))?.value ?? null
    },
    /** The mark that stands, or `mine` when there was none. */
    async readMark(mine: string): Promise<string> {
      const found = await this.findMark()
      if (found !== null) return found
      if (await documents.put(MARKS, MARK_ID, mine, { ifVersion: 0 }) !== null) return mine
      return await this.findMark() ?? mine
    }
  }
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>

/** Changes with every write, and after a schedule was deleted and declared anew. */
export function versionOf({ version, value }: StoredSchedule): string {
  return `${value.createdAt.toString(36)}.${version}`
}

const DEFAULTS = { catchUp: 'none', jitterMs: 0, startAt: null, endAt: null, wins: 'live', edits: {} } as const

/** Documents of earlier versions lack what came later. */
function completed(stored: StoredSchedule): StoredSchedule {
  const { id, version } = stored
  const value: Partial<ScheduleDocument> & Pick<ScheduleDocument, 'updatedAt'> = stored.value
  if (value.edits !== undefined && value.activeSince !== undefined) return stored
  return { id, version, value: { ...DEFAULTS, activeSince: value.updatedAt, ...value } as ScheduleDocument }
}
