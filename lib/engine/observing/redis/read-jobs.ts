import { readByGroup } from '../../../collections/read-by-group.ts'
import { schedulerOfJob } from '../../schedulers/planned-job-id.ts'
import {
  finishTimeFrom, NO_LONG_FIELDS, OBSERVED_FIELDS, observedJobFrom, payloadFrom, withLongFields, type LongFields, type ObservedJob,
  type ObservedPayload
} from '../observed-job.ts'
import { LISTED_BYTES, MAX_LOG_BYTES, MAX_LOG_LINES, MAX_PAYLOAD_BYTES } from '../observed-limits.ts'
import { firstSeenAt, forgetFirstSeen } from './first-seen.ts'
import { listedAt } from './listed-at.ts'
import { isOtherType } from './read-key.ts'
import { jobKey, type RedisQueue } from './redis-queue.ts'

const LONG = ['name', 'opts', 'failedReason', 'stacktrace', 'progress'] as const
const ALL_LONG = [...LONG, 'pb', 'rjk'] as const
type LongField = keyof LongFields

/** Each field costs a command, so those that a job cannot have are left out. */
function longFieldsOf({ id, processedOn }: Pick<ObservedJob, 'id' | 'processedOn'>): readonly LongField[] {
  return [...LONG, ...processedOn === null ? [] : ['pb' as const], ...schedulerOfJob(id) === null ? [] : ['rjk' as const]]
}

/** Where a job is, and the score of a delayed one. */
export interface JobAddress { readonly queue: RedisQueue; readonly id: string; readonly score: number | null }

/** Reads a job without its payload, in two round trips. Null if it is gone, or if the key is not a job. */
export async function readJob({ queue, id, score }: JobAddress): Promise<ObservedJob | null> {
  const fields = longFieldsOf({ id, processedOn: 0 })
  const [[job], [sizes]] = await Promise.all([readShortFields([{ queue, id, score }]), sizesOf([{ queue, id, fields }])])
  return job ? (await withLongOnes([{ queue, job }], [sizes!]))[0]! : null
}

/**
 * Reads all fields but those whose size only their owner limits. Null for jobs that are gone, and for keys that are not jobs. All queues
 * have the same client.
 */
export async function readShortFields(addresses: readonly JobAddress[]): Promise<Array<ObservedJob | null>> {
  if (addresses.length === 0) return []
  const { client } = addresses[0]!.queue
  const answers = await client.readAll(addresses.map(({ queue, id }) => ['HMGET', jobKey(queue, id), ...OBSERVED_FIELDS]))
  const found = answers.map(answer => orNull<Array<string | null>>(answer))
  const isEmpty = (index: number): boolean => found[index]?.every(value => value === null) ?? true
  const named = await withNames(addresses.filter((_address, index) => found[index] !== null && isEmpty(index)))
  return addresses.map((address, index) => {
    const { queue, id, score } = address
    if (isEmpty(index) && !named.has(address)) {
      forgetFirstSeen(queue, id)
      return null
    }
    const place = { taskName: queue.taskName, queueName: queue.name, id, unread: [] }
    let isTimeless = false
    const job = observedJobFrom(place, found[index]!, NO_LONG_FIELDS, score, () => {
      isTimeless = true
      return firstSeenAt(queue, id)
    })
    if (!isTimeless) forgetFirstSeen(queue, id)
    return job
  })
}

/** Those whose hash has the name of a job. A job that BullMQ did not add may have no other field than its data. */
async function withNames(addresses: readonly JobAddress[]): Promise<ReadonlySet<JobAddress>> {
  if (addresses.length === 0) return new Set()
  const sizes = await addresses[0]!.queue.client.readAll(addresses.map(({ queue, id }) => ['HSTRLEN', jobKey(queue, id), 'name']))
  return new Set(addresses.filter((_address, index) => (orNull<number>(sizes[index]) ?? 0) > 0))
}

/** A job as `readShortFields` has read it. */
export interface ShortJob { readonly queue: RedisQueue; readonly job: ObservedJob }

/**
 * Reads the fields that `readShortFields` leaves out, except those that are too large. Null for those that no longer exist. All queues have
 * the same client.
 */
export async function completeJobs(jobs: readonly ShortJob[]): Promise<Array<ObservedJob | null>> {
  return await withLongOnes(jobs, await sizesOf(jobs.map(({ queue, job }) => ({ queue, id: job.id, fields: longFieldsOf(job) }))))
}

/**
 * A job whose long fields are larger together is read with a command of its own. In one command with others, it would keep the server busy.
 */
const SHORT_BYTES = 2_048

/** The field that tells whether a job is still there. */
const ADDED = ['timestamp'] as const

/** A long field and its size. Null if the key is not a job. */
interface Sized { readonly field: LongField; readonly bytes: number | null }

