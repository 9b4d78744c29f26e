import t from 'tap'
import type { AuditPage } from '../../../schemas/audit.ts'
import type { BulkPage, BulkPreview } from '../../../schemas/bulk.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { onEveryStore } from '../../support/servers/stores.ts'
import { FLAKY, openBulk } from './bulk-app.ts'

const UNKNOWN = '01890000-0000-7000-8000-000000000000'

t.test('if nothing matches, nothing starts, and nothing reveals whether hidden executions exist', t => onEveryStore(t, async (t, url) => {
  const { post, fail, read } = await openBulk(t, url, {
    scope: ({ headers }) => headers['x-scope'] === undefined ? null : name => name === 'other'
  })
  const [hidden] = await fail(1)
  await fail(1, 'other')
  const ofNothing = { count: { value: 0, relation: 'exact' }, task_count: 0, tasks_left_out: 0, sample: [] }
  const cases = [
    { who: 'everybody', action: 'retry', filter: { task_name: 'made-up' } },
    { who: 'everybody', action: 'retry', filter: { execution_ids: [UNKNOWN] } },
    { who: 'everybody', action: 'cancel', filter: { task_name: FLAKY } },
    { who: 'everybody', action: 'cancel', filter: { execution_ids: [hidden] } },
    { who: 'everybody', action: 'delete', filter: { task_name: FLAKY, search: 'task:other' } },
    { who: 'everybody', action: 'delete', filter: { search: `id:${UNKNOWN}` } },
    { who: 'everybody', action: 'resolve', filter: { task_name: 'made-up' } },
    { who: 'everybody', action: 'retry', filter: { error_group: '0123456789abcdef' } },
    { who: 'everybody', action: 'retry', filter: { task_name: FLAKY, error_group: '0123456789abcdef', search: 'x' } },
    { who: 'other', action: 'retry', filter: { task_name: 'made-up' } },
    { who: 'other', action: 'retry', filter: { task_name: FLAKY } },
    { who: 'other', action: 'retry', filter: { execution_ids: [UNKNOWN] } },
    { who: 'other', action: 'retry', filter: { execution_ids: [hidden] } },
    { who: 'other', action: 'delete', filter: { search: `id:${hidden}` } },
    { who: 'other', action: 'resolve', filter: { task_name: FLAKY } },
    { who: 'other', action: 'cancel', filter: {} }
  ] as const
  const answers = new Set<string>()
  for (const { who, action, filter } of cases) {
    const label = `${who}: ${action} ${JSON.stringify(filter)}`
    const headers: Record<string, string> = who === 'other' ? { 'x-scope': who } : {}
    const preview = await post({ action, filter, dry_run: true }, headers)
    t.match(preview.json(), ofNothing, `${label}: dry run`)
    for (const token of [undefined, preview.json<BulkPreview>().token]) {
      const started = await post({ action, filter, dry_run: false, ...token !== undefined && { token } }, headers)
      t.match(started.json<Problem>(), { status: 409, code: 'NOTHING_MATCHES' }, label)
      const { request_id: _id, ...problem } = started.json<Problem>()
      answers.add(JSON.stringify(problem))
    }
  }
  t.equal(answers.size, 1, 'all of them get the same response')
  t.equal((await read<BulkPage>('bulk')).total.value, 0)
  const { items: entries } = await read<AuditPage>('audit?limit=100')
  t.equal(entries.length, 2 * cases.length)
  t.ok(entries.every(each => each.outcome === 'refused' && each.code === 'NOTHING_MATCHES'), 'each start is in the audit log')
  const own = await post({ action: 'retry', filter: {}, dry_run: false }, { 'x-scope': 'other' })
  t.match(own.json(), { task_count: 1, count: { value: 1 } })
}))
