import type { BulkAction } from '../../../../schemas/bulk.ts'
import { MAX_BULK_EXECUTIONS } from '../../../../schemas/limits.ts'
import { invalidInput } from '../../../errors.ts'
import { fromCursor, toCursor } from '../../../input/cursor.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { executionFilterFrom, type ExecutionFilter } from '../../monitoring/executions/execution-filter.ts'
import type { BulkCount, BulkRequest } from '../bulk.ts'
import { shortDigestOfJson } from '../../../json/digest.ts'

const STATUSES: Readonly<Record<BulkAction, readonly string[]>> = {
  retry: ['failed'], cancel: ['pending', 'running'], delete: ['success', 'failed', 'cancelled'], resolve: ['failed']
}

/** What an action reads, which decides how its matches are counted and read. */
export const WORKS_ON: Readonly<Record<BulkAction, 'inFlight' | 'failed' | 'finished' | 'groups'>> = {
  retry: 'failed', cancel: 'inFlight', delete: 'finished', resolve: 'groups'
}

/**
 * The conditions of a filter as they apply to its action, with relative times resolved; null if nothing can match.
 * @throws INVALID_INPUT, INVALID_SEARCH
 */
export function resolveFilter({ action, filter }: Pick<BulkRequest, 'action' | 'filter'>, nowMs: number): ExecutionFilter | null {
  const { executionIds, from, to } = filter
  for (const [name, at] of [['from', from], ['to', to]] as const)
    if (at !== undefined && !Number.isSafeInteger(at)) throw invalidInput(`/filter/${name}`, 'must be a whole number of milliseconds')
  if (executionIds !== undefined && !(executionIds.length > 0 && executionIds.length <= MAX_BULK_EXECUTIONS))
    throw invalidInput('/filter/execution_ids', `must have 1 to ${MAX_BULK_EXECUTIONS} ids`)
  const resolved = executionFilterFrom(filter, nowMs)
  if (resolved === null) return null
  if (resolved.status !== undefined && !STATUSES[action].includes(resolved.status))
    throw invalidInput('/filter/status', `must be ${STATUSES[action].join(' or ')} to ${action}, or left out`)
  if (action === 'resolve') {
    const { scheduleId, workerId, executionId, minDurationMs, maxDurationMs, text } = resolved
    const others = [scheduleId, workerId, executionId, executionIds, minDurationMs, maxDurationMs]
    const isNarrow = others.some(value => value !== undefined) || text.length > 0
    if (isNarrow) throw invalidInput('/filter', 'may only have a task, a failure group, `from` and `to`: groups are resolved as a whole')
  }
  return resolved
}

export interface BulkToken { readonly count: BulkCount; readonly at: number; readonly isAccepted: boolean }

/** How long a token freezes the range. */
const TOKEN_FREEZES_MS = HOUR_MS

/**
 * Encodes the count and its time for the caller of a dry run, who sends it back. The token grants nothing, so it is not signed: inventing
 * one only suppresses a warning.
 * @param isAccepted whether the caller knows about the drift, so that the range ends at `at`
 */
export function toToken(request: BulkRequest, { count, at, isAccepted }: BulkToken): string {
  return toCursor([fingerprintOf(request), count.value, count.relation === 'exact' ? 1 : 0, at, isAccepted ? 1 : 0])
}

/** @throws INVALID_INPUT */
export function fromToken(request: BulkRequest, token: string, nowMs: number): BulkToken {
  const read = ([fingerprint, value, isExact, at, isAccepted]: readonly unknown[]): BulkToken | null =>
    fingerprint === fingerprintOf(request) && Number.isSafeInteger(value) && Number.isSafeInteger(at) && (value as number) >= 0
      ? {
        count: { value: value as number, relation: isExact === 1 ? 'exact' : 'at_least' },
        at: at as number,
        isAccepted: isAccepted === 1 && (at as number) <= nowMs && (at as number) > nowMs - TOKEN_FREEZES_MS
      }
      : null
  try {
    return fromCursor(token, read)
  } catch {
    throw invalidInput('/token', 'does not belong to this action and filter: make another dry run')
  }
}

/** Whether two counts are certain to differ. */
export function hasDrifted(before: BulkCount, now: BulkCount): boolean {
  if (before.relation === 'exact' && now.relation === 'exact') return before.value !== now.value
  if (before.relation === 'exact') return before.value < now.value
  return now.relation === 'exact' && now.value < before.value
}

/** Does not include the tasks: if a task that is added between dry run and start matters, it changes the count. */
function fingerprintOf({ action, filter }: BulkRequest): string {
  const entries = Object.entries(filter).sort(([one], [other]) => one < other ? -1 : 1)
  return shortDigestOfJson([action, entries])
}
