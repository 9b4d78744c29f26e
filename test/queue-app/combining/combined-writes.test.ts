import t, { type Test } from 'tap'
import { isTaskDashboardError, QueueApp } from '../../../lib/index.ts'
import type { BulkItem, BulkOperation } from '../../../schemas/bulk.ts'
import type { ExecutionPage } from '../../../schemas/execution.ts'
import type { Schedule } from '../../../schemas/schedule.ts'
import type { Session } from '../../../schemas/session.ts'
import type { Task } from '../../../schemas/task.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { embeddedUrl, redisUrl, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { startCombined } from './start-combined.ts'

/** An owner with a failed job, a waiting job and a job scheduler, and an app with a failed execution and a schedule of its own. */
async function startBoth(t: Test, options: object = {}) {
  const [broker, owners] = [await redisUrl(t), await redisUrl(t)]
  const mail = openQueue(t, 6, 'mail', owners)
  const worker = startOwnersWorker(t, 6, 'mail', owners)
  await mail.add('send', { to: 'ada', fail: true })
  await waitFor('the failure', async () => worker.outcomes.length === 1)
  await worker.close()
  await mail.add('send', { to: 'ben' })
  await mail.upsertJobScheduler('nightly', { pattern: '0 3 * * *' }, { name: 'send', data: {} })
  const app = await startCombined(t, { broker, queues: { broker: owners }, ...options }, queueApp => {
    queueApp.task('report', async () => { throw new Error('no paper') })
  })
  await app.queueApp.createScheduler().scheduleCron('report', '0 4 * * *')
  await app.queueApp.enqueue('report', [])
  const failed = await waitFor('both failures', async () => {
    const { items } = await app.read<ExecutionPage>('/executions?status=failed')
    return items.length === 2 && items
  })
  const idOf = (name: string): string => encodeURIComponent(failed.find(each => each.task_name === name)!.execution_id)
  const pending = (await app.read<ExecutionPage>('/executions?status=pending&task_name=mail')).items[0]!
  return { ...app, mail, owners, own: idOf('report'), others: idOf('mail'), pending: encodeURIComponent(pending.execution_id) }
}

t.test('writes go to own tasks and are refused for existing queues, until they are managed', async t => {
  const { write, read, own, others, pending, mail } = await startBoth(t)
  t.equal((await write('POST', `/executions/${own}/retry`)).status, 202)
  const session = await read<Session>('/session')
  t.match(session, { varies_by_task: true, supports: { changes: true } })
  t.ok(session.actions.includes('executions:delete'))
  t.match(await read('/session?task_name=report'), { actions: session.actions, supports: { changes: true } })
  const ofMail = await read<Session>('/session?task_name=mail')
  t.notOk(ofMail.supports.changes)
  t.same(ofMail.actions.filter(action => !action.endsWith(':view')), ['failures:resolve', 'failures:reopen'])
  const refused = [
    await write('POST', `/executions/${others}/retry`),
    await write('POST', `/executions/${pending}/cancel`),
    await write('PATCH', `/executions/${pending}`, { priority: 3 }),
    await write('DELETE', `/executions/${others}`),
    await write('POST', '/tasks/mail/run', { args: [] }),
    await write('PUT', '/queues/mail/pause', {}),
    await write('PUT', '/queues/mail/limits', { concurrency: 1 }),
    await write('POST', '/schedules/cron', { task_name: 'mail', cron: '* * * * *' })
  ]
  t.same(refused.map(({ status, body }) => [status, body.code]), refused.map(() => [409, 'OBSERVED_ONLY']))
  t.equal((await write('POST', '/tasks/report/run', { args: [] })).status, 202)
  t.equal((await write('PUT', '/queues/report/pause', {})).status, 200)
  t.equal((await write('PUT', '/queues/report/resume')).status, 200)
  const schedules = await read<Schedule[]>('/schedules')
  t.same(schedules.map(({ task_name: name }) => name).toSorted(), ['mail', 'report'])
  const scheduleOf = (name: string): string => encodeURIComponent(schedules.find(each => each.task_name === name)!.schedule_id)
  t.equal((await write('PUT', `/schedules/${scheduleOf('report')}/disable`)).status, 200)
  t.match(await write('PUT', `/schedules/${scheduleOf('mail')}/disable`), { status: 409, body: { code: 'OBSERVED_ONLY' } })
  t.match(await write('DELETE', `/schedules/${scheduleOf('mail')}`), { status: 409, body: { code: 'OBSERVED_ONLY' } })
  t.equal((await read<Schedule[]>('/schedules?task_name=mail')).length, 1)
  t.equal(await mail.getJobCountByTypes('failed'), 1, 'the failed job of the owner is untouched')
})

