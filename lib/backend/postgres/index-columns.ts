/**
 * Expressions in indexes: queries must be written with the very same ones. They are part of migrations that were released,
 * so they never change.
 */

/** The status where it is the only filter. */
export const FAILED_ALONE = '(failed::integer)'

/** Durations of at least 10 ms in classes that grow by a factor of four: a query for longer ones merges the classes above its bound. */
const TOOK_FROM_MS = [10, 40, 160, 640, 2_560, 10_240, 40_960, 163_840, 655_360, 2_621_440, 10_485_760, 41_943_040] as const
export const TOOK_CLASS = `width_bucket(duration_ms, '{${TOOK_FROM_MS.join(',')}}'::double precision[])`
export const TOOK_LONG = `duration_ms >= ${TOOK_FROM_MS[0]}`

/** The task where only its durations are asked for, in order of duration: for those that few have. */
export const TASK_BY_DURATION = "(task_name || '')"

export interface TookClasses {
  /** Numbers of the classes with everything from `minMs` to `maxMs` in them. */
  readonly classes: readonly number[]
  /** Whether nothing else is in them. */
  readonly isExact: boolean
}

/** Null where the index does not reach down to the bound. */
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
