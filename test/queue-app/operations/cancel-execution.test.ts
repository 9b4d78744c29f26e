import fastify, { type LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { currentExecution, dashboardPlugin, QueueApp, type QueueAppOptions } from '../../../lib/index.ts'
import type { ExecutionCancel, ExecutionDetail, ExecutionPage } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { Stats } from '../../../schemas/stats.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

interface Served {
  readonly queueApp: QueueApp
  /** The first arguments of the runs that the handler started, in order. */
  readonly started: string[]
  read(executionId: string): Promise<ExecutionDetail>
  list(query: string): Promise<ExecutionPage>
  stats(): Promise<Stats>
  cancel(executionId: string, body?: object): Promise<LightMyRequestResponse>
}

/**
 * A queue app with a dashboard. Its task `job` does what its first argument says; nothing runs the declared task `nobody`.
 */
async function serve(t: Test, url: string, options: Partial<QueueAppOptions> = {}): Promise<Served> {
  const queueApp = QueueApp.fromUrls({ broker: url, tasks: { nobody: {} }, ...options })
  const started: string[] = []
  queueApp.task('job', async (what: string) => {
    started.push(what)
    const { signal } = currentExecution()
    if (what === 'fail') throw new Error('no connection')
    if (what === 'return') return 'done'
    await new Promise<void>(resolve => { signal.addEventListener('abort', () => resolve(), { once: true }) })
    if (what === 'succeed regardless') return 'done'
    if (what === 'ignore') await new Promise(resolve => { setTimeout(resolve, 4_000) })
    throw signal.reason
  }, { retries: 2, retryDelay: 60, concurrency: 5 })
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', identify: () => 'ada' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  return {
    queueApp,
    started,
    read: async executionId => (await server.inject(`/tasks/api/executions/${executionId}`)).json<ExecutionDetail>(),
    list: async query => (await server.inject(`/tasks/api/executions?${query}`)).json<ExecutionPage>(),
    stats: async () => (await server.inject('/tasks/api/stats')).json<Stats>(),
    cancel: (executionId, body) => server.inject({
      method: 'POST', url: `/tasks/api/executions/${executionId}/cancel`, ...body !== undefined && { payload: body }
    })
  }
}

const stateOf = (served: Served, executionId: string, state: string) =>
  waitFor(`${executionId} to be ${state}`, async () => {
    const execution = await served.read(executionId)
    return execution.state === state && execution
  })

t.test('a pending execution that is cancelled never runs, and counts neither as a success nor as a failure', t =>
  onEveryStore(t, async (t, url) => {
    const served = await serve(t, url)
    const { queueApp } = served
    const pending = {
      waiting: await queueApp.enqueue('nobody', ['a']),
      delayed: await queueApp.enqueue('nobody', ['b'], { delayMs: 3_600_000 }),
      prioritized: await queueApp.enqueue('nobody', ['c'], { priority: 5 })
    }
    const retrying = await queueApp.enqueue('job', ['fail'])
    await stateOf(served, retrying, 'retrying')

    for (const [state, executionId] of Object.entries({ ...pending, retrying })) {
      t.equal((await served.read(executionId)).state, state)
      const answer = await served.cancel(executionId, { reason: `not needed <b>${state}</b> \ud800` })
      t.equal(answer.statusCode, 202, state)
      const task = state === 'retrying' ? 'job' : 'nobody'
      t.strictSame(answer.json<ExecutionCancel>(), {
        execution_id: executionId, task_name: task, status: 'cancelled', state: 'cancelled', cancelling_since: null
      })
      const cancelled = await served.read(executionId)
      t.match(cancelled, {
        status: 'cancelled', state: 'cancelled', attempt: state === 'retrying' ? 1 : 0, error: null, error_group: null, duration_ms: null,
        cancelling_since: null, cancellation: { requested_by: 'ada', reason: `not needed <b>${state}</b> \ufffd` }
      })
      t.equal(cancelled.timeline.at(-1)?.event, 'cancelled')
      t.same(cancelled.attempts.length, state === 'retrying' ? 1 : 0)
      const again = await served.cancel(executionId, { reason: 'another' })
      t.match([again.statusCode, again.json()], [202, { status: 'cancelled' }], 'repeating it changes nothing')
    }
    const { items, total } = await served.list('status=cancelled&task_name=nobody')
    t.same(items.map(item => item.execution_id).sort(), Object.values(pending).sort())
    t.strictSame(total, { value: 3, relation: 'exact' })
    t.strictSame((await served.list('status=failed')).total.value, 0)
    t.match(await queueApp.result(pending.waiting, { waitMs: 5_000 }), { status: 'cancelled', error: null }, 'no one waits for its result')
    t.match(await served.stats(), { executions: { pending: 0, running: 0, success: 0, failed: 0 } })
    const { state } = await served.read(await queueApp.enqueue('job', ['return']))
    t.not(state, 'cancelled', 'the task goes on')
    t.strictSame(served.started.filter(what => what === 'fail').length, 1)
  }))

