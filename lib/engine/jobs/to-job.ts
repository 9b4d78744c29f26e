import type { BulkJobOptions } from 'bullmq'
import type { EnqueueRequest } from '../engine.ts'
import { MAX_LOG_LINES } from '../workers/run-log.ts'
import { toJobBackoff } from './job-backoff.ts'
import type { JobData } from './job-fields.ts'
import { toJobData, toJobMarks, type JobMarks } from './job-mapper.ts'

export function toJob(request: EnqueueRequest): { name: string; data: JobData; opts: BulkJobOptions & JobMarks } {
  return {
    name: request.taskName,
    data: toJobData(request),
    opts: {
      jobId: request.executionId,
      attempts: request.maxAttempts,
      backoff: toJobBackoff(request.backoff),
      delay: request.delayMs,
      priority: request.priority,
      keepLogs: MAX_LOG_LINES,
      ...request.deduplication && { deduplication: toJobDeduplication(request.deduplication) },
      ...toJobMarks(request)
    }
  }
}

function toJobDeduplication({ key, ttlMs }: NonNullable<EnqueueRequest['deduplication']>): { id: string; ttl?: number } {
  return { id: key, ...(ttlMs !== null && { ttl: ttlMs }) }
}
