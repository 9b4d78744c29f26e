import { createHash } from 'node:crypto'
import { createTaskDashboardError } from '../../errors.ts'

/**
 * How far the previous pages got. Packed, so that it fits into an API cursor (input/cursor.ts) for any number of queues. As JSON, 500
 * sources would not fit.
 */
export interface InFlightPosition {
  /** How many of each source (a queue and a state, except running) were used up, by `sourceKey`. */
  readonly offsets: ReadonlyMap<string, number>
  /** Position of the merge; null while nothing was used up. */
  readonly reached: Reached | null
  /** Whether some sources did not fit into `offsets`. For these, and for running executions, everything before `reached` was used up. */
  readonly isCut: boolean
}

/** A time, and the last id at that time. */
export interface Reached { readonly at: number; readonly executionId: string }

/** Maximum sources whose offset a cursor holds. */
export const CURSOR_SOURCES = 500
/** Leaves room in an API cursor for a position in the history. */
const MAX_LENGTH = 5_400
const VERSION = 3
const NOTHING_REACHED = -1
const KEY_BYTES = 5
const TIME_BYTES = 8
const MAX_ID_BYTES = 300

/** A short key for a source in the cursor. A collision is unlikely even among a million sources. */
export function sourceKey(queueName: string, state: string): string {
  return createHash('sha256').update(`${queueName}:${state}`).digest().subarray(0, KEY_BYTES).toString('hex')
}

export function encodeCursor({ offsets, reached, isCut }: InFlightPosition): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeDoubleBE(reached?.at ?? NOTHING_REACHED)
  const id = Buffer.from(reached?.executionId ?? '').subarray(0, MAX_ID_BYTES)
  const bytes: number[] = [VERSION, isCut ? 1 : 0, ...time, ...toVarint(id.length), ...id]
  for (const [key, offset] of offsets) bytes.push(...Buffer.from(key, 'hex'), ...toVarint(offset))
  return Buffer.from(bytes).toString('base64url')
}

/** @throws INVALID_CURSOR */
export function decodeCursor(cursor: string): InFlightPosition {
  const invalid = createTaskDashboardError('INVALID_CURSOR')
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) throw invalid
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < 2 + TIME_BYTES + 1 || bytes[0] !== VERSION || bytes[1]! > 1) throw invalid
  let next = 2 + TIME_BYTES
  const readVarint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[next++]
      if (byte === undefined || factor > 128 ** 5) throw invalid
      value += byte % 128 * factor
      if (byte < 128) return value
    }
  }

  const at = bytes.readDoubleBE(2)
  const idLength = readVarint()
  if (!Number.isFinite(at) || idLength > MAX_ID_BYTES || next + idLength > bytes.length) throw invalid
  const executionId = bytes.subarray(next, next += idLength).toString()
  const offsets = new Map<string, number>()
  while (next < bytes.length) {
    const key = bytes.subarray(next, next += KEY_BYTES).toString('hex')
    offsets.set(key, readVarint())
  }
  return { offsets, reached: at === NOTHING_REACHED ? null : { at, executionId }, isCut: bytes[1] === 1 }
}

function toVarint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128)
  return [...bytes, rest]
}
