import { MAX_CHILDREN_LISTED } from '../../../../schemas/limits.ts'
import { isRefusal } from '../../../stores/redis/observing/read-client.ts'
import type { ObservedJob } from '../observed-job.ts'
import type { ChildLink, JobBrief, JobLinks } from '../observed-server.ts'
import { deduplicationIdIn, MAX_KEY_READ, type JobDeduplication } from '../relations/job-facts.ts'
import { isOtherType } from './read-key.ts'
import { jobKey, type RedisQueue } from './redis-queue.ts'

const MAX_NAME_BYTES = 1_024
/** Steps of a scan of a set. One step may return fewer members than requested. */
const MAX_STEPS = 4

/**
 * Reads the keys of children but never their results, which have no size limit: one hash of the parent holds the results of all children.
 */
export async function readLinks(queue: RedisQueue, job: ObservedJob): Promise<JobLinks> {
  const key = jobKey(queue, job.id)
  const [parentKey, deid, children] = await Promise.all([
    shortField(queue, key, 'parentKey', MAX_KEY_READ), shortField(queue, key, 'deid', MAX_KEY_READ), readChildren(queue, key)
  ])
  const id = deid || deduplicationIdIn(job.opts)
  return { parentKey: parentKey || null, children, deduplication: id === null ? null : await readDeduplication(queue, job.id, id) }
}

/** Without payloads; null for those that are gone. */
export function readBriefs(queue: RedisQueue, jobIds: readonly string[]): Promise<Array<JobBrief | null>> {
  return Promise.all(jobIds.map(async id => {
    const key = jobKey(queue, id)
    const [[timestamp, finishedOn], name] = await Promise.all([
      queue.client.read<Array<string | null>>('HMGET', key, 'timestamp', 'finishedOn'), shortField(queue, key, 'name', MAX_NAME_BYTES)
    ]).catch((error: unknown): [Array<string | null>, null] => {
      // The id of a job can equal the name of another key of its queue.
      if (isOtherType(error)) return [[null, null], null]
      throw error
    })
    // A job that BullMQ did not add may have no timestamp.
    if ((timestamp ?? finishedOn ?? name) === null) return null
    return { name: name ?? '', finishedOn: /^\d{1,16}$/.test(finishedOn ?? '') ? Number(finishedOn) : null }
  }))
}

/** Null if it is absent or too long to read. */
async function shortField(queue: RedisQueue, key: string, field: string, maxBytes: number): Promise<string | null> {
  const size = await queue.client.read<number>('HSTRLEN', key, field)
  return size === 0 || size > maxBytes ? null : queue.client.read<string | null>('HGET', key, field)
}

/**
 * When a child finishes, BullMQ moves it from the set of unfinished children to one of three other keys. For a failed child, the key
 * depends on how its parent handles the failure.
 */
async function readChildren({ client }: RedisQueue, key: string): Promise<JobLinks['children']> {
  const ofHash = async (name: string): Promise<[number, string[]]> => {
    const count = await client.read<number>('HLEN', name)
    return [count, count === 0 ? [] : await client.read<string[]>('HRANDFIELD', name, MAX_CHILDREN_LISTED).catch(noneIfRefused)]
  }
  try {
    const [unfinished, unsuccessful, ignored, processed] = await Promise.all([
      Promise.all([client.read<number>('SCARD', `${key}:dependencies`), membersOf(client, `${key}:dependencies`)]),
      Promise.all([
        client.read<number>('ZCARD', `${key}:unsuccessful`),
        client.read<string[]>('ZRANGE', `${key}:unsuccessful`, 0, MAX_CHILDREN_LISTED - 1)
      ]),
      ofHash(`${key}:failed`), ofHash(`${key}:processed`)
    ])
    const listed = ([[unsuccessful, 'failed'], [ignored, 'failed'], [unfinished, 'unfinished'], [processed, 'success']] as const)
      .flatMap(([[, keys], status]) => keys.toSorted().map((childKey): ChildLink => ({ key: childKey, status })))
    return {
      // A child that ends between these reads is in two of them.
      listed: listed.filter(({ key: childKey }, index) => listed.findIndex(each => each.key === childKey) === index),
      total: unfinished[0] + unsuccessful[0] + ignored[0] + processed[0]
    }
  } catch (error) {
    if (isRefusal(error) || isOtherType(error)) return null
    throw error
  }
}

/** Redis before 6.2 does not know HRANDFIELD. HKEYS would return the keys of all children, and HSCAN their results as well. */
function noneIfRefused(error: unknown): string[] {
  if (isRefusal(error)) return []
  throw error
}

async function membersOf(client: RedisQueue['client'], key: string): Promise<string[]> {
  const members = new Set<string>()
  let cursor = '0'
  for (let step = 0; step < MAX_STEPS && members.size < MAX_CHILDREN_LISTED && (step === 0 || cursor !== '0'); step++) {
    const [next, found] = await client.read<[string, string[]]>('SSCAN', key, cursor, 'COUNT', MAX_CHILDREN_LISTED)
    for (const member of found) members.add(member)
    cursor = next
  }
  return [...members].slice(0, MAX_CHILDREN_LISTED)
}

async function readDeduplication(queue: RedisQueue, jobId: string, id: string): Promise<JobDeduplication> {
  const { client } = queue
  const key = jobKey(queue, `de:${id}`)
  try {
    const [holder, left, now] = await Promise.all([client.read<string | null>('GET', key), client.read<number>('PTTL', key), client.now()])
    const isHeld = holder === jobId
    return { id, isHeld, heldUntil: isHeld && left >= 0 ? now + left : null }
  } catch (error) {
    if (isRefusal(error) || isOtherType(error)) return { id, isHeld: null, heldUntil: null }
    throw error
  }
}
