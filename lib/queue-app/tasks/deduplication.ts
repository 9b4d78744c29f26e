import { MAX_EXECUTION_ID_LENGTH } from '../../../schemas/limits.ts'
import type { EnqueueRequest } from '../../engine/engine.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { isObject } from '../../json/is-object.ts'
import { isExecutionId } from '../enqueueing/call-checks.ts'
import { DAY_MS } from '../../time/units.ts'

/** Prevents duplicate executions of a task. */
export interface DeduplicationOptions<Args extends readonly unknown[] = never[]> {
  /**
   * 1 to 200 printable characters, or a function that derives them from the arguments; `enqueueMany` needs a function. Keys are compared
   * within one task.
   */
  key: string | ((...args: Args) => string)
  /**
   * Milliseconds from enqueueing for which the key is held, 1 to 31,536,000,000 (a year), whether the execution has finished or not.
   * Default: until the execution has finished, including retries.
   */
  ttlMs?: number
  /**
   * What `enqueue` does if another execution holds this key. `return` (default): it resolves with the id of that execution. `reject`: it
   * rejects with DUPLICATE_EXECUTION, whose `duplicateOf` has that id.
   */
  onDuplicate?: 'return' | 'reject'
}

export const MAX_DEDUPLICATION_TTL_MS = 365 * DAY_MS

/** Every problem with the option. Its type is not trusted. */
export function deduplicationProblems(deduplication: unknown): string[] {
  if (deduplication === undefined) return []
  if (!isObject(deduplication)) return ['deduplication must be an object']
  const { key, ttlMs, onDuplicate = 'return', ...rest } = deduplication as { readonly [Option in keyof DeduplicationOptions]?: unknown }
  return [
    ...Object.keys(rest).map(name => `deduplication.${name} is not an option`),
    ...typeof key === 'function' || isKey(key) ? [] : [`deduplication.key must be ${KEY}, or a function that returns them`],
    ...ttlMs === undefined || Number.isInteger(ttlMs) && (ttlMs as number) >= 1 && (ttlMs as number) <= MAX_DEDUPLICATION_TTL_MS
      ? []
      : [`deduplication.ttlMs must be an integer from 1 to ${MAX_DEDUPLICATION_TTL_MS}`],
    ...onDuplicate === 'return' || onDuplicate === 'reject' ? [] : ['deduplication.onDuplicate must be "return" or "reject"']
  ]
}

/** Converts checked options. Throws INVALID_ARGUMENTS if the function does not return a key. */
export function toDeduplication<Args extends readonly unknown[]>(
  { key, ttlMs }: DeduplicationOptions<Args>, args: readonly unknown[]
): NonNullable<EnqueueRequest['deduplication']> {
  return { key: typeof key === 'function' ? keyOf(() => key(...args as Args)) : key, ttlMs: ttlMs ?? null }
}

/** Refuses a single key for several executions, because only the first would be added. Throws INVALID_ARGUMENTS. */
export function requireKeyOfEach(deduplication: { readonly key: unknown } | undefined, count: number): void {
  if (count < 2 || typeof deduplication?.key !== 'string') return
  throw createTaskDashboardError(
    'INVALID_ARGUMENTS',
    [
      'deduplication.key must be a function of the arguments for more than one execution: with one key, only the first would be added'
    ]
  )
}

/**
 * Throws DUPLICATE_EXECUTION if some requests were not added because other executions hold their keys.
 * @param standingIds for each request, the execution that holds its key
 */
export function refuseDuplicates(requests: readonly EnqueueRequest[], standingIds: readonly string[]): void {
  const own = new Set(requests.map(({ executionId }) => executionId))
  const duplicateOf = [...new Set(standingIds.filter(id => !own.has(id)))]
  const enqueuedIds = [...new Set(standingIds.filter(id => own.has(id)))]
  if (enqueuedIds.length === requests.length) return
  throw createTaskDashboardError(
    'DUPLICATE_EXECUTION', [requests.length - enqueuedIds.length, requests.length], { enqueuedIds, duplicateOf }
  )
}

const KEY = `1 to ${MAX_EXECUTION_ID_LENGTH} printable characters`

/** Keys have the same length and characters as ids. */
function isKey(value: unknown): value is string {
  return typeof value === 'string' && isExecutionId(value)
}

function keyOf(make: () => unknown): string {
  const key = make()
  if (isKey(key)) return key
  throw createTaskDashboardError('INVALID_ARGUMENTS', [`deduplication.key must return ${KEY}`])
}
