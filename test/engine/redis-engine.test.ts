import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import t from 'tap'
import type { TaskDashboardError } from '../../lib/errors.ts'
import { testEngine } from '../contracts/engine.ts'
import { enqueueAll, startEngine } from '../contracts/engine-work.ts'
import { testOutage } from '../contracts/engine-outage.ts'
import { inBatches } from '../support/in-batches.ts'
import { redisUrl, startRedis } from '../support/servers/stores.ts'
import { waitFor } from '../support/wait-for.ts'

t.test('the engine keeps its contract on Redis', async t => testEngine(t, redisUrl))
t.test('the engine survives an outage of Redis', async t => testOutage(t, startRedis))

t.test('pages over more queues than a page has executions repeat nothing', async t => {
  const { engine } = await startEngine(t, await redisUrl(t))
  const taskNames = Array.from({ length: 250 }, (_, index) => `task ${index}`)
  const ids = (await inBatches(taskNames, 5, taskName => enqueueAll(engine, taskName, Array.from({ length: 5 }, () => ({}))))).flat()
  const query = { taskNames, status: 'pending', order: 'newest', limit: 200 } as const
  const first = await waitFor('the first page', () => engine.inFlight(query))
  const second = await waitFor('the second page', () => engine.inFlight({ ...query, cursor: first.next! }))
  const seen = new Set([...first.executions, ...second.executions].map(({ executionId }) => executionId))
  t.equal(seen.size, 400)
  t.ok([...seen].every(id => ids.includes(id)))
})

t.test('a list transfers no payloads from Redis', async t => {
  const url = await redisUrl(t)
  const { engine } = await startEngine(t, url)
  const taskName = 'large'
  await inBatches(Array.from({ length: 20 }), 1, () => enqueueAll(engine, taskName, [{ args: ['x'.repeat(200_000)] }]))
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const sent = async (): Promise<number> => Number(/total_net_output_bytes:(\d+)/.exec(await redis.info('stats'))![1])
  const before = await sent()
  const { executions } = await engine.inFlight({ taskNames: [taskName], status: 'pending', order: 'newest', limit: 50 })
  t.equal(executions.length, 20)
  t.ok(await sent() - before < 400_000)
})

t.test('when Redis runs out of memory during a batch, the error names the executions that were added', async t => {
  const server = await startRedis(t, { persistent: false })
  const { engine } = await startEngine(t, server.url)
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  // A busy machine may need longer to respond than a caller waits. If so, try again.
  let taskName = ''
  const error = await waitFor('an answer in time', async () => {
    taskName += 'full'
    await redis.config('SET', 'maxmemory', 0)
    await redis.flushall()
    await enqueueAll(engine, 'other', [{}])
    const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))![1])
    await redis.config('SET', 'maxmemory', used + 1_000_000)
    const requests = Array.from({ length: 150 }, () => ({ executionId: randomUUID(), args: ['x'.repeat(20_000)] }))
    const error = await enqueueAll(engine, taskName, requests).catch((error: unknown) => error) as TaskDashboardError
    return error.unconfirmedIds?.length === requests.length ? null : error
  })
  t.match(error, { code: 'BROKER_UNAVAILABLE', unconfirmedIds: [] }, 'the server refused the others')
  await redis.config('SET', 'maxmemory', 0)
  const { executions } = await engine.inFlight({ taskNames: [taskName], status: 'pending', order: 'oldest', limit: 150 })
  t.ok(executions.length > 0 && executions.length < 150, `${executions.length}`)
  t.same(new Set(error.enqueuedIds), new Set(executions.map(({ executionId }) => executionId)))
})
