import type { ExecutionCancellation } from '../../execution.ts'
import type { JobFields } from './job-fields.ts'
import { textOrNull } from '../../json/foreign-json.ts'

/** The job option that holds a request to cancel the job. It stays with the job until the broker drops the job. */
export const CANCEL_FIELD = 'cancel'

/** The value of that option. Its names are short, because lists read it with every job. */
export interface CancelMark {
  /** The execution's id. BullMQ copies the options of a schedule's run to its next run, which no one has cancelled. */
  readonly of: string
  /** When it was first requested, milliseconds since the epoch. */
  readonly at: number
  readonly by?: string
  readonly reason?: string
  /** It was taken out of its queue before a worker could start it. */
  readonly unstarted?: true
}

export function toCancelMark(executionId: string, { requestedAt, requestedBy, reason }: ExecutionCancellation): CancelMark {
  return { of: executionId, at: requestedAt, ...requestedBy !== null && { by: requestedBy }, ...reason !== null && { reason } }
}

/** Null if there is no request. Other code may have put anything into its jobs. */
export function cancelMarkOf({ id, opts }: { readonly id?: JobFields['id']; readonly opts: object }): CancelMark | null {
  const mark = (opts as { [CANCEL_FIELD]?: Partial<CancelMark> | null })[CANCEL_FIELD]
  return typeof mark === 'object' && mark !== null && mark.of === id && typeof mark.at === 'number' ? mark as CancelMark : null
}

export function cancellationFrom({ at, by, reason }: CancelMark): ExecutionCancellation {
  return { requestedAt: at, requestedBy: textOrNull(by), reason: textOrNull(reason) }
}
