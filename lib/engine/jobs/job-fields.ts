import type { Job } from 'bullmq'

/** The fields of a BullMQ job that we read. */
export type JobFields = Pick<Job<Partial<JobData> | null>,
  'id' | 'name' | 'data' | 'opts' | 'timestamp' | 'processedOn' | 'finishedOn' | 'attemptsMade' |
  'failedReason' | 'stacktrace' | 'returnvalue' | 'progress' | 'processedBy' | 'repeatJobKey'> & {
    attemptsStarted?: number; queueName?: string
  }

/** What we put into a job's data. */
export interface JobData {
  /** JSON, see `toStorableJson`. */
  args: string
  /** In a scheduler's template: identifies its definition. */
  definition?: string
}
