import {
  createIORedisClient, QueueKeys, RedisConnection, RedisQueueBackend, type BackendFactory, type IQueueBackend, type QueueBaseOptions
} from 'bullmq'
import { isDefect } from '../../stores/failures/unavailable.ts'
import { mayHaveHappened } from '../../stores/failures/may-have-happened.ts'
import type { RedisClient } from '../../stores/store.ts'
import { PartlyAddedError } from './partly-added-error.ts'
import { markQueue } from '../queues/redis-queue-index.ts'

/** BullMQ's Redis backend for our queues and workers: its `createRedisBackend` with our class. */
export const createLeanRedisBackend: BackendFactory = (name, opts: RedisOptions, { withBlockingConnection = false } = {}) => {
  const client = opts.connection as RedisClient
  const keys = new QueueKeys(opts.prefix)
  const { skipVersionCheck, skipWaitingForReady } = opts
  const shared = new QuietConnection(client, {
    shared: true, blocking: false, ...skipVersionCheck !== undefined && { skipVersionCheck },
    ...skipWaitingForReady !== undefined && { skipWaitingForReady }
  })
  const blocking = withBlockingConnection
    // BullMQ keeps the failure of a first connection forever, so the worker would never take anything. Its first command waits instead.
    ? new QuietConnection(duplicate(client, connectionName(name, opts)), { shared: false, blocking: true, skipWaitingForReady: true })
    : undefined
  return new LeanRedisBackend(shared, name, keys.getKeys(name), type => keys.toKey(name, type), opts, blocking) as never
}

/** BullMQ would print an eviction policy warning per connection. The store already reported it to `onError` once. */
class QuietConnection extends RedisConnection {}

interface VersionReader { _client: { info(): Promise<string> } }
const { getRedisVersionAndType } = RedisConnection.prototype as unknown as { getRedisVersionAndType(this: VersionReader): Promise<unknown> }
// The method is private in BullMQ.
Object.defineProperty(QuietConnection.prototype, 'getRedisVersionAndType', {
  value(this: VersionReader) {
    const info = async () => (await this._client.info()).replace(/^maxmemory_policy:.*$/m, '')
    return getRedisVersionAndType.call(Object.create(this, { _client: { value: { info } } }) as VersionReader)
  }
})

function duplicate(client: RedisClient, name: string): RedisClient {
  return createIORedisClient(client as Parameters<typeof createIORedisClient>[0]).duplicate({ connectionName: name }) as never
}

type RedisOptions = QueueBaseOptions & { prefix?: string, name?: string, skipVersionCheck?: boolean, skipWaitingForReady?: boolean }

/** BullMQ's naming scheme: its tools find workers by it. */
function connectionName(queueName: string, opts: RedisOptions): string {
  return `${opts.prefix ?? 'bull'}:${Buffer.from(queueName).toString('base64')}${opts.name ? `:w:${opts.name}` : ''}`
}

type Arguments<Name extends 'moveToCompleted' | 'moveToFailed'> = Parameters<IQueueBackend[Name]>
type Finished = ReturnType<IQueueBackend['moveToCompleted']>

/**
 * No one reads our queues' event streams, and BullMQ's writes to them would outlive retention and redaction. So results, failures and
 * progress are kept out, and the stream is trimmed to nothing on every write.
 */
class LeanRedisBackend extends RedisQueueBackend {
  #isQuiet = false

  override moveToCompleted(...[job, returnValue, removeOnComplete, token, fetchNext]: Arguments<'moveToCompleted'>): Finished {
    return this.#finish(job, 'completed', removeOnComplete, token, fetchNext, { returnvalue: JSON.stringify(returnValue) ?? 'null' })
  }

  override moveToFailed(...[job, failedReason, removeOnFail, token, fetchNext, fieldsToUpdate]: Arguments<'moveToFailed'>): Finished {
    return this.#finish(job, 'failed', removeOnFail, token, fetchNext, { ...fieldsToUpdate, failedReason })
  }

