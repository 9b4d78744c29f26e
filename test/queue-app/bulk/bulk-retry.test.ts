import t from 'tap'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { BulkOperation, BulkPage, BulkPreview } from '../../../schemas/bulk.ts'
import type { ExecutionDetail } from '../../../schemas/execution.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'
import { FLAKY, openBulk } from './bulk-app.ts'

const RETRY = { action: 'retry', filter: { status: 'failed', task_name: FLAKY } }

t.test('a bulk retry has a dry run, detects drift, and records every outcome in the audit log', t => onEveryStore(t, async (t, url) => {
  const { post, read, until, items, fail, ran, state } = await openBulk(t, url)
  const ids = await fail(620)
  await fail(3, 'other')
  const dry = await post({ ...RETRY, dry_run: true })
  t.equal(dry.statusCode, 200, dry.body)
  const preview = dry.json<BulkPreview>()
  t.match(preview, { action: 'retry', count: { value: 620, relation: 'exact' }, task_count: 1, tasks_left_out: 0 })
  t.equal(preview.sample.length, 10)
  t.ok(preview.sample.every(({ task_name: name, status }) => name === FLAKY && status === 'failed'))
  t.same((await read<BulkPage>('bulk')).items, [], 'a dry run starts nothing')

  const [late] = await fail(1, FLAKY, 621)
  const refused = await post({ ...RETRY, dry_run: false, token: preview.token })
  t.equal(refused.statusCode, 409, refused.body)
  const drifted = refused.json<Problem>()
  t.match(drifted, { code: 'BULK_DRIFTED', count: { value: 621, relation: 'exact' } })
  t.same((await read<BulkPage>('bulk')).items, [], 'nothing starts if the count has drifted')

  const later = (await fail(2, FLAKY, 623)).toSorted()
  state.isMended = true
  const by = { 'idempotency-key': 'once' }
  const started = await post({ ...RETRY, dry_run: false, token: drifted.token, reason: '</script> \u202e"' }, by)
  t.equal(started.statusCode, 202, started.body)
  const operation = started.json<BulkOperation>()
  t.match(operation, { action: 'retry', state: 'running', reason: '</script> \u202e"', created_by: 'ada', count: { value: 621 } })
  t.equal((await post({ ...RETRY, dry_run: false, token: drifted.token, reason: '</script> \u202e"' }, by)).body, started.body)
  t.equal(started.headers.location, `bulk/${operation.operation_id}`)

  const done = await until(operation.operation_id, 'done')
  t.match(done, { progress: { items: 621, done: 621, skipped: 0, failed: 0, undone: 0 }, waiting_for: null, capped: false, undoable: true })
  const outcomes = await items(operation.operation_id)
  t.same(outcomes.map(item => item.execution_id).toSorted(), [...ids, late].toSorted(), 'each once')
  t.ok(outcomes.every(item => item.outcome === 'done' && item.task_name === FLAKY && item.made_execution_id !== null))
  await waitFor('all retries to run', async () => ran.length === 621)
  const untouched = await read<ExecutionDetail>(`executions/${later[0]}`)
  t.same(untouched.retried_by, [], 'executions that failed after the accepted count are not touched')
  const first = outcomes[0]!
  t.match(await read<ExecutionDetail>(`executions/${first.made_execution_id}`), { retry_of: first.execution_id, status: 'success' })

  const again = (await post({ ...RETRY, dry_run: false })).json<BulkOperation>()
  t.match((await until(again.operation_id, 'done')).progress, { items: 623, done: 2, skipped: 621 })
  t.ok((await items(again.operation_id)).filter(item => item.outcome === 'skipped').every(item => item.code === 'ALREADY_RETRIED'))
  t.same((await read<BulkPage>('bulk')).items.map(each => each.operation_id), [again.operation_id, operation.operation_id])

  const entries = (await read<AuditPage>('audit')).items.filter(entry => entry.action === 'bulk:create')
  t.same(entries.map(entry => entry.outcome), ['done', 'done', 'refused'], 'dry runs are not recorded')
  t.match(entries[1], { actor: 'ada', reason: '</script> \u202e"', after: { operation_id: operation.operation_id } })
}))
