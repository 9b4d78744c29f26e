import t from 'tap'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'
import { findManyOnRedis } from '../../../lib/engine/queues/redis-find.ts'
import { enqueueAll, startRedisEngine } from '../../contracts/engine-work.ts'

for (const [queues, expected] of [[1, 1], [40, 2], [60, 20]] as const) {
  t.test(`searching ${queues} queues for 200 missing jobs takes ${expected} scripts, and found jobs take one more for ten`, async t => {
    const { engine, store } = await startRedisEngine(t)
    const taskNames = Array.from({ length: queues }, (_, index) => `task ${index}`)
    const there = await enqueueAll(engine, 'task 0', [{}, {}, {}])
    let scripts = 0
    const client = new Proxy(store.client, {
      get(target, name, receiver) {
        if (name === 'eval') scripts++
        return Reflect.get(target, name, receiver) as unknown
      }
    })
    const selection = selectNames(taskNames.map(name => engine.queueOf(name)))
    await engine.indexQueues(taskNames)
    const gone = Array.from({ length: 200 }, (_, index) => `gone-${index}`)
    t.same(await findManyOnRedis({ ...store, client }, selection, gone), [])
    t.equal(scripts, expected)
    const found = await findManyOnRedis({ ...store, client }, selection, [...gone.slice(3), ...there])
    t.same(found.map(({ job, state }) => [job.id, state]), there.map(id => [id, 'waiting']))
    t.equal(scripts, 2 * expected + 1)
  })
}

t.test('an id that equals the name of another key of the queue is not a job', async t => {
  const { engine, store } = await startRedisEngine(t)
  const ids = await enqueueAll(engine, 'one', [{}])
  const keys = await store.client.keys(`${store.keyPrefix}:${engine.queueOf('one')}:*`)
  const names = keys.map(key => key.slice(key.lastIndexOf(':') + 1))
  t.ok(names.includes('meta'), names.join(' '))
  const found = await findManyOnRedis(store, selectNames([engine.queueOf('one')]), [...new Set([...names, ...ids])])
  t.same(found.map(({ job }) => job.id), ids)
})
