import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import { queueKey, type ObservedQueue } from '../observed-queue.ts'
import type { QueueEvent } from './job-stories.ts'

/** Streams in one command, and events of each. */
export const STREAMS_AT_A_TIME = 100
export const EVENTS_AT_A_TIME = 500

/**
 * At most `count` events after a position, for each of at most STREAMS_AT_A_TIME queues of one server, with one command. Queues without new
 * events are left out. An event has no limit of its own: if they are too large for one answer, it rejects, and the caller asks for fewer.
 */
export async function readEvents(
  client: ReadClient, wanted: ReadonlyArray<{ readonly queue: ObservedQueue; readonly after: string }>, count: number
): Promise<Map<string, QueueEvent[]>> {
  const taskOf = new Map(wanted.map(({ queue }) => [queueKey(queue, 'events'), queue.taskName]))
  const answer = await client.read<Array<[string, Array<[string, string[]]>]> | null>(
    'XREAD', 'COUNT', count, 'STREAMS', ...wanted.map(({ queue }) => queueKey(queue, 'events')), ...wanted.map(({ after }) => after)
  )
  return new Map((answer ?? []).map(([key, entries]) =>
    [taskOf.get(key)!, entries.map(([id, flat]) => ({ id, fields: toFields(flat) }))]))
}

/** What the server tells of a stream. */
export interface StreamState {
  readonly length: number
  readonly lastId: string
  /** Entries that were ever added; null before Redis 7. */
  readonly added: number | null
}

/** Null if there is no stream. */
export async function readStream(queue: ObservedQueue): Promise<StreamState | null> {
  try {
    const flat = await queue.client.read<Array<string | number | null>>('XINFO', 'STREAM', queueKey(queue, 'events'))
    const info = new Map<string, string | number | null>()
    for (let index = 0; index + 1 < flat.length; index += 2) info.set(String(flat[index]), flat[index + 1] ?? null)
    const added = info.get('entries-added')
    return {
      length: Number(info.get('length') ?? 0), lastId: String(info.get('last-generated-id') ?? '0-0'),
      added: added === undefined || added === null ? null : Number(added)
    }
  } catch (error) {
    if (error instanceof Error && /no such key|WRONGTYPE/i.test(error.message)) return null
    throw error
  }
}

function toFields(flat: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  for (let index = 0; index + 1 < flat.length; index += 2) fields[flat[index]!] = flat[index + 1]!
  return fields
}
