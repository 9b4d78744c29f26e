import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { queueNameFromTask } from '../../lib/engine/jobs/queue-name.ts'
import { markQueue, queueIndexKey, tendQueueIndex } from '../../lib/engine/queues/redis-queue-index.ts'
import type { RedisStore } from '../../lib/stores/store.ts'
import { enqueueAll, startEngine, startRedisEngine } from '../contracts/engine-work.ts'
import { listed, taskNames, testManyTasks } from '../contracts/engine-many-tasks.ts'
import { embeddedUrl, postgresUrl } from '../support/servers/stores.ts'

t.test('many tasks read the same as a few on Redis', async t => {
  const { engine, store } = await startRedisEngine(t)
  // As if the marks of all queues had aged.
  await testManyTasks(t, engine, names => tendQueueIndex(store, names.map(queueNameFromTask), { markAgedAfterS: -1 }))
})
t.test('many tasks read the same as a few on PostgreSQL', async t => testManyTasks(t, (await startEngine(t, await postgresUrl(t))).engine))
t.test('many tasks read the same as a few when embedded', async t => testManyTasks(t, (await startEngine(t, await embeddedUrl(t))).engine))

t.test('reads of many tasks on Redis use only the queues in the index, or all queues without a current index', async t => {
  const { engine, store } = await startRedisEngine(t)
  const names = taskNames()
  const [id] = await enqueueAll(engine, names[40]!, [{}])
  const index = queueIndexKey(store.keyPrefix)
  t.equal((await engine.find(names, id!))?.state, 'waiting', 'before the first pass')
  await engine.indexQueues(names)
  t.same((await listed(engine, names)), [id])
  await store.client.zrem(index, queueNameFromTask(names[40]!))
  t.same((await listed(engine, names)), [], 'only the index is used')
  await engine.indexQueues(names)
  t.same((await listed(engine, names)), [id], 'the pass put it back')
  await store.client.del(index)
  t.same((await listed(engine, names)), [id])
  t.equal((await engine.summary(names)).pending, 1)
  t.equal((await engine.find(names, id!))?.state, 'waiting')

  await engine.indexQueues(names)
  const passedAt = Number(await store.client.zscore(index, '~complete'))
  await store.client.zrem(index, queueNameFromTask(names[40]!))
  await store.client.zadd(index, passedAt - 200, '~complete')
  t.same((await listed(engine, names)), [id], 'no pass for minutes, so all queues are read')
})

t.test('empty queues and those of unknown tasks leave the index once their mark has aged', async t => {
  const { engine, store } = await startRedisEngine(t)
  const [held, emptied, forgotten] = ['held', 'emptied', 'forgotten'].map(name => `${name} ${randomUUID()}`) as [string, string, string]
  const indexed = async () =>
    (await store.client.zrange(queueIndexKey(store.keyPrefix), '0', '-1')).filter(name => name !== '~complete').toSorted()
  await enqueueAll(engine, held, [{}])
  await markQueue(store.client, store.keyPrefix, queueNameFromTask(emptied))
  await markQueue(store.client, store.keyPrefix, queueNameFromTask(forgotten))
  await engine.indexQueues([held, emptied])
  t.equal((await indexed()).length, 3, 'a marked queue may be about to receive something')
  await tendQueueIndex(store, [held, emptied].map(queueNameFromTask), { markAgedAfterS: -1 })
  t.same(await indexed(), [queueNameFromTask(held)])
})

t.test('more queues than one script can handle are all indexed and read', async t => {
  const { engine, store } = await startRedisEngine(t)
  const names = Array.from({ length: 1_100 }, (_, index) => `task ${index}`)
  const queues = names.map(queueNameFromTask)
  for (const queue of queues) void markQueue(store.client, store.keyPrefix, queue)
  const ids = (await Promise.all([0, 600, 1_099].map(index => enqueueAll(engine, names[index]!, [{}])))).flat()
  await engine.indexQueues(names)
  t.same((await listed(engine, names)).toSorted(), ids.toSorted(), 'the index is too long for one script')
  for (let passes = 0; passes < 3; passes++) await tendQueueIndex(store, queues, { markAgedAfterS: -1 })
  t.equal(await store.client.zcard(queueIndexKey(store.keyPrefix)), 4)
  t.same((await listed(engine, names)).toSorted(), ids.toSorted())
})

t.test('an execution added long after its queue was marked is found, although a pass ran in between', async t => {
  const { engine, store } = await startRedisEngine(t)
  const names = taskNames()
  const queues = names.map(queueNameFromTask)
  await engine.indexQueues(names)
  await markQueue(store.client, store.keyPrefix, queues[3]!)
  await tendQueueIndex(store, queues)
  const bare = bareQueue(t, store, names[3]!)
  await bare.add('x', {}, { jobId: 'late' })
  t.ok(await engine.find(names, 'late'))
})

t.test('after FLUSHALL everything new is found, including jobs of other code', async t => {
  const { engine, store } = await startRedisEngine(t)
  const names = taskNames()
  await enqueueAll(engine, names[1]!, [{}])
  await engine.indexQueues(names)
  await store.client.flushdb()
  t.same((await listed(engine, names)), [])
  const [id] = await enqueueAll(engine, names[1]!, [{}])
  await bareQueue(t, store, names[2]!).add('x', {}, { jobId: 'bare' })
  t.same((await listed(engine, names)).toSorted(), ['bare', id].toSorted())
  await engine.indexQueues(names)
  t.same((await listed(engine, names)).toSorted(), ['bare', id].toSorted())
})

t.test('jobs that other code added are found after a pass', async t => {
  const { engine, store } = await startRedisEngine(t)
  const names = taskNames()
  await engine.indexQueues(names)
  const bare = bareQueue(t, store, names[5]!)
  await bare.add('x', {}, { jobId: 'bare' })
  await bare.upsertJobScheduler('bare scheduler', { every: 3_600_000 })
  await engine.indexQueues(names)
  t.ok(await engine.find(names, 'bare'))
  t.equal((await engine.counts(names)).get(names[5]!)?.pending, 2)
})

t.test('an execution is enqueued even if its queue cannot be marked', async t => {
  const { engine, store } = await startRedisEngine(t)
  await store.client.set(queueIndexKey(store.keyPrefix), 'no sorted set')
  const [id] = await enqueueAll(engine, 'a', [{}])
  t.equal((await engine.find(['a'], id!))?.state, 'waiting')
})

/** A queue as another program uses it, without our index. */
function bareQueue(t: Test, store: RedisStore, taskName: string): Queue {
  const connection = (store.client as Redis).duplicate()
  const queue = new Queue(queueNameFromTask(taskName), { connection, prefix: store.keyPrefix })
  t.teardown(async () => {
    await queue.close()
    connection.disconnect()
  })
  return queue
}
