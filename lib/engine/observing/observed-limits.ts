import type { LongFields } from './observed-job.ts'

/** What lists read of a job's longest fields, in bytes: as much as for own tasks. Options can carry a trace, or anything else. */
export const LISTED_BYTES = {
  name: 1_024, opts: 65_536, failedReason: 65_536, stacktrace: 1_048_576, progress: 65_536
} as const satisfies Record<keyof LongFields, number>

/** Beyond this, a payload is not read: it would take the server and this process too long. Owners may put any amount into a job. */
export const MAX_PAYLOAD_BYTES = 1_048_576

/** A line of a log has no limit, so both are needed. */
export const MAX_LOG_LINES = 1_000
export const MAX_LOG_BYTES = 1_048_576

/** Job schedulers of one queue. Those that are due last are left out beyond it. */
export const MAX_SCHEDULERS = 1_000
/** Of a job scheduler's data, and of its options: as much as a schedule of one's own can have. */
export const MAX_TEMPLATE_BYTES = 65_536
