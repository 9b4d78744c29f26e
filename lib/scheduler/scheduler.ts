import type { OverlapPolicy, RunNote, ScheduleSource, ScheduleType } from '../../schemas/schedule.ts'

/**
 * Schedules as they are managed: definitions of our own in the broker's store, whose effect in the engine is converged at
 * start, on reconnect and every 30 s. Calls reject with BROKER_UNAVAILABLE within 1.5 s.
 */
export interface Schedules {
  /** All schedules, ordered by creation, then id. */
  list(): Promise<ScheduleRecord[]>
  get(scheduleId: string): Promise<ScheduleRecord | null>
  /** Rejects with INVALID_CRON, INVALID_SCHEDULE (both with `errors`), TASK_NOT_REGISTERED (pointer `/task_name`). */
  create(input: ScheduleInput): Promise<ScheduleRecord>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. Disabled: no run starts once the promise resolves, in any process. */
  setEnabled(scheduleId: string, enabled: boolean): Promise<ScheduleRecord>
  /** Rejects with SCHEDULE_NOT_FOUND. */
  delete(scheduleId: string): Promise<void>
  /** Pure: the next runs. Rejects as `create` does. */
  preview(timing: ScheduleTiming, options?: { count?: number; from?: number }): SchedulePreviewResult
  /** The state of convergence, for health. */
  status(): SchedulerStatus
}

export type ScheduleTiming =
  | { readonly cron: string; readonly timezone: string }
  | { readonly intervalMs: number; readonly timezone: string }

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
}

export interface ScheduleRecord {
  readonly scheduleId: string
  readonly scheduleType: ScheduleType
  readonly taskName: string
  readonly cron: string | null
  readonly intervalMs: number | null
  readonly timezone: string
  readonly description: string | null
  /** In words. */
  readonly human: string
  readonly args: readonly unknown[]
  readonly enabled: boolean
  readonly priority: number
  readonly overlap: OverlapPolicy
  readonly source: ScheduleSource
  /** Milliseconds since the epoch, as all times here. */
  readonly createdAt: number
  readonly updatedAt: number
  /** null while disabled. Never in the past. */
  readonly nextRunAt: number | null
  /** A due run has not been taken by any worker for over a minute. */
  readonly overdue: boolean
  readonly missed: number
}

export interface SchedulePreviewResult {
  readonly description: string
  readonly timezone: string
  readonly runs: ReadonlyArray<{
    readonly at: number
    /** `2026-03-29T03:30:00` in the zone. */
    readonly local: string
    /** `+02:00`. */
    readonly offset: string
    readonly note: RunNote | null
  }>
}

export interface SchedulerStatus {
  /** False when the last convergence failed. */
  readonly healthy: boolean
  readonly message: string
}
