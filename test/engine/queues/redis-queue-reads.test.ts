import t from 'tap'
import { PENDING_STATES, RUNNING_STATES } from '../../../lib/engine/queues/queue-reads.ts'
import { createRedisQueueReads } from '../../../lib/engine/queues/redis-queue-reads.ts'
import type { RedisStore } from '../../../lib/stores/store.ts'
import { enqueueAll, startRedisEngine } from '../../contracts/engine-work.ts'

for (const [size, queues] of [[3, 70], [130, 4], [400, 4]] as const) {
  t.test(`a job that returns to another state between two scripts is read once, ${size} of each state`, async t => {
    const { engine, store } = await startRedisEngine(t)
    const taskNames = Array.from({ length: queues }, (_, index) => `task ${index}`)
    const queueNames = taskNames.map(name => engine.queueOf(name))
    const started: string[] = []
    for (const [index, taskName] of taskNames.entries()) {
      const [id] = await enqueueAll(engine, taskName, [{}])
      await store.client.lmove(keyOf(store, queueNames[index]!, 'wait'), keyOf(store, queueNames[index]!, 'active'), 'LEFT', 'LEFT')
      started.push(id!)
    }

    let scripts = 0
    const client = new Proxy(store.client, {
      get(target, name, receiver) {
        if (name !== 'eval') return Reflect.get(target, name, receiver) as unknown
        return async (...given: Parameters<typeof target.eval>) => {
          scripts++
          const answer = target.eval(...given)
          // The server does this before the next script, which was sent together with the first.
          const moves = queueNames.map(queue => target.lmove(keyOf(store, queue, 'active'), keyOf(store, queue, 'wait'), 'LEFT', 'LEFT'))
          await Promise.all(moves)
          return await answer
        }
      }
    })
    const requests = queueNames.flatMap(queueName => [...PENDING_STATES, ...RUNNING_STATES].map(state =>
      ({ queueName, state, order: 'oldest' as const, offset: 0, size, from: null })))
    const ranges = await createRedisQueueReads({ ...store, client }).ranges(requests, Date.now())
    t.ok(scripts > 1, `${scripts} scripts`)
    t.same(ranges.flatMap(({ jobs }) => jobs.map(({ job }) => job.id)).toSorted(), started.toSorted())
  })
}

function keyOf({ keyPrefix }: RedisStore, queueName: string, list: string): string {
  return `${keyPrefix}:${queueName}:${list}`
}
