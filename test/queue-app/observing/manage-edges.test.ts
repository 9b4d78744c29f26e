import { Redis } from 'ioredis'
import t from 'tap'
import { createManagedRedis } from '../../../lib/engine/observing/managing/manage-redis.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import { startTcpProxy } from '../../support/network/tcp-proxy.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, OWNERS, connectionOf, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, type TestScope } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const QUEUE: ObservedQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server: undefined as never }
const TOKEN = 'token'

for (const major of [5, 6] as const) {
  t.test(`changes leave a queue as BullMQ ${major} would`, async t => {
    const { redis, queue, worker, managed } = await setUp(t, major)

    await t.test('cancelling a job also removes the duplicate that was kept while it ran, so that it does not run later', async t => {
      await redis.flushdb()
      await versionOf(redis, major)
      const deduplication = { id: 'once', keepLastIfActive: true }
      const add = (to: string) => queue.add('send', { to }, { deduplication, attempts: 2, backoff: 60_000 })
      await add('first')
      const job = (await worker.getNextJob(TOKEN, { block: false }))
      await add('while it ran')
      await job.moveToFailed(new Error('no'), TOKEN, false)
      t.equal(await job.getState(), 'delayed')
      t.equal(await managed.remove(QUEUE, job.id!), 'removed')
      t.same(await redis.keys('bull:emails:d[en]:*'), [], 'as `job.remove()` leaves it')
    })

    await t.test('a run of a job scheduler that has started is left alone if the next run is not planned yet', async t => {
      await redis.flushdb()
      await versionOf(redis, major)
      await queue.upsertJobScheduler('nightly', { pattern: '0 0 3 * * *' }, { name: 'report' })
      const [planned] = await queue.getDelayed()
      // Its worker died after the start and before it planned the next run. Another worker then found that the run had stalled.
      await redis.multi().zrem('bull:emails:delayed', planned!.id!).hset(`bull:emails:${planned!.id}`, { ats: 1, stc: 1 })
        .lpush('bull:emails:wait', planned!.id!).exec()
      t.equal(await queue.getJob(planned!.id!).then(job => job!.remove().then(() => 'removed', () => 'refused')), 'refused')
      t.equal(await managed.remove(QUEUE, planned!.id!), 'planned')
      t.equal(await redis.llen('bull:emails:wait'), 1)
    })

    await t.test('a resume wakes workers after a limit was reached, and for jobs that an earlier pause left', async t => {
      await redis.flushdb()
      await versionOf(redis, major)
      await queue.setGlobalConcurrency(1)
      await queue.add('send', {})
      await worker.getNextJob(TOKEN, { block: false })
      await queue.add('send', {})
      await managed.pause(QUEUE)
      t.equal(await redis.exists('bull:emails:marker'), 0)
      await managed.resume(QUEUE)
      t.equal(await redis.zscore('bull:emails:marker', '0'), '0')
      await redis.multi().del('bull:emails:marker').rename('bull:emails:wait', 'bull:emails:paused').exec()
      await managed.resume(QUEUE)
      t.same([await redis.llen('bull:emails:wait'), await redis.zscore('bull:emails:marker', '0')], [1, '0'])
    })

    await t.test('thousands of jobs in both lists keep their order', async t => {
      await redis.flushdb()
      await versionOf(redis, major)
      const ids = Array.from({ length: 20_000 }, (_, index) => String(index))
      await redis.rpush('bull:emails:wait', ...ids.slice(0, 10_000))
      await redis.rpush('bull:emails:paused', ...ids.slice(10_000))
      await managed.resume(QUEUE)
      t.same(await redis.lrange('bull:emails:wait', 0, -1), ids)
      t.equal(await redis.exists('bull:emails:paused'), 0)
    })
  })
}

t.test('an id that equals the name of another key of the queue changes nothing', async t => {
  const { redis, queue, managed } = await setUp(t, 6)
  await versionOf(redis, 6)
  await queue.add('send', {}, { delay: 60_000 })
  const before = await dump(redis)
  for (const id of ['meta', 'wait', 'delayed', 'marker', 'events', 'id', '', '1:logs', '\0', '../1', '*']) {
    t.equal(await managed.remove(QUEUE, id), 'over', JSON.stringify(id))
    t.match(await managed.retry(QUEUE, id, 0), /^(?:gone|moved)$/, JSON.stringify(id))
  }
  t.same(await dump(redis), before)
})

