import t from 'tap'
import { addUpDays, busiestHour, dayText, loadLevel, toAgendaDays, toAgendaSpan } from '../../../../ui/src/format/schedules/agenda.ts'
import { setVariable } from '../../../support/set-variable.ts'

const HOUR_MS = 3_600_000
const hoursFrom = (start: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(start + index * HOUR_MS).toISOString())

/** Runs the check in a time zone of the reader. */
function inZone(zone: string, check: () => void): void {
  const putBack = setVariable('TZ', zone)
  try {
    check()
  } finally {
    putBack()
  }
}

t.test('totals become local days of 24 hours, and hours outside the agenda are null', async t => {
  inZone('Europe/Berlin', () => {
    const start = Date.UTC(2026, 10, 21, 12)
    const hours = hoursFrom(start, 24)
    const totals = hours.map((_, index) => index + 1)
    const days = toAgendaDays({ hours, totals })
    t.equal(days.length, 2)
    t.equal(dayText(days[0]!.start), '2026-11-21')
    t.equal(days[0]!.counts[12], null, 'an hour before the agenda is unknown, not 0')
    t.equal(days[0]!.counts[13], 1)
    t.equal(days[0]!.total + days[1]!.total, 300)
    t.same(addUpDays(hours, totals, days), days.map(day => day.total))
  })
})

t.test('a day of 25 hours keeps every run, and one of 23 leaves the missing hour null', async t => {
  inZone('Europe/Berlin', () => {
    const autumn = hoursFrom(Date.UTC(2026, 9, 24, 22), 25)
    const [long] = toAgendaDays({ hours: autumn, totals: autumn.map(() => 1) })
    t.equal(long!.total, 25)
    t.equal(long!.counts[2], 2, 'the repeated hour')
    const spring = hoursFrom(Date.UTC(2026, 2, 28, 23), 23)
    const [short] = toAgendaDays({ hours: spring, totals: spring.map(() => 1) })
    t.equal(short!.counts[2], null, 'the hour that does not exist')
    t.equal(short!.total, 23)
  })
})

t.test('a span covers at most seven days and starts on a whole hour', async t => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Auckland']) {
    inZone(zone, () => {
      for (let now = Date.UTC(2026, 0, 1, 3, 30); now < Date.UTC(2027, 0, 1); now += 37 * HOUR_MS) {
        for (const days of [1, 7] as const) {
          for (const day of [null, dayText(now)]) {
            const { from, to } = toAgendaSpan(days, day, now)
            if (from % HOUR_MS !== 0 || to <= from || to - from > 7 * 24 * HOUR_MS)
              t.fail(`${zone} ${new Date(now).toISOString()} ${days} ${day}: ${from} ${to}`)
          }
        }
      }
      const hours = (toAgendaSpan(1, '2026-03-29', 0).to - toAgendaSpan(1, '2026-03-29', 0).from) / HOUR_MS
      t.equal(hours, zone === 'Europe/Berlin' ? 23 : 24, `${zone}: follows the calendar`)
    })
  }
  t.same(toAgendaSpan(1, '2026-02-30', 0), toAgendaSpan(1, null, 0), 'an invalid day is ignored')
  t.same(toAgendaSpan(1, 'x', 0), toAgendaSpan(1, null, 0))
})

t.test('the busiest hour is found, and a count maps to one of five shades', async t => {
  const hours = hoursFrom(0, 3)
  t.same(busiestHour({ hours, totals: [1, 9, 9] }), { at: hours[1], count: 9 })
  t.equal(busiestHour({ hours, totals: [0, 0, 0] }), null)
  t.equal(loadLevel(0, 1800), 0)
  t.equal(loadLevel(1, 1800), 1)
  t.equal(loadLevel(1800, 1800), 4)
  t.ok(loadLevel(60, 1800) > 1, 'one heavy schedule does not hide the others')
})
