import type { SeenQueue } from '../../../engine/observing/discovery.ts'
import type { StreamPosition } from '../streams/stream-positions.ts'

/** How many schedules each task's queue had at a time. Tasks without schedules are left out. */
export type SchedulesOf = (sinceMs: number) => Promise<ReadonlyMap<string, number>>

interface Compared { readonly before: StreamPosition; readonly position: StreamPosition }

/** Adds to the gaps of queues that were emptied how many schedules they had. */
export async function withSchedules(
  all: ReadonlyMap<SeenQueue, Compared>, schedulesOf: SchedulesOf | undefined
): Promise<Map<SeenQueue, StreamPosition>> {
  const positions = new Map([...all].map(([queue, { position }]) => [queue, position]))
  const emptied = [...all].filter(([, { before, position: { gaps } }]) =>
    gaps.at(-1) !== before.gaps.at(-1) && gaps.at(-1)!.cause === 'emptied')
  if (emptied.length === 0 || schedulesOf === undefined) return positions
  const since = Math.min(...emptied.map(([, { position: { gaps } }]) => gaps.at(-1)!.from))
  const counts = await schedulesOf(since).catch(() => null)
  for (const [queue, { position }] of emptied) {
    const { had = { waiting: null, running: null, at: position.gaps.at(-1)!.from }, ...gap } = position.gaps.at(-1)!
    const schedules = counts === null ? null : counts.get(queue.taskName) ?? 0
    positions.set(queue, { ...position, gaps: [...position.gaps.slice(0, -1), { ...gap, had: { ...had, schedules } }] })
  }
  return positions
}
