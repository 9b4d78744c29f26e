import type { AuditOutcome, WriteResource } from '../../queue-app/audit/audit-entry.ts'
import type { ErrorCode } from '../../errors.ts'

/** Larger values are left out. A schedule with the largest arguments that the API accepts still fits. */
export const MAX_VALUE_BYTES = 160 * 1024

/** Server errors after which nothing was changed, and nothing will be. */
const UNCHANGED: ReadonlySet<string> = new Set<ErrorCode>([
  'BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'STORE_REFUSED', 'NOT_STARTED', 'AUTHORIZE_FAILED', 'IDENTIFY_FAILED',
  'SCOPE_FAILED'
])

/**
 * The outcome of a write, according to its response.
 * @param isBegun whether the handler was called; before that, nothing can have changed
 */
export function outcomeOf(status: number, payload: unknown, isBegun: boolean): AuditOutcome {
  const answer = answerFrom(payload)
  if (status < 400) {
    const resource = resourceIn(answer)
    return { outcome: 'done', status, code: null, ...valueToKeep('after', answer), ...resource && { resource } }
  }
  const code = codeIn(answer)
  // The host refused it in one of its hooks, after the handler had made the change.
  const isHosts = isBegun && (code === 'BUSY' || code?.startsWith('HTTP_') === true)
  const isUnchanged = !isBegun || code !== null && UNCHANGED.has(code)
  const outcome = isHosts ? 'unknown' : status < 500 ? 'refused' : isUnchanged ? 'failed' : 'unknown'
  return { outcome, status, code, after: null }
}

/** The value under its name. If it is too large, null instead, and `truncated: true`. */
export function valueToKeep<Name extends 'before' | 'after'>(name: Name, value: unknown) {
  const isLarge = value !== null && Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES
  return { [name]: isLarge ? null : value, ...isLarge && { truncated: true } } as { readonly [Key in Name]: unknown } & {
    readonly truncated?: true
  }
}

function answerFrom(payload: unknown): unknown {
  try {
    return typeof payload === 'string' ? JSON.parse(payload) as unknown : null
  } catch {
    return null
  }
}

function resourceIn(answer: unknown): WriteResource | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { task_name: taskName, schedule_id: scheduleId, execution_id: executionId } = answer as Record<string, unknown>
  return {
    ...typeof taskName === 'string' && { taskName },
    ...typeof scheduleId === 'string' && { scheduleId },
    ...typeof executionId === 'string' && { executionId }
  }
}

function codeIn(answer: unknown): string | null {
  const code = typeof answer === 'object' && answer !== null ? (answer as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : null
}
