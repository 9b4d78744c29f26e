import t from 'tap'
import { filterFrom, toBulkOperation } from '../../../lib/dashboard/resources/bulk/to-bulk.ts'
import type { BulkOverview } from '../../../lib/queue-app/bulk/bulk.ts'
import { BulkFilterInput, type BulkOperation, type BulkPage, type BulkPreview } from '../../../schemas/bulk.ts'
import { MAX_BULK_EXECUTIONS } from '../../../schemas/limits.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { FLAKY, openBulk } from './bulk-app.ts'

t.test('only the executions named by a filter are retried, cancelled and deleted', t => onEveryStore(t, async (t, url) => {
  const { post, until, items, fail, state, ran, queueApp, read } = await openBulk(t, url)
  const failed = await fail(6)
  const [other] = await fail(1, 'other')
  const filter = { execution_ids: [failed[4]!, 'unknown', failed[1]!, other!, failed[3]!] }

  const preview = (await post({ action: 'retry', filter, dry_run: true })).json<BulkPreview>()
  t.match(preview, { count: { value: 4, relation: 'exact' }, task_count: 2, tasks_left_out: 0 })
  t.same(preview.sample.map(each => each.execution_id).sort(), [failed[1], failed[3], failed[4], other].sort())
  const narrow = (await post({ action: 'retry', filter: { ...filter, task_name: FLAKY, search: 'send' }, dry_run: true }))
    .json<BulkPreview>()
  t.match(narrow, { count: { value: 3 }, task_count: 1 }, 'other conditions hold too')
  const both = await post({ action: 'retry', filter: { ...filter, search: `id:${other}` }, dry_run: true })
  t.match(both.json(), { count: { value: 1, relation: 'exact' } })
  t.match((await post({ action: 'cancel', filter, dry_run: true })).json(), { count: { value: 0, relation: 'exact' } })

  await queueApp.operations.pauseQueue(FLAKY)
  const [waiting] = await queueApp.enqueueMany(FLAKY, [['later']])
  const mixed = (await post({ action: 'retry', filter: { execution_ids: [other!, waiting!] }, dry_run: true })).json<BulkPreview>()
  t.match(mixed, { count: { value: 1 }, task_count: 1 }, 'only tasks of matching executions are counted')
  await queueApp.operations.resumeQueue(FLAKY)

  state.isMended = true
  // One item a step, so the operation has to continue where it stopped.
  const started = await post({ action: 'retry', filter, dry_run: false, token: preview.token, rate: 2 })
  t.equal(started.statusCode, 202, started.body)
  const { operation_id: id, filter: shown, execution_count: count } = started.json<BulkOperation>()
  t.same(shown, { execution_ids: filter.execution_ids.filter(each => each !== 'unknown') }, 'the operation has the matching executions')
  t.equal(count, 4)
  const { items: [listed] } = await read<BulkPage>('bulk')
  t.match(listed, { operation_id: id, execution_count: 4, executions_checked: true, executions_left_out: null })
  t.same(listed?.filter, {}, 'a list does not contain them')
  t.same((await read<BulkOperation>(`bulk/${id}`)).filter, shown)
  t.match((await until(id, 'done')).progress, { items: 4, done: 4 })
  t.same((await items(id)).map(each => each.execution_id), [failed[4], failed[1], other, failed[3]])
  const isRetry = (what: unknown): boolean => what !== 'later'
  await waitFor('the retries to have run', async () => ran.filter(isRetry).length === 3)
  t.same(ran.filter(isRetry).sort(), [1, 3, 4].map(index => `${FLAKY} ${index}`))

  await queueApp.operations.pauseQueue(FLAKY)
  const pending = await queueApp.enqueueMany(FLAKY, [['a'], ['b'], ['c']])
  const start = async (action: string, execution_ids: string[]): Promise<BulkOperation> =>
    (await post({ action, filter: { execution_ids }, dry_run: false })).json<BulkOperation>()
  const cancel = await start('cancel', [pending[1]!, failed[0]!])
  t.match((await until(cancel.operation_id, 'done')).progress, { items: 1, done: 1 })
  const remove = await start('delete', [pending[0]!, failed[0]!])
  t.match((await until(remove.operation_id, 'done')).progress, { items: 1, done: 1 })
  t.match(await read(`executions/${failed[0]}`), { status: 410 })
  t.match(await read(`executions/${failed[2]}`), { status: 'failed' })
  t.match(await read(`executions/${pending[0]}`), { status: 'pending' })
}))

t.test('an invalid selection is refused, and nothing starts', t => onEveryStore(t, async (t, url) => {
  const { post, read } = await openBulk(t, url)
  const ids = Array.from({ length: MAX_BULK_EXECUTIONS + 1 }, (_, index) => `id-${index}`)
  for (const execution_ids of [[], ids, ['one', 'one'], [''], [7], 'one', [null], ['x'.repeat(5_000)], ['a\u0000b']]) {
    const answer = await post({ action: 'retry', filter: { execution_ids }, dry_run: false })
    t.match(answer.json<Problem>(), { status: 400, code: 'INVALID_INPUT' }, JSON.stringify(execution_ids).slice(0, 40))
    t.match(answer.json<Problem>().errors?.[0]?.pointer, /^\/filter\/execution_ids/)
  }
  t.match((await post({ action: 'resolve', filter: { execution_ids: ['one'] }, dry_run: true })).json(), { status: 400 })
  const most = await post({ action: 'retry', filter: { execution_ids: ids.slice(1) }, dry_run: true })
  t.match(most.json(), { count: { value: 0 }, task_count: 0 })
  t.match(await read('bulk'), { total: { value: 0 } })
}))

