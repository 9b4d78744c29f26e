import { Redis } from 'ioredis'
import t from 'tap'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The keys of a queue that another tool could have overwritten. */
const KINDS = [
  'wait', 'paused', 'active', 'delayed', 'prioritized', 'completed', 'failed', 'waiting-children', 'repeat', 'events', 'limiter'
]

t.test('a key with a wrong type hides only its own content, and nothing else of any queue', async t => {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const sound = openQueue(t, 6, 'sound', url)
  await sound.addBulk(Array.from({ length: 3 }, () => ({ name: 'send', data: {} })))
  for (const kind of KINDS) {
    const odd = openQueue(t, 6, `odd-${kind}`, url)
    await odd.add('send', {}, { delay: kind === 'delayed' ? 0 : 3_600_000 })
    await redis.del(odd.toKey(kind))
    if (kind === 'limiter') await redis.rpush(odd.toKey(kind), 'another tool')
    else await redis.set(odd.toKey(kind), 'another tool')
  }
  await redis.set('bull:odd-meta:meta', 'another tool')
  const queues = ['sound', 'odd-meta', ...KINDS.map(kind => `odd-${kind}`)]
  const queueApp = await observe(t, { broker: url, queues }, { onError() {} })
  const { monitoring } = queueApp

  const tasks = await monitoring.tasks()
  t.equal(tasks.length, KINDS.length + 2)
  t.equal(tasks.find(({ name }) => name === 'sound')?.executions.pending, 3)
  t.equal(tasks.find(({ name }) => name === 'odd-wait')?.executions.pending, 1, 'its delayed job is still counted')
  t.match(await monitoring.statistics(), { executions: { pending: 3 + KINDS.length } })
  t.equal((await monitoring.executions({ status: 'pending', limit: 100 })).executions.length, 3 + KINDS.length)
  const states = await Promise.all(['sound', 'odd-meta', 'odd-wait'].map(name => monitoring.queue(name)))
  t.match(states, [{ pending: 3 }, { pending: 0 }, { pending: 1 }])
  const [first] = (await monitoring.executions({ status: 'pending', taskName: 'odd-limiter', limit: 1 })).executions
  t.ok(await monitoring.why(first!.executionId), 'why it waits')

  const worker = startOwnersWorker(t, 6, 'sound', url)
  await waitFor('the worker', async () => worker.outcomes.length === 3)
  await waitFor('the history', async () =>
    (await monitoring.tasks()).find(({ name }) => name === 'sound')?.executions.success === 3)

  t.equal((await monitoring.health()).status, 'degraded', 'the queues are read')
  const problem = async () => (await monitoring.health()).components.broker.message ?? ''
  const text = await problem()
  t.match(
    text, /The key bull:odd-\S+ is not of the type that BullMQ keeps there, so what it should say about the queue odd-\S+ is not known/
  )
  await redis.del(...KINDS.map(kind => `bull:odd-${kind}:${kind}`), 'bull:odd-meta:meta')
  await waitFor('health to recover when the keys are gone', async () => !(await problem()).includes('is not of the type'))
})
