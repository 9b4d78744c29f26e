import { createHash } from 'node:crypto'
import { createTaskDashboardError } from '../errors.ts'

/** How many of each source (a queue and a state) the pages before have used up. */
export type Offsets = Map<string, number>

/** Characters of a cursor; 450 sources fit. */
const MAX_LENGTH = 4_096
const VERSION = 1
const KEY_BYTES = 5

/** A short name of a source, as it stands in the cursor: six bits short of a collision among a million of them. */
export function sourceKey(queueName: string, state: string): string {
  return createHash('sha256').update(`${queueName}:${state}`).digest().subarray(0, KEY_BYTES).toString('hex')
}

/** Throws INVALID_INPUT when there are too many sources for a cursor. */
export function encodeCursor(offsets: Offsets): string {
  const bytes: number[] = [VERSION]
  for (const [key, offset] of offsets) {
    if (offset === 0) continue
    bytes.push(...Buffer.from(key, 'hex'))
    let rest = offset
    while (rest > 127) {
      bytes.push(rest % 128 + 128)
      rest = Math.floor(rest / 128)
    }
    bytes.push(rest)
  }
  const cursor = Buffer.from(bytes).toString('base64url')
  if (cursor.length > MAX_LENGTH) throw createTaskDashboardError('INVALID_INPUT', ['There are too many queues for another page: narrow it down with task_name'])
  return cursor
}

/** Throws INVALID_CURSOR. */
export function decodeCursor(cursor: string): Offsets {
  const invalid = createTaskDashboardError('INVALID_CURSOR')
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) throw invalid
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes[0] !== VERSION) throw invalid

  const offsets: Offsets = new Map()
  for (let at = 1; at < bytes.length;) {
    const key = bytes.subarray(at, at += KEY_BYTES).toString('hex')
    let offset = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined || factor > 128 ** 5) throw invalid
      offset += byte % 128 * factor
      if (byte < 128) break
    }
    offsets.set(key, offset)
  }
  return offsets
}
