import {
  OBSERVED_FIELDS, observedJobFrom, payloadFrom, withLongFields, type LongFields, type ObservedJob, type ObservedPayload
} from '../observed-job.ts'
import { LISTED_BYTES, MAX_LOG_BYTES, MAX_LOG_LINES, MAX_PAYLOAD_BYTES } from '../observed-limits.ts'
import { isOtherType } from './read-key.ts'
import { jobKey, type RedisQueue } from './redis-queue.ts'

const LONG = ['name', 'opts', 'failedReason', 'stacktrace', 'progress'] as const

/** Where a job is, and the score of a delayed one. */
export interface JobAddress { readonly queue: RedisQueue; readonly id: string; readonly score: number | null }

/** Reads jobs without their payloads, in two round trips. Null for those that are gone, or are no jobs. */
export function readJobs(addresses: readonly JobAddress[]): Promise<Array<ObservedJob | null>> {
  return Promise.all(addresses.map(async address => {
    const [[job], sizes] = await Promise.all([readShortFields([address]), sizesOf(address.queue, address.id)])
    return job ? await withSizedFields(address.queue, job, sizes) : null
  }))
}

/** All but the fields whose size only their owner limits. Null for those that are gone, or are no jobs. */
export function readShortFields(addresses: readonly JobAddress[]): Promise<Array<ObservedJob | null>> {
  return Promise.all(addresses.map(async ({ queue, id, score }) => {
    const key = jobKey(queue, id)
    const [values] = await queue.client.read<Array<string | null>>('HMGET', key, ...OBSERVED_FIELDS).then(found => [found], otherType)
    const place = { taskName: queue.taskName, queueName: queue.name, id, unread: [] }
    return values === null ? null : observedJobFrom(place, values, NO_LONG_FIELDS, score)
  }))
}

/** Reads the fields that `readShortFields` leaves out, except those that are too large. Null if the job is gone by now. */
export async function completeJob(queue: RedisQueue, job: ObservedJob): Promise<ObservedJob | null> {
  return await withSizedFields(queue, job, await sizesOf(queue, job.id))
}

/** Of the long fields. Null if the key is no job's. */
async function sizesOf(queue: RedisQueue, id: string): Promise<readonly number[] | null> {
  const key = jobKey(queue, id)
  const [sizes] = await Promise.all(LONG.map(field => queue.client.read<number>('HSTRLEN', key, field))).then(found => [found], otherType)
  return sizes
}

async function withSizedFields(queue: RedisQueue, job: ObservedJob, sizes: readonly number[] | null): Promise<ObservedJob | null> {
  if (sizes === null) return null
  const wanted = LONG.filter((field, index) => sizes[index]! > 0 && sizes[index]! <= LISTED_BYTES[field])
  // Without the time, the job is gone by now, and its other fields would be empty.
  const [timestamp, ...read] = await queue.client.read<Array<string | null>>('HMGET', jobKey(queue, job.id), 'timestamp', ...wanted)
  if (timestamp === null) return null
  const long = Object.fromEntries(wanted.map((field, index) => [field, read[index]!]))
  const unread = LONG.filter((field, index) => sizes[index]! > LISTED_BYTES[field])
  return withLongFields({ ...job, unread }, { ...NO_LONG_FIELDS, ...long })
}

const NO_LONG_FIELDS: LongFields = { name: null, opts: null, failedReason: null, stacktrace: null, progress: null }

/** Data, result and log of a job that `readJobs` found. */
export async function readPayload(queue: RedisQueue, id: string): Promise<ObservedPayload> {
  const { client } = queue
  const key = jobKey(queue, id)
  const sizes = await Promise.all(['data', 'returnvalue'].map(field => client.read<number>('HSTRLEN', key, field)))
  const [data, returnvalue, logs] = await Promise.all([
    sizes[0]! > MAX_PAYLOAD_BYTES ? undefined : client.read<string | null>('HGET', key, 'data'),
    sizes[1]! > MAX_PAYLOAD_BYTES ? undefined : client.read<string | null>('HGET', key, 'returnvalue'),
    readLog(queue, `${key}:logs`)
  ])
  return payloadFrom(data, returnvalue, logs)
}

/** Undefined if it is larger. */
export async function readData(
  queue: RedisQueue, id: string, maxBytes: number
): Promise<{ data: string | null | undefined; bytes: number }> {
  const key = jobKey(queue, id)
  const bytes = await queue.client.read<number>('HSTRLEN', key, 'data')
  return { data: bytes > maxBytes ? undefined : await queue.client.read<string | null>('HGET', key, 'data'), bytes }
}

/** As its worker noted it; null if the job is gone or has not finished. */
export async function finishedOnOf(queue: RedisQueue, id: string): Promise<number | null> {
  const [finishedOn] = await queue.client.read<string | null>('HGET', jobKey(queue, id), 'finishedOn').then(value => [value], otherType)
  return finishedOn === null || finishedOn === undefined || !/^\d{1,16}$/.test(finishedOn) ? null : Number(finishedOn)
}

/** The last lines, a few at a time until they fill the limit: a range is read whole, so more are read only while they are short. */
async function readLog(queue: RedisQueue, key: string): Promise<{ lines: string[]; isCut: boolean }> {
  const count = await queue.client.read<number>('LLEN', key).catch(error => { if (isOtherType(error)) return 0; throw error })
  const lines: string[] = []
  let bytes = 0
  let size = 10
  while (lines.length < Math.min(count, MAX_LOG_LINES) && bytes < MAX_LOG_BYTES) {
    const end = -lines.length - 1
    const found = await queue.client.read<string[]>('LRANGE', key, Math.max(end - size + 1, -MAX_LOG_LINES), end)
    if (found.length === 0) break
    lines.unshift(...found)
    bytes += found.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
    // The first lines show how long they are.
    size = Math.max(1, Math.min(MAX_LOG_LINES, Math.floor((MAX_LOG_BYTES - bytes) / Math.max(bytes / lines.length, 1))))
  }
  return { lines, isCut: lines.length < count }
}

/** The id of a job can equal the name of another key of its queue, such as `meta` or `wait`. */
function otherType(error: unknown): [null] {
  if (isOtherType(error)) return [null]
  throw error
}
