import { groupBy } from '../../../collections/group-by.ts'
import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { ObservedServer } from '../../../engine/observing/observed-server.ts'
import { DAY_MS, HOUR_MS } from '../../../time/units.ts'
import type { StreamPosition } from '../streams/stream-positions.ts'
import type { Gap } from './gap.ts'
import { sayGap, saySameGap } from './say-gap.ts'

/** `new`: less than an hour old, so somebody should look at it. `old`: less than a day old. */
export type GapAge = 'new' | 'old'

const MAX_REPORTED = 20
const MAX_NAMED = 3

type Positions = ReadonlyMap<SeenQueue, StreamPosition>

/**
 * Reports the gaps that a check has found. What happens to a whole server happens to all of its queues, so only the first of them are
 * named. Counted gaps are all reported.
 */
export function reportGaps(
  { label }: Pick<ObservedServer, 'label'>, before: Positions, after: Positions, onError: (error: Error) => void
): void {
  const fresh = [...after].flatMap(([queue, { gaps }]) =>
    gaps.flatMap(gap => before.get(queue)?.gaps.includes(gap) ? [] : [{ taskName: queue.taskName, gap }]))
  for (const [isCounted, gaps] of groupBy(fresh, ({ gap }) => gap.events !== null)) {
    const named = isCounted ? gaps : gaps.slice(0, MAX_REPORTED)
    for (const { taskName, gap } of named) onError(new Error(sayGap(taskName, gap)))
    if (gaps.length > named.length) onError(new Error(`${saySameGap(gaps.length - named.length)} at ${label}`))
  }
}

/**
 * As sentences: of each queue and cause the last gap, those that lost most come first.
 * @param aheadMs of the server's clock, which dates the gaps
 */
export function recentGaps(
  all: ReadonlyArray<readonly [taskName: string, gaps: readonly Gap[], aheadMs: number]>, age: GapAge
): string[] {
  const now = Date.now()
  const recent = all
    .flatMap(([taskName, gaps, aheadMs]) =>
      [...new Map(gaps.map(gap => [gap.cause, gap])).values()].map(gap => ({ taskName, gap, endedAt: gap.to - aheadMs })))
    .filter(({ endedAt }) => endedAt > now - DAY_MS && (age === 'new') === endedAt > now - HOUR_MS)
    .sort((one, other) => lostWith(other.gap) - lostWith(one.gap) || other.gap.to - one.gap.to)
  const texts = recent.slice(0, MAX_NAMED).map(({ taskName, gap }) => sayGap(taskName, gap))
  return recent.length > MAX_NAMED ? [...texts, saySameGap(recent.length - MAX_NAMED)] : texts
}

function lostWith({ had }: Gap): number {
  return (had?.waiting ?? 0) + (had?.running ?? 0) + (had?.schedules ?? 0)
}
