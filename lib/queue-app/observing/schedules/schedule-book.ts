import { groupBy } from '../../../collections/group-by.ts'
import type { DriftWinner } from '../../../../schemas/schedule.ts'
import type { ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { Edit } from '../../../scheduler/definitions/schedule-store.ts'
import type { MissRecord } from '../../../scheduler/schedules.ts'
import type { DocumentStore, StoredDocument } from '../../../stores/documents/documents.ts'
import type { Between, Seen } from './count-misses.ts'

/** What this app stores about a scheduler of an existing queue, in the result backend. Times are in milliseconds since the epoch. */
export interface ScheduleBook {
  readonly taskName: string
  readonly schedulerId: string
  /** When it was first seen: misses count from then on. */
  readonly firstSeenAt: number
  /** The last check that differed from the one before; null before the first check. */
  readonly seen: Seen | null
  /** The last run that was planned while it was enabled; null before the first check. */
  readonly plannedAt: number | null
  readonly missed: number
  readonly late: number
  /** Newest first. */
  readonly entries: readonly MissRecord[]
  /** When the queue was first found without it; null while the queue has it. */
  readonly goneAt: number | null
  /** Who disabled it, and when; null while it is enabled. */
  readonly disabled: Edit | null
  /** What a person set instead of what the owner's code says. */
  readonly edits: OwnersEdits
  /** What the owner's code says, while something is edited. */
  readonly owners: OwnersDefinition | null
  readonly wins: DriftWinner
}

/** The part of a scheduler that can be edited. */
export interface OwnersDefinition {
  readonly pattern: string | null
  readonly everyMs: number | null
  readonly timezone: string | null
  /** As JSON. */
  readonly data: string | null
}

export type EditedField = keyof OwnersDefinition
export type OwnersEdits = { readonly [Field in EditedField]?: Edit & { readonly value: OwnersDefinition[Field] } }

const BOOKS = 'observed-schedules'
const REVISIONS = 'observed-schedule-revisions'
/** The same as for the app's own schedules. */
const MAX_ENTRIES = 50
const MAX_WRITE_ATTEMPTS = 20

export type StoredBook = StoredDocument<ScheduleBook>

export function newBook({ taskName, id }: Pick<ObservedScheduler, 'taskName' | 'id'>, firstSeenAt: number): ScheduleBook {
  return {
    taskName, schedulerId: id, firstSeenAt, seen: null, plannedAt: null, missed: 0, late: 0, entries: [], goneAt: null, disabled: null,
    edits: {}, owners: null, wins: 'live'
  }
}

/** Adds a check to the book, with what happened since the one before. */
export function withLook(book: ScheduleBook, seen: Seen, { missed, lateDueAt }: Between): ScheduleBook {
  const ofBoth = { reason: 'unknown', recordedAt: seen.at, lateMs: null, executionId: null } as const
  const entries: MissRecord[] = [
    ...missed === null ? [] : [{ kind: 'missed' as const, ...ofBoth, ...missed }],
    ...lateDueAt === null ? [] : [{ kind: 'late' as const, ...ofBoth, firstDueAt: lateDueAt, lastDueAt: lateDueAt, count: 1 }]
  ]
  return {
    ...book, seen, goneAt: null,
    plannedAt: seen.isDisabled ? book.plannedAt : seen.plannedAt,
    missed: book.missed + (missed?.count ?? 0), late: book.late + Number(lateDueAt !== null),
    entries: [...entries, ...book.entries].slice(0, MAX_ENTRIES)
  }
}

export function createScheduleBooks(documents: DocumentStore) {
  const increments = [{ collection: REVISIONS, id: BOOKS, by: 1 }]
  return {
    list: (): Promise<StoredBook[]> => documents.list<ScheduleBook>(BOOKS),
    get: (scheduleId: string): Promise<StoredBook | null> => documents.get<ScheduleBook>(BOOKS, scheduleId),
    /** How many schedulers each task's queue has now, or had since a time. */
    async countSince(sinceMs: number): Promise<ReadonlyMap<string, number>> {
      const had = (await documents.list<ScheduleBook>(BOOKS)).filter(({ value: { goneAt } }) => goneAt === null || goneAt >= sinceMs)
      return new Map([...groupBy(had, ({ value }) => value.taskName)].map(([taskName, { length }]) => [taskName, length]))
    },
    /** Those of the ids that have a book. */
    async those(scheduleIds: readonly string[]): Promise<string[]> {
      return scheduleIds.length === 0 ? [] : (await documents.getMany<ScheduleBook>(BOOKS, scheduleIds)).flatMap(book => book?.id ?? [])
    },
    /** Grows when a person changes a book. */
    async revision(): Promise<number> {
      return (await documents.counters(REVISIONS, [BOOKS]))[0] ?? 0
    },
    delete: (scheduleId: string) => documents.delete(BOOKS, scheduleId),
    /** Writes a book over the version that was read. Null if another process has written it since. */
    async write(scheduleId: string, value: ScheduleBook, ifVersion: number): Promise<StoredBook | null> {
      const version = await documents.put(BOOKS, scheduleId, value, { ifVersion })
      return version === null ? null : { id: scheduleId, version, value }
    },
    /** Stores a person's change. `change` is called again if another process writes in between. It returns null for no change. */
    async change(scheduleId: string, change: (current: ScheduleBook | null) => ScheduleBook | null): Promise<ScheduleBook | null> {
      for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
        const current = await documents.get<ScheduleBook>(BOOKS, scheduleId)
        const next = change(current?.value ?? null)
        if (next === null) return current?.value ?? null
        if (await documents.put(BOOKS, scheduleId, next, { ifVersion: current?.version ?? 0, increments }) !== null) return next
      }
      throw new Error(`The book of the schedule ${scheduleId} is constantly being written by other processes`)
    }
  }
}

export type ScheduleBooks = ReturnType<typeof createScheduleBooks>
