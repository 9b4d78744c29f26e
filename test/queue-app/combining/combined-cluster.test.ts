import { Cluster } from 'ioredis'
import t, { type Test } from 'tap'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Health } from '../../../schemas/health.ts'
import type { Queue } from '../../../schemas/queue.ts'
import type { Stats } from '../../../schemas/stats.ts'
import type { Task } from '../../../schemas/task.ts'
import { openQueue, OWNERS, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { startRedisSentinels } from '../../support/servers/redis-sentinel.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

/** Each of the three nodes of the cluster has one of these queues. */
const NAMES = ['{a}', '{b}', '{c}']

function clusterAt(t: Test, port: number): Cluster {
  const cluster = new Cluster([{ host: '127.0.0.1', port }], { redisOptions: { maxRetriesPerRequest: null } })
  cluster.on('error', () => {})
  t.teardown(() => { cluster.disconnect() })
  return cluster
}

t.test('the queues of a cluster are shown, changed and recorded beside own tasks, even while a node is unavailable', async t => {
  const nodes = await startRedisCluster(t, { isPartial: true })
  const [{ port, url }] = nodes as [typeof nodes[number]]
  const connection = clusterAt(t, port)
  const queues = NAMES.map(name => openQueue(t, 6, name, url, { connection }))
  const workers = NAMES.map(name => startOwnersWorker(t, 6, name, url, { connection }))
  await Promise.all(queues.map(queue => queue.addBulk([
    { name: 'send', data: { to: 'ada' } }, { name: 'send', data: { fail: true } }, { name: 'send', data: {}, opts: { delay: 600_000 } }
  ])))
  const { queueApp, read, status, write } = await startCombined(
    t, { broker: await redisUrl(t), queues: { broker: url }, manage: true },
    app => { app.task('report', async () => { throw new Error('no paper') }) })
  await queueApp.enqueue('report', [])
  await waitFor('the workers', async () => workers.every(({ outcomes }) => outcomes.length === 2))
  const failed = await waitFor('every failure', async () => {
    const { items } = await read<ExecutionPage>('/executions?status=failed')
    return items.length === NAMES.length + 1 && items
  })
  t.same(failed.map(each => each.task_name).toSorted(), ['report', ...NAMES])
  t.equal((await read<ExecutionPage>('/executions?status=pending')).items.length, NAMES.length)
  t.equal((await read<ExecutionPage>('/executions?status=success')).items.length, NAMES.length)
  for (const { execution_id: id, task_name: name } of failed)
    t.equal((await write('POST', `/executions/${encodeURIComponent(id)}/retry`)).status, 202, name)
  await waitFor('the retries', async () => workers.every(({ outcomes }) => outcomes.length === 3))
  await Promise.all(workers.map(({ close }) => close()))

  await nodes[2]!.kill()
  const health = await waitFor('the outage', async () => {
    const found = await read<Health>('/health')
    return found.status !== 'healthy' && found
  })
  t.equal(health.status, 'degraded', JSON.stringify(health.components.broker))
  const tasks = await waitFor('counts of what can be read', async () => {
    const found = await read<Task[]>('/tasks')
    return Array.isArray(found) && found.filter(({ executions }) => executions.pending !== null).length === 3 && found
  })
  t.equal(tasks.length, NAMES.length + 1)
  t.ok(tasks.find(({ name }) => name === 'report')!.executions.pending !== null)
  const pending = await read<ExecutionPage>('/executions?status=pending&partial=true')
  t.equal(pending.items.length, 2, 'two of three nodes answer')
  t.equal(pending.missing, 'in_flight')
  t.equal(await status('/executions?status=pending'), 503, 'without partial, an incomplete list is refused')
  t.equal((await read<Queue[]>('/queues')).length, 3)
  t.same((await read<Stats>('/stats')).executions.pending, null, 'an incomplete sum is unknown')
  t.equal(await status('/executions?task_name=report'), 200)
})

t.test('a Sentinel failover of existing queues loses nothing, and own tasks continue', async t => {
  const group = await startRedisSentinels(t)
  const source = { sentinels: group.sentinels.map(({ port }) => ({ host: '127.0.0.1', port })), name: group.name }
  const first = await ownerAt(t, (await group.primary()).url)
  const { queueApp, read } = await startCombined(
    t, { broker: await redisUrl(t), queues: { broker: source } }, app => { app.task('report', async () => 'done') })
  await first.queue.add('send', { to: 'ada' })
  await waitFor('the first', async () => (await read<ExecutionPage>('/executions?task_name=mail&status=success')).items?.length === 1)
  await first.close()
  await group.failover()
  await queueApp.enqueue('report', [])
  await waitFor('the own task', async () => (await read<ExecutionPage>('/executions?task_name=report&status=success')).items?.length === 1)
  const before = first.url
  const next = await waitFor('the new primary', async () => {
    const { url } = await group.primary()
    return url !== before && url
  })
  const second = await ownerAt(t, next)
  await second.queue.add('send', { to: 'ben' })
  await waitFor('the second', async () =>
    (await read<ExecutionPage>('/executions?task_name=mail&status=success')).items?.length === 2)
  // The other component states that the old primary may have accepted more jobs.
  await waitFor('health', async () => (await read<Health>('/health')).components.broker.healthy)
  t.pass('both are in the history')
})

async function ownerAt(t: Test, url: string) {
  const queue = openQueue(t, 6, 'mail', url)
  const worker = startOwnersWorker(t, 6, 'mail', url)
  await queue.waitUntilReady()
  return { url, queue, close: async () => { await Promise.all([worker.close(), queue.close()]) } }
}

t.test('BullMQ itself refuses a flow whose queues are in two slots of a cluster', async t => {
  const [node] = await startRedisCluster(t)
  const flow = new OWNERS[6].FlowProducer({ connection: clusterAt(t, node!.port) })
  flow.on('error', () => {})
  t.teardown(() => flow.close())
  await t.rejects(flow.add({ name: 'album', queueName: '{a}', data: {}, children: [{ name: 'small', queueName: '{b}', data: {} }] }))
})
