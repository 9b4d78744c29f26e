import { Redis } from 'ioredis'
import t from 'tap'
import { QueueApp } from '../../../lib/index.ts'
import { connectionOf, openQueue, OWNERS, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { observe } from '../../support/observe.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

async function only(queueApp: QueueApp, status: 'failed' | 'success' | 'cancelled' | 'pending') {
  return await waitFor(`one that is ${status}`, async () => {
    const { executions } = await queueApp.monitoring.executions({ status })
    return executions.length === 1 && executions[0]!
  })
}

for (const major of [5, 6] as const) {
  t.test(`with jobs of BullMQ ${major}`, async t => {
    await t.test('a retried job runs again with the same id, and both of its finishes are in the history', async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, major, 'emails', url)
      const worker = startOwnersWorker(t, major, 'emails', url)
      const job = await queue.add('send', { fail: true })
      await waitFor('its failure', async () => worker.outcomes.length === 1)
      const queueApp = await observe(t, queue, { manage: true })
      const failed = await only(queueApp, 'failed')
      await job.updateData({ fail: false })
      t.same(await queueApp.operations.retryExecution(failed.executionId), {
        executionId: `emails:${job.id}`, taskName: 'emails', args: null
      })
      t.match(await only(queueApp, 'success'), { taskName: 'emails' })
      t.match(worker.outcomes, [{ jobId: job.id, status: 'failed' }, { jobId: job.id, status: 'success' }])
      await t.rejects(queueApp.operations.retryExecution(failed.executionId), {
        code: 'ALREADY_RETRIED', executionId: `emails:${job.id}`
      }, 'the second person learns that it was retried')
      await t.rejects(queueApp.operations.retryExecution(failed.executionId, { args: [{}] }), { code: 'INVALID_INPUT' })
    })

    await t.test('a waiting job in a paused queue can be cancelled: it never runs, and the history has it', async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, major, 'emails', url)
      // The response comes after the queue has been created with its version.
      await queue.getJobCounts()
      const queueApp = await observe(t, queue, { manage: true })
      await queueApp.operations.pauseQueue('emails', { reason: 'the provider is down' })
      t.equal(await queue.isPaused(), true)
      const [first, second] = await queue.addBulk([{ name: 'send', data: { to: 'ada' } }, { name: 'send', data: { to: 'bob' } }])
      const cancelled = await queueApp.operations.cancelExecution(`emails:${first!.id}`, { reason: 'twice', by: 'ada' })
      t.match(cancelled, { status: 'cancelled', taskName: 'emails', cancellation: { requestedBy: 'ada', reason: 'twice' } })
      t.match(await queueApp.monitoring.execution(cancelled.executionId), { args: [{ to: 'ada' }], status: 'cancelled' })
      t.equal(await queue.getJob(first!.id!), undefined)
      const worker = startOwnersWorker(t, major, 'emails', url)
      await queueApp.operations.resumeQueue('emails')
      await waitFor('the other one', async () => worker.outcomes.length === 1)
      t.match(worker.outcomes, [{ jobId: second!.id }])
      t.match((await queueApp.monitoring.queue('emails'))?.pause, null)
    })

    await t.test('delayed and prioritized jobs are cancelled, and an active one is not', async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, major, 'emails', url)
      const ends: Array<() => void> = []
      const run = () => new Promise<void>(resolve => { ends.push(resolve) })
      const worker = new OWNERS[major].Worker('emails', run, { connection: connectionOf(url) })
      t.teardown(() => worker.close())
      const active = await queue.add('send', {})
      await waitFor('it to run', async () => await active.getState() === 'active')
      const delayed = await queue.add('send', {}, { delay: 60_000, deduplication: { id: 'once' } })
      const prioritized = await queue.add('send', {}, { priority: 5 })
      const queueApp = await observe(t, queue, { manage: true })
      for (const { id } of [delayed, prioritized])
        t.match(await queueApp.operations.cancelExecution(`emails:${id}`), { status: 'cancelled', startedAt: null })
      await t.rejects(queueApp.operations.cancelExecution(`emails:${active.id}`), { code: 'NOT_CANCELLABLE', message: /active/ })
      ends.forEach(end => end())
      await waitFor('it to end', async () => await active.getState() === 'completed')
      t.equal(ends.length, 1, 'no other one has started')
      const again = await queue.add('send', {}, { delay: 60_000, deduplication: { id: 'once' } })
      t.not(again.id, delayed.id, 'its deduplication key is free again')
      t.same(await queue.getJobCounts('wait', 'prioritized', 'delayed'), { wait: 0, prioritized: 0, delayed: 1 })
    })

    await t.test('the next run of a job scheduler and the jobs of a flow are left alone', async t => {
      const url = await redisUrl(t)
      const queue = openQueue(t, major, 'emails', url)
      await queue.upsertJobScheduler('nightly', { every: 3_600_000 }, { name: 'report' })
      const flows = new OWNERS[major].FlowProducer({ connection: connectionOf(url) })
      t.teardown(() => flows.close())
      const flow = await flows.add({ name: 'parent', queueName: 'emails', children: [{ name: 'child', queueName: 'emails', data: {} }] })
      const queueApp = await observe(t, queue, { manage: true })
      const planned = (await queue.getDelayed())[0] ?? (await queue.getWaiting()).find(({ name }) => name === 'report')
      await t.rejects(queueApp.operations.cancelExecution(`emails:${planned!.id}`), { code: 'NOT_CANCELLABLE', message: /scheduler/ })
      const before = await queue.getJobCounts()
      for (const { id } of [flow.job, flow.children![0]!.job])
        await t.rejects(queueApp.operations.cancelExecution(`emails:${id}`), { code: 'NOT_CANCELLABLE', message: /flow/ })
      t.same(await queue.getJobCounts(), before)
    })
  })
}

t.test('changes to missing and unknown jobs, and changes that are not allowed, are refused with the reason', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  const job = await queue.add('send', { fail: true })
  await waitFor('its failure', async () => worker.outcomes.length === 1)
  const queueApp = await observe(t, queue, { manage: true })
  const { executionId } = await only(queueApp, 'failed')
  const { operations } = queueApp
  await t.rejects(operations.pauseQueue('emails', { until: Date.now() + 60_000 }), { code: 'INVALID_INPUT', message: /until/ })
  await t.rejects(operations.cancelExecution(executionId), { code: 'NOT_CANCELLABLE' })
  await t.rejects(operations.retryExecution('emails:unknown'), { code: 'EXECUTION_NOT_FOUND' })
  await t.rejects(operations.deleteExecution(executionId), { code: 'OBSERVED_ONLY' })
  await job.remove()
  await t.rejects(operations.retryExecution(executionId), { code: 'CONFLICT', message: /removed this job/ })
  const client = new Redis(url)
  t.teardown(() => client.disconnect())
  t.match(await queueApp.monitoring.queues(), [{ changes: 'some' }])
  await client.hset('bull:emails:meta', { version: 'bullmq:4.18.2' })
  t.match(await queueApp.monitoring.queues(), [{ changes: 'none' }], 'what would be refused is not offered')
  await t.rejects(operations.pauseQueue('emails'), { code: 'CONFLICT', message: /neither 5 nor 6/ })
  t.equal(await queue.isPaused(), false)
  t.throws(() => QueueApp.fromQueues(queue, { manage: 'yes' as never }), { code: 'INVALID_OPTIONS', message: /manage must be true or false/ })
})
