import t from 'tap'
import { hoursCounted } from '../../../../ui/src/format/failures/hours-counted.ts'
import { lastOf, type TimeRange } from '../../../../ui/src/format/time/time-range.ts'

const at = (clock: string): number => Date.parse(`2026-11-23T${clock}:00Z`)
const between = (from: string, to: string | null): TimeRange => ({ kind: 'between', from: at(from), to: to === null ? null : at(to) })
const now = at('14:47')

t.test('failure groups are counted over the whole hours that a range touches', async t => {
  const cases: ReadonlyArray<readonly [string, TimeRange | null, TimeRange | null]> = [
    ['all time', null, null],
    ['15 minutes', lastOf('15m'), between('14:00', null)],
    ['an hour', lastOf('1h'), between('13:00', null)],
    ['between two instants', between('13:15', '13:36'), between('13:00', '14:00')],
    ['an end in this hour', between('14:15', '14:36'), between('14:00', null)],
    ['whole hours', between('12:00', '13:00'), between('12:00', '13:00')],
    ['whole hours up to now', between('12:00', null), between('12:00', null)]
  ]
  for (const [name, range, counted] of cases) t.same(hoursCounted(range, now), counted, name)
  const whole = between('12:00', '13:00')
  t.equal(hoursCounted(whole, now), whole, 'no note is needed')
})
