import { Cluster, Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { hashSlotOf } from '../../../lib/stores/redis/observing/hash-slot.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import type { TestServer } from '../../support/servers/child-server.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { beginSlotMove } from '../../support/servers/slot-move.ts'
import { OBSERVING_USER } from '../../support/documented-rights.ts'
import { waitFor } from '../../support/wait-for.ts'
import { checkOwnersLog, KEPT } from './owners-log.ts'

const nodes = await startRedisCluster(t)
const [first] = nodes
/** Each of the three nodes has some of these queues. */
const NAMES = ['{a}', '{b}', '{c}', '{emails}', '{invoices}', '{reports}']
const JOBS = 120

function connectionTo({ port }: TestServer): Cluster {
  const cluster = new Cluster([{ host: '127.0.0.1', port }], { redisOptions: { maxRetriesPerRequest: null } })
  cluster.on('error', () => {})
  return cluster
}

function owner(t: Test, name: string, node: TestServer, options: object = {}) {
  const connection = connectionTo(node)
  t.teardown(() => { connection.disconnect() })
  return {
    queue: openQueue(t, 6, name, node.url, { connection, ...options }),
    startWorker: () => startOwnersWorker(t, 6, name, node.url, { connection, ...options })
  }
}

async function historyOf(queueApp: QueueApp, name: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await queueApp.monitoring.executions({ taskName: name, limit: 200, ...cursor !== undefined && { cursor } })
    ids.push(...page.executions.filter(({ finishedAt }) => finishedAt !== null).map(({ executionId, status }) =>
      `${executionId.replace(/^[^:]*:/, '').replace(/@[\d-]+$/, '')} ${status}`))
    if (page.nextCursor === null) return ids.sort()
    cursor = page.nextCursor
  }
}

async function flush(): Promise<void> {
  await Promise.all(nodes.map(async ({ url }) => {
    const redis = new Redis(url)
    await redis.flushall()
    redis.disconnect()
  }))
}

t.test('the computed slot of a key equals that of the cluster', async t => {
  const redis = new Redis(first!.url)
  t.teardown(() => redis.disconnect())
  for (const key of ['bull:{emails}:meta', '{bull}:emails:events', 'bull:emails:meta', '{}:a', '}{a}b', 'ä{ü}', ''])
    t.equal(hashSlotOf(key), await redis.cluster('KEYSLOT', key), key)
})

t.test('under load, the history equals the log of the workers on every node, and each node has at most two connections', async t => {
  const owners = NAMES.map(name => ({
    name, ...owner(t, name, nodes[1]!, name === '{b}' ? { defaultJobOptions: { removeOnComplete: true, removeOnFail: true } } : {})
  }))
  const jobs = Array.from({ length: JOBS }, (_, index) => ({ name: 'send', data: { to: index, ms: index % 5, fail: index % 9 === 0 } }))
  const workers = owners.map(({ startWorker }) => startWorker())
  await Promise.all(owners.map(({ queue }) => queue.addBulk(jobs.slice(0, JOBS / 2))))
  const queueApp = await observe(t, { broker: first!.url }, { onError: error => t.fail(error.message) })
  await Promise.all(owners.map(({ queue }) => queue.addBulk(jobs.slice(JOBS / 2))))
  await waitFor('the workers', async () => workers.every(({ outcomes }) => outcomes.length === JOBS))
  await waitFor('the history', async () => {
    const tasks = await queueApp.monitoring.tasks()
    return tasks.length === NAMES.length && tasks.every(({ executions }) => executions.success + executions.failed >= JOBS)
  })
  for (const [index, { name }] of owners.entries()) {
    const log = workers[index]!.outcomes.map(({ jobId, status }) => `${jobId} ${status}`).sort()
    t.same(await historyOf(queueApp, name), log, name)
  }
  await Promise.all(workers.map(({ close }) => close()))
  await Promise.all(owners.map(({ queue }) => queue.addBulk([
    { name: 'waits', data: {} }, { name: 'later', data: {}, opts: { delay: 600_000 } }, { name: 'urgent', data: {}, opts: { priority: 3 } }
  ])))
  for (const { name } of owners) t.match(await queueApp.monitoring.queue(name), { pending: 3, running: 0 }, name)
  const { executions } = await queueApp.monitoring.executions({ status: 'pending', limit: 50 })
  t.equal(executions.length, 3 * NAMES.length)
  t.ok(await queueApp.monitoring.why(executions[0]!.executionId))

  const before = await clientsOf()
  await queueApp.stop()
  const after = await clientsOf()
  for (const [index, count] of before.entries()) t.ok(count - after[index]! <= 2, `${count - after[index]!} connections`)

  async function clientsOf(): Promise<number[]> {
    return await Promise.all(nodes.map(async ({ url }) => {
      const redis = new Redis(url)
      const list = await redis.client('LIST') as string
      redis.disconnect()
      return list.trim().split('\n').length
    }))
  }
})

