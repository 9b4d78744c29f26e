import fc from 'fast-check'
import t from 'tap'
import { toWhy } from '../../../lib/dashboard/resources/executions/to-why.ts'
import { toTimestamp } from '../../../lib/dashboard/resources/wire-values.ts'

t.test('a time that RFC 3339 cannot express becomes the nearest one that it can', async t => {
  for (const ms of [253_402_300_800_000, 9e15, 1e18, Infinity]) t.equal(toTimestamp(ms), '9999-12-31T23:59:59.999Z', `${ms}`)
  for (const ms of [-62_167_219_200_001, -1e18]) t.equal(toTimestamp(ms), '0000-01-01T00:00:00.000Z', `${ms}`)
  t.equal(toTimestamp(253_402_300_799_999), '9999-12-31T23:59:59.999Z')
  t.equal(toTimestamp(0), '1970-01-01T00:00:00.000Z')
})

t.test('a time is formatted as by toISOString(), whatever was formatted before', async t => {
  const ms = fc.double({ min: -62_167_219_200_000, max: 253_402_300_799_999, noNaN: true })
  const midnights = fc.integer({ min: -719_528, max: 2_932_896 }).map(days => days * 86_400_000)
  const times = fc.array(fc.oneof(ms, midnights, fc.integer({ min: -5, max: 5 })))
  fc.assert(fc.property(times, all => all.every(each => toTimestamp(each) === new Date(each).toISOString())))
  t.equal(toTimestamp(1_764_331_200_007.9), '2025-11-28T12:00:00.007Z')
  t.throws(() => toTimestamp(NaN), RangeError)
})

t.test('the reason why an execution does not run can be read even if other code delayed it beyond any date', async t => {
  const { sentence, facts } = toWhy({ taskName: 'a', facts: [{ kind: 'delayed', until: 9e15, scheduleId: null }], isKnown: true }, true)
  t.equal(sentence, 'It is not due until 9999-12-31 23:59:59 UTC.')
  t.strictSame(facts, [{ kind: 'delayed', until: '9999-12-31T23:59:59.999Z', schedule_id: null }])
})
