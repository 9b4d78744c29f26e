import t from 'tap'
import { toWhy } from '../../../lib/dashboard/resources/executions/to-why.ts'
import { toTimestamp } from '../../../lib/dashboard/resources/wire-values.ts'

t.test('a time that RFC 3339 cannot write becomes the nearest that it can', async t => {
  for (const ms of [253_402_300_800_000, 9e15, 1e18, Infinity]) t.equal(toTimestamp(ms), '9999-12-31T23:59:59.999Z', `${ms}`)
  for (const ms of [-62_167_219_200_001, -1e18]) t.equal(toTimestamp(ms), '0000-01-01T00:00:00.000Z', `${ms}`)
  t.equal(toTimestamp(253_402_300_799_999), '9999-12-31T23:59:59.999Z')
  t.equal(toTimestamp(0), '1970-01-01T00:00:00.000Z')
})

t.test('an execution that other code delayed beyond any date can be asked why it does not run', async t => {
  const { sentence, facts } = toWhy({ taskName: 'a', facts: [{ kind: 'delayed', until: 9e15, scheduleId: null }], isKnown: true }, true)
  t.equal(sentence, 'It is not due until 9999-12-31 23:59:59 UTC.')
  t.strictSame(facts, [{ kind: 'delayed', until: '9999-12-31T23:59:59.999Z', schedule_id: null }])
})