t.test('with manage: true, jobs are retried and cancelled, queues paused and resumed, and schedules disabled', async t => {
  await flush()
  const { queue, startWorker } = owner(t, '{emails}', first!)
  const worker = startWorker()
  const job = await queue.add('send', { fail: true })
  await queue.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'report' })
  await waitFor('its failure', async () => worker.outcomes.length === 1)
  const queueApp = await observe(t, [queue], { manage: true, onError: error => t.fail(error.message) })
  const failed = await waitFor('the history', async () => (await queueApp.monitoring.executions({ status: 'failed' })).executions[0])
  await queueApp.operations.pauseQueue('{emails}', { reason: 'later' })
  t.equal(await queue.isPaused(), true)
  await job.updateData({ fail: false })
  await queueApp.operations.retryExecution(failed.executionId)
  const other = await queue.add('send', {})
  t.match(await queueApp.operations.cancelExecution(`{emails}:${other.id}`), { status: 'cancelled' })
  await queueApp.operations.resumeQueue('{emails}')
  await waitFor('the retry', async () => worker.outcomes.length === 2)
  t.match(worker.outcomes[1], { jobId: job.id, status: 'success' })
  const { scheduleId } = await waitFor('the schedule', async () => (await queueApp.monitoring.schedules())[0])
  await queueApp.operations.setScheduleEnabled(scheduleId, false)
  const [planned] = await queue.getDelayed()
  t.ok(planned!.timestamp + planned!.delay > Date.UTC(2099, 0) || /:4102444800000$/.test(planned!.id!), `planned as ${planned!.id}`)
})

t.test('a node that is killed and comes back loses nothing, and each execution is recorded once', async t => {
  await flush()
  const owners = NAMES.map(name => ({ name, ...owner(t, name, first!, { defaultJobOptions: { removeOnComplete: true } }) }))
  const workers = owners.map(({ startWorker }) => startWorker())
  const queueApp = QueueApp.fromQueues({ broker: first!.url }, { onError: () => {} })
  t.teardown(() => queueApp.stop())
  const jobs = Array.from({ length: 60 }, (_, index) => ({ name: 'send', data: { to: index, ms: 20 } }))
  await Promise.all(owners.map(({ queue }) => queue.addBulk(jobs)))
  await queueApp.start()
  await waitFor('some', async () => workers.every(({ outcomes }) => outcomes.length > 5))
  // An owner's client that loses a node may never reconnect, and a job that the kill interrupts runs again.
  await Promise.all(workers.map(({ close }) => close()))
  await nodes[2]!.kill()
  await waitFor('the outage', async () => (await queueApp.monitoring.health()).status !== 'healthy')
  await nodes[2]!.start()
  const others = NAMES.map(name => owner(t, name, first!).startWorker())
  await waitFor('the owners', async () =>
    others.every(({ outcomes }, index) => outcomes.length + workers[index]!.outcomes.length === 60))
  for (const { name } of owners) {
    const expected = Array.from({ length: 60 }, (_, index) => String(index + 1))
    await waitFor(`the history of ${name}`, async () => {
      const ids = (await historyOf(queueApp, name)).filter(text => text.endsWith(' success')).map(text => text.split(' ')[0]!)
      return new Set(ids).size === expected.length && ids.length === expected.length
    })
    t.pass(name)
  }
})

t.test('a user with the documented rights on each node sees the content of the queues', async t => {
  await flush()
  const { queue } = owner(t, '{reports}', first!)
  await queue.add('send', {})
  for (const { url } of nodes) {
    const redis = new Redis(url)
    await redis.call('ACL', ...OBSERVING_USER, '+cluster|slots', '+cluster|info')
    redis.disconnect()
  }
  const queueApp = await observe(
    t, { broker: first!.url.replace('redis://', 'redis://dashboard:secret@') }, { onError: error => t.fail(error.message) }
  )
  t.match(await queueApp.monitoring.queue('{reports}'), { pending: 1 })
})

for (const [major, [name, keep]] of [[5, KEPT[1]], [6, KEPT[2]]] as const) {
  t.test(`everything shown of BullMQ ${major}, with the prefix as the tag, equals the log of the workers whose queue ${name}`, async t => {
    await flush()
    const connection = connectionTo(first!)
    t.teardown(() => connection.disconnect())
    await checkOwnersLog(t, { major, url: first!.url, options: { connection, prefix: '{bull}' } }, keep)
  })
}

t.test('while the slot of a queue moves to another node, its waiting jobs are shown all the time', async t => {
  await flush()
  const { queue } = owner(t, '{moving}', first!)
  const optionsOf = (index: number) => index % 2 === 0 ? {} : { delay: 600_000 }
  await queue.addBulk(Array.from({ length: 40 }, (_, index) => ({ name: 'send', data: {}, opts: optionsOf(index) })))
  const { monitoring } = await observe(t, { broker: first!.url }, { names: false, onError: () => {} })
  await waitFor('the queue', async () => (await monitoring.tasks()).length === 1)
  const move = await beginSlotMove(t, nodes, '{moving}')
  // Some kinds of keys never exist, and others are on either node.
  for (let left = await move.left(); left > 0; left = await move.left()) {
    const { executions } = await monitoring.executions({ status: 'pending', limit: 100 })
    t.equal(executions.length, 40, `with ${left} keys left`)
    t.equal((await monitoring.task('{moving}'))?.executions.pending, 40)
    await move.migrate(8)
  }
  await move.finish()
  await waitFor('the new node', async () => (await monitoring.executions({ status: 'pending', limit: 100 })).executions.length === 40)
})
