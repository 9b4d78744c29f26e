import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import type { BulkDetail, BulkOverview } from '../../../lib/queue-app/bulk/bulk.ts'
import { observe } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

type Reads = Pick<QueueApp, 'monitoring'>

async function ended({ monitoring }: Reads, { operationId }: Pick<BulkOverview, 'operationId'>): Promise<BulkDetail> {
  return await waitFor('the end of the operation', async () => {
    const operation = await monitoring.bulk.find(operationId)
    return (operation?.state === 'done' || operation?.state === 'aborted') && operation.finishedAt !== null && operation
  })
}

async function start(t: Test, options: QueueAppOptions): Promise<QueueApp> {
  const queueApp = QueueApp.fromUrls({ onError: error => t.comment(error.message), ...options })
  queueApp.task('report', async () => {})
  await queueApp.start()
  t.teardown(() => queueApp.stop())
  return queueApp
}

const FAILED = 20
/** An owner's queue with `FAILED` failed jobs and the same number of waiting jobs. */
async function ownersQueue(t: Test, url: string) {
  const queue = openQueue(t, 6, 'mail', url)
  const worker = startOwnersWorker(t, 6, 'mail', url)
  const jobs = Array.from({ length: FAILED }, (_, to) => ({ name: 'send', data: { fail: true, to } }))
  await queue.addBulk(jobs)
  await waitFor('their failures', async () => worker.outcomes.length === FAILED)
  await worker.close()
  await queue.addBulk(jobs)
  return queue
}

for (const action of ['retry', 'cancel', 'delete'] as const) {
  t.test(`${action} of an existing queue runs in a process that manages it, although another is busy with its own operation`, async t => {
    const [owners, broker] = [await redisUrl(t), await redisUrl(t)]
    const queue = await ownersQueue(t, owners)
    const shared = { broker, namespace: testNamespace() }
    const worker = await start(t, shared)
    const observer = await start(t, { ...shared, queues: { broker: owners } })
    await worker.operations.pauseQueue('report')
    await worker.enqueueMany('report', Array.from({ length: 200 }, () => []))
    // The worker holds the lease of operations as long as this operation runs.
    const own = await worker.operations.bulk.create({
      action: 'cancel', filter: { taskName: 'report' }, taskNames: ['report'], tasksLeftOut: 0, rate: 2
    })
    await waitFor('its first items', async () => ((await worker.monitoring.bulk.find(own.operationId))?.progress?.done ?? 0) > 0)

    const app = await start(t, { ...shared, queues: { broker: owners }, manage: true })
    await waitFor('the history', async () => (await app.monitoring.statistics()).executions.failed === FAILED)
    const operation = await app.operations.bulk.create({ action, filter: { taskName: 'mail' }, taskNames: ['mail'], tasksLeftOut: 0 })
    const { progress } = await ended(app, operation)
    const kept = await app.monitoring.executions({ status: 'failed', taskName: 'mail', limit: 100 })
    t.equal(kept.executions.length, FAILED, 'the history is unchanged')
    if (action === 'delete') t.match(progress, { done: 0, failed: FAILED })
    else t.match(progress, { done: FAILED, skipped: 0, failed: 0 })
    t.match(await queue.getJobCounts('failed', 'wait'), {
      retry: { failed: 0, wait: 2 * FAILED }, cancel: { failed: FAILED, wait: 0 }, delete: { failed: FAILED, wait: FAILED }
    }[action])
    // An operation that is started by a process that only observes changes nothing, whichever process continues it.
    if (action !== 'delete') {
      const refused = await observer.operations.bulk.create({ action, filter: { taskName: 'mail' }, taskNames: ['mail'], tasksLeftOut: 0 })
        .then(created => ended(observer, created), (error: { code: string }) => error.code)
      t.ok(typeof refused === 'string' ? refused === 'NOTHING_MATCHES' : refused.progress!.done === 0, JSON.stringify(refused))
    }
  })
}

t.test('the history of a queue that is gone is never deleted in bulk, not even by a process that does not know the queue', async t => {
  const [owners, broker] = [await redisUrl(t), await redisUrl(t)]
  const queue = await ownersQueue(t, owners)
  const shared = { broker, namespace: testNamespace() }
  const app = await start(t, { ...shared, queues: { broker: owners }, manage: true })
  await waitFor('the history', async () => (await app.monitoring.statistics()).executions.failed === FAILED)
  await app.stop()
  await queue.obliterate({ force: true })
  const other = await start(t, shared)
  const operation = await other.operations.bulk.create({ action: 'delete', filter: {}, taskNames: ['mail', 'report'], tasksLeftOut: 0 })
  t.match((await ended(other, operation)).progress, { done: 0, failed: FAILED })
  t.equal((await other.monitoring.executions({ status: 'failed' })).total.value, FAILED)
})

