/** The status of a job of a flow, as its queue or its parent reports it. Null: neither does. */
export type RelatedStatus = 'unfinished' | 'success' | 'failed' | null

/** A parent or a child of a job. */
export interface RelatedJob {
  /** Its key on the server, `prefix:queue:id`; on PostgreSQL, `schema:queue:id`. Long ones are cut. */
  readonly key: string
  /** Null if its queue is not observed. */
  readonly taskName: string | null
  /** Null if its queue is not observed, or if the job is gone and this process did not record how it ended. */
  readonly executionId: string | null
  readonly jobName: string | null
  readonly status: RelatedStatus
  /** Its queue is observed and no longer has this run of the job. */
  readonly isRemoved: boolean
}

/** A key that suppresses other jobs while it exists. */
export interface JobDeduplication {
  readonly id: string
  /** Whether this job holds the key; null if that cannot be read. */
  readonly isHeld: boolean | null
  /** Until when it holds the key, milliseconds since the epoch by the server's clock. Null: until it finishes, or not held. */
  readonly heldUntil: number | null
}

/** Where a job belongs in a trace, as in the W3C header `traceparent`. */
export interface JobTrace { readonly traceId: string; readonly spanId: string }

/** What BullMQ keeps about a job besides its execution. */
export interface JobFacts {
  readonly taskName: string
  readonly jobName: string
  readonly parent: RelatedJob | null
  /** Null if they cannot be read: the user has too few rights, or the server is too old. */
  readonly children: readonly RelatedJob[] | null
  /** How many more children the job has; null if unknown. */
  readonly childrenLeft: number | null
  readonly deduplication: JobDeduplication | null
  readonly trace: JobTrace | null
}

/** A key of an existing queue is cut to this length when it is shown. */
export const MAX_SHOWN_KEY_LENGTH = 300
/** Longer keys are not looked up. */
export const MAX_KEY_READ = 2_048

export interface JobFactsReads {
  /**
   * What the broker keeps about the job of an execution: parent, children, deduplication key, trace. Null if it no longer has the job.
   * Absent if executions are the app's own.
   */
  jobFacts?(taskNames: readonly string[], executionId: string): Promise<JobFacts | null>
}

/** The trace in a W3C carrier, which BullMQ keeps as JSON in the options of a job. Null if there is none, or it is not valid. */
export function traceFrom(opts: Readonly<Record<string, unknown>>): JobTrace | null {
  const { tm } = opts
  if (typeof tm !== 'string' || tm.length > MAX_CARRIER_LENGTH) return null
  const header = tracesIn(tm)
  // Only versions after 00 may have more parts, and ff is not a version.
  const [, traceId, spanId] = /^(?!ff|00.{53}-)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/.exec(header ?? '') ?? []
  if (traceId === undefined || spanId === undefined || isZero(traceId) || isZero(spanId)) return null
  return { traceId, spanId }
}

const MAX_CARRIER_LENGTH = 8_192

function tracesIn(carrier: string): string | null {
  try {
    const { traceparent } = JSON.parse(carrier) as { traceparent?: unknown }
    return typeof traceparent === 'string' ? traceparent : null
  } catch {
    return null
  }
}

/** An id of zeros is not valid. */
function isZero(id: string): boolean {
  return /^0+$/.test(id)
}

/** The id of the deduplication key in a job's options; null if they have none. Used for jobs without the field `deid`. */
export function deduplicationIdIn(opts: Readonly<Record<string, unknown>>): string | null {
  for (const name of ['de', 'deduplication', 'debounce']) {
    const option = opts[name]
    if (typeof option !== 'object' || option === null || !('id' in option)) continue
    if (typeof option.id === 'string' && option.id !== '') return option.id
  }
  return null
}

/** All ways to split the key of a job into prefix, queue and id. Queue names have no colon, but prefixes and ids may have some. */
export function placesIn(key: string): Array<{ readonly prefix: string; readonly name: string; readonly jobId: string }> {
  const parts = key.split(':', MAX_PARTS)
  const places: Array<{ prefix: string; name: string; jobId: string }> = []
  let start = 0
  for (const [index, part] of parts.entries()) {
    const end = start + part.length
    const jobId = key.slice(end + 1)
    if (index > 0 && part !== '' && jobId !== '' && end < key.length) places.push({ prefix: key.slice(0, start - 1), name: part, jobId })
    start = end + 1
  }
  return places
}

const MAX_PARTS = 20
