import type { LongFields } from './observed-job.ts'

/**
 * Lists do not read a job's longest fields if they are larger than this, in bytes. The limits are the same as for the app's own tasks.
 * Options can contain a trace, or anything else.
 */
export const LISTED_BYTES = {
  name: 1_024, opts: 65_536, failedReason: 65_536, stacktrace: 1_048_576, progress: 65_536, pb: 1_024, rjk: 4_096
} as const satisfies Record<keyof LongFields, number>

/**
 * A larger payload is not read, because it would take the server and this process too long. Owners may put any amount of data into a job.
 */
export const MAX_PAYLOAD_BYTES = 1_048_576

/** A log line has no size limit, so both the lines and their bytes are limited. */
export const MAX_LOG_LINES = 1_000
export const MAX_LOG_BYTES = 1_048_576

/** How many job schedulers of one queue are read. If there are more, those that are due last are left out. */
export const MAX_SCHEDULERS = 1_000
/** For a job scheduler's data and for its options: as much as the app's own schedules may have. */
export const MAX_TEMPLATE_BYTES = 65_536