t.test('the next process continues an operation that a stopped app left unfinished', async t => {
  const url = await redisUrl(t)
  const backend = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  const jobs = 400
  await queue.addBulk(Array.from({ length: jobs }, (_, to) => ({ name: 'send', data: { fail: true, to } })))
  await waitFor('their failures', async () => worker.outcomes.length === jobs)
  await worker.close()
  const first = await observe(t, queue, { manage: true, backend })
  await waitFor('the history', async () => (await first.monitoring.statistics()).executions.failed === jobs)
  const operation = await first.operations.bulk.create({
    action: 'retry', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0
  })
  await waitFor('some', async () => await queue.getFailedCount() < jobs)
  await first.stop()
  const left = await queue.getFailedCount()
  t.ok(left > 0, `${left} are left`)
  const second = await observe(t, queue, { manage: true, backend })
  t.match((await ended(second, operation)).progress, { done: jobs, skipped: 0, failed: 0 })
  t.match(await queue.getJobCounts('failed', 'wait'), { failed: 0, wait: jobs })
})

t.test('an operation retries a job once even if the clock of its worker is behind', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const program = fileURLToPath(new URL('../../support/programs/owner-behind.ts', import.meta.url))
  const owner = fork(program, [url, 'emails', '60000'], { execArgv: process.execArgv })
  t.teardown(() => owner.kill('SIGKILL'))
  let failures = 0
  owner.on('message', () => { failures++ })
  await queue.addBulk(Array.from({ length: 6 }, (_, to) => ({ name: 'send', data: { to } })))
  await waitFor('their failures', async () => failures === 6)
  const queueApp = await observe(t, queue, { manage: true })
  await waitFor('the history', async () => (await queueApp.monitoring.statistics()).executions.failed === 6)
  const operation = await queueApp.operations.bulk.create({
    action: 'retry', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0, rate: 2
  })
  t.match((await ended(queueApp, operation)).progress, { done: 6, skipped: 0, failed: 0 })
  await waitFor('the retries', async () => failures === 12)
  await sleep(500)
  t.equal(failures, 12, 'each ran once more')
})

t.test('jobs that cannot be cancelled are not counted, such as running jobs of existing queues', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url, { concurrency: 1 })
  await queue.add('send', { ms: 5_000 })
  await waitFor('the running one', async () => await queue.getActiveCount() === 1)
  await queue.addBulk(Array.from({ length: 3 }, (_, to) => ({ name: 'send', data: { to } })))
  const queueApp = await observe(t, queue, { manage: true })
  const request = { action: 'cancel', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0 } as const
  t.match((await queueApp.monitoring.bulk.preview(request)).count, { value: 3, relation: 'exact' })
  t.match((await ended(queueApp, await queueApp.operations.bulk.create(request))).progress, { done: 3, skipped: 0, failed: 0 })
  await worker.close()
})

t.test('a second job name that appears during an operation leaves no jobs of the first name behind', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const jobs = 120
  await queue.addBulk(Array.from({ length: jobs }, (_, to) => ({ name: 'send', data: { to } })))
  const queueApp = await observe(t, queue, { manage: true })
  const request = { action: 'cancel', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0 } as const
  const operation = await queueApp.operations.bulk.create({ ...request, rate: 20 })
  await waitFor('some cancellations', async () => await queue.getWaitingCount() < jobs)
  await queue.add('bill', {})
  await waitFor('both names', async () => (await queueApp.monitoring.tasks()).length === 3)
  t.match((await ended(queueApp, operation)).progress, { done: jobs, skipped: 0, failed: 0 })
  t.same((await queue.getWaiting()).map(({ name }) => name), ['bill'], 'the later job stays')
})

t.test('an operation that another process aborts does not claim what the owner of the queue did while it was suspended', async t => {
  const url = await redisUrl(t)
  const backend = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  const jobs = 60
  await queue.addBulk(Array.from({ length: jobs }, (_, to) => ({ name: 'send', data: { fail: true, to } })))
  await waitFor('their failures', async () => worker.outcomes.length === jobs)
  await worker.close()
  const first = await observe(t, queue, { manage: true, backend })
  await waitFor('the history', async () => (await first.monitoring.statistics()).executions.failed === jobs)
  const operation = await first.operations.bulk.create({
    action: 'retry', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0, rate: 10
  })
  await waitFor('some', async () => await queue.getFailedCount() < jobs)
  await first.operations.bulk.suspend(operation.operationId)
  await first.stop()
  const retried = await queue.getWaitingCount()
  t.ok(retried > 0 && retried < jobs, `${retried} were retried`)
  await queue.clean(0, jobs, 'failed')
  const second = await observe(t, queue, { manage: true, backend })
  await second.operations.bulk.abort(operation.operationId)
  t.match((await ended(second, operation)).progress, { done: retried, skipped: 0, failed: 0 })
})