t.test('a failed job that does not tell when it failed is retried if it failed when its queue lists it', async t => {
  const { redis, managed } = await setUp(t, 6)
  await versionOf(redis, 6)
  const at = 1_796_043_345_864
  for (const finishedOn of [{}, { finishedOn: 'today' }, { finishedOn: String(at - 1) }]) {
    await redis.hset('bull:emails:1', { name: 'send', data: '{}', opts: '{}', ...finishedOn })
    await redis.zadd('bull:emails:failed', at, '1')
    t.equal(await managed.retry(QUEUE, '1', at + 1), 'moved')
    const isTold = finishedOn.finishedOn === String(at - 1)
    t.equal(await managed.retry(QUEUE, '1', at), isTold ? 'moved' : 'retried', JSON.stringify(finishedOn))
    t.equal(await redis.hexists('bull:emails:1', 'finishedOn'), isTold ? 1 : 0)
    await redis.del('bull:emails:1', 'bull:emails:failed', 'bull:emails:wait')
  }
})

async function setUp(t: TestScope, major: 5 | 6) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const queue = openQueue(t, major, 'emails', url)
  await queue.waitUntilReady()
  const worker = new OWNERS[major].Worker('emails', null, { connection: connectionOf(url) })
  worker.on('error', () => {})
  t.teardown(() => worker.close())
  await worker.waitUntilReady()
  const client = {
    start: async () => {}, stop: async () => {},
    run: <Answer>(script: string, keys: readonly string[], ...values: ReadonlyArray<string | number>) =>
      redis.eval(script, keys.length, ...keys, ...values) as Promise<Answer>
  }
  return { redis, queue, worker, managed: createManagedRedis(() => client) }
}

async function versionOf(redis: Redis, major: 5 | 6): Promise<void> {
  await redis.hset('bull:emails:meta', { 'version': { 5: 'bullmq:5.81.5', 6: 'bullmq:6.7.0' }[major], 'opts.maxLenEvents': 10_000 })
}

async function dump(redis: Redis): Promise<Array<[string, string]>> {
  const keys = (await redis.keys('*')).sort()
  return await Promise.all(keys.map(async key => [key, (await redis.dumpBuffer(key)).toString('hex')] as [string, string]))
}

t.test('a change whose response is lost is not made twice, and is not attributed to another person', async t => {
  const url = await redisUrl(t)
  const proxy = await startTcpProxy(t, url)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await queue.add('send', { fail: true })
  await waitFor('its failure', async () => worker.outcomes.length === 1)
  await worker.close()
  const waiting = await queue.add('send', {})
  const { monitoring, operations } = await observe(t, { broker: proxy.url }, { manage: true, onError: () => {} })
  const [failed] = await waitFor('the history', async () => {
    const { executions } = await monitoring.executions({ status: 'failed' })
    return executions.length === 1 && executions
  })
  const SCRIPT = /\beval\r\n/i
  const changes: Record<string, () => Promise<unknown>> = {
    retry: () => operations.retryExecution(failed!.executionId),
    run: () => operations.runTask('emails')
  }
  for (const [what, change] of Object.entries(changes)) {
    await waitFor('a connection', async () => (await monitoring.health()).status === 'healthy')
    proxy.loseAnswers(SCRIPT, 1)
    await t.rejects(change(), { code: 'UNCONFIRMED' }, what)
  }
  await waitFor('a connection', async () => (await monitoring.health()).status === 'healthy')
  proxy.loseAnswers(SCRIPT, 1)
  // The event proves that the change was made.
  const cancelled = await operations.cancelExecution(`emails:${waiting.id}`, { reason: 'typo' })
  t.match(await monitoring.execution(cancelled.executionId), { status: 'cancelled', cancellation: { reason: 'typo' } }, 'in the history')
  t.equal(proxy.lostAnswers, 3)
  t.match(await queue.getJobCounts(), { failed: 0, waiting: 2 }, 'each was made once')
  t.equal(await queue.getJob(waiting.id!), undefined)
})
