import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { READ_COMMANDS } from '../../../lib/stores/redis/observing/read-commands.ts'
import { Redis } from 'ioredis'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { Task } from '../../../schemas/task.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { embeddedUrl, redisUrl, startRedis } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

/** The tasks of the app are read again after this. */
const KNOWN_FOR_MS = 1_500

t.test('while the server of existing queues is unavailable, own tasks are shown as before, and unknown counts are never 0', async t => {
  const owners = await startRedis(t)
  const mail = openQueue(t, 6, 'mail', owners.url)
  await mail.add('send', { to: 'ada' })
  const { queueApp, read, status } = await startCombined(t, { broker: await redisUrl(t), queues: { broker: owners.url } }, app => {
    app.task('report', async () => 'done')
  })
  await queueApp.operations.pauseQueue('report')
  await queueApp.enqueue('report', [])
  await waitFor('both', async () => (await read<Stats>('/stats')).executions.pending === 2)
  await mail.close()
  await owners.stop()

  const tasks = await waitFor('unknown counts', async () => {
    const found = await read<Task[]>('/tasks')
    return Array.isArray(found) && found.some(({ executions }) => executions.pending === null) && found
  })
  t.same(tasks.map(({ name, executions }) => [name, executions.pending]), [['mail', null], ['report', 1]])
  t.same((await read<Queue[]>('/queues')).map(({ task_name: name, pending }) => [name, pending]), [['report', 1]])
  await waitFor('statistics without what is unknown', async () => (await read<Stats>('/stats')).executions.pending === null)
  t.equal((await read<ExecutionPage>('/executions?task_name=report')).total.value, 1)
  t.equal(await status('/executions?task_name=mail&status=pending'), 503)
  const page = await read<ExecutionPage>('/executions?partial=true')
  t.same(page.items.map(each => each.task_name), ['report'])
  t.same([page.missing, page.total.relation, page.next_cursor], ['in_flight', 'at_least', null])
  t.equal(await status('/executions'), 503, 'without partial, an incomplete list is refused')
  await queueApp.operations.resumeQueue('report')
  await waitFor('the own execution', async () => (await read<ExecutionPage>('/executions?status=success')).items.length === 1)
  const health = await waitFor('health', async () => {
    const found = await read<Health>('/health')
    return found.status === 'degraded' && found
  })
  t.notOk(health.components.broker.healthy)
})

t.test('while the own broker is unavailable, existing queues are shown as before', async t => {
  const [broker, owners] = [await startRedis(t), await redisUrl(t)]
  const mail = openQueue(t, 6, 'mail', owners)
  await mail.add('send', { to: 'ada' })
  const options = { broker: broker.url, backend: await embeddedUrl(t), queues: { broker: owners } }
  const { queueApp, read, status } = await startCombined(t, options, app => {
    app.task('report', async () => 'done')
  })
  t.equal((await read<Task[]>('/tasks')).length, 2)
  const waiting = (await read<ExecutionPage>('/executions?task_name=mail')).items[0]!
  await broker.stop()
  t.match(await read('/tasks/mail'), { executions: { pending: 1 }, workers: null })
  t.match(await queueApp.monitoring.queue('mail'), { pending: 1 })
  t.match(await read(`/executions/${encodeURIComponent(waiting.execution_id)}`), { status: 'pending' })
  t.equal((await read<ExecutionPage>('/executions?task_name=mail&status=pending')).items.length, 1)
  const tasks = await waitFor('unknown counts', async () => {
    const found = await read<Task[]>('/tasks')
    return Array.isArray(found) && found.some(({ executions }) => executions.pending === null) && found
  })
  t.same(tasks.map(({ name, workers, executions }) => [name, workers, executions.pending]), [['mail', null, 1], ['report', null, null]])
  t.equal(await status('/executions?task_name=report&status=pending'), 503)
  t.match(await read('/health'), { status: 'unhealthy' })
})

t.test('existing queues are shown and changed even if no one asked for anything before the own broker became unavailable', async t => {
  const [broker, owners] = [await startRedis(t), await redisUrl(t)]
  const mail = openQueue(t, 6, 'mail', owners)
  await mail.add('send', { to: 'ada' })
  const options = { broker: broker.url, backend: await redisUrl(t), queues: { broker: owners }, manage: true, names: false, onError() {} }
  const { queueApp, read } = await startCombined(t, options, app => { app.task('report', async () => 'done') })
  await broker.stop()
  await sleep(KNOWN_FOR_MS)
  t.same((await read<Task[]>('/tasks')).map(({ name }) => name), ['mail', 'report'])
  const { items: [waiting] } = await read<ExecutionPage>('/executions?task_name=mail')
  await queueApp.operations.cancelExecution(waiting!.execution_id)
  await waitFor('the cancellation in the history', async () =>
    (await read<ExecutionPage>('/executions?task_name=mail&status=cancelled')).items?.length === 1)
})

