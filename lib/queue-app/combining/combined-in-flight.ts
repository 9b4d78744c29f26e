import type { Engine } from '../../engine/engine.ts'
import type { InFlightPage, InFlightQuery } from '../../engine/in-flight/in-flight-query.ts'
import { MAX_ENGINE_CURSOR_LENGTH, shortenCursor } from '../../engine/in-flight/in-flight-cursor.ts'
import { compare } from '../../engine/in-flight/in-flight-order.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { Execution } from '../../execution.ts'
import { settled } from './either.ts'
import { split, type TasksOfOthers } from './tasks-of-others.ts'

/**
 * Where each of the two lists continues: at a cursor of its engine, at its start, nowhere because it has ended, or nowhere because its
 * broker is down.
 */
type Position = string
const START = '0'
const END = '1'
const LOST = '2'
const SEPARATOR = '.'

interface Side {
  readonly page: InFlightPage | null
  readonly at: Position
  readonly error?: Error
}

/** Merges the pages of two engines by time; see `Engine.inFlight`. */
export function createCombinedInFlight(
  own: Pick<Engine, 'inFlight'>, others: Pick<Engine, 'inFlight'>, isOthers: TasksOfOthers['has']
): Engine['inFlight'] {
  return async query => {
    const names = split(query.taskNames, isOthers)
    const [ownAt, othersAt] = query.cursor === undefined ? [START, START] as const : readCursor(query.cursor)
    const sides = await Promise.all([read(own, query, names.own, ownAt), read(others, query, names.others, othersAt)])
    const lost = sides.flatMap(({ error, page }) => error ?? page?.lost ?? [])[0]
    if (lost !== undefined && sides.every(({ page }) => page === null)) throw lost
    return { ...merge(sides, query), ...lost && { lost } }
  }
}

async function read(engine: Pick<Engine, 'inFlight'>, query: InFlightQuery, taskNames: readonly string[], at: Position): Promise<Side> {
  if (taskNames.length === 0) return { page: null, at }
  if (at === LOST) return { page: null, at, error: createTaskDashboardError('BROKER_UNAVAILABLE') }
  const { cursor: _, ...others } = query
  // A list that was read to its end is read again with the smallest limit, because its executions still count.
  const read = await settled(() => engine.inFlight({
    ...others, taskNames, ...isCursor(at) && { cursor: at }, ...at === END && { limit: 1 }
  }))
  if ('error' in read) return { page: null, at: LOST, error: read.error }
  return { page: at === END ? { ...read.value, executions: [], next: null } : read.value, at }
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
  const positions = (counts: readonly [number, number]): [Position, Position] =>
    [positionAfter(sides[0], counts[0]), positionAfter(sides[1], counts[1])]
  const next = positions([taken[0]!, taken[1]!])
  const sum = (field: 'held' | 'scanned' | 'skipped'): number => sides.reduce((total, { page }) => total + (page?.[field] ?? 0), 0)
  return {
    executions,
    next: next.every(position => position === END || position === LOST) ? null : join(next),
    after: count => join(positions(takenUntil[Math.min(count, executions.length)]!)),
    held: sum('held'), scanned: sum('scanned'), skipped: sum('skipped')
  }
}

function positionAfter({ page, at }: Side, count: number): Position {
  if (at === LOST) return LOST
  if (page === null || at === END) return END
  if (count === page.executions.length) return page.next ?? END
  return count === 0 ? at : page.after(count)
}

/** Joins the two cursors. One that is too long is shortened to the room that the other one leaves, but at least to half. */
function join([own, others]: readonly [Position, Position]): string {
  const room = MAX_ENGINE_CURSOR_LENGTH - SEPARATOR.length
  if (own.length + others.length <= room) return own + SEPARATOR + others
  const half = Math.floor(room / 2)
  return shortenCursor(own, Math.max(half, room - others.length)) + SEPARATOR + shortenCursor(others, Math.max(half, room - own.length))
}

/** @throws INVALID_CURSOR */
function readCursor(cursor: string): readonly [Position, Position] {
  const [own, others, ...more] = cursor.split(SEPARATOR)
  if (own === undefined || others === undefined || more.length > 0) throw createTaskDashboardError('INVALID_CURSOR')
  return [own, others]
}

function isCursor(position: Position): boolean {
  return position !== START && position !== END && position !== LOST
}
