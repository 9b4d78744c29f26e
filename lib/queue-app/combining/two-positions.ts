import { MAX_ENGINE_CURSOR_LENGTH, shortenCursor } from '../../engine/in-flight/in-flight-cursor.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { behind, END, LOST, START, type Position } from '../monitoring/executions/execution-sources.ts'

/** Where the lists of two engines continue. */
type Positions = readonly [own: Position<string>, others: Position<string>]

/** No engine has such a cursor. */
const TEXTS = { start: '0', end: '1', lost: '2' } as const
const SEPARATOR = '.'

/** One cursor of both. An engine's cursor that is too long is shortened to the room that the other one leaves, but at least to half. */
export function encodePositions(positions: Positions): string {
  const [own, others] = [textOf(positions[0]), textOf(positions[1])]
  const room = MAX_ENGINE_CURSOR_LENGTH - SEPARATOR.length
  if (own.length + others.length <= room) return own + SEPARATOR + others
  const half = Math.floor(room / 2)
  return shortenCursor(own, Math.max(half, room - others.length)) + SEPARATOR + shortenCursor(others, Math.max(half, room - own.length))
}

/** @throws INVALID_CURSOR */
export function decodePositions(cursor: string): Positions {
  const [own, others, ...more] = cursor.split(SEPARATOR)
  if (own === undefined || others === undefined || more.length > 0) throw createTaskDashboardError('INVALID_CURSOR')
  return [positionFrom(own), positionFrom(others)]
}

function textOf(position: Position<string>): string {
  return position.is === 'behind' ? position.mark : TEXTS[position.is]
}

function positionFrom(text: string): Position<string> {
  return [START, END, LOST].find(({ is }) => TEXTS[is] === text) ?? behind(text)
}
