import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import type { EventFields, QueueEvent } from '../events/job-stories.ts'
import type { QueuePlace } from '../queue-place.ts'
import type { StreamState } from '../observed-server.ts'
import { queueKey, type RedisQueue } from './redis-queue.ts'

/**
 * At most `count` events after a position, for each of at most STREAMS_AT_A_TIME queues of one server, with one command. Queues without new
 * events are left out. An event has no size limit. If the events are too large for one response, this rejects, and the caller requests
 * fewer.
 */
export async function readEvents(
  client: ReadClient, wanted: ReadonlyArray<{ readonly queue: QueuePlace; readonly after: string }>, count: number
): Promise<Map<string, QueueEvent[]>> {
  const taskOf = new Map(wanted.map(({ queue }) => [queueKey(queue, 'events'), queue.taskName]))
  const answer = await client.read<StreamsAnswer>(
    'XREAD', 'COUNT', count, 'STREAMS', ...wanted.map(({ queue }) => queueKey(queue, 'events')), ...wanted.map(({ after }) => after)
  )
  return new Map((answer ?? []).map(([key, entries]) => [taskOf.get(key)!, toEvents(entries)]))
}

type Entries = ReadonlyArray<readonly [string, readonly string[]]>
type StreamsAnswer = ReadonlyArray<readonly [string, Entries]> | null

/** The next event of a queue, with enough time for a large one, and without delaying other reads. */
export async function readLargeEvent({ client, ...queue }: RedisQueue, after: string): Promise<QueueEvent[]> {
  const answer = await client.readPatiently<StreamsAnswer>('XREAD', 'COUNT', 1, 'STREAMS', queueKey(queue, 'events'), after)
  return toEvents(answer?.[0]?.[1] ?? [])
}

const SCANNED_AT_A_TIME = 500
/** Used if that many were too large for one response. */
const FEW_SCANNED_AT_A_TIME = 50
/** Twice the usual length of a stream. */
const MAX_SCANNED = 20_000

/** For each job that ended after a given event: the id of the event of its last end. */
export async function lastFinishes(queue: RedisQueue, after: string): Promise<Map<string, string>> {
  const last = new Map<string, string>()
  let from = after
  let size = SCANNED_AT_A_TIME
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += size) {
    const events = await next(from, size)
    if (events === null) {
      size = FEW_SCANNED_AT_A_TIME
      continue
    }
    for (const { id, fields: { event, jobId } } of events)
      if ((event === 'completed' || event === 'failed') && jobId !== undefined) last.set(jobId, id)
    if (events.length < size) break
    from = events.at(-1)!.id
  }
  return last

  /** Uses XREAD, because a user with few rights may run no other command on streams. Null if a smaller read may succeed. */
  async function next(from: string, size: number): Promise<QueueEvent[] | null> {
    try {
      return (await readEvents(queue.client, [{ queue, after: from }], size)).get(queue.taskName) ?? []
    } catch (error) {
      if (size === FEW_SCANNED_AT_A_TIME) throw error
      return null
    }
  }
}

/** Whether an event shows that a job was removed since a time by the server's clock. */
export async function wasRemovedSince(queue: RedisQueue, jobId: string, sinceMs: number): Promise<boolean> {
  let after = `${Math.floor(sinceMs) - 1}-0`
  for (let scanned = 0; scanned < MAX_SCANNED; scanned += SCANNED_AT_A_TIME) {
    const events = (await readEvents(queue.client, [{ queue, after }], SCANNED_AT_A_TIME)).get(queue.taskName) ?? []
    if (events.some(({ fields }) => fields.event === 'removed' && fields.jobId === jobId)) return true
    if (events.length < SCANNED_AT_A_TIME) return false
    after = events.at(-1)!.id
  }
  return false
}

/** Null if there is no stream. Redis before 7 does not tell how many entries were ever added. */
export async function readStream(queue: RedisQueue): Promise<StreamState | null> {
  try {
    const [flat, maxLength] = await Promise.all([
      queue.client.read<unknown[]>('XINFO', 'STREAM', queueKey(queue, 'events')), readMaxLength(queue)
    ])
    const info = new Map<string, unknown>()
    for (let index = 0; index + 1 < flat.length; index += 2) info.set(String(flat[index]), flat[index + 1] ?? null)
    const added = info.get('entries-added')
    const first = info.get('first-entry')
    const last = info.get('last-generated-id')
    return {
      length: Number(info.get('length') ?? 0), firstId: Array.isArray(first) ? String(first[0]) : null,
      lastId: typeof last === 'string' ? last : '0-0',
      added: added === undefined || added === null ? null : Number(added), ...maxLength !== null && { maxLength }
    }
  } catch (error) {
    if (error instanceof Error && /no such key|WRONGTYPE/i.test(error.message)) return null
    throw error
  }
}

async function readMaxLength({ client, ...queue }: RedisQueue): Promise<number | null> {
  const [value] = await client.read<Array<string | null>>('HMGET', queueKey(queue, 'meta'), 'opts.maxLenEvents').catch(() => [null])
  return value !== null && value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null
}

/**
 * Called for thousands of events a second. Objects with arbitrary fields would take five times as long, so these all have the same fields.
 */
function toEvents(entries: Entries): QueueEvent[] {
  return entries.map(([id, flat]) => {
    const fields = { ...NO_FIELDS }
    let size = 0
    for (let index = 0; index + 1 < flat.length; index += 2) {
      const name = flat[index]!
      const value = flat[index + 1]!
      size += value.length
      if (TELLING.has(name)) fields[name as keyof EventFields] = value
    }
    return { id, fields, size }
  })
}

const NO_FIELDS: { -readonly [Name in keyof Required<EventFields>]: string | undefined } = {
  event: undefined, jobId: undefined, name: undefined, delay: undefined, prev: undefined, returnvalue: undefined, failedReason: undefined
}
const TELLING: ReadonlySet<string> = new Set(Object.keys(NO_FIELDS))
