import { existsSync } from 'node:fs'
import fastify from 'fastify'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { Task } from '../../../schemas/task.ts'
import { observe } from '../../support/observe.ts'
import { startSlowProxy } from '../../support/network/slow-proxy.ts'
import { openQueue } from '../../support/programs/owners-of-queues.ts'
import { closedPort } from '../../support/servers/closed-port.ts'
import { newEmbeddedUrl, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

for (const outage of ['away', 'silent'] as const) {
  t.test(`while one of two observed servers is ${outage}, the other is shown, and missing counts are never 0`, async t => {
    const [here, server] = [await redisUrl(t), await startRedis(t)]
    await openQueue(t, 6, 'mail', here).addBulk([{ name: 'send', data: {} }, { name: 'send', data: {} }])
    const orders = openQueue(t, 6, 'orders', server.url)
    await orders.add('send', {})
    const sources = [{ broker: here, label: 'a' }, { broker: server.url, label: 'b' }]
    const queueApp = QueueApp.fromQueues(sources, { names: false, onError: () => {} })
    await queueApp.start()
    const app = fastify()
    await app.register(dashboardPlugin, { queueApp, access: 'host' })
    t.teardown(async () => {
      await app.close()
      await queueApp.stop()
    })
    const read = async <Body>(path: string): Promise<Body> => (await app.inject(`/api${path}`)).json<Body>()
    t.same((await read<Task[]>('/tasks')).map(({ executions }) => executions.pending), [2, 1])
    t.same((await read<Stats>('/stats')).executions.pending, 3)
    await orders.close()
    if (outage === 'away') await server.stop()
    else server.freeze()

    const pendingOf = async (): Promise<unknown> => {
      const tasks = await read<Task[]>('/tasks')
      return Array.isArray(tasks) && tasks.map(({ name, executions }) => [name, executions.pending])
    }
    await waitFor('unknown counts', async () => JSON.stringify(await pendingOf()).includes('null'))
    t.same(await pendingOf(), [['a/mail', 2], ['b/orders', null]])
    t.same((await read<Queue[]>('/queues')).map(({ task_name: name, pending }) => [name, pending]), [['a/mail', 2]])
    await waitFor('the sum to be unknown', async () => (await read<Stats>('/stats')).executions.pending === null)
    const page = await read<ExecutionPage>('/executions?status=pending&partial=true')
    t.same(page.items.map(each => each.task_name), ['a/mail', 'a/mail'])
    t.same([page.missing, page.total.relation], ['in_flight', 'at_least'])
    t.equal((await app.inject('/api/executions?status=pending')).statusCode, 503, 'without partial, an incomplete list is refused')
    t.equal((await read<ExecutionPage>('/executions?status=pending&task_name=a/mail')).items.length, 2)
    t.equal((await app.inject('/api/executions?status=pending&task_name=b/orders')).statusCode, 503)
    await t.rejects(queueApp.monitoring.queue('b/orders'), { code: 'BROKER_UNAVAILABLE' }, 'the response is not "not found"')

    const first = await read<ExecutionPage>('/executions?status=pending&partial=true&limit=1')
    if (outage === 'away') await server.start()
    else server.thaw()
    await waitFor('both', async () => JSON.stringify(await pendingOf()) === JSON.stringify([['a/mail', 2], ['b/orders', 1]]))
    await waitFor('both queues', async () => (await read<Queue[]>('/queues')).length === 2)
    await waitFor('a complete list', async () => !('missing' in await read<ExecutionPage>('/executions?status=pending&partial=true')))
    const second = await read<ExecutionPage>(`/executions?status=pending&partial=true&limit=1&cursor=${first.next_cursor}`)
    t.equal(second.missing, 'in_flight', 'the following pages are incomplete too')
    t.same([first, second].map(({ items }) => items.map(each => each.task_name)), [['a/mail'], ['a/mail']])
  })
}

t.test('while one of two observed servers with many queues is slow, the other is shown, and reads are not refused', async t => {
  const [here, far] = [await redisUrl(t), await redisUrl(t)]
  await openQueue(t, 6, 'mail', here).addBulk([{ name: 'send', data: {} }, { name: 'send', data: {} }])
  await writeQueues(t, far, 150)
  const proxy = await startSlowProxy(t, far)
  const sources = [{ broker: here, label: 'a' }, { broker: proxy.url, label: 'b' }]
  const { monitoring } = await observe(t, sources, { names: false, onError: () => {} })
  await waitFor('all queues', async () => (await monitoring.tasks()).length === 151)
  // Each round trip is shorter than any deadline, but a page takes several.
  proxy.roundTripMs = 700
  const tasks = await monitoring.tasks()
  t.match(tasks.find(({ name }) => name === 'a/mail'), { schedules: 0, executions: { pending: 2 } })
  t.match(await monitoring.task('a/mail'), { schedules: 0, executions: { pending: 2 } })
  t.match((await monitoring.statistics()).schedules, { total: 0 })
  t.ok((await monitoring.queues()).some(({ taskName }) => taskName === 'a/mail'))
  for (const query of [{}, { status: 'pending' }] as const) {
    const page = await monitoring.executions({ ...query, partial: true })
    t.same([page.executions.map(({ taskName }) => taskName), page.missing], [['a/mail', 'a/mail'], 'inFlight'])
  }
  await t.rejects(monitoring.executions({ status: 'pending' }), { code: 'BROKER_UNAVAILABLE' }, 'an incomplete list is refused')
  // Makes the stop fast.
  proxy.roundTripMs = 0
})

/** Writes queues as BullMQ does, with one job each. */
async function writeQueues(t: Test, url: string, count: number): Promise<void> {
  const client = new Redis(url)
  t.teardown(() => client.disconnect())
  const pipeline = client.pipeline()
  for (let index = 0; index < count; index++) {
    const start = `bull:q${index}:`
    pipeline.hset(`${start}meta`, 'opts.maxLenEvents', 10_000, 'version', 'bullmq:6.7.0')
    pipeline.hset(`${start}1`, 'name', 'send', 'data', '{}', 'opts', '{}', 'timestamp', Date.now(), 'delay', 0, 'priority', 0)
    pipeline.lpush(`${start}wait`, '1')
  }
  await pipeline.exec()
}

t.test('while one of two observed servers is unavailable, the number of schedules of its tasks is unknown', async t => {
  const [here, server] = [await redisUrl(t), await startRedis(t)]
  const orders = openQueue(t, 6, 'orders', server.url)
  for (const queue of [openQueue(t, 6, 'mail', here), orders])
    await queue.upsertJobScheduler('yearly', { pattern: '0 0 1 1 *' }, { name: 'report' })
  await orders.addBulk([{ name: 'report', data: {} }, { name: 'refund', data: {} }])
  const sources = [{ broker: here, label: 'a' }, { broker: server.url, label: 'b' }]
  const queueApp = await observe(t, sources, { onError: () => {} })
  const { monitoring } = queueApp
  const app = fastify()
  await app.register(dashboardPlugin, {
    queueApp, access: 'host', scope: ({ headers }) => (task: string) => task === headers['x-task']
  })
  t.teardown(() => app.close())
  const statusOf = async (task: string, schedule: string): Promise<number> =>
    (await app.inject({ url: `/api/schedules/${encodeURIComponent(schedule)}`, headers: { 'x-task': task } })).statusCode
  await monitoring.executions({})
  const schedulesOf = async (): Promise<unknown> => (await monitoring.tasks()).map(({ name, schedules }) => [name, schedules])
  t.same(await schedulesOf(), [['a/mail', 1], ['b/orders', 1], ['b/orders:refund', 0], ['b/orders:report', 1]])
  await orders.close()
  await server.stop()
  const unknown = JSON.stringify([['a/mail', 1], ['b/orders', null], ['b/orders:refund', null], ['b/orders:report', null]])
  await waitFor('unknown numbers', async () => JSON.stringify(await schedulesOf()) === unknown)
  t.match((await monitoring.statistics()).schedules, { total: 1 }, 'the sum covers the known numbers')
  await t.rejects(monitoring.schedule('b/orders:yearly'), { code: 'BROKER_UNAVAILABLE' }, 'the response is not "not found"')
  t.match(await monitoring.schedule('a/mail:yearly'), { taskName: 'a/mail' })
  t.equal(await monitoring.schedule('a/mail:daily'), null)
  const digest = 'A'.repeat(43)
  t.same(await Promise.all(['a/mail:daily', 'b/orders:yearly', 'b/other:yearly', digest].map(id => statusOf('a/mail', id))),
    [404, 404, 404, 404], 'for users who may not see the queue, it looks like one that does not exist')
  t.same(await Promise.all(['b/orders:yearly', digest, 'b/other:yearly'].map(id => statusOf('b/orders:report', id))), [503, 503, 404])
  await server.start()
  await waitFor('all of them', async () => !JSON.stringify(await schedulesOf()).includes('null'))
})

for (const executionIds of [undefined, ['b/orders:1', 'a/mail:1']]) {
  const what = executionIds === undefined ? 'a bulk cancellation' : 'one of named executions'
  t.test(`while one of two observed servers is unavailable, ${what} says so, does what it can and waits for the rest`, async t => {
    const [here, server] = [await redisUrl(t), await startRedis(t)]
    const mail = openQueue(t, 6, 'mail', here)
    await mail.add('send', {})
    const orders = openQueue(t, 6, 'orders', server.url)
    await orders.add('send', {})
    const sources = [{ broker: here, label: 'a' }, { broker: server.url, label: 'b' }]
    const queueApp = await observe(t, sources, { names: false, manage: true, onError: () => {} })
    const request = { action: 'cancel', filter: {}, taskNames: ['a/mail', 'b/orders'], tasksLeftOut: 0 } as const
    t.match((await queueApp.monitoring.bulk.preview(request)).count, { value: 2, relation: 'exact' })
    await orders.close()
    await server.stop()
    await waitFor('the outage', async () => (await queueApp.monitoring.bulk.preview(request)).count.relation === 'at_least')
    const filter = executionIds === undefined ? {} : { executionIds }
    const { operationId } = await queueApp.operations.bulk.create({ ...request, filter })
    const waiting = await waitFor('the part that can be done', async () => {
      const operation = await queueApp.monitoring.bulk.find(operationId)
      return operation?.waitingFor === 'broker' && operation.progress?.done === 1 && operation
    })
    t.equal(waiting.state, 'running')
    t.equal(await mail.getWaitingCount(), 0)
    await server.start()
    await waitFor('its end', async () => (await queueApp.monitoring.bulk.find(operationId))?.state === 'done')
    t.match((await queueApp.monitoring.bulk.find(operationId))?.progress, { done: 2, skipped: 0, failed: 0 })
  })
}

t.test('named executions on an unavailable server are kept, and those on the others are checked by their tasks', async t => {
  const [here, server] = [await redisUrl(t), await startRedis(t)]
  const mail = openQueue(t, 6, 'mail', here)
  await mail.add('send', {})
  const orders = openQueue(t, 6, 'orders', server.url)
  await orders.addBulk([{ name: 'report', data: {} }, { name: 'refund', data: {} }])
  const sources = [{ broker: here, label: 'a' }, { broker: server.url, label: 'b' }]
  const queueApp = await observe(t, sources, { manage: true, onError: () => {} })
  await queueApp.monitoring.executions({})
  const app = fastify()
  await app.register(dashboardPlugin, {
    queueApp, authorize: ({ headers }, _action, { taskName }) => taskName === undefined || taskName !== headers['x-refused']
  })
  t.teardown(() => app.close())
  const post = (body: object, refused = '') => app.inject({
    method: 'POST', url: '/api/bulk', payload: { action: 'cancel', ...body }, headers: { 'x-refused': refused }
  })
  const filter = { execution_ids: ['b/orders:1', 'a/mail:1', 'b/orders:2'] }
  t.match((await post({ filter, dry_run: true })).json(), { count: { value: 3, relation: 'exact' }, task_count: 3 })
  await orders.close()
  await server.stop()

  t.equal((await post({ filter: { execution_ids: ['b/orders:1'] }, dry_run: true })).statusCode, 503, 'nothing can be looked up')
  const refused = await post({ filter, dry_run: true }, 'b/orders:refund')
  t.match(refused.json(), { count: { value: 1, relation: 'exact' }, task_count: 1 }, 'each of them may be of the task that is refused')
  const preview = (await post({ filter, dry_run: true })).json<{ token: string }>()
  t.match(preview, { count: { value: 1, relation: 'at_least' }, sample: [{ execution_id: 'a/mail:1' }] })
  const started = await post({ filter, dry_run: false, token: preview.token })
  t.equal(started.statusCode, 202)
  t.match(started.json(), { executions_checked: false, execution_count: 3, executions_left_out: 0 })
  const { operation_id: id } = started.json<{ operation_id: string }>()
  const waiting = await waitFor('the part that can be done', async () => {
    const operation = await queueApp.monitoring.bulk.find(id)
    return operation?.waitingFor === 'broker' && operation.progress?.done === 1 && operation
  })
  t.equal(waiting.state, 'running')
  await server.start()
  await waitFor('its end', async () => (await queueApp.monitoring.bulk.find(id))?.state === 'done')
  t.match((await queueApp.monitoring.bulk.find(id))?.progress, { done: 3, skipped: 0, failed: 0 })
})

t.test('the result backend is not opened if a server refuses the connection', async t => {
  const backend = await newEmbeddedUrl(t)
  const queueApp = QueueApp.fromQueues({ broker: `redis://127.0.0.1:${await closedPort(t)}` }, { backend, onError: () => {} })
  await t.rejects(queueApp.start(), { code: 'STORE_UNREACHABLE' })
  t.notOk(existsSync(backend.slice('embedded:'.length)))
})

t.test('stop() does not wait until all queues of a slow server have been read', async t => {
  const server = await startRedis(t, { persistent: false })
  const names = Array.from({ length: 30 }, (_, index) => `q${index}`)
  for (const name of names) await openQueue(t, 6, name, server.url).add('send', {})
  const proxy = await startSlowProxy(t, server.url)
  proxy.roundTripMs = 500
  const queueApp = QueueApp.fromQueues({ broker: proxy.url }, { names: false, backend: await redisUrl(t), onError: () => {} })
  await queueApp.start()
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  const reads = async (): Promise<number> => Number(/cmdstat_xread:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0)
  // The size of their events is unknown, so each stream is read separately at first.
  await waitFor('it to read', async () => await reads() > 0)
  await queueApp.stop()
  t.ok(await reads() < names.length, `${await reads()} streams were read`)
})
