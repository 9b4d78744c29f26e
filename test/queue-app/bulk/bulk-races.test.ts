import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import { LeaseLostError } from '../../../lib/queue-app/bulk/acting.ts'
import { createBulkActions } from '../../../lib/queue-app/bulk/bulk-actions.ts'
import { fromToken, hasDrifted, toToken } from '../../../lib/queue-app/bulk/matching/bulk-filter.ts'
import { createBulkMatches } from '../../../lib/queue-app/bulk/matching/bulk-matches.ts'
import { NEW_STATE, type BulkRecords } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkSteps, type Job } from '../../../lib/queue-app/bulk/bulk-steps.ts'
import { waitFor } from '../../support/wait-for.ts'
import { actingOn, ORDER } from './bulk-order.ts'
import { startRunner } from './start-runner.ts'

t.test('an undo that is requested while the last step ends is not lost', async t => {
  const open = new Set(['one'])
  let order = ORDER
  let steps = 0
  startRunner(t, {
    open,
    records: {
      ordersOf: async ids => ids.map(() => order), order: async () => ({ version: 1, value: order }),
      state: async () => ({ version: 1, value: { ...NEW_STATE, ended: 'done' } })
    },
    async step() {
      steps++
      order = { ...ORDER, wanted: 'undo' }
      return { is: steps === 1 ? 'over' : 'idle', items: 0 }
    }
  })
  await waitFor('the undo to get its turn', async () => steps > 1)
  t.same([...open], ['one'])
})

t.test('a process that was frozen for longer than its lease changes nothing more, and forgets its state', async t => {
  const { now } = performance
  let aheadMs = 0
  performance.now = () => now.call(performance) + aheadMs
  t.teardown(() => { performance.now = now })
  const jobs: Job[] = []
  const held: boolean[] = []
  startRunner(t, {
    open: new Set(['one']),
    async step(job, _order, stillHeld) {
      jobs.push(job)
      if (jobs.length > 1) return { is: 'idle', items: 0 }
      for (const frozenMs of [0, 6_000]) {
        aheadMs += frozenMs
        held.push(await stillHeld().then(() => true, () => false))
      }
      throw new LeaseLostError()
    }
  })
  await waitFor('the next step', async () => jobs.length > 1)
  t.same(held, [true, false], 'although the lease is free again')
  t.not(jobs[0], jobs[1])
})

t.test('a store that refuses writes is reported once, and an unavailable store is not reported', async t => {
  const errors: string[] = []
  let failures = 0
  const FAILURES = [
    createTaskDashboardError('BROKER_UNAVAILABLE'), createTaskDashboardError('UNCONFIRMED'),
    createTaskDashboardError('STORE_REFUSED', ['result backend', 'out of memory', 'add some']),
    createTaskDashboardError('STORE_REFUSED', ['result backend', 'out of memory', 'add some'])
  ]
  const waits: unknown[] = []
  startRunner(t, {
    open: new Set(['one']),
    async step() {
      const failure = FAILURES[failures++]
      if (failure !== undefined) throw failure
      return { is: 'idle', items: 0 }
    },
    async keepWaiting({ waitingFor, problem }) { waits.push([waitingFor, problem]) },
    onError({ message }) { errors.push(message) }
  })
  await waitFor('the operation to continue', async () => failures > FAILURES.length)
  t.match(errors, [/out of memory/])
  t.equal(errors.length, 1)
  t.match(waits, [['broker', null], ['result_backend', /out of memory/], ['result_backend', /out of memory/]])
  t.equal(waits.length, 3, 'for an unconfirmed change the store is unknown')
})

t.test('large arguments are read a few at a time', async t => {
  const reads: number[] = []
  const standing = new Map<string, string>()
  const actions = createBulkActions({
    engine: { requestIdsOf: async () => standing, gentleBatch: 100 },
    async enqueue(requests: ReadonlyArray<{ executionId: string; requestId: string }>) {
      for (const { executionId, requestId } of requests) standing.set(executionId, requestId)
    },
    backend: {
      missing: async (ids: string[]) => ids,
      async findMany(ids: string[]) {
        reads.push(ids.length)
        return ids.map(executionId => ({ executionId, taskName: 'a', status: 'failed', priority: 0, scheduleId: null }))
      },
      find: async () => null
    },
    argumentsOf: async () => ['x'.repeat(2 ** 18)], policyOf: async () => ({ attempts: 1 })
  } as unknown as Parameters<typeof createBulkActions>[0])
  const acting = actingOn('retry')
  const items = Array.from({ length: 60 }, (_, at) => [`${at}`, 0] as const)
  t.equal((await actions.settle(acting, items)).length, 60)
  t.ok(reads[0]! <= 20)
  t.ok(reads.slice(1).every(read => read <= 4), `at most a megabyte at a time: ${reads.join(', ')}`)
})