async function sizesOf(
  jobs: ReadonlyArray<Pick<JobAddress, 'queue' | 'id'> & { readonly fields: readonly LongField[] }>
): Promise<Sized[][]> {
  if (jobs.length === 0) return []
  // The fields of all jobs one after the other: commands that have all words but the key in common are sent together.
  const wanted = ALL_LONG.flatMap(field => jobs.flatMap(({ queue, id, fields }, at) =>
    fields.includes(field) ? [{ at, field, key: jobKey(queue, id) }] : []))
  const sizes = await jobs[0]!.queue.client.readAll(wanted.map(({ key, field }) => ['HSTRLEN', key, field] as const))
  const found = jobs.map((): Sized[] => [])
  for (const [index, { at, field }] of wanted.entries()) found[at]!.push({ field, bytes: orNull<number>(sizes[index]) })
  return found
}

async function withLongOnes(jobs: readonly ShortJob[], sizes: ReadonlyArray<readonly Sized[]>): Promise<Array<ObservedJob | null>> {
  if (jobs.length === 0) return []
  const { client } = jobs[0]!.queue
  const reads = jobs.map(({ queue, job }, at) => {
    const sized = sizes[at]!.map(({ field, bytes }) => ({ field, bytes: bytes ?? 0 }))
    const present: readonly string[] = job.isEstimated ? OBSERVED_FIELDS : ADDED
    const wanted = sized.filter(({ field, bytes }) => bytes > 0 && bytes <= LISTED_BYTES[field])
    const fields = wanted.map(({ field }) => field)
    return {
      job, fields,
      unread: sized.filter(({ field, bytes }) => bytes > LISTED_BYTES[field]).map(({ field }) => field),
      isShort: wanted.reduce((sum, { bytes }) => sum + bytes, 0) <= SHORT_BYTES,
      command: ['HMGET', jobKey(queue, job.id), ...present, ...fields] as const
    }
  })
  const answers = await readByGroup(reads, ({ isShort }) => isShort, (isShort, group) => isShort
    ? client.readAll(group.map(({ command }) => command))
    : Promise.all(group.map(({ command }) => client.read<unknown>(...command).catch((error: unknown) => error))))
  return reads.map(({ job, fields, unread }, at) => {
    const all = orNull<Array<string | null>>(answers[at]) ?? []
    const values = all.slice(all.length - fields.length)
    // If the timestamp is missing, the job no longer exists, and its other fields would be empty. A job without one has another field.
    if ((job.isEstimated ? all : all.slice(0, ADDED.length)).every(value => value === null)) return null
    const found = Object.fromEntries(fields.map((field, index) => [field, values[index]!]))
    return withLongFields({ ...job, unread }, { ...NO_LONG_FIELDS, ...found })
  })
}

/**
 * Null for a key of another type: the id of a job can equal the name of another key of its queue, such as `meta` or `wait`. Throws any
 * other error.
 */
function orNull<Answer>(answer: unknown): Answer | null {
  if (!(answer instanceof Error)) return answer as Answer
  if (isOtherType(answer)) return null
  throw answer
}

/** Data, result and log of a job that `readJob` found. */
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

/** Undefined if the data is larger than `maxBytes`. */
export async function readData(
  queue: RedisQueue, id: string, maxBytes: number
): Promise<{ data: string | null | undefined; bytes: number }> {
  const key = jobKey(queue, id)
  const bytes = await queue.client.read<number>('HSTRLEN', key, 'data')
  return { data: bytes > maxBytes ? undefined : await queue.client.read<string | null>('HGET', key, 'data'), bytes }
}

/**
 * By the clocks of the jobs' workers; for a job that does not tell, the time at which its queue lists it. Null for a job that is gone or
 * has not finished. All queues have the same client.
 */
export async function finishedOnOf(
  jobs: ReadonlyArray<{ readonly queue: RedisQueue; readonly id: string }>
): Promise<Array<number | null | Error>> {
  const reads = jobs.map(({ queue, id }) => ['HMGET', jobKey(queue, id), 'finishedOn', ...TOLD] as const)
  const answers = await jobs[0]?.queue.client.readAll(reads) ?? []
  return await Promise.all(answers.map(async (answer, index) => {
    if (answer instanceof Error) return isOtherType(answer) ? null : answer
    const fields = answer as Array<string | null>
    // Most jobs that do not tell are gone, and cost no further command.
    return fields.every(value => value === null) ? null : finishTimeFrom(fields[0]) ?? await finishListed(jobs[index]!)
  }))
}

/** Fields of which each job has at least one, unless another client wrote it and tells nothing about it. */
const TOLD = ['timestamp', 'processedOn', 'atm', 'delay'] as const

async function finishListed({ queue, id }: { readonly queue: RedisQueue; readonly id: string }): Promise<number | null | Error> {
  try {
    return await listedAt(queue, 'completed', id) ?? await listedAt(queue, 'failed', id)
  } catch (error) {
    return error as Error
  }
}

/**
 * Reads the last lines, a few at a time, up to the limit. The server returns a range as a whole, so a longer range is only read if the
 * lines so far were short.
 */
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
    // The lines so far show how long the next ones may be.
    size = Math.max(1, Math.min(MAX_LOG_LINES, Math.floor((MAX_LOG_BYTES - bytes) / Math.max(bytes / lines.length, 1))))
  }
  return { lines, isCut: lines.length < count }
}