t.test('with manage, changes to existing queues work as by their owner, and changes to own tasks as before', async t => {
  const { write, own, others, pending, mail, read } = await startBoth(t, { manage: true })
  const { actions, supports } = await read<Session>('/session?task_name=mail')
  t.ok(actions.includes('executions:retry') && !actions.includes('executions:delete') && !supports.changes)
  t.equal((await write('POST', `/executions/${others}/retry`)).status, 202)
  t.equal(await mail.getJobCountByTypes('failed'), 0, 'it waits again')
  t.equal((await write('POST', `/executions/${own}/retry`)).status, 202)
  t.equal((await write('PUT', '/queues/mail/pause', {})).status, 200)
  t.ok(await mail.isPaused())
  t.equal((await write('PUT', '/queues/mail/resume')).status, 200)
  t.equal((await write('POST', `/executions/${pending}/cancel`)).status, 202)
  t.equal((await write('POST', '/tasks/mail/run', { args: [{ to: 'cyd' }] })).status, 202)
  t.match(await write('DELETE', `/executions/${others}`), { status: 409, body: { code: 'OBSERVED_ONLY' } })
  const entries = await read<{ items: Array<{ action: string; outcome: string }> }>('/audit')
  t.equal(entries.items.length, 7, 'every write is in the audit log')
})

for (const manage of [false, true]) {
  t.test(`a bulk operation acts on own executions, and on those of existing queues if they are managed: ${manage}`, async t => {
    const { write, read, mail } = await startBoth(t, { manage })
    const { status, body } = await write<BulkOperation>('POST', '/bulk', { action: 'retry', filter: { status: 'failed' }, dry_run: false })
    t.equal(status, 202, JSON.stringify(body))
    const done = await waitFor('the end', async () => {
      const operation = await read<BulkOperation>(`/bulk/${body.operation_id}`)
      return operation.state === 'done' && operation
    })
    t.match(done.progress, manage ? { done: 2, failed: 0 } : { done: 1, failed: 1 })
    const items = await read<{ items: BulkItem[] }>(`/bulk/${body.operation_id}/items`)
    t.same(items.items.map(each => [each.task_name, each.outcome, each.code]).toSorted(),
      [manage ? ['mail', 'done', null] : ['mail', 'failed', 'OBSERVED_ONLY'], ['report', 'done', null]])
    t.equal(await mail.getJobCountByTypes('failed'), manage ? 0 : 1)
    t.match(await write('PUT', `/bulk/${body.operation_id}/undo`), { status: 200 }, 'own retries are undone')
  })
}

t.test('an operation that only retried jobs of existing queues cannot be undone', async t => {
  const { write, read } = await startBoth(t, { manage: true })
  const { status, body } = await write<BulkOperation>('POST', '/bulk', {
    action: 'retry', filter: { status: 'failed', task_name: 'mail' }, dry_run: false
  })
  t.equal(status, 202, JSON.stringify(body))
  const done = await waitFor('the end', async () => {
    const operation = await read<BulkOperation>(`/bulk/${body.operation_id}`)
    return operation.state === 'done' && operation
  })
  t.match(done, { progress: { done: 1 }, undoable: false })
  t.match(await write('PUT', `/bulk/${body.operation_id}/undo`), { status: 409, body: { code: 'BULK_STATE' } })
})

t.test('enqueue and schedules for an existing queue reject with OBSERVED_ONLY', async t => {
  const { queueApp } = await startBoth(t)
  await t.rejects(queueApp.enqueue('mail', []), { code: 'OBSERVED_ONLY' })
  await t.rejects(queueApp.createScheduler().scheduleCron('mail', '* * * * *'), { code: 'OBSERVED_ONLY' })
  t.throws(() => queueApp.task('mail:welcome', async () => {}), { code: 'INVALID_TASK' }, 'the queue is known by now')
  await queueApp.enqueue('report', [])
})

