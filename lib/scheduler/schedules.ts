import type { Changes } from '../../schemas/common.ts'
import type {
  CatchUpPolicy, DriftWinner, MissKind, MissReason, OverlapPolicy, RunNote, ScheduleSource, ScheduleType
} from '../../schemas/schedule.ts'

/**
 * Schedule management. Definitions are our own, in the broker's store. BullMQ's schedulers are brought in line with them at start, on
 * reconnect and every 30 s. Reads reject with BROKER_UNAVAILABLE.
 *
 * A write resolves with the stored definition once it is stored; it takes effect at once or with the next convergence. It rejects with
 * BROKER_UNAVAILABLE if nothing has happened and nothing will, and with UNCONFIRMED if the broker did not respond.
 */
export interface Schedules {
  /** Ordered by creation, then id; default all. */
  list(query?: ScheduleQuery): Promise<ScheduleRecord[]>
  /** Counts the schedules. Cheap while no schedule changes; the first call reads them all. */
  count(): Promise<ScheduleCounts>
  /** @param isOfTask whether a task may be shown, default: every task. A schedule of another task counts as one that does not exist */
  get(scheduleId: string, isOfTask?: (taskName: string) => boolean): Promise<ScheduleRecord | null>
  /**
   * Rejects with INVALID_CRON or INVALID_SCHEDULE (both with `errors`), and with TASK_NOT_REGISTERED (pointer `/task_name`) if the task is
   * unknown or `isOfTask` is false for it.
   */
  create(input: ScheduleInput, operation?: WriteOperation, isOfTask?: (taskName: string) => boolean): Promise<ScheduleRecord>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. After disabling, no process starts a run once the promise resolves. */
  setEnabled(scheduleId: string, enabled: boolean, by?: string | null): Promise<ScheduleRecord>
  /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, and with CONFLICT if the version is not `ifVersion`. */
  update(scheduleId: string, changes: ScheduleChanges, options?: ScheduleUpdateOptions): Promise<ScheduleRecord>
  /**
   * Enqueues a run now; the next planned run stays. Rejects with SCHEDULE_NOT_FOUND, and with CONFLICT if no process registers the task.
   * @returns its execution id
   */
  runNow(scheduleId: string, operation?: WriteOperation): Promise<string>
  /** Missed and late runs, newest first; at most 50 entries are kept. Rejects with SCHEDULE_NOT_FOUND. */
  misses(scheduleId: string): Promise<MissRecord[]>
  /** Planned runs of the enabled schedules, hour by hour. */
  agenda(from: number, to: number): Promise<AgendaResult>
  /** Rejects with SCHEDULE_NOT_FOUND. */
  delete(scheduleId: string): Promise<void>
  /** Pure: computes the next runs. Rejects as `create` does. */
  preview(timing: ScheduleTiming, options?: { count?: number; from?: number }): SchedulePreviewResult
  /** The state of convergence, for health. */
  status(): SchedulerStatus
}

/** A write that can be repeated without happening twice. */
export interface WriteOperation {
  /** A UUID that names what is created. */
  readonly id: string
  /** An earlier attempt with this id may already have done it. */
  readonly isRepeated: boolean
}

export type ScheduleTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string }

export interface ScheduleQuery {
  readonly enabledOnly?: boolean
  readonly taskName?: string
  /** Only schedules of tasks for which this is true. */
  readonly isOfTask?: (taskName: string) => boolean
  /** Part of the id, task, cron or description, case-insensitive. */
  readonly search?: string
  /** Only schedules after this one. */
  readonly after?: { readonly createdAt: number; readonly scheduleId: string }
  readonly limit?: number
  /** `nextRun`: soonest first, those without a next run last; cannot be combined with `after`. Default `created`. */
  readonly order?: 'created' | 'nextRun'
}

export interface ScheduleCounts {
  readonly total: number
  readonly enabled: number
  /** At the last check, at most 10 s ago. */
  readonly overdue: number
  /** Null if unknown: their server cannot be read, or there are more schedules than are shown. */
  ofTask(taskName: string): number | null
}

