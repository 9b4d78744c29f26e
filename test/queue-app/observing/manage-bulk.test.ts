import t from 'tap'
import type { QueueApp } from '../../../lib/index.ts'
import type { BulkDetail } from '../../../lib/queue-app/bulk/bulk.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { observe } from '../../support/observe.ts'
import { redisUrl } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

const JOBS = 120

async function waitForEnd({ monitoring }: QueueApp, { operationId }: BulkDetail): Promise<BulkDetail> {
  return await waitFor('the end of the operation', async () => {
    const operation = await monitoring.bulk.find(operationId)
    return operation?.state === 'done' && operation
  })
}

for (const major of [5, 6] as const) {
  t.test(`all failed jobs of a queue of BullMQ ${major} are retried in one operation, each once`, async t => {
    const url = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', url)
    const worker = startOwnersWorker(t, major, 'emails', url)
    const jobs = await queue.addBulk(Array.from({ length: JOBS }, (_, to) => ({ name: 'send', data: { fail: true, to } })))
    await waitFor('their failures', async () => worker.outcomes.length === JOBS)
    const queueApp = await observe(t, queue, { manage: true })
    await waitFor('the history', async () => (await queueApp.monitoring.statistics()).executions.failed === JOBS)
    // One is removed, and one is retried by its owner.
    await jobs[0]!.remove()
    await jobs[1]!.updateData({ fail: false })
    await jobs[1]!.retry()
    for (const job of jobs.slice(2)) await job.updateData({ fail: false })
    await waitFor('the retry of the owner', async () => worker.outcomes.length === JOBS + 1)

    const request = { action: 'retry', filter: { taskName: 'emails' }, taskNames: ['emails'], tasksLeftOut: 0 } as const
    t.match(await queueApp.monitoring.bulk.preview(request), { count: { value: JOBS, relation: 'exact' }, taskCount: 1 })
    const operation = await queueApp.operations.bulk.create({ ...request, by: 'ada' })
    const ended = await waitForEnd(queueApp, operation)
    t.match(ended, { progress: { done: JOBS - 2, skipped: 1, failed: 1, undone: 0 }, isUndoable: false })
    await waitFor('their retries', async () => worker.outcomes.length === 2 * JOBS - 1)
    t.equal(worker.outcomes.filter(({ status }) => status === 'success').length, JOBS - 1)
    const { items } = await queueApp.monitoring.bulk.items(operation.operationId, { limit: 200 })
    const codeOf = (id: string | undefined) => items.find(({ executionId }) => executionId?.startsWith(`emails:${id}@`))
    t.match(codeOf(jobs[0]!.id), { outcome: 'failed', code: 'CONFLICT', madeExecutionId: null })
    t.match(codeOf(jobs[1]!.id), { outcome: 'skipped', code: 'ALREADY_RETRIED', madeExecutionId: null })
    t.match(codeOf(jobs[2]!.id), { outcome: 'done', code: null, madeExecutionId: `emails:${jobs[2]!.id}` })
    await t.rejects(queueApp.operations.bulk.undo(operation.operationId), { code: 'BULK_STATE' })
  })

  t.test(`all waiting jobs with one name in a queue of BullMQ ${major} are cancelled in one operation`, async t => {
    const url = await redisUrl(t)
    const queue = openQueue(t, major, 'emails', url)
    await queue.addBulk(Array.from({ length: 30 }, (_, to) => ({ name: to % 2 === 0 ? 'welcome' : 'bill', data: { to } })))
    const queueApp = await observe(t, queue, { manage: true })
    await waitFor('the names', async () => (await queueApp.monitoring.tasks()).length === 3)
    const request = {
      action: 'cancel', filter: { taskName: 'emails:welcome' }, taskNames: ['emails:welcome'], tasksLeftOut: 0
    } as const
    t.match((await queueApp.monitoring.bulk.preview(request)).count, { value: 15, relation: 'exact' })
    const operation = await queueApp.operations.bulk.create({ ...request, by: 'ada', reason: 'twice' })
    t.match((await waitForEnd(queueApp, operation)).progress, { done: 15, skipped: 0, failed: 0 })
    t.same((await queue.getWaiting()).map(({ name }) => name), Array.from({ length: 15 }, () => 'bill'))
    const { executions } = await queueApp.monitoring.executions({ status: 'cancelled' })
    t.equal(executions.length, 15)
    t.match((await queueApp.monitoring.execution(executions[0]!.executionId))?.cancellation, { requestedBy: 'ada', reason: 'twice' })

    const all = { action: 'cancel', filter: { taskName: 'emails' } } as const
    const taskNames = await queueApp.monitoring.bulk.taskNames(all)
    t.same(taskNames.toSorted(), ['emails', 'emails:bill', 'emails:welcome'], 'a queue has the names of its jobs')
    const rest = await queueApp.operations.bulk.create({ ...all, taskNames, tasksLeftOut: 0 })
    t.match((await waitForEnd(queueApp, rest)).progress, { done: 15, skipped: 0, failed: 0 })
    t.same(await queue.getWaiting(), [])
  })
}

t.test('unsupported bulk actions fail with the reason, and an app that only observes starts no operation', async t => {
  const url = await redisUrl(t)
  const queue = openQueue(t, 6, 'emails', url)
  const worker = startOwnersWorker(t, 6, 'emails', url)
  await queue.add('send', { fail: true })
  await waitFor('its failure', async () => worker.outcomes.length === 1)
  const queueApp = await observe(t, queue, { manage: true })
  await waitFor('the history', async () => (await queueApp.monitoring.statistics()).executions.failed === 1)
  const request = { action: 'delete', filter: {}, taskNames: ['emails'], tasksLeftOut: 0 } as const
  const deletion = await queueApp.operations.bulk.create(request)
  t.match((await waitForEnd(queueApp, deletion)).progress, { done: 0, failed: 1 })
  t.match((await queueApp.monitoring.bulk.items(deletion.operationId)).items, [{ code: 'OBSERVED_ONLY' }])
  t.equal((await queue.getFailed()).length, 1)

  const observing = await observe(t, queue)
  await t.rejects(observing.operations.bulk.create({ ...request, action: 'retry' }), { code: 'OBSERVED_ONLY' })
})
