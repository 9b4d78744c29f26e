import t from 'tap'
import { selectNames } from '../../../lib/engine/queues/queue-selection.ts'
import { findManyOnRedis } from '../../../lib/engine/queues/redis-find.ts'
import { enqueueAll, startRedisEngine } from '../../contracts/engine-work.ts'

for (const [queues, expected] of [[1, 1], [40, 2], [60, 20]] as const) {
  t.test(`200 jobs that are gone take ${expected} scripts in ${queues} queues, and those that are there one more for ten`, async t => {
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

t.test('an id that is the name of another key of the queue is no job', async t => {
  const { engine, store } = await startRedisEngine(t)
  const ids = await enqueueAll(engine, 'one', [{}])
  const keys = await store.client.keys(`${store.keyPrefix}:${engine.queueOf('one')}:*`)
  const names = keys.map(key => key.slice(key.lastIndexOf(':') + 1))
  t.ok(names.includes('meta'), names.join(' '))
  const found = await findManyOnRedis(store, selectNames([engine.queueOf('one')]), [...new Set([...names, ...ids])])
  t.same(found.map(({ job }) => job.id), ids)
})
