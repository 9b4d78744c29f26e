import t from 'tap'
import { createResultBackend } from '../../../../lib/backend/create-result-backend.ts'
import { makeExecution } from '../../make-execution.ts'
import { openSql } from '../open-sql.ts'

const forEver = { maxAgeMs: Number.MAX_SAFE_INTEGER, maxCount: Number.MAX_SAFE_INTEGER }

t.test('concurrent pruning removes what is over the count once', async t => {
  const { store, backend } = await openSql(t)
  const now = Date.now()
  const executions = Array.from({ length: 2_600 }, (_, i) => makeExecution({
    finishedAt: now - 10_000 - i, status: i % 2 ? 'failed' : 'success', taskName: `task ${i % 3}`,
    scheduleId: i % 4 === 0 ? 'schedule' : null, attempt: 2
  }))
  await backend.record(executions)
  const attempt = { attempt: 1, startedAt: 1, finishedAt: 2, workerId: null, error: null }
  await backend.recordAttempts(executions.map(({ executionId, taskName }) => ({ executionId, taskName, attempt })))
  const policy = { success: { ...forEver, maxCount: 100 }, failed: { ...forEver, maxAgeMs: 10_500 } }
  const bounds = { nowMs: now, keepAfterMs: now, brokerHasAfterMs: Infinity, limit: 5_000 }
  const others = [createResultBackend(store), createResultBackend(store)]
  const recording = backend.record(Array.from({ length: 50 }, () => makeExecution({ finishedAt: now, taskName: 'task 1' })))
  const steps = await Promise.all([backend, ...others].map(each => each.prune(policy, bounds)))
  await recording
  await backend.prune(policy, bounds)
  const oldFailures = executions.filter(each => each.status === 'failed' && each.finishedAt < now - 10_500).length
  const { rows } = await store.query<Record<string, number>>(`SELECT
    (SELECT count(*)::int FROM "${store.schema}".executions WHERE NOT failed) AS success, (SELECT count(*)::int
      FROM "${store.schema}".executions WHERE failed) AS failed,
    (SELECT count(*)::int FROM "${store.schema}".execution_payloads) AS payloads, (SELECT count(DISTINCT execution_id)::int
      FROM "${store.schema}".execution_attempts) AS attempts`)
  t.strictSame(rows[0], { success: 100, failed: 1_300 - oldFailures, payloads: 1_400 - oldFailures, attempts: 1_350 - oldFailures })
  t.ok(steps.every(step => !step.more))

  const kept = await backend.kept()
  t.strictSame([kept.success.count, kept.failed.count], [100, 1_300 - oldFailures])
  t.equal(kept.failed.oldestFinishedAt, now - 10_499)
  t.equal(kept.prunedBefore, Math.max(now - 10_501, executions.filter(each => each.status === 'success')[49]!.finishedAt - 2))
  t.strictSame(
    await backend.totals().then(({ success, failed }) => ({ success, failed })), { success: 1_350, failed: 1_300 }, 'all-time counts stay'
  )
  for (const filter of [
    {}, { status: 'success' as const }, { taskName: 'task 1' }, { taskName: 'task 1', status: 'failed' as const },
    { scheduleId: 'schedule' }
  ]) {
    const page = await backend.list({ ...filter, order: 'oldest', limit: 2_000 })
    t.strictSame(page.total, { value: page.executions.length, relation: 'exact' }, JSON.stringify(filter))
  }
  await backend.forgetSchedule('schedule')
  await backend.record([makeExecution({ finishedAt: now, scheduleId: 'schedule' })])
  const page = await backend.list({ scheduleId: 'schedule', order: 'oldest', limit: 2_000 })
  t.strictSame(page.total, { value: page.executions.length, relation: 'exact' }, 'remaining executions of a forgotten schedule still count')
  t.equal((await backend.scheduleTotals(['schedule'])).get('schedule')?.success, 1)
})

t.test('pruning stops at its limit and keeps what the reconciler could read from the broker again', async t => {
  const { backend } = await openSql(t)
  const now = Date.now()
  await backend.record(Array.from({ length: 1_500 }, (_, i) => makeExecution({ finishedAt: now - i * 1_000 })))
  const nothing = { maxAgeMs: 0, maxCount: 0 }
  const policy = { success: nothing, failed: nothing }
  t.strictSame(
    await backend.prune(policy, { nowMs: now, keepAfterMs: now - 600_000, brokerHasAfterMs: Infinity, limit: 700 }),
    { removed: 700, more: true }
  )
  t.strictSame(
    await backend.prune(policy, { nowMs: now, keepAfterMs: now - 600_000, brokerHasAfterMs: Infinity, limit: 700 }),
    { removed: 200, more: false }
  )
  const { success, failed, prunedBefore } = await backend.kept()
  t.strictSame(success, { count: 600, oldestFinishedAt: now - 599_000 })
  t.strictSame(failed, { count: 0, oldestFinishedAt: null })
  t.equal(prunedBefore, now - 600_000)
})

t.test('beyond ten thousand failure groups, pruning removes the least recently seen', async t => {
  const { store, backend } = await openSql(t)
  await backend.record([makeExecution({ status: 'failed', errorGroup: 'kept' })])
  await store.query(
    `INSERT INTO "${store.schema}".failure_groups SELECT 'g' || i, 'Error', 'm', NULL, 1, i, i, 'x' FROM generate_series(1, 10004) AS i`
  )
  await store.query(`INSERT INTO "${store.schema}".failure_group_tasks SELECT 'g' || i, 'task', 1 FROM generate_series(1, 10004) AS i`)
  await store.query(
    `INSERT INTO "${store.schema}".failure_group_hours SELECT 'g' || i, 1000000, 'task', 1 FROM generate_series(1, 10004) AS i`
  )
  const now = Date.now()
  await backend.prune({ success: forEver, failed: forEver }, { nowMs: now, keepAfterMs: now, brokerHasAfterMs: Infinity, limit: 100 })
  const { rows } = await store.query<Record<string, number>>(`SELECT
    (SELECT count(*)::int FROM "${store.schema}".failure_groups) AS groups, (SELECT min(last_seen_at)::int
      FROM "${store.schema}".failure_groups) AS first,
    (SELECT count(*)::int FROM "${store.schema}".failure_group_tasks) AS tasks, (SELECT count(*)::int
      FROM "${store.schema}".failure_group_hours) AS hours`)
  t.strictSame(rows[0], { groups: 10_000, first: 6, tasks: 10_000, hours: 10_000 })
  const page = await backend.failureGroups({ limit: 2 })
  t.strictSame(page.groups.map(group => group.errorGroup), ['kept', 'g10004'])
  t.strictSame(page.total, { value: 1_000, relation: 'at_least' })
})