t.test('a scope applies to own tasks and existing queues, and nothing reveals the rest', async t => {
  const { queueApp, others, own } = await startBoth(t)
  for (const [visible, hidden] of [['mail', 'report'], ['report', 'mail']] as const) {
    const { monitoring, operations } = queueApp.within(name => name === visible)
    t.same((await monitoring.tasks()).map(({ name }) => name), [visible])
    t.same((await monitoring.executions({})).executions.map(each => each.taskName).filter(name => name !== visible), [])
    t.same((await monitoring.schedules()).map(({ taskName }) => taskName), [visible])
    t.same((await monitoring.queues()).map(({ taskName }) => taskName), [visible])
    t.equal(await monitoring.execution(decodeURIComponent(hidden === 'mail' ? others : own)), null)
    await t.rejects(operations.runTask(hidden), { code: 'TASK_NOT_FOUND' })
    await t.rejects(operations.pauseQueue(hidden), { code: 'QUEUE_NOT_FOUND' })
  }
})

t.test('an existing queue with the name of an own task is left out, and health says what to do', async t => {
  const [broker, owners] = [await redisUrl(t), await redisUrl(t)]
  for (const name of ['email', 'repeat', 'other']) await openQueue(t, 6, name, owners).add('welcome', { to: 'ada' })
  const { read, queueApp } = await startCombined(t, { broker, queues: { broker: owners } }, app => {
    app.task('email:send', async () => 'sent')
  })
  t.same((await read<Task[]>('/tasks')).map(({ name }) => name), ['email:send', 'other'])
  const health = await queueApp.monitoring.health()
  t.equal(health.status, 'degraded')
  t.match(health.components.broker.message, /"email" at .*"repeat" at .*`label`/)
  await queueApp.enqueue('email:send', [])
  await waitFor('the own execution', async () =>
    (await read<ExecutionPage>('/executions?task_name=email%3Asend&status=success')).items.length === 1)

  const labelled = await startCombined(t, { broker, queues: { broker: owners, label: 'shop' } }, app => {
    app.task('email:send', async () => 'sent')
  })
  t.same((await labelled.read<Task[]>('/tasks')).map(({ name }) => name), ['email:send', 'shop/email', 'shop/other', 'shop/repeat'])
})

t.test('contradictory options are refused', async t => {
  const broker = await redisUrl(t)
  const create = (options: object) => () => QueueApp.fromUrls(options)
  t.throws(create({ broker, queues: { broker, queues: ['email'] }, tasks: { 'email:send': {} } }), { code: 'INVALID_OPTIONS', message: /label/ })
  t.throws(create({ broker, manage: true }), { code: 'INVALID_OPTIONS', message: /set `queues`/ })
  t.throws(create({ broker, queues: undefined }), { code: 'INVALID_OPTIONS', message: /queues/ })
  t.throws(create({ broker, queues: [] }), { code: 'INVALID_OPTIONS', message: /no queues/ })
  const named = QueueApp.fromUrls({ broker, queues: { broker, queues: ['email'] } })
  t.throws(() => named.task('email:send', async () => {}), { code: 'INVALID_TASK' })
  await t.rejects(named.createScheduler().scheduleCron('email', '* * * * *'), { code: 'OBSERVED_ONLY' })
  await named.stop()
})

t.test('own queues are never existing queues', async t => {
  const url = await redisUrl(t)
  const namespace = testNamespace()
  t.throws(() => QueueApp.fromUrls({ broker: url, namespace, queues: { broker: url, prefix: `{${namespace}}` } }),
    { code: 'INVALID_OPTIONS', message: /own queues/ })
  await openQueue(t, 6, 'mail', url).add('send', { to: 'ada' })
  const { read, queueApp } = await startCombined(t, { broker: url, namespace, queues: { broker: url } }, app => {
    app.task('report', async () => 'done')
  })
  await queueApp.enqueue('report', [])
  t.same((await read<Task[]>('/tasks')).map(({ name, type }) => [name, type]), [['mail', 'external'], ['report', 'io']])
})

t.test('start() fails if a source is unavailable, as in fromQueues, and everything is closed', async t => {
  const queueApp = QueueApp.fromUrls({ broker: await embeddedUrl(t), queues: { broker: 'redis://127.0.0.1:1' }, onError() {} })
  const startedAt = Date.now()
  await t.rejects(queueApp.start(), { code: 'STORE_UNREACHABLE' })
  t.ok(Date.now() - startedAt < 10_000)
  t.notOk(isTaskDashboardError(await queueApp.stop()))
})
