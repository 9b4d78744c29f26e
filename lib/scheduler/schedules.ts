import type {
  CatchUpPolicy, DriftWinner, MissKind, MissReason, OverlapPolicy, RunNote, ScheduleSource, ScheduleType
} from '../../schemas/schedule.ts'

/**
 * Schedules as they are managed: definitions of our own in the broker's store, whose effect in the engine is converged at
 * start, on reconnect and every 30 s. Reads reject with BROKER_UNAVAILABLE.
 *
 * A write resolves once its definition is stored, with what is stored; its effect follows at once, or with the next convergence. It
 * rejects with BROKER_UNAVAILABLE when nothing of it happened or will, and with UNCONFIRMED when the broker did not tell.
 */
export interface Schedules {
  /** Schedules, ordered by creation, then id; default all. */
  list(query?: ScheduleQuery): Promise<ScheduleRecord[]>
  /** Of those that this process knows, without asking the broker; the first time it lists them all. */
  count(): Promise<ScheduleCounts>
  get(scheduleId: string): Promise<ScheduleRecord | null>
  /** Rejects with INVALID_CRON, INVALID_SCHEDULE (both with `errors`), TASK_NOT_REGISTERED (pointer `/task_name`). */
  create(input: ScheduleInput, operation?: WriteOperation): Promise<ScheduleRecord>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. Disabled: no run starts once the promise resolves, in any process. */
  setEnabled(scheduleId: string, enabled: boolean, by?: string | null): Promise<ScheduleRecord>
  /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, CONFLICT (the version is not `ifVersion`). */
  update(scheduleId: string, changes: ScheduleChanges, options?: ScheduleUpdateOptions): Promise<ScheduleRecord>
  /**
   * Enqueues a run now; the next planned one stays. @returns its execution id. Rejects with SCHEDULE_NOT_FOUND, CONFLICT (no process
   * registers the task).
   */
  runNow(scheduleId: string, operation?: WriteOperation): Promise<string>
  /** Runs that were missed or late, newest first: at most 50 entries are kept. Rejects with SCHEDULE_NOT_FOUND. */
  misses(scheduleId: string): Promise<MissRecord[]>
  /** Planned runs of the enabled schedules, hour by hour. */
  agenda(from: number, to: number): Promise<AgendaResult>
  /** Rejects with SCHEDULE_NOT_FOUND. */
  delete(scheduleId: string): Promise<void>
  /** Pure: the next runs. Rejects as `create` does. */
  preview(timing: ScheduleTiming, options?: { count?: number; from?: number }): SchedulePreviewResult
  /** The state of convergence, for health. */
  status(): SchedulerStatus
}

/** A write that can be asked for again without happening twice. */
export interface WriteOperation {
  /** A UUID, which what is made is named by. */
  readonly id: string
  /** An attempt under this id may have done it already. */
  readonly isRepeated: boolean
}

export type ScheduleTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string }

export interface ScheduleQuery {
  readonly enabledOnly?: boolean
  readonly taskName?: string
  /** Part of the id, task, cron or description, in whatever case. */
  readonly search?: string
  /** Only those behind this one. */
  readonly after?: { readonly createdAt: number; readonly scheduleId: string }
  readonly limit?: number
  /** `nextRun`: the soonest first, what has no next run last; `after` does not go with it. Default `created`. */
  readonly order?: 'created' | 'nextRun'
}

export interface ScheduleCounts {
  readonly total: number
  readonly enabled: number
  /** As last looked for, at most 10 s ago. */
  readonly overdue: number
  readonly byTask: ReadonlyMap<string, number>
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

/** What is left out stays as it is. */
export interface ScheduleChanges extends Partial<Omit<ScheduleInput, 'taskName' | 'timing'>> {
  readonly cron?: string
  readonly intervalMs?: number
  readonly timezone?: string
  /** `code` takes all edits back but the choice of `enabled`, now and with each deployment; `live` keeps them. */
  readonly wins?: DriftWinner
}

export interface ScheduleUpdateOptions {
  /** The user of the request, null when not known. */
  readonly by?: string | null
  /** Of the schedule as it was read; `*` for any. */
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
  /** Changes with every change of the definition. */
  readonly version: string
  /** Whether a process registers the task. */
  readonly taskRegistered: boolean
  /** null for schedules that are not from code. */
  readonly wins: DriftWinner | null
  /** Where it differs from the code; empty when it does not. */
  readonly drift: readonly DriftField[]
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly updatedAt: number
  /** null while disabled. Never in the past. */
  readonly nextRunAt: number | null
  /** A due run has not been taken by any worker for over 30 s. */
  readonly overdue: boolean
  readonly missed: number
  readonly late: number
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
  /** False when the last convergence failed. */
  readonly healthy: boolean
  readonly message: string
}
