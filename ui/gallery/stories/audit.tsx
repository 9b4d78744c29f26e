import { AuditFilters } from '../../src/components/audit/audit-filters.tsx'
import { Actor, AuditTable } from '../../src/components/audit/audit-table.tsx'
import { EntryChanges } from '../../src/components/audit/entry-changes.tsx'
import { EntryFacts } from '../../src/components/audit/entry-facts.tsx'
import { entries, entry, hostileEntry } from '../samples/bulk.ts'
import { HOSTILE, LONG } from '../samples/frame.ts'
import { nothing, nowhere, type Stories } from './story.ts'

const filter = { actor: null, action: null, outcome: null, taskName: null, scheduleId: null, executionId: null, range: null }
const filters = { filter, actors: ['ada', 'bob'], taskNames: ['billing:charge'], href: nowhere, onChange: nothing, children: null }
const table = { total: null, openId: null, href: nowhere, onEnd: nothing, onHold: nothing }

export const auditStories: Stories = {
  'Audit log': [
    { state: 'ready', words: 'one of each outcome', show: () => <AuditTable {...table} entries={entries} /> },
    { state: 'hostile', show: () => <AuditTable {...table} entries={[hostileEntry]} /> }
  ],
  'Who did it': [
    { state: 'ready', show: () => <Actor actor="ada" /> },
    { state: 'empty', show: () => <Actor actor={null} /> },
    { state: 'hostile', show: () => <Actor actor={HOSTILE} /> }
  ],
  'Filters of the audit log': [
    { state: 'ready', show: () => <AuditFilters {...filters} /> },
    { state: 'forbidden', words: 'tasks may not be seen', show: () => <AuditFilters {...filters} taskNames={null} /> },
    {
      state: 'hostile',
      show: () => <AuditFilters {...filters} filter={{ ...filter, actor: HOSTILE, taskName: LONG, executionId: HOSTILE }} />
    }
  ],
  'An audit entry': [
    { state: 'ready', show: () => <><EntryFacts entry={entry} /><EntryChanges entry={entry} /></> },
    { state: 'error', words: 'refused', show: () => <EntryFacts entry={entries[1]!} /> },
    { state: 'hostile', show: () => <><EntryFacts entry={hostileEntry} /><EntryChanges entry={hostileEntry} /></> }
  ]
}
