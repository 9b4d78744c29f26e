import t from 'tap'
import type { AuditEntry } from '../../../../schemas/index.ts'
import {
  actionsToOffer, auditHref, isAuditFiltered, outcomeFrom, type AuditFilter
} from '../../../../ui/src/format/audit/audit-filter.ts'
import { timeOfEntryId, toAuditEntries } from '../../../../ui/src/format/audit/audit-list.ts'
import { actionWord, AUDIT_ACTIONS, outcomeMark } from '../../../../ui/src/format/audit/audit-words.ts'
import { AUDIT_OUTCOMES } from '../../../../schemas/audit.ts'
import { ACTIONS, isWrite } from '../../../../lib/dashboard/actions.ts'

const entry = (id: string, fields: Partial<AuditEntry> = {}) => ({ entry_id: id, ...fields }) as AuditEntry

t.test('every action that writes has words and can be chosen, and an unknown one stays as it is', async t => {
  t.same([...AUDIT_ACTIONS].sort(), ACTIONS.filter(isWrite).sort())
  for (const action of AUDIT_ACTIONS) t.not(actionWord(action), action)
  for (const action of ['robots:paint', 'constructor', '__proto__']) t.equal(actionWord(action), action)
  t.same(actionsToOffer('robots:paint').slice(0, 2), ['robots:paint', AUDIT_ACTIONS[0]])
  t.equal(actionsToOffer(AUDIT_ACTIONS[2]!), AUDIT_ACTIONS)
})

t.test('every outcome has its own mark and word', async t => {
  const marks = AUDIT_OUTCOMES.map(outcomeMark)
  t.equal(new Set(marks.map(({ mark }) => mark)).size, AUDIT_OUTCOMES.length)
  t.equal(new Set(marks.map(({ word }) => word)).size, AUDIT_OUTCOMES.length)
  t.equal(outcomeFrom('refused'), 'refused')
  t.equal(outcomeFrom('constructor'), null)
})

t.test('an entry is listed once, in the version of the newest page', async t => {
  const pages = [
    { items: [entry('c', { outcome: 'in_progress' }), entry('b')], next_cursor: 'x' },
    { items: [entry('b'), entry('a')], next_cursor: null }
  ]
  const { entries, news } = toAuditEntries(pages, { items: [entry('c', { outcome: 'done' }), entry('b')], next_cursor: 'x' })
  t.same(entries.map(({ entry_id: id, outcome }) => [id, outcome]), [['c', 'done'], ['b', undefined], ['a', undefined]])
  t.equal(news, 0)
  t.same(toAuditEntries([], undefined), { entries: [], news: 0, hasMoreNews: false })
})

t.test('new entries of the newest page are counted, not listed, and there may be more if all of them are new', async t => {
  const pages = [{ items: [entry('b'), entry('a')], next_cursor: null }]
  const some = toAuditEntries(pages, { items: [entry('d'), entry('c'), entry('b')], next_cursor: 'x' })
  t.same([some.entries.length, some.news, some.hasMoreNews], [2, 2, false])
  const all = toAuditEntries(pages, { items: [entry('e'), entry('d')], next_cursor: 'x' })
  t.same([all.news, all.hasMoreNews], [2, true])
})

t.test('the id of an entry contains its time', async t => {
  t.equal(timeOfEntryId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), 1_645_557_742_000)
  for (const id of ['', 'x', '017f22e2-79b0-4cc3-98c4-dc0c0c07398f', '__proto__']) t.equal(timeOfEntryId(id), null)
})

t.test('the address of the page holds hostile values, and any filter counts as one', async t => {
  t.equal(auditHref({ schedule: 'a&b=/?#' }), '/audit?schedule=a%26b%3D%2F%3F%23')
  const none: AuditFilter = {
    actor: null, action: null, outcome: null, taskName: null, scheduleId: null, executionId: null, range: null
  }
  t.equal(isAuditFiltered(none), false)
  t.equal(isAuditFiltered({ ...none, executionId: 'e' }), true)
})