  /** The script writes one field of its own to both the job and the event; all other fields go to the job only. */
  async #finish(
    job: Arguments<'moveToCompleted'>[0], target: 'completed' | 'failed', keep: Arguments<'moveToCompleted'>[2], token: string,
    fetchNext: boolean, fields: Record<string, unknown>
  ): Finished {
    const finishedOn = Date.now()
    const args = this.moveToFinishedArgs(job, finishedOn, 'finishedOn' as never, keep, target, token, finishedOn, fetchNext, fields)
    return { result: await this.moveToFinished(job.id!, args), finishedOn }
  }

  override async updateProgress(jobId: string, progress: unknown): Promise<void> {
    const client = await this.queue.client as unknown as RedisClient
    const isThere = await client.eval(SET_PROGRESS, 1, this.queue.toKey(jobId), JSON.stringify(progress) ?? 'null')
    if (isThere !== 1) throw new Error(`Progress cannot be written, because there is no job ${jobId}`)
  }

  override async addJobs(...args: Parameters<RedisQueueBackend['addJobs']>): ReturnType<RedisQueueBackend['addJobs']> {
    if (!this.#isQuiet) {
      // Sent in the same round trip.
      void this.#quieten().catch(() => { this.#isQuiet = false })
      this.#isQuiet = true
    }
    return await this.#marked(async () => {
      const [entries] = args
      const pipeline = (await this.queue.client).pipeline()
      for (const { job, jobId, parentKeyOpts } of entries) void this.addJobToTransaction(pipeline, job, jobId, parentKeyOpts)
      return idsOrErrors(entries.map(({ jobId }) => jobId), await pipeline.exec() as AddResult[])
    })
  }

  override addJob(...args: Parameters<RedisQueueBackend['addJob']>): ReturnType<RedisQueueBackend['addJob']> {
    return this.#marked(() => super.addJob(...args))
  }

  override addJobScheduler(...args: Parameters<RedisQueueBackend['addJobScheduler']>): ReturnType<RedisQueueBackend['addJobScheduler']> {
    return this.#marked(() => super.addJobScheduler(...args))
  }

  /**
   * Marks the queue in the index. Needed wherever something enters a queue that was empty. Once in a queue, a job only moves between its
   * lists and stays visible.
   */
  async #marked<Result>(add: () => Promise<Result>): Promise<Result> {
    const client = await this.queue.client as unknown as RedisClient
    const mark = () => markQueue(client, this.redisPrefix, this.name)
    // Sent first and not awaited, so it costs no extra round trip. If it is refused twice, the indexing pass repairs the index within a
    // minute, so adding the job must not fail.
    void mark().catch(mark).catch(() => {})
    return await add()
  }

  /** Runs every 30 s, so a server that lost its data gets the setting again. */
  override async moveStalledJobsToWait(): Promise<string[]> {
    await this.#quieten()
    return await super.moveStalledJobsToWait()
  }

  #quieten(): Promise<unknown> {
    return this.setQueueMeta({ 'opts.maxLenEvents': 0 })
  }

  /** Takes an expired lock again if no other worker has the execution. */
  override async extendLocks(jobIds: string[], tokens: string[], duration: number): Promise<string[]> {
    const lost = await super.extendLocks(jobIds, tokens, duration)
    if (lost.length === 0) return lost
    const client = await this.queue.client as unknown as RedisClient
    const taken = await Promise.all(lost.map(id => client.eval(
      TAKE_LOCK_AGAIN, 3, `${this.queue.toKey(id)}:lock`, this.queue.keys.active!, this.queue.keys.stalled!, tokens[jobIds.indexOf(id)]!,
      duration, id
    )))
    return lost.filter((_id, index) => taken[index] !== 1)
  }
}

type AddResult = [error: Error | null, id: string]

/** A server can refuse some commands of a pipeline, and a connection can break between two replies. */
function idsOrErrors(ids: readonly string[], results: readonly AddResult[]): string[] {
  // After redirections in a cluster, ioredis can resolve a pipeline without responses. It is then unknown what was added.
  if (results.length !== ids.length) {
    throw new PartlyAddedError(new Error('The client gave no answer to some of the commands'), { addedIds: [], unconfirmedIds: ids })
  }
  const failures = results.flatMap(([error]) => error ?? [])
  const first = failures.find(isDefect) ?? failures[0]
  if (first === undefined) return results.map(([, id]) => id)
  if (isDefect(first) || failures.length === results.length && !failures.some(mayHaveHappened)) throw first
  throw new PartlyAddedError(first, {
    // For a duplicate, the reply is the id of the existing execution.
    addedIds: ids.filter((id, index) => results[index]![0] === null && results[index]![1] === id),
    unconfirmedIds: ids.filter((_id, index) => results[index]![0] !== null && mayHaveHappened(results[index]![0]))
  })
}

const TAKE_LOCK_AGAIN = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
if not redis.call('LPOS', KEYS[2], ARGV[3]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SREM', KEYS[3], ARGV[3])
return 1
`

const SET_PROGRESS = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'progress', ARGV[1])
return 1
`
