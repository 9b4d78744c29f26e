import { Cluster } from 'ioredis'
import t from 'tap'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { startRedisCluster } from '../../support/servers/redis-cluster.ts'
import { beginSlotMove } from '../../support/servers/slot-move.ts'
import { waitFor } from '../../support/wait-for.ts'

const nodes = await startRedisCluster(t)
const [{ url, port }] = nodes as [typeof nodes[0], ...unknown[]]
const connection = new Cluster([{ host: '127.0.0.1', port }], { redisOptions: { maxRetriesPerRequest: null } })
connection.on('error', () => {})
t.teardown(() => connection.disconnect())

/** The second code occurs if a connection ended in between, or if the change was stored to be made later. */
const REFUSED = /^(?:BROKER_UNAVAILABLE|UNCONFIRMED)$/

for (const major of [5, 6] as const) {
  t.test(`while the cluster moves the slot of a queue of BullMQ ${major}, changes are refused before they change anything`, async t => {
    const name = `{moved${major}}`
    const queue = openQueue(t, major, name, url, { connection })
    const worker = startOwnersWorker(t, major, name, url, { connection })
    await queue.addBulk([0, 1].map(to => ({ name: 'send', data: { fail: true, to } })))
    await waitFor('two failures', async () => worker.outcomes.length === 2)
    await worker.close()
    const waiting = await queue.add('send', { to: 2 })
    await queue.upsertJobScheduler('yearly', { pattern: '0 0 1 1 *' }, { name: 'send' })
    const { monitoring, operations } = await observe(t, { broker: url, queues: [name] }, { manage: true, names: false, onError: () => {} })
    const failed = await waitFor('the history', async () => {
      const { executions } = await monitoring.executions({ status: 'failed' })
      return executions.length === 2 && executions
    })
    const [schedule] = await monitoring.schedules()
    const before = await queue.getJobCounts()
    const changes: Record<string, () => Promise<unknown>> = {
      run: () => operations.runTask(name, { args: [{ to: 3 }] }),
      retry: () => operations.retryExecution(failed[0]!.executionId),
      cancel: () => operations.cancelExecution(`${name}:${waiting.id}`),
      pause: () => operations.pauseQueue(name),
      'run a schedule': () => operations.runSchedule(schedule!.scheduleId),
      'disable a schedule': () => operations.setScheduleEnabled(schedule!.scheduleId, false)
    }

    const move = await beginSlotMove(t, nodes, name)
    await move.migrate(/:meta$/)
    for (const [what, change] of Object.entries(changes)) await t.rejects(change(), { code: REFUSED }, what)
    await move.migrate(1_000)
    await move.finish()
    t.same(await queue.getJobCounts(), before, 'the whole queue has moved, and nothing else is there')
    t.equal(await queue.isPaused(), false)
    for (const [what, change] of Object.entries(changes)) await waitFor(what, async () => { await change(); return true })
    t.same((await queue.getJob(failed[0]!.executionId.replace(/^.*:(\d+)@.*$/, '$1')))?.finishedOn, undefined, 'it was retried')
  })
}