t.test('a process without the lease changes nothing more', async t => {
  const changes: string[] = []
  const actions = createBulkActions({
    engine: {
      cancel: async () => { changes.push('cancel') }, requestIdsOf: async () => new Map(), takeBack: async () => new Set(), gentleBatch: 100
    },
    enqueue: async () => { changes.push('enqueue') }, deleteExecutions: async () => { changes.push('delete'); return [] },
    backend: {
      missing: async (ids: string[]) => ids,
      findMany: async (ids: string[]) => ids.map(executionId => ({ executionId, status: 'failed', finishedAt: 900 })),
      failureGroups: async () => ({ groups: [] }), decideFailureGroup: async () => { changes.push('resolve') }
    },
    argumentsOf: async () => [], policyOf: async () => ({})
  } as unknown as Parameters<typeof createBulkActions>[0])
  for (const action of ['retry', 'cancel', 'delete', 'resolve'] as const) {
    const acting = actingOn(action, { stillHeld: async () => { throw new LeaseLostError() } })
    await t.rejects(actions.settle(acting, [['id', 0]]), LeaseLostError)
  }
  t.same(changes, [])
})

t.test('a new group, and a group with a new task, is not resolved', async t => {
  const group = (errorGroup: string, firstSeenAt: number, taskName: string) =>
    ({ errorGroup, firstSeenAt, lastSeenAt: firstSeenAt, isShared: false, tasks: [{ taskName, count: 1 }] })
  const { next } = createBulkMatches({
    backend: { failureGroups: async () => ({ groups: [group('old', 999, 'a'), group('new', 1_000, 'a'), group('b', 1, 'b')], next: null }) }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { action: 'resolve' as const, filter: { text: [] }, before: 1_000, taskNames: ['a'], isAllTasks: true }
  t.same((await next(wanted, NEW_STATE.position, 10)).items, [['old', null]])
})

t.test('a group with a new task is not resolved, even if it does not list that task', async t => {
  const names = Array.from({ length: 20 }, (_, index) => `t${index}`)
  const group = (errorGroup: string, isShared: boolean) =>
    ({ errorGroup, firstSeenAt: 1, lastSeenAt: 1, isShared, tasks: names.map(taskName => ({ taskName, count: 1 })) })
  const { next } = createBulkMatches({
    backend: {
      async failureGroups({ errorGroup, taskNames }: { errorGroup?: string; taskNames?: string[] }) {
        const groups = errorGroup === undefined ? [group('own', false), group('more', false)] : [group(errorGroup, errorGroup === 'more')]
        t.equal(errorGroup === undefined, taskNames === undefined)
        return { groups, next: null }
      }
    }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { action: 'resolve' as const, filter: { text: [] }, before: 1_000, taskNames: names, isAllTasks: true }
  t.same((await next(wanted, NEW_STATE.position, 10)).items, [['own', null]])
})

t.test('an item that someone else deleted is skipped, unless an earlier attempt may have deleted it', async t => {
  const actions = createBulkActions({
    engine: { gentleBatch: 100, findMany: async () => [] },
    backend: {
      findMany: async (ids: string[]) =>
        ids.filter(id => id !== 'gone').map(executionId => ({ executionId, status: 'failed', finishedAt: 900 }))
    },
    // Another execution is deleted in between.
    deleteExecutions: async (found: ReadonlyArray<{ executionId: string }>) =>
      found.map(each => each.executionId).filter(id => id !== 'late')
  } as unknown as Parameters<typeof createBulkActions>[0])
  const items = ['here', 'gone', 'late'].map(id => [id, 0] as const)
  t.same(await actions.settle(actingOn('delete'), items), [
    ['here', 0, 'done'], ['gone', 0, 'skipped', 'EXECUTION_PRUNED'], ['late', 0, 'skipped', 'EXECUTION_PRUNED']
  ])
  t.same(await actions.settle(actingOn('delete', { isFirstAttempt: false }), items), items.map(item => [...item, 'done']))
})

t.test('executions that only the broker has so far are retried and deleted too', async t => {
  const failed = { taskName: 'a', status: 'failed', finishedAt: 900, priority: 0, scheduleId: null }
  const enqueued: string[] = []
  const deleted: unknown[] = []
  const actions = createBulkActions({
    engine: {
      gentleBatch: 100,
      requestIdsOf: async (_name: string, ids: string[]) => new Map(enqueued.length > 0 ? ids.map(id => [id, 'one']) : []),
      findMany: async (_names: string[], ids: string[]) => ids.map(executionId => ({ ...failed, executionId })),
      find: async (_names: string[], executionId: string) => ({ ...failed, executionId })
    },
    enqueue: async (requests: ReadonlyArray<{ retryOf: string }>) => { enqueued.push(...requests.map(each => each.retryOf)) },
    async deleteExecutions(found: ReadonlyArray<{ executionId: string }>) {
      deleted.push(...found)
      return found.map(each => each.executionId)
    },
    backend: { missing: async (ids: string[]) => ids, findMany: async () => [], find: async () => null },
    argumentsOf: async () => [], policyOf: async () => ({ retries: 0, backoff: { kind: 'fixed', delayMs: 0 } })
  } as unknown as Parameters<typeof createBulkActions>[0])
  t.same(await actions.settle(actingOn('retry'), [['unrecorded', 0]]), [['unrecorded', 0, 'done']])
  t.same(enqueued, ['unrecorded'])
  t.same(await actions.settle(actingOn('delete'), [['unrecorded', 0]]), [['unrecorded', 0, 'done']])
  t.same(deleted, [{ executionId: 'unrecorded', taskName: 'a', status: 'failed', finishedAt: 900 }])
})

t.test('a retry that is in neither store is taken back only if an earlier attempt may have removed it', async t => {
  const actions = createBulkActions({
    engine: {
      gentleBatch: 100, takeBack: async (_name: string, ids: string[]) => new Set(ids.slice(0, 1)), requestIdsOf: async () => new Map()
    },
    backend: { missing: async (ids: string[]) => ids }
  } as unknown as Parameters<typeof createBulkActions>[0])
  const items = ['ran long ago', 'waits'].map(id => [id, 0, 'done'] as const)
  const [ran, waits] = items
  t.same(await actions.undo(actingOn('retry'), items), [ran, [...waits!.slice(0, 2), 'undone']], 'it ran, and is no longer kept')
  t.same(await actions.undo(actingOn('retry', { isFirstAttempt: false }), items), items.map(([id, task]) => [id, task, 'undone']))
})

t.test('a retried job of an existing queue stays done after an undo, even if its queue is gone', async t => {
  const asked: unknown[] = []
  const ask = (answer: unknown) => async (...given: unknown[]) => {
    asked.push(given)
    return answer
  }
  const actions = createBulkActions({
    engine: { gentleBatch: 100, takeBack: ask(new Set()), requestIdsOf: ask(new Map()) },
    backend: { missing: async (ids: string[]) => ids }, ofOthers: { has: () => false }
  } as unknown as Parameters<typeof createBulkActions>[0])
  const items = [['mail:1@900', 0, 'done'] as const]
  t.same(await actions.undo(actingOn('retry', { taskNames: ['mail'], isFirstAttempt: false }), items), items)
  t.same(asked, [], 'no broker is queried for retries that were never made')
})

t.test('relative times count from the moment when the operation was accepted', async t => {
  let from: number | undefined
  const steps = createBulkSteps({
    records: {
      state: async () => ({ version: 1, value: NEW_STATE }), saveState: async () => 2,
      range: async () => ({ taskNames: ['a'], executionIds: null })
    } as unknown as BulkRecords,
    matches: { next: async wanted => { from = wanted.filter?.from; return { items: [], position: NEW_STATE.position, isEnd: true } } },
    actions: {} as never, now: async () => 3_000
  })
  const before = Date.UTC(2026, 0, 1)
  const order = { ...ORDER, filter: { search: 'since:1h' }, createdAt: before + 1_000, before }
  await steps.step(steps.begin('one'), order, async () => {})
  t.equal(from, before - 3_600_000)
})

t.test('named executions are included even if the clocks of their processes are ahead', async t => {
  const failed = { executionId: 'x', taskName: 'a', status: 'failed', submittedAt: 500, finishedAt: 1_200 }
  const pending = { ...failed, executionId: 'y', status: 'pending', submittedAt: 1_200, finishedAt: null }
  const { count } = createBulkMatches({
    backend: { findMany: async () => [failed] }, engine: { findMany: async () => [pending] }
  } as unknown as Parameters<typeof createBulkMatches>[0])
  const wanted = { filter: { text: [] }, before: 1_000, taskNames: ['a'], isAllTasks: true }
  t.same(await count({ ...wanted, action: 'retry', executionIds: ['x'] }), { value: 1, relation: 'exact' })
  t.same(await count({ ...wanted, action: 'cancel', executionIds: ['y'] }), { value: 1, relation: 'exact' })
})

t.test('only a known difference is drift', async t => {
  const exact = (value: number) => ({ value, relation: 'exact' as const })
  const atLeast = (value: number) => ({ value, relation: 'at_least' as const })
  t.notOk(hasDrifted(exact(5), exact(5)))
  t.ok(hasDrifted(exact(5), exact(6)))
  t.notOk(hasDrifted(exact(5), atLeast(0)), 'the second count was too slow')
  t.ok(hasDrifted(exact(5), atLeast(6)))
  t.ok(hasDrifted(atLeast(6), exact(5)))
  t.notOk(hasDrifted(atLeast(6), exact(6)))
  t.notOk(hasDrifted(atLeast(6), atLeast(9)))
})

t.test('a token stays valid if a task was added since', async t => {
  const request = { action: 'retry' as const, filter: {}, taskNames: ['a'], tasksLeftOut: 0 }
  const token = toToken(request, { count: { value: 1, relation: 'exact' }, at: 5, isAccepted: false })
  t.equal(fromToken({ ...request, taskNames: ['a', 'b'] }, token, 6).at, 5)
})
