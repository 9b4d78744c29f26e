/** A user of Redis that may read some keys of a server and not others. */
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin } from '../../../lib/index.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Task } from '../../../schemas/task.ts'
import { OBSERVING_USER } from '../../support/documented-rights.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

/** @param isMany more queues than are read in one command */
async function openServer(t: Test, isMany: boolean) {
  const server = await startRedis(t)
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  const names = ['mail', 'orders', ...isMany ? Array.from({ length: 60 }, (_, index) => `more${index}`) : []]
  const queues = new Map(names.map(name => [name, openQueue(t, 6, name, server.url)]))
  for (const queue of queues.values()) await queue.add('send', {})
  const allow = (...keys: string[]): Promise<unknown> => redis.call('ACL', 'SETUSER', 'dashboard', 'resetkeys', ...keys)
  await redis.call('ACL', ...OBSERVING_USER)
  const queueApp = await observe(
    t, { broker: server.url.replace('redis://', 'redis://dashboard:secret@') }, { names: false, onError() {} }
  )
  const app = fastify()
  await app.register(dashboardPlugin, { queueApp, access: 'host' })
  t.teardown(() => app.close())
  const read = async <Body>(path: string): Promise<Body> => (await app.inject(`/api${path}`)).json<Body>()
  const pending = async (): Promise<Record<string, number | null>> =>
    Object.fromEntries((await read<Task[]>('/tasks')).map(({ name, executions }) => [name, executions.pending]))
  return { server, redis, names, queues, allow, app, read, pending }
}

/** Everything but what these patterns of one queue match. */
const withoutOrders = (names: readonly string[]): string[] => names.filter(name => name !== 'orders').map(name => `~bull:${name}:*`)

for (const [what, isMany, ofOrders] of [
  ['all keys of a queue', false, []],
  ['all keys of one of many queues', true, []],
  ['one list of a queue', false, ['~bull:orders:meta', '~bull:orders:events', '~bull:orders:active', '~bull:orders:delayed']]
] as const) {
  t.test(`if the right to ${what} is taken away, only this queue is unknown, and health says why`, async t => {
    const { server, names, queues, allow, app, read, pending } = await openServer(t, isMany)
    await waitFor('all', async () => Object.values(await pending()).filter(count => count === 1).length === names.length)
    await allow(...withoutOrders(names), ...ofOrders)

    const expected = Object.fromEntries(names.map(name => [name, name === 'orders' ? null : 1]))
    await waitFor('the refusal', async () => (await pending())['orders'] === null)
    t.same(await pending(), expected)
    t.equal((await read<Queue[]>('/queues')).length, names.length - 1)
    t.equal((await read<ExecutionPage>('/executions?status=pending&task_name=mail')).items.length, 1)
    const page = await read<ExecutionPage>('/executions?status=pending&partial=true&limit=100')
    t.same([page.items.length, page.missing], [names.length - 1, 'in_flight'])
    const refused = await app.inject('/api/executions?status=pending&task_name=orders')
    t.same([refused.statusCode, refused.json<{ code: string }>().code], [500, 'STORE_REFUSED'])
    const health = await app.inject('/api/health')
    t.equal(health.statusCode, 200, 'the other queues are read')
    t.match(health.json<Health>(), {
      status: 'degraded', components: { broker: { healthy: false, message: /may not|cannot be read.*"orders"/ } }
    })

    const worker = startOwnersWorker(t, 6, 'mail', server.url)
    await waitFor('the job', async () => worker.outcomes.length === 1)
    await waitFor('the history of the other queue', async () =>
      (await read<ExecutionPage>('/executions?status=success&task_name=mail')).items.length === 1)

    await queues.get('orders')!.add('send', {})
    await allow('~bull:*')
    await waitFor('the queue', async () => (await pending())['orders'] === 2)
    await waitFor('health', async () => !/"orders"/.test((await read<Health>('/health')).components.broker.message ?? ''))
  })
}

t.test('if the jobs of a queue may not be read, lists say that they are incomplete', async t => {
  const { names, allow, read } = await openServer(t, false)
  const kinds = [
    'meta', 'events', 'wait', 'paused', 'active', 'delayed', 'prioritized', 'waiting-children', 'repeat', 'completed', 'failed'
  ]
  await allow(...withoutOrders(names), ...kinds.map(kind => `~bull:orders:${kind}`))
  const page = await read<ExecutionPage>('/executions?status=pending&partial=true')
  t.same([page.items.map(each => each.task_name), page.missing], [['mail'], 'in_flight'])
})

for (const [what, keys] of [['all keys', ['~other']], ['one key of each', ['~bull:*:meta', '~bull:*:events']]] as const) {
  t.test(`if the right to ${what} of all queues is taken away, the broker is unhealthy`, async t => {
    const { names, allow, app, pending } = await openServer(t, false)
    await waitFor('all', async () => Object.values(await pending()).filter(count => count === 1).length === names.length)
    await allow(...keys)
    const health = await waitFor('the refusal', async () => {
      await app.inject('/api/tasks')
      const answer = await app.inject('/api/health')
      return answer.statusCode === 503 && answer.json<Health>()
    })
    t.match(health, { status: 'unhealthy', components: { broker: { healthy: false } } })
  })
}
