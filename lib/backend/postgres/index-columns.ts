/** Expressions used in indexes. Queries must use exactly the same text. They are part of released migrations, so never change them. */

/** The status, when it is the only filter. */
export const FAILED_ALONE = '(failed::integer)'

/** Classes of durations from 10 ms, each four times the last. A query for longer durations merges the classes above its bound. */
const TOOK_FROM_MS = [10, 40, 160, 640, 2_560, 10_240, 40_960, 163_840, 655_360, 2_621_440, 10_485_760, 41_943_040] as const
export const TOOK_CLASS = `width_bucket(duration_ms, '{${TOOK_FROM_MS.join(',')}}'::double precision[])`
export const TOOK_LONG = `duration_ms >= ${TOOK_FROM_MS[0]}`

/** The task, for queries on its durations only, ordered by duration. Used when few rows match. */
export const TASK_BY_DURATION = "(task_name || '')"

export interface TookClasses {
  /** Class numbers that cover everything from `minMs` to `maxMs`. */
  readonly classes: readonly number[]
  /** Whether the classes contain nothing else. */
  readonly isExact: boolean
}

/** Null when the bound is below what the index covers. */
export function tookClasses(minMs: number | undefined, maxMs = Infinity): TookClasses | null {
  if (minMs === undefined || minMs < TOOK_FROM_MS[0]) return null
  const classOf = (durationMs: number): number => TOOK_FROM_MS.filter(bound => bound <= durationMs).length
  const first = classOf(minMs)
  const last = Math.max(first, classOf(maxMs))
  return {
    classes: Array.from({ length: last - first + 1 }, (_, i) => first + i),
    isExact: minMs === TOOK_FROM_MS[first - 1] && maxMs === Infinity
  }
}
