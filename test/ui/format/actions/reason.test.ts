import t from 'tap'
import { isReasonReady, reasonFrom, reasonProblem } from '../../../../ui/src/format/actions/reason.ts'
import { toCurl, toTypedClient } from '../../../../ui/src/format/places/snippet.ts'
import { reasonFrom as readByServer } from '../../../../lib/dashboard/audit/reason.ts'

const GOOD = ['x', '  trimmed ', 'größer, 字 🎉', `it's 100 % "so"`, 'x'.repeat(500)]
const BAD = ['x'.repeat(501), 'tab\there', 'nul\u0000', 'right\u202eto left', 'line\u2028separator', 'half \ud83c']

t.test('a valid reason is accepted by the server and arrives as it was typed', async t => {
  for (const text of GOOD) {
    t.equal(reasonProblem(text), null)
    t.equal(readByServer(encodeURIComponent(reasonFrom(text)!)), text.trim())
  }
})

t.test('input that the server would refuse is reported before it is sent', async t => {
  for (const text of BAD) {
    t.type(reasonProblem(text), 'string')
    t.equal(isReasonReady(text, false), false)
  }
})

t.test('spaces do not count as a reason, and only a required reason blocks the action', async t => {
  for (const text of ['', '   ']) {
    t.equal(reasonFrom(text), undefined)
    t.equal(isReasonReady(text, false), true)
    t.equal(isReasonReady(text, true), false)
    t.equal(reasonProblem(text), null, 'an empty field shows no error')
  }
})

t.test('the call to copy has the reason as a header, encoded and quoted', async t => {
  const call = { method: 'PATCH', path: 'api/schedules/s', body: { enabled: true }, reason: `Bob's 100 %` } as const
  t.match(toCurl('http://h/', call), `-H 'audit-reason: Bob'\\''s%20100%20%25'`)
  t.match(toTypedClient('http://h/', call), /'audit-reason': 'Bob\\'s%20100%20%25'/)
})