/** Commands for the connection itself. None of these touches a key. */
const OF_CONNECTIONS = ['hello', 'client', 'select', 'info', 'auth', 'monitor', 'cluster', 'ping', 'quit']

t.test('nothing is written to the server of existing queues', async t => {
  const owners = await startRedis(t)
  const mail = openQueue(t, 6, 'mail', owners.url)
  const worker = startOwnersWorker(t, 6, 'mail', owners.url, { skipStalledCheck: true })
  await mail.addBulk(Array.from({ length: 10 }, (_, index) => ({ name: 'send', data: { to: index, fail: index % 5 === 0 } })))
  await waitFor('the worker', async () => worker.outcomes.length === 10)
  await worker.close()
  await mail.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'send', data: {} })
  await mail.close()
  const redis = new Redis(owners.url)
  const dump = async (): Promise<Map<string, string | undefined>> => new Map(await Promise.all(
    (await redis.keys('*')).toSorted().map(async key => [key, (await redis.dumpBuffer(key))?.toString('hex')] as const)
  ))
  const before = await dump()
  const sent: string[] = []
  const monitor = (await redis.monitor()).on('monitor', (_time: string, [command]: string[]) => { sent.push(command!.toLowerCase()) })
  const { read, queueApp, write } = await startCombined(t, { broker: await redisUrl(t), queues: { broker: owners.url } }, app => {
    app.task('report', async () => { throw new Error('no paper') })
  })
  await queueApp.createScheduler().scheduleInterval('report', 60_000)
  await queueApp.enqueue('report', [])
  const failed = await waitFor('the history', async () => {
    const { items } = await read<ExecutionPage>('/executions?status=failed')
    return items.length === 3 && items
  })
  for (const { execution_id: id } of failed) await write('POST', `/executions/${encodeURIComponent(id)}/retry`)
  await write('POST', '/bulk', { action: 'delete', filter: {}, dry_run: false })
  for (const path of ['/stats', '/tasks', '/queues', '/schedules', '/workers', '/failures', '/audit', '/bulk']) await read(path)
  await waitFor('the end of the bulk operation', async () =>
    (await read<{ items: Array<{ state: string }> }>('/bulk')).items.every(({ state }) => state === 'done'))
  await queueApp.stop()
  monitor.disconnect()
  t.same(await dump(), before)
  const reads = [...READ_COMMANDS.map(command => command.toLowerCase()), 'eval_ro']
  const allowed = new Set([...reads, ...OF_CONNECTIONS, 'keys', 'dump'])
  t.same([...new Set(sent)].filter(command => !allowed.has(command)), [], 'every command reads')
  t.ok(sent.length > 50)
  redis.disconnect()
})

for (const away of ['existing queues', 'the app itself'] as const) {
  t.test(`while the broker of ${away} is unavailable, a bulk cancellation does the rest, and ends when it is back`, async t => {
    const server = await startRedis(t)
    const backend = await redisUrl(t)
    const [own, others] = away === 'the app itself' ? [server.url, await redisUrl(t)] : [await redisUrl(t), server.url]
    const mail = openQueue(t, 6, 'mail', others)
    await mail.addBulk(Array.from({ length: 3 }, () => ({ name: 'send', data: {} })))
    const options = { broker: own, backend, queues: { broker: others }, manage: true, names: false, onError: () => {} }
    const { queueApp } = await startCombined(t, options, app => { app.task('report', async () => 'done') })
    await queueApp.operations.pauseQueue('report')
    for (let index = 0; index < 2; index++) await queueApp.enqueue('report', [])
    const request = { action: 'cancel', filter: {}, taskNames: ['mail', 'report'], tasksLeftOut: 0 } as const
    await waitFor('all', async () => (await queueApp.monitoring.bulk.preview(request)).count.value === 5)
    if (away === 'existing queues') await mail.close()
    await server.stop()
    await waitFor('the outage', async () => (await queueApp.monitoring.bulk.preview(request)).count.relation === 'at_least')
    const { operationId } = await queueApp.operations.bulk.create(request)
    const find = () => queueApp.monitoring.bulk.find(operationId)
    let last: unknown
    await waitFor(() => `the part that can be done: ${JSON.stringify(last)}`, async () => {
      const operation = (await find())!
      last = operation
      return operation.progress?.done === (away === 'existing queues' ? 2 : 3) && operation.waitingFor === 'broker'
    })
    await server.start()
    await waitFor('the end', async () => (await find())?.state === 'done')
    const { progress } = (await find())!
    t.equal(progress!.failed, 0)
    t.ok(progress!.done >= (away === 'existing queues' ? 2 : 3))
  })
}