t.test('a selection includes only tasks that the user may act on, and no hidden ones', t => onEveryStore(t, async (t, url) => {
  const options = {
    authorize: (_request: unknown, action: string, { taskName }: { taskName?: string }) =>
      action !== 'executions:retry' || taskName === FLAKY,
    scope: ({ headers }: { headers: Record<string, unknown> }) =>
      headers['x-scope'] === undefined ? null : (name: string) => name === 'other'
  }
  const { post, fail } = await openBulk(t, url, options)
  const [mine] = await fail(1)
  const [other] = await fail(1, 'other')
  const both = { execution_ids: [mine!, other!] }
  t.match((await post({ action: 'retry', filter: both, dry_run: true })).json(), { count: { value: 1 }, task_count: 1, tasks_left_out: 1 })
  const refused = await post({ action: 'retry', filter: { execution_ids: [other!] }, dry_run: true })
  t.match(refused.json<Problem>(), { status: 403, code: 'FORBIDDEN' })
  const scoped = { 'x-scope': 'other' }
  const seen = await post({ action: 'delete', filter: both, dry_run: true }, scoped)
  t.match(seen.json(), { count: { value: 1 }, task_count: 1, tasks_left_out: 0, executions_left_out: 0 })
  const hidden = await post({ action: 'delete', filter: { execution_ids: [mine!] }, dry_run: true }, scoped)
  const unknown = await post({ action: 'delete', filter: { execution_ids: ['unknown'] }, dry_run: true }, scoped)
  t.match(hidden.json(), { count: { value: 0 }, task_count: 0, sample: [] })
  t.same({ ...hidden.json<BulkPreview>(), token: '' }, { ...unknown.json<BulkPreview>(), token: '' }, 'hidden looks like unknown')
}))

t.test('each selected execution is authorized separately, and those left out are not shown', t => onEveryStore(t, async (t, url) => {
  const asked: unknown[] = []
  let refused = ''
  const options = {
    authorize(_request: unknown, action: string, resource: { executionId?: string }) {
      if (action === 'executions:retry') asked.push(resource)
      return action !== 'executions:retry' || resource.executionId !== refused
    },
    scope: ({ headers }: { headers: Record<string, unknown> }) =>
      headers['x-scope'] === undefined ? null : (name: string) => name === FLAKY
  }
  const { post, fail, server } = await openBulk(t, url, options)
  const [first, second] = await fail(2)
  const [other] = await fail(1, 'other')
  refused = second!
  const both = await post({ action: 'retry', filter: { execution_ids: [first!, second!] }, dry_run: true })
  t.match(both.json(), { count: { value: 1 }, task_count: 1, tasks_left_out: 0, executions_left_out: 1 })
  t.same(asked, [{ taskName: FLAKY, executionId: first }, { taskName: FLAKY, executionId: second }])
  const alone = await post({ action: 'retry', filter: { execution_ids: [second!] }, dry_run: true })
  t.match(alone.json<Problem>(), { status: 403, code: 'FORBIDDEN' })

  refused = other!
  const started = await post({ action: 'retry', filter: { execution_ids: [first!, other!, 'unknown'] }, dry_run: false })
  t.match(started.json<BulkOperation>(), {
    tasks_left_out: 1, executions_left_out: 1, execution_count: 1, executions_checked: true, task_count: 1
  }, started.body)
  for (const path of ['bulk', `bulk/${started.json<BulkOperation>().operation_id}`]) {
    const { body, statusCode } = await server.inject({ url: `/tasks/api/${path}`, headers: { 'x-scope': 'mine' } })
    t.equal(statusCode, 200)
    t.notOk(body.includes(other!) || body.includes('unknown'), body)
    t.match(body, /"executions_left_out":null/, 'the number would count hidden executions')
  }
}))

t.test('every condition of a filter reaches the operation and is returned unchanged', async t => {
  const filter = {
    status: 'failed' as const, task_name: 'a', schedule_id: 's', worker_id: 'w', error_group: '0123456789abcdef', min_duration_ms: 5,
    search: 'x', from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', execution_ids: ['one', 'two']
  }
  t.same(Object.keys(filter).sort(), Object.keys(BulkFilterInput.properties).sort())
  const overview = {
    filter: filterFrom(filter), progress: { done: 0, skipped: 0, failed: 0, undone: 0 }, taskCount: 0, before: 0, createdAt: 0,
    expiresAt: 0,
    changedAt: null, finishedAt: null, count: { value: 0, relation: 'exact' }
  } as unknown as BulkOverview
  t.same(toBulkOperation(overview).filter, filter)
})
