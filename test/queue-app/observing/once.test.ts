import { Redis } from 'ioredis'
import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { embeddedUrl, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { OBSERVING_USER } from '../../support/documented-rights.ts'
import { observe } from '../../support/observe.ts'
import { waitFor } from '../../support/wait-for.ts'

for (const [name, skewMs, rights] of [
  ['ahead', 7_200_000, 'all'], ['behind', -7_200_000, 'all'], ['ahead', 7_200_000, 'the documented']
] as const) {
  t.test(`jobs of a worker whose clock is two hours ${name} are in the history once and complete, with ${rights} rights`, async t => {
    const { url } = rights === 'all' ? { url: await redisUrl(t) } : await startRedis(t)
    const queue = openQueue(t, 6, 'emails', url)
    const worker = startOwnersWorker(t, 6, 'emails', url)
    await queue.addBulk(Array.from({ length: 30 }, (_, to) => ({ name: 'send', data: { to, fail: to % 10 === 0 } })))
    await waitFor('the worker', async () => worker.outcomes.length === 30)
    const redis = new Redis(url)
    t.teardown(() => redis.disconnect())
    // The values that such a worker would have written.
    for (const { jobId, status, finishedAt } of worker.outcomes) {
      await redis.hset(queue.toKey(jobId), 'finishedOn', finishedAt + skewMs)
      await redis.zadd(queue.toKey(status === 'success' ? 'completed' : 'failed'), finishedAt + skewMs, jobId)
    }
    if (rights !== 'all') await redis.call('ACL', ...OBSERVING_USER)
    const broker = rights === 'all' ? url : url.replace('redis://', 'redis://dashboard:secret@')
    const queueApp = await observe(t, { broker, queues: ['emails'] }, { onError: error => t.fail(error.message) })
    const recorded = async () => (await queueApp.monitoring.executions({ limit: 200 })).executions
      .filter(({ finishedAt }) => finishedAt !== null)
    await waitFor('the history', async () => (await recorded()).length >= 30)
    // Another job finishes after all of these were compared.
    await queue.add('send', { to: 'last' })
    await waitFor('the last one', async () => (await recorded()).length >= 31)
    const executions = await recorded()
    t.equal(executions.length, 31)
    t.equal(executions.filter(({ executionId }) => /@\d+-\d+$/.test(executionId)).length, 0, 'none was rebuilt from its events')
  })
}

t.test('a job that its owner removes while it is being read is in the history once', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 5, 'emails', url, { defaultJobOptions: { removeOnComplete: { count: 3 } } })
  const worker = startOwnersWorker(t, 5, 'emails', url, { concurrency: 20 })
  // The response comes after the queue has been created.
  await queue.getJobCounts()
  const queueApp = QueueApp.fromQueues(queue, { backend: await embeddedUrl(t), onError: error => t.fail(error.message) })
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  for (let round = 1; round <= 10; round++) {
    await queue.addBulk(Array.from({ length: 100 }, (_, to) => ({ name: 'send', data: { to } })))
    await waitFor('the worker', async () => worker.outcomes.length >= 100 * round)
  }
  const success = async () => (await queueApp.monitoring.tasks())[0]!.executions.success
  await waitFor('the history', async () => await success() >= 1_000)
  // Another job, so that one more comparison with the queue has passed.
  await queue.add('send', { to: 'last' })
  await waitFor('the last one', async () => await success() >= 1_001)
  t.equal(await success(), 1_001)
})
