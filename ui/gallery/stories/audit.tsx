import type { AuditEntry } from '../../../schemas/index.ts'
import { AuditFilters } from '../../src/components/audit/audit-filters.tsx'
import { Actor, AuditTable } from '../../src/components/audit/audit-table.tsx'
import { EntryChanges } from '../../src/components/audit/entry-changes.tsx'
import { EntryFacts } from '../../src/components/audit/entry-facts.tsx'
import type { AuditFilter } from '../../src/format/audit/audit-filter.ts'
import { entries, entry, hostileEntry, refusedEntry, unknownEntry } from '../samples/bulk.ts'
import { HOSTILE, LONG, UNBROKEN } from '../samples/texts.ts'
import { href, nothing, type Stories } from '../story.ts'

const longEntry: AuditEntry = {
  ...entry, entry_id: 'long', actor: LONG, address: LONG, path: `/${UNBROKEN}`, reason: LONG, request_id: UNBROKEN,
  resource: { task_name: LONG, schedule_id: UNBROKEN, execution_id: UNBROKEN, error_group: null }, before: { [UNBROKEN]: LONG },
  after: { a: UNBROKEN }
}
const noFilter: AuditFilter = {
  actor: null, action: null, outcome: null, taskName: null, scheduleId: null, executionId: null, range: null
}

export const auditStories: Stories = {
  'audit/audit-filters': [
    { state: 'empty', show: () => filters(noFilter) },
    { state: 'ready', show: () => filters({ ...noFilter, actor: 'ada', outcome: 'done', scheduleId: 'daily-report',
      executionId: '0199-e1' }) },
    { state: 'forbidden', words: 'tasks may not be seen', show: () => filters(noFilter, null) },
    { state: 'huge', show: () => filters({ ...noFilter, actor: LONG, action: LONG, taskName: LONG, scheduleId: LONG, executionId: LONG }) },
    {
      state: 'hostile',
      show: () => filters({ ...noFilter, actor: HOSTILE, action: HOSTILE, taskName: HOSTILE, scheduleId: HOSTILE, executionId: HOSTILE },
        [HOSTILE])
    }
  ],
  'audit/audit-table': [
    { state: 'ready', show: () => table(entries) },
    { state: 'empty', show: () => table([]) },
    { state: 'partial', words: 'one is open', show: () => table(entries, entry.entry_id) },
    { state: 'unknown', words: 'who did it', show: () => <>{table([unknownEntry])}<p><Actor actor={null} /></p></> },
    { state: 'huge', show: () => table([longEntry]) },
    { state: 'hostile', show: () => table([hostileEntry]) }
  ],
  'audit/entry-changes': [
    { state: 'ready', show: () => <EntryChanges entry={entry} /> },
    { state: 'empty', show: () => <EntryChanges entry={refusedEntry} /> },
    { state: 'partial', words: 'cut', show: () => <EntryChanges entry={{ ...entry, truncated: ['/before', '/after'] }} /> },
    { state: 'huge', show: () => <EntryChanges entry={longEntry} /> },
    { state: 'hostile', show: () => <EntryChanges entry={hostileEntry} /> }
  ],
  'audit/entry-facts': [
    { state: 'ready', show: () => <EntryFacts entry={entry} /> },
    { state: 'forbidden', words: 'it was refused', show: () => <EntryFacts entry={refusedEntry} /> },
    { state: 'loading', words: 'it is being done', show: () => <EntryFacts entry={{ ...entry, outcome: 'in_progress', status: null }} /> },
    { state: 'unknown', show: () => <EntryFacts entry={unknownEntry} /> },
    { state: 'huge', show: () => <EntryFacts entry={longEntry} /> },
    { state: 'hostile', show: () => <EntryFacts entry={hostileEntry} /> }
  ]
}

function filters(filter: AuditFilter, names: readonly string[] | null = ['reports:daily']) {
  return <AuditFilters filter={filter} actors={['ada', 'bob']} taskNames={names} href={href} onChange={nothing}>
    <span>24 h</span>
  </AuditFilters>
}

function table(rows: readonly AuditEntry[], openId: string | null = null) {
  return <AuditTable entries={rows} total={rows.length} openId={openId} href={href} onEnd={nothing} onHold={nothing} />
}
