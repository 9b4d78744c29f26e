import { plannedJobId } from '../../schedulers/planned-job-id.ts'
import { MAX_CALENDAR_MS } from '../../../time/latest-times.ts'
import { MAX_SCHEDULERS, MAX_TEMPLATE_BYTES } from '../observed-limits.ts'
import { observedSchedulerFrom, SCHEDULER_FIELDS, type ObservedScheduler } from '../schedulers/observed-scheduler.ts'
import type { FoundSchedulers } from '../schedulers/scheduler-reads.ts'
import { nullIfOtherType, readKey, tryKeys, type KeyRead } from './read-key.ts'
import { jobKey, queueKey, scoreFrom, type RedisQueue } from './redis-queue.ts'

const AT_A_TIME = 100

/** All queues have the same client. */
export async function haveSchedulers(queues: readonly RedisQueue[]): Promise<Array<boolean | Error>> {
  const totals = await tryKeys(queues.map((queue): KeyRead<number> => ({ queue, kind: 'repeat', empty: 0, command: 'ZCARD' })))
  return totals.map(total => total instanceof Error ? total : total > 0)
}

/** The job schedulers and repeatable jobs of a queue, earliest due first. Removes none, unlike BullMQ's own list. */
export async function readSchedulers(queue: RedisQueue): Promise<FoundSchedulers> {
  const total = await readKey(queue, 'repeat', 0, 'ZCARD')
  if (total === 0) return { schedulers: [], left: 0 }
  const schedulers: ObservedScheduler[] = []
  for (let start = 0; start < Math.min(total, MAX_SCHEDULERS); start += AT_A_TIME) {
    const flat = await readKey<string[]>(queue, 'repeat', [], 'ZRANGE', start, start + AT_A_TIME - 1, 'WITHSCORES')
    const page: Array<readonly [string, number]> = []
    for (let index = 0; index < flat.length; index += 2) page.push([flat[index]!, plannedAtFrom(flat[index + 1])])
    const known = new Set(schedulers.map(({ id }) => id))
    // A scheduler that plans its next run between two reads moves towards the end, so it can be read twice.
    schedulers.push(...await Promise.all(page.filter(([id]) => !known.has(id)).map(([id, score]) => readOne(queue, id, score))))
    if (page.length < AT_A_TIME) break
  }
  return { schedulers, left: Math.max(total - MAX_SCHEDULERS, 0) }
}

export async function readScheduler(queue: RedisQueue, id: string): Promise<ObservedScheduler | null> {
  const score = await readKey<string | null>(queue, 'repeat', null, 'ZSCORE', id)
  return score === null ? null : readOne(queue, id, plannedAtFrom(score))
}

/** Options of the job of its next run; null if that job is gone, undefined if they are too large. */
export function optionsOfNext(queue: RedisQueue, { id, plannedAt }: ObservedScheduler): Promise<string | null | undefined> {
  return readTemplate(queue, jobKey(queue, plannedJobId(id, plannedAt)), 'opts')
}

/** A field without a limit of its size. Null if there is none, undefined if it is too large. */
async function readTemplate({ client }: RedisQueue, key: string, field: 'data' | 'opts'): Promise<string | null | undefined> {
  const size = await client.read<number>('HSTRLEN', key, field).catch(nullIfOtherType)
  if (!size) return null
  return size > MAX_TEMPLATE_BYTES ? undefined : client.read<string | null>('HGET', key, field).catch(nullIfOtherType)
}

async function readOne(queue: RedisQueue, id: string, plannedAt: number): Promise<ObservedScheduler> {
  const key = `${queueKey(queue, 'repeat')}:${id}`
  const [values, data, opts, pending] = await Promise.all([
    queue.client.read<Array<string | null>>('HMGET', key, ...SCHEDULER_FIELDS).catch(nullIfOtherType),
    readTemplate(queue, key, 'data'), readTemplate(queue, key, 'opts'), placeOf(queue, plannedJobId(id, plannedAt))
  ])
  return observedSchedulerFrom({ taskName: queue.taskName, id, plannedAt, pending, data, opts }, values ?? [])
}

async function placeOf(queue: RedisQueue, jobId: string): Promise<ObservedScheduler['pending']> {
  if (await readKey<string | null>(queue, 'delayed', null, 'ZSCORE', jobId) !== null) return 'delayed'
  const [timestamp, starts, processedOn = null] = await queue.client.read<Array<string | null>>(
    'HMGET', jobKey(queue, jobId), 'timestamp', 'ats', 'processedOn'
  ).catch(nullIfOtherType) ?? []
  if (timestamp === null || timestamp === undefined) return 'gone'
  return Number(starts ?? 0) > 0 || processedOn !== null ? 'started' : 'due'
}

/** Owners may write any score. Calendars are only computed for these years. */
function plannedAtFrom(score: string | undefined): number {
  return Math.floor(Math.min(Math.max(scoreFrom(score), 0), MAX_CALENDAR_MS))
}