export interface ScheduleInput {
  readonly taskName: string
  readonly timing: ScheduleTiming
  /** Default null. */
  readonly description?: string | null
  /** Default []. At most 64 KiB as JSON. */
  readonly args?: readonly unknown[]
  /** Default true. */
  readonly enabled?: boolean
  /** 0 to 2 097 151, default 0. */
  readonly priority?: number
  /** Default `allow`. */
  readonly overlap?: OverlapPolicy
  /** Default `none`. */
  readonly catchUp?: CatchUpPolicy
  /** 0 to 3 600 000, default 0. */
  readonly jitterMs?: number
  /** Milliseconds since the epoch, default null. */
  readonly startAt?: number | null
  readonly endAt?: number | null
}

/** Omitted fields do not change. */
export interface ScheduleChanges extends Partial<Omit<ScheduleInput, 'taskName' | 'timing'>> {
  readonly cron?: string
  readonly intervalMs?: number
  readonly timezone?: string
  /** `code` reverts all edits except `enabled`, now and with each deployment; `live` keeps them. */
  readonly wins?: DriftWinner
}

export interface ScheduleUpdateOptions {
  /** The request's user; null if unknown. */
  readonly by?: string | null
  /** The version that was read; `*` for any. */
  readonly ifVersion?: string
}

export interface MissRecord {
  readonly kind: MissKind
  readonly reason: MissReason
  readonly firstDueAt: number
  readonly lastDueAt: number
  readonly count: number
  readonly recordedAt: number
  /** For late runs. */
  readonly lateMs: number | null
  readonly executionId: string | null
}

export interface AgendaResult {
  /** Start of each hour. */
  readonly hours: readonly number[]
  readonly totals: readonly number[]
  readonly schedules: ReadonlyArray<{
    readonly scheduleId: string
    readonly taskName: string
    readonly description: string | null
    readonly total: number
    /** Hour by hour. */
    readonly counts: readonly number[]
  }>
}

export interface DriftField {
  /** Name of the field: cron, intervalMs, timezone, args, … */
  readonly field: string
  readonly code: unknown
  readonly live: unknown
  readonly since: number | null
  readonly by: string | null
}

/** What a schedule runs and how, without when. */
export interface ScheduleSettings {
  readonly taskName: string
  readonly description: string | null
  readonly args: readonly unknown[]
  readonly enabled: boolean
  readonly priority: number
  readonly overlap: OverlapPolicy
  readonly catchUp: CatchUpPolicy
  readonly jitterMs: number
  readonly startAt: number | null
  readonly endAt: number | null
}

export interface ScheduleRecord extends ScheduleSettings {
  readonly scheduleId: string
  readonly scheduleType: ScheduleType
  readonly cron: string | null
  readonly intervalMs: number | null
  readonly timezone: string
  /** In words. */
  readonly human: string
  readonly source: ScheduleSource
  /** Changes whenever the definition changes. */
  readonly version: string
  /** Whether some process registers the task. */
  readonly taskRegistered: boolean
  /** null for schedules that are not from code. */
  readonly wins: DriftWinner | null
  /** Fields that differ from the code; empty if none do. */
  readonly drift: readonly DriftField[]
  /** Milliseconds since the epoch, like all times here. */
  readonly createdAt: number
  readonly updatedAt: number
  /** null while disabled. Never in the past. */
  readonly nextRunAt: number | null
  /** No worker has taken a due run for over 30 s. */
  readonly overdue: boolean
  /** Null if they cannot be known. */
  readonly missed: number | null
  readonly late: number | null
  /** `some` or `none` for a schedule of an existing queue, which only its owner creates and deletes. */
  readonly changes: Changes
  /** For a schedule of an existing queue: what is not known about it, or will not happen, and why. */
  readonly note: string | null
}

export interface SchedulePreviewResult {
  readonly description: string
  readonly timezone: string
  readonly runs: readonly PlannedRun[]
}

export interface PlannedRun {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `2026-03-29T03:30:00` in the zone. */
  readonly local: string
  /** `+02:00`. */
  readonly offset: string
  readonly note: RunNote | null
}

export interface SchedulerStatus {
  /** False if the last convergence failed. */
  readonly healthy: boolean
  readonly message: string
}
