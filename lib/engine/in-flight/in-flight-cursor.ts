import { createHash } from 'node:crypto'
import { groupBy } from '../../collections/group-by.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { PENDING_STATES } from '../queues/queue-reads.ts'

/**
 * How far the previous pages got. Encoded compactly, and shortened if necessary, so that it fits into an API cursor (input/cursor.ts) for
 * any number of queues. As JSON, 500 sources would not fit.
 */
export interface InFlightPosition {
  /** How many executions of each source (a queue and a state, except running) were used up, by `sourceKey`. */
  readonly offsets: ReadonlyMap<string, number>
  /** The last job of each source that was used up, by `anchorOf`. Empty if they do not fit. */
  readonly anchors: ReadonlyMap<string, number>
  /** The position of the merge; null while nothing was used up. */
  readonly reached: Reached | null
  /** Whether some sources did not fit into `offsets`. For these, and for running executions, everything before `reached` was used up. */
  readonly isCut: boolean
  /** The servers that were unavailable, by `shortKey`. The same holds for their queues. */
  readonly lost: ReadonlySet<string>
  /** How much the clocks of workers differ, as far as the pages have shown; 0 if they have not shown any difference. Whole milliseconds. */
  readonly differMs: number
}

/** A time, and the last execution at that time; see `placeOf`. */
export interface Reached { readonly at: number; readonly id: string }

/** In characters. Leaves room in an API cursor for a position in the history. */
export const MAX_ENGINE_CURSOR_LENGTH = 4_400
export const MAX_ID_BYTES = 300
const VERSION = 4
/** Flags in its second byte. */
const CUT = 1
const ANCHORED = 2
const NOTHING_REACHED = -1
const KEY_BYTES = 5
const TIME_BYTES = 8
/** If more servers were unavailable, all queues are treated like theirs. */
const MAX_LOST = 50

/** A short key for a queue or server in a cursor. A collision is unlikely even among a million. */
export function shortKey(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, KEY_BYTES).toString('hex')
}

/** The key of the queue, and the number of the state. */
export function sourceKey(queueName: string, state: string): string {
  return shortKey(queueName) + PENDING_STATES.findIndex(each => each === state)
}

/** A short hash of a job id. Never 0. Two bytes are enough: only a few jobs near its last place are compared with it. */
export function anchorOf(jobId: string): number {
  return createHash('sha256').update(jobId).digest().readUInt16BE() || 1
}

/**
 * If not all sources fit, it leaves out first the anchors, then the sources of waiting jobs, whose time order `reached` describes as well,
 * and then the sources with the smallest offsets.
 */
export function encodeCursor(
  { offsets, anchors, reached, isCut, lost, differMs }: InFlightPosition, maxLength = MAX_ENGINE_CURSOR_LENGTH
): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeDoubleBE(reached?.at ?? NOTHING_REACHED)
  const id = Buffer.from(reached?.id ?? '').subarray(0, MAX_ID_BYTES)
  const named = [...lost].slice(0, MAX_LOST)
  const before = [...time, ...toVarint(id.length), ...id, named.length, ...Buffer.from(named.join(''), 'hex'), ...toVarint(differMs)]
  const room = Math.floor(maxLength / 4) * 3 - 2 - before.length
  const anchored = anchors.size === 0 ? null : toBytes(offsets, anchors)
  const hasAnchors = anchored !== null && anchored.length <= room
  const { bytes, isAll } = hasAnchors ? { bytes: anchored, isAll: true } : within(room, offsets)
  const flags = (isCut || !isAll || lost.size > MAX_LOST ? CUT : 0) + (hasAnchors ? ANCHORED : 0)
  return Buffer.from([VERSION, flags, ...before, ...bytes]).toString('base64url')
}

/** The same position in a shorter text. Throws INVALID_CURSOR. */
export function shortenCursor(cursor: string, maxLength: number): string {
  return cursor.length <= maxLength ? cursor : encodeCursor(decodeCursor(cursor), maxLength)
}

function within(room: number, offsets: ReadonlyMap<string, number>): { readonly bytes: number[]; readonly isAll: boolean } {
  const bytes = toBytes(offsets)
  if (bytes.length <= room) return { bytes, isAll: true }
  const canGo = ([key]: readonly [key: string, offset: number]): number => stateOf(key) === IN_ORDER ? 1 : 0
  const byNeed = [...offsets].sort((one, other) => canGo(one) - canGo(other) || other[1] - one[1])
  const kept = new Map<string, number>()
  const queues = new Set<string>()
  let length = 0
  for (const [key, offset] of byNeed) {
    length += toVarint(offset).length + (queues.has(queueOf(key)) ? 0 : KEY_BYTES + 1)
    if (length > room) break
    queues.add(queueOf(key))
    kept.set(key, offset)
  }
  return { bytes: toBytes(kept), isAll: false }
}

/** For each queue: its key, a bit for each of its states, and their offsets, each followed by its anchor if there are anchors. */
function toBytes(offsets: ReadonlyMap<string, number>, anchors?: ReadonlyMap<string, number>): number[] {
  return [...groupBy([...offsets], ([key]) => queueOf(key))].flatMap(([queue, ofQueue]) => {
    const byState = ofQueue.toSorted(([one], [other]) => stateOf(one) - stateOf(other))
    const states = byState.reduce((bits, [key]) => bits | 1 << stateOf(key), 0)
    return [...Buffer.from(queue, 'hex'), states, ...byState.flatMap(([key, offset]) => {
      const anchor = anchors?.get(key) ?? 0
      return [...toVarint(offset), ...anchors === undefined ? [] : [anchor >> 8, anchor & 255]]
    })]
  })
}

function queueOf(key: string): string {
  return key.slice(0, 2 * KEY_BYTES)
}

function stateOf(key: string): number {
  return Number(key.slice(2 * KEY_BYTES))
}

/** Jobs of this state are listed in order of time. */
const IN_ORDER = PENDING_STATES.indexOf('waiting')

/** @throws INVALID_CURSOR */
export function decodeCursor(cursor: string): InFlightPosition {
  const invalid = createTaskDashboardError('INVALID_CURSOR')
  if (cursor.length > MAX_ENGINE_CURSOR_LENGTH || !/^[\w-]+$/.test(cursor)) throw invalid
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length < 2 + TIME_BYTES + 3 || bytes[0] !== VERSION || bytes[1]! > (CUT | ANCHORED)) throw invalid
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
  const readKey = (): string => {
    if (next + KEY_BYTES > bytes.length) throw invalid
    return bytes.subarray(next, next += KEY_BYTES).toString('hex')
  }
  const lostCount = readVarint()
  if (lostCount > MAX_LOST) throw invalid
  const lost = new Set(Array.from({ length: lostCount }, readKey))
  const differMs = readVarint()
  const offsets = new Map<string, number>()
  const anchors = new Map<string, number>()
  const [, flags = 0] = bytes
  while (next < bytes.length) {
    const queue = readKey()
    const states = readVarint()
    for (const state of PENDING_STATES.keys()) {
      if ((states >> state & 1) === 0) continue
      offsets.set(queue + state, readVarint())
      if ((flags & ANCHORED) === 0) continue
      if (next + 2 > bytes.length) throw invalid
      const anchor = bytes.readUInt16BE(next)
      next += 2
      if (anchor > 0) anchors.set(queue + state, anchor)
    }
  }
  return { offsets, anchors, reached: at === NOTHING_REACHED ? null : { at, id }, isCut: (flags & CUT) > 0, lost, differMs }
}

function toVarint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push(rest % 128 + 128)
  return [...bytes, rest]
}