t.test('a running execution that is cancelled gets its signal within 2 s and is not retried', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const other = QueueApp.fromUrls({ broker: url.startsWith('embedded') ? 'embedded:' : url })
  if (!url.startsWith('embedded')) await other.start()
  t.teardown(() => other.stop())
  // On a store of several processes, from one that does not run it.
  const operations = url.startsWith('embedded') ? served.queueApp.operations : other.operations
  const executionId = await served.queueApp.enqueue('job', ['wait'])
  await stateOf(served, executionId, 'active')
  const cancelledAt = Date.now()
  t.match(await operations.cancelExecution(executionId, { reason: 'wrong input', by: 'bo' }), {
    status: 'running', cancellation: { reason: 'wrong input', requestedBy: 'bo' }
  })
  const cancelled = await stateOf(served, executionId, 'cancelled')
  t.ok(Date.parse(cancelled.finished_at!) - cancelledAt < 2_000, 'its signal was aborted in time')
  t.match(cancelled, {
    status: 'cancelled', attempt: 1, error: null, error_group: null, cancelling_since: null,
    cancellation: { requested_by: 'bo', reason: 'wrong input' },
    attempts: [{ attempt: 1, error: { type: 'EXECUTION_CANCELLED' } }]
  })
  t.strictSame(cancelled.timeline.map(({ event }) => event), ['submitted', 'started', 'cancel_requested', 'cancelled'])
  t.strictSame(served.started, ['wait'], 'it did not run again')
  t.match(await served.stats(), { executions: { pending: 0, running: 0, success: 0, failed: 0 } })
}))

t.test('a handler that ignores its signal is shown as cancelling, and one that succeeds regardless has succeeded', t =>
  onEveryStore(t, async (t, url) => {
    const served = await serve(t, url)
    const ignoring = await served.queueApp.enqueue('job', ['ignore'])
    const succeeding = await served.queueApp.enqueue('job', ['succeed regardless'])
    const returned = await served.queueApp.enqueue('job', ['return'])
    for (const id of [ignoring, succeeding]) await stateOf(served, id, 'active')
    const [first] = [await served.cancel(ignoring, { reason: 'first' }), await served.cancel(succeeding)]
    const { cancelling_since: since } = first.json<ExecutionCancel>()
    t.match(first.json(), { status: 'running', state: 'active', cancelling_since: /Z$/ })
    t.equal((await served.read(ignoring)).cancelling_since, since)
    t.equal((await served.cancel(ignoring, { reason: 'second' })).json<ExecutionCancel>().cancelling_since, since)
    const { items } = await served.list('status=running')
    t.equal(items.find(item => item.execution_id === ignoring)?.cancelling_since, since, 'in lists too')
    t.match(await stateOf(served, succeeding, 'completed'), {
      status: 'success', result: 'done', cancelling_since: null, cancellation: { requested_by: 'ada' }
    })
    t.match(await stateOf(served, ignoring, 'cancelled'), { cancellation: { reason: 'first' } })
    await stateOf(served, returned, 'completed')
    for (const [id, state] of [[returned, 'completed'], [succeeding, 'completed']] as const) {
      t.match((await served.cancel(id)).json<Problem>(), { status: 409, code: 'NOT_CANCELLABLE', detail: new RegExp(`is ${state}`) })
    }
    t.match((await served.cancel('unknown')).json<Problem>(), { status: 404, code: 'EXECUTION_NOT_FOUND' })
    const tooLong = (await served.cancel(ignoring, { reason: 'x'.repeat(1_001) })).json<Problem>()
    t.match(tooLong, { status: 400, errors: [{ pointer: '/reason' }] })
  }))

t.test('an execution that is cancelled while a worker takes it either never runs or is asked to stop', t =>
  onEveryStore(t, async (t, url) => {
    const served = await serve(t, url)
    const names = Array.from({ length: 40 }, (_, index) => `wait ${index}`)
    const ids = await Promise.all(names.map(name => served.queueApp.enqueue('job', [name])))
    // Of eighty requests at once, a busy machine responds to some too late. Repeating them is safe.
    const cancel = async (id: string): Promise<number> => {
      const { statusCode } = await served.cancel(id)
      return statusCode === 503 ? (await served.cancel(id)).statusCode : statusCode
    }
    const statuses = await Promise.all(ids.flatMap(id => [cancel(id), cancel(id)]))
    t.same([...new Set(statuses)], [202], 'both of two concurrent requests succeed')
    for (const [index, id] of ids.entries()) {
      const execution = await stateOf(served, id, 'cancelled')
      t.equal(served.started.includes(names[index]!), execution.attempt > 0, 'it says correctly whether it ran')
    }
    // The history has an execution a moment after it ended, and later on a busy machine.
    let total = 0
    await waitFor(() => `the history to have ${ids.length}: ${total}`, async () =>
      (total = (await served.list('status=cancelled')).total.value) >= ids.length)
    t.equal(total, ids.length)
  }))

t.test('the next run of a schedule is planned although its due run was cancelled', t => onEveryStore(t, async (t, url) => {
  const served = await serve(t, url)
  const { operations, monitoring } = served.queueApp
  const { scheduleId } = await operations.createSchedule({ taskName: 'nobody', timing: { intervalMs: 1_000, timezone: 'UTC' } })
  const due = await waitFor('its due run', async () =>
    (await monitoring.executions({ scheduleId })).executions.find(execution => execution.status === 'pending'))
  await operations.cancelExecution(due.executionId)
  t.match(await served.read(due.executionId), { status: 'cancelled', schedule_id: scheduleId })
  const next = await waitFor('the next run', async () =>
    (await monitoring.executions({ scheduleId })).executions
      .find(each => each.status === 'pending' && each.executionId !== due.executionId))
  t.ok(next.submittedAt > due.submittedAt)
  await operations.updateSchedule(scheduleId, { intervalMs: 3_600_000 })
  const { nextRunAt } = (await monitoring.schedule(scheduleId))!
  t.match((await served.cancel(`repeat:${scheduleId}:${nextRunAt}`)).json<Problem>(), { status: 409, code: 'NOT_CANCELLABLE' },
    'a planned run that is not due stays')
}))
