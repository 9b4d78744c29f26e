import t from 'tap'
import { verbsFor } from '../../../../ui/src/format/failures/deciding.ts'

t.test('a group offers its possible decisions, the likely one first', async t => {
  t.same(verbsFor({ state: 'open', decidable: true }), ['resolve'])
  t.same(verbsFor({ state: 'resolved', decidable: true }), ['reopen'])
  t.same(verbsFor({ state: 'regressed', decidable: true }), ['resolve', 'reopen'])
})

t.test('a group that also occurs in tasks that the reader cannot see offers no decision', async t => {
  for (const state of ['open', 'resolved', 'regressed'] as const) t.same(verbsFor({ state, decidable: false }), [])
})
