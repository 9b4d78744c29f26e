import type { Backoff } from '../time/backoff.ts'

/** What BullMQ must plan for a schedule. */
export interface SchedulerDefinition {
  readonly scheduleId: string
  readonly taskName: string
  readonly timing: { readonly cron: string; readonly timezone: string } | { readonly intervalMs: number; readonly anchorAt: number }
  /** Random delay added to each run, from 0 to this many milliseconds. Default 0. */
  readonly jitterMs?: number
  /** No run is due before `startAt` or after `endAt`, not counting jitter. Milliseconds since the epoch, default null. */
  readonly startAt?: number | null
  readonly endAt?: number | null
  readonly args: readonly unknown[]
  readonly priority: number
  readonly maxAttempts: number
  readonly backoff: Backoff
}

/** What BullMQ has planned for a schedule. */
export interface SchedulerState {
  readonly scheduleId: string
  readonly taskName: string
  /** Milliseconds since the epoch; in the past if the run is due and no worker has taken it. */
  readonly nextRunAt: number
}
