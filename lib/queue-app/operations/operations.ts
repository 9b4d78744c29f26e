import type { ScheduleChanges, ScheduleInput, ScheduleUpdateOptions, WriteOperation } from '../../scheduler/schedules.ts'
import type { RequestAnswers } from '../enqueueing/request-answers.ts'
import type { ScheduleOverview } from '../monitoring/monitoring.ts'

/**
 * The writes of a dashboard, from any process of a queue app. If a datastore does not answer, every call rejects with BROKER_UNAVAILABLE,
 * BACKEND_UNAVAILABLE, STORE_REFUSED or NOT_STARTED: nothing was changed, and nothing will be. UNCONFIRMED means that the change may have
 * been made.
 */
export interface Operations {
  /** Rejects with INVALID_CRON, INVALID_SCHEDULE, TASK_NOT_REGISTERED. */
  createSchedule(input: ScheduleInput, operation?: WriteOperation): Promise<ScheduleOverview>
  /** Idempotent. Rejects with SCHEDULE_NOT_FOUND. `by`: the user who made the change, null if unknown. */
  setScheduleEnabled(scheduleId: string, enabled: boolean, by?: string | null): Promise<ScheduleOverview>
  /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, and with CONFLICT if its version is not `ifVersion`. */
  updateSchedule(scheduleId: string, changes: ScheduleChanges, options?: ScheduleUpdateOptions): Promise<ScheduleOverview>
  /** Runs it now and returns the execution id. Its next planned run does not move. Rejects with SCHEDULE_NOT_FOUND, CONFLICT. */
  runSchedule(scheduleId: string, operation?: WriteOperation): Promise<string>
  /** Deletes a schedule; the history of its runs stays. Rejects with SCHEDULE_NOT_FOUND. */
  deleteSchedule(scheduleId: string): Promise<void>

  /** Stored answers to requests with an idempotency key. */
  readonly answers: RequestAnswers
}
