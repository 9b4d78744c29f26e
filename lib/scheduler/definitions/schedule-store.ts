import type { DriftWinner, ScheduleSource } from '../../../schemas/schedule.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { CHANGE_WITHIN_MS } from '../../time/budgets.ts'
import type { DocumentStore, Increment, StoredDocument } from '../../stores/documents/documents.ts'
import type { ScheduleDefinition } from './schedule-input.ts'

/** A schedule as stored. Times are milliseconds since the epoch. */
export interface ScheduleDocument extends Omit<ScheduleDefinition, 'timing'> {
  readonly timing: StoredTiming
  readonly source: ScheduleSource
  readonly createdAt: number
  readonly updatedAt: number
  /** Since when its current times apply. Runs due before that do not count as missed. */
  readonly activeSince: number
  /** The last declaration, for schedules from code. A difference from it is a change of the code, not an operator's edit. */
  readonly code: ScheduleDefinition | null
  readonly wins: DriftWinner
  /** Who last changed each field, and when. In schedules from code, these are the fields an operator chose. */
  readonly edits: Readonly<Partial<Record<EditableField, Edit>>>
  /** The previous id, while the ledger and the counters are still being moved from it. */
  readonly movedFrom?: string
}

/** `timing` counts as one field: cron or interval, and time zone. */
export type EditableField = Exclude<keyof ScheduleDefinition, 'taskName'>

export interface Edit {
  readonly at: number
  /** The request's user; null if unknown. */
  readonly by: string | null
}

/** Intervals count from `anchorAt`, so that their runs do not shift when they are disabled for a while. */
export type StoredTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string; readonly anchorAt: number }

export type StoredSchedule = StoredDocument<ScheduleDocument>

const SCHEDULES = 'schedules'
const LATE = 'schedules-late'
const REVISIONS = 'schedule-revisions'
/** Even if the revision is wrong for some reason, schedules are read again after this. */
const KNOWN_FOR_MS = 15_000
const MARKS = 'marks'
const MARK_ID = 'scheduler'
const MAX_WRITE_ATTEMPTS = 20

type Change = (current: ScheduleDocument | null, version: number) => ScheduleDocument | null

/** Schedules in the broker's store. Every call rejects with the datastore's own error. */
export function createScheduleStore(documents: DocumentStore) {
  let known: { readonly revision: number; readonly schedules: readonly StoredSchedule[]; readonly at: number } | undefined
  const increments = [{ collection: REVISIONS, id: SCHEDULES, by: 1 }]

  return {
    /** All schedules by id. For convergence, so always read from the store. */
    async list(): Promise<StoredSchedule[]> {
      return (await documents.list<ScheduleDocument>(SCHEDULES)).map(completed)
    },

    /** Like `list`, but in order of creation, and only read again after some process changed a schedule. */
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
     * Creates a schedule in one round trip.
     * @returns the schedule with this id, which may be an existing one; null if there are already `maxSchedules`
     */
    async create(scheduleId: string, value: ScheduleDocument, maxSchedules: number): Promise<StoredSchedule | null> {
      const version = await documents.put(SCHEDULES, scheduleId, value, { ifVersion: 0, ifFewerThan: maxSchedules, increments })
      return version === null ? this.get(scheduleId) : { id: scheduleId, version, value }
    },

    /**
     * Reads, changes and writes, and retries until no other process wrote in between. Rejects with CONFLICT if others keep changing it.
     * @param change gets null if there is no schedule; returns null for no change
     * @param known the schedule as just read; default: read it
     */
    async change(scheduleId: string, change: Change, known?: StoredSchedule | null): Promise<StoredSchedule | null> {
      const started = performance.now()
      let current = known === undefined ? await this.get(scheduleId) : known
      for (let attempt = 1; ; attempt++) {
        const next = change(current?.value ?? null, current?.version ?? 0)
        if (next === null) return current
        const version = await documents.put(SCHEDULES, scheduleId, next, { ifVersion: current?.version ?? 0, increments })
        if (version !== null) return { id: scheduleId, version, value: next }
        if (attempt === MAX_WRITE_ATTEMPTS || performance.now() - started > CHANGE_WITHIN_MS) {
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
    /** The collection with the counters of missed runs. */
    missedCounters: SCHEDULES,
    /** Counter changes to write together with the ledger in one step, so that a crash cannot separate the two. */
    countersOf: (scheduleId: string, { missed, late }: { readonly missed: number; readonly late: number }): Increment[] => [
      ...missed === 0 ? [] : [{ collection: SCHEDULES, id: scheduleId, by: missed }],
      ...late === 0 ? [] : [{ collection: LATE, id: scheduleId, by: late }]
    ],
    addMissed: (scheduleId: string, by: number) => documents.increment(SCHEDULES, scheduleId, by),
    addLate: (scheduleId: string, by = 1) => documents.increment(LATE, scheduleId, by),
    async forgetCounters(scheduleId: string): Promise<void> {
      await Promise.all([documents.deleteCounter(SCHEDULES, scheduleId), documents.deleteCounter(LATE, scheduleId)])
    },

    /** The mark that shows whether the store still has its data; null if there is none. */
    async findMark(): Promise<string | null> {
      return (await documents.get<string>(MARKS, MARK_ID))?.value ?? null
    },
    /** The existing mark, or `mine` if there was none. */
    async readMark(mine: string): Promise<string> {
      const found = await this.findMark()
      if (found !== null) return found
      if (await documents.put(MARKS, MARK_ID, mine, { ifVersion: 0 }) !== null) return mine
      return await this.findMark() ?? mine
    }
  }
}

export type ScheduleStore = ReturnType<typeof createScheduleStore>

/** Changes with every write, and also when a schedule is deleted and declared again. */
export function versionOf({ version, value }: StoredSchedule): string {
  return `${value.createdAt.toString(36)}.${version}`
}

const DEFAULTS = { catchUp: 'none', jitterMs: 0, startAt: null, endAt: null, wins: 'live', edits: {} } as const
const DEFAULT_FIELDS = Object.keys(DEFAULTS)

/** Documents of earlier versions lack newer fields. */
function completed(stored: StoredSchedule): StoredSchedule {
  const { id, version } = stored
  const value: Partial<ScheduleDocument> & Pick<ScheduleDocument, 'updatedAt'> = stored.value
  if (value.activeSince !== undefined && DEFAULT_FIELDS.every(field => field in value)) return stored
  return { id, version, value: { ...DEFAULTS, activeSince: value.updatedAt, ...value } as ScheduleDocument }
}
