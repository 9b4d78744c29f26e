import type { Engine } from '../../engine/engine.ts'
import type { InFlightPage, InFlightQuery } from '../../engine/in-flight/in-flight-query.ts'
import { compare } from '../../engine/in-flight/in-flight-order.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution } from '../../execution.ts'
import { behind, END, LOST, START, type Position } from '../monitoring/executions/execution-sources.ts'
import { settled } from './either.ts'
import { decodePositions, encodePositions } from './two-positions.ts'
import { split, type TasksOfExistingQueues } from './tasks-of-existing-queues.ts'

type Place = Position<string>

interface Side {
  readonly page: InFlightPage | null
  readonly at: Place
  readonly error?: Error
}

/** Merges the pages of two engines by time; see `Engine.inFlight`. */
export function createCombinedInFlight(
  own: Pick<Engine, 'inFlight'>, others: Pick<Engine, 'inFlight'>, isOthers: TasksOfExistingQueues['has']
): Engine['inFlight'] {
  return async query => {
    const names = split(query.taskNames, isOthers)
    const [ownAt, othersAt] = query.cursor === undefined ? [START, START] as const : decodePositions(query.cursor)
    const sides = await Promise.all([read(own, query, names.own, ownAt), read(others, query, names.others, othersAt)])
    const lost = sides.flatMap(({ error, page }) => error ?? page?.lost ?? [])[0]
    if (lost !== undefined && sides.every(({ page }) => page === null)) throw lost
    return { ...merge(sides, query), ...lost && { lost } }
  }
}

async function read(engine: Pick<Engine, 'inFlight'>, query: InFlightQuery, taskNames: readonly string[], at: Place): Promise<Side> {
  if (taskNames.length === 0) return { page: null, at }
  if (at.is === 'lost') return { page: null, at, error: createTaskDashboardError('BROKER_UNAVAILABLE') }
  const { cursor: _, ...others } = query
  // A list that was read to its end is read again with the smallest limit, because its executions still count.
  const read = await settled(() => engine.inFlight({
    ...others, taskNames, ...at.is === 'behind' && { cursor: at.mark }, ...at.is === 'end' && { limit: 1 }
  }))
  if ('error' in read) return { page: null, at: LOST, error: read.error }
  return { page: at.is === 'end' ? { ...read.value, executions: [], next: null } : read.value, at }
}

/** Takes nothing from beyond the point where one of the pages stops and its list continues. */
function merge(sides: readonly [Side, Side], query: InFlightQuery): InFlightPage {
  const executions: Execution[] = []
  const taken = [0, 0]
  /** For each number of executions taken: how many of them are from each side. */
  const takenUntil: Array<readonly [number, number]> = [[0, 0]]
  const headOf = (side: 0 | 1): Execution | undefined => sides[side].page?.executions[taken[side]!]
  const isCut = (side: 0 | 1): boolean => headOf(side) === undefined && (sides[side].page?.next ?? null) !== null
  while (executions.length < query.limit && !isCut(0) && !isCut(1)) {
    const [one, other] = [headOf(0), headOf(1)]
    if (one === undefined && other === undefined) break
    const side = other === undefined || one !== undefined && compare(one, other, query) <= 0 ? 0 : 1
    executions.push(headOf(side)!)
    taken[side]!++
    takenUntil.push([taken[0]!, taken[1]!])
  }
  const positions = (counts: readonly [number, number]): [Place, Place] =>
    [positionAfter(sides[0], counts[0]), positionAfter(sides[1], counts[1])]
  const next = positions([taken[0]!, taken[1]!])
  const sum = (field: 'held' | 'scanned' | 'skipped'): number => sides.reduce((total, { page }) => total + (page?.[field] ?? 0), 0)
  return {
    executions,
    next: next.every(({ is }) => is === 'end' || is === 'lost') ? null : encodePositions(next),
    after: count => encodePositions(positions(takenUntil[Math.min(count, executions.length)]!)),
    held: sum('held'), scanned: sum('scanned'), skipped: sum('skipped')
  }
}

function positionAfter({ page, at }: Side, count: number): Place {
  if (at.is === 'lost') return LOST
  if (page === null || at.is === 'end') return END
  if (count === page.executions.length) return page.next === null ? END : behind(page.next)
  return count === 0 ? at : behind(page.after(count))
}
