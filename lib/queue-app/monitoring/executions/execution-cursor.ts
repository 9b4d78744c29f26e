import { fromCursor, toCursor } from '../../../input/cursor.ts'
import { behind, END, LOST, START, type Position, type SourceName } from './execution-sources.ts'

/** Where each source continues. A source that is not used has none. */
export type Positions = { readonly [name in SourceName]?: Position }

export interface ExecutionCursor {
  readonly positions: Positions
  /** When the first page was read; null for the first page itself. */
  readonly asOf: number | null
}

export const FIRST_PAGE: ExecutionCursor = { positions: {}, asOf: null }

/** Wire format: 0 for the start, 1 for the end, 2 if its store was down, a string for the engine's cursor, else a time and an id. */
export function encodeExecutionCursor({ positions, asOf }: ExecutionCursor): string {
  return toCursor([asOf, toWire(positions.inFlight), toWire(positions.finished)])
}

/** @throws INVALID_CURSOR */
export function decodeExecutionCursor(text: string): ExecutionCursor {
  return fromCursor(text, ([asOf, ...rest]) => {
    const [inFlight, finished] = rest.map(fromWire)
    if (!isTime(asOf) || rest.length !== 2 || !inFlight || !finished) return null
    return { asOf, positions: { inFlight, finished } }
  })
}

function toWire(position: Position = START): unknown {
  if (position.is !== 'behind') return ['start', 'end', 'lost'].indexOf(position.is)
  return typeof position.mark === 'string' ? position.mark : [position.mark.finishedAt, position.mark.executionId ?? NO_ID]
}

function fromWire(part: unknown): Position | null {
  if (part === 0) return START
  if (part === 1) return END
  if (part === 2) return LOST
  if (typeof part === 'string') return behind(part)
  const [finishedAt, executionId] = Array.isArray(part) ? part as unknown[] : []
  return isTime(finishedAt) && typeof executionId === 'string'
    ? behind({ finishedAt, executionId: executionId === NO_ID ? null : executionId })
    : null
}

/** Marks a position before all executions of its millisecond. */
const NO_ID = ''

function isTime(part: unknown): part is number {
  return Number.isSafeInteger(part)
}
