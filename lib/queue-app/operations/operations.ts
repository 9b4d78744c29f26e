import type { ScheduleChanges, ScheduleInput, ScheduleUpdateOptions, WriteOperation } from '../../scheduler/schedules.ts'
import type { RequestAnswers } from '../enqueueing/request-answers.ts'
import type { ScheduleOverview } from '../monitoring/monitoring.ts'

/**
 * What a dashboard changes, from any process of a queue app. When a datastore does not answer, every call rejects with BROKER_UNAVAILABLE,
 * BACKEND_UNAVAILABLE, STORE_REFUSED or NOT_STARTED: nothing was changed, and nothing will be. UNCONFIRMED means that the change may have
 * been made.
 */
export interface Operations {
  /** Rejects with INVALID_CRON, INVALID_SCHEDULE, TASK_NOT_REGISTERED. */
  createSchedule(input: ScheduleInput, operation?: WriteOperation): Promise<ScheduleOverview>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. `by`: the user who asked, null when unknown. */
  setScheduleEnabled(scheduleId: string, enabled: boolean, by?: string | null): Promise<ScheduleOverview>
  /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, and with CONFLICT when its version is not `ifVersion`. */
  updateSchedule(scheduleId: string, changes: ScheduleChanges, options?: ScheduleUpdateOptions): Promise<ScheduleOverview>
  /** Runs it now; its next planned run does not move. @returns the execution id. Rejects with SCHEDULE_NOT_FOUND, CONFLICT. */
  runSchedule(scheduleId: string, operation?: WriteOperation): Promise<string>
  /** Rejects with SCHEDULE_NOT_FOUND. The history of its runs stays. */
  deleteSchedule(scheduleId: string): Promise<void>

  /** The stored answers to requests that carried an idempotency key. */
  readonly answers: RequestAnswers
}
