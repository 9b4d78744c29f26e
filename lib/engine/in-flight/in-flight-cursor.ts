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

/** A time, and the last execution at that time; see `placeOf`. */
export interface Reached { readonly at: number; readonly id: string }

/** In characters. Leaves room in an API cursor for a position in the history. */
export const MAX_ENGINE_CURSOR_LENGTH = 4_400
const VERSION = 3
const NOTHING_REACHED = -1
const KEY_BYTES = 5
const TIME_BYTES = 8
const MAX_ID_BYTES = 300
const MAX_OFFSET_BYTES = 5

/** A short key for a source in the cursor. A collision is unlikely even among a million sources. */
export function sourceKey(queueName: string, state: string): string {
  return createHash('sha256').update(`${queueName}:${state}`).digest().subarray(0, KEY_BYTES).toString('hex')
}

/** If not all sources fit, it holds those that are furthest. */
export function encodeCursor({ offsets, reached, isCut }: InFlightPosition, maxLength = MAX_ENGINE_CURSOR_LENGTH): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeDoubleBE(reached?.at ?? NOTHING_REACHED)
  const id = Buffer.from(reached?.id ?? '').subarray(0, MAX_ID_BYTES)
  const place = [...time, ...toVarint(id.length), ...id]
  const room = Math.floor(maxLength / 4) * 3 - 2 - place.length
  let sources = toBytes(offsets)
  const fits = sources.length <= room
  if (!fits) {
    const furthest = [...offsets].sort(([, one], [, other]) => other - one)
    sources = toBytes(furthest.slice(0, Math.floor(room / (KEY_BYTES + MAX_OFFSET_BYTES))))
  }
  return Buffer.from([VERSION, isCut || !fits ? 1 : 0, ...place, ...sources]).toString('base64url')
}

function toBytes(offsets: Iterable<readonly [key: string, offset: number]>): number[] {
  return [...offsets].flatMap(([key, offset]) => [...Buffer.from(key, 'hex'), ...toVarint(offset)])
}

/** @throws INVALID_CURSOR */
export function decodeCursor(cursor: string): InFlightPosition {
  const invalid = createTaskDashboardError('INVALID_CURSOR')
  if (cursor.length > MAX_ENGINE_CURSOR_LENGTH || !/^[\w-]+$/.test(cursor)) throw invalid
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
  const id = bytes.subarray(next, next += idLength).toString()
  const offsets = new Map<string, number>()
  while (next < bytes.length) {
    const key = bytes.subarray(next, next += KEY_BYTES).toString('hex')
    offsets.set(key, readVarint())
  }
  return { offsets, reached: at === NOTHING_REACHED ? null : { at, id }, isCut: bytes[1] === 1 }
}

function toVarint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128)
  return [...bytes, rest]
}
