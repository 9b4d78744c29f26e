import t from 'tap'
import { describeTiming } from '../../../lib/scheduler/timing/describe-timing.ts'
import { sayOfTiming } from '../../../ui/src/texts/de/timing-words.ts'

const CASES: ReadonlyArray<readonly [cron: string, german: string]> = [
  ['* * * * *', 'Jede Minute'],
  ['*/5 * * * *', 'Alle 5 Minuten'],
  ['0 * * * *', 'Jede Stunde'],
  ['0 */2 * * *', 'Zur vollen Stunde, alle 2 Stunden'],
  ['0 9 * * 1-5', 'Um 09:00, montags bis freitags'],
  ['0 8,20 * * SUN', 'Um 08:00 und 20:00, nur sonntags'],
  ['30 * * * *', 'In Minute 30 der Stunde'],
  ['*/45 0 * * *', 'In den Minuten 0 und 45 der Stunde, um 00:00'],
  ['5,10,20-30 * * * *', 'In den Minuten 5, 10 und 20 bis 30 der Stunde'],
  ['0-10 * * * *', 'In den Minuten 0 bis 10 der Stunde'],
  ['*/5 9-17 * * 1,3,5', 'Alle 5 Minuten, von 09:00 bis 17:59, nur montags, mittwochs und freitags'],
  ['0-10 0 * * *', 'Jede Minute von 00:00 bis 00:10'],
  ['0 0 1,15 * *', 'Um 00:00, am 1. und 15. des Monats'],
  ['0 0 1-7 * 7', 'Um 00:00, vom 1. bis 7. des Monats oder sonntags'],
  ['0 0 1,10-12 3,5-7 *', 'Um 00:00, am 1. und 10. bis 12. des Monats, nur im März und Mai bis Juli'],
  ['0 6 * 1-3 *', 'Um 06:00, von Januar bis März'],
  ['10/20 * * * *', 'Alle 20 Minuten, ab Minute 10 der Stunde']
]

t.test('a cron expression is described in German', async t => {
  for (const [cron, german] of CASES) t.equal(sayOfTiming(describeTiming({ cron })), german, cron)
})

t.test('an interval is described in German', async t => {
  const told = (intervalMs: number): string => sayOfTiming(describeTiming({ intervalMs }))
  t.same(
    [1_500, 60_000, 5_400_000, 3_600_000, 86_400_000, 172_800_000].map(told),
    ['alle 1,5 Sekunden', 'jede Minute', 'alle 90 Minuten', 'jede Stunde', 'jeden Tag', 'alle 2 Tage']
  )
})

const MINUTES = ['*', '0', '1', '*/5', '*/45', '0-10', '0,30', '5,10,20-30', '1-59/2', '10/20']
const HOURS = ['*', '9', '*/2', '*/5', '9-17', '8,20', '22-23,0-4']
const MONTH_DAYS = ['*', '1', '1,15', '1-7', '*/2', '*/10', '1,10-12', '2-20/3']
const MONTHS = ['*', 'JAN', '1-3', '*/5', '3,5-7']
const WEEKDAYS = ['*', '1', 'MON-FRI', '0,6', '1,3-5']
const GERMAN = new RegExp(
  '^(?:[Jj]ede|[Aa]lle|[Ii]n|[Uu]m|[Zz]ur|vollen|den|der|des|von|vom|bis|ab|am|im|und|oder|nur|Minuten?|Stunden?|Monate?|Monats|Tage?|' +
  '(?:mon|diens|donners|frei|sams|sonn)tags|mittwochs|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|' +
  'Dezember)$'
)

t.test('no word of any description stays English, and every number stays in its place', async t => {
  let told = 0
  const wrong: string[] = []
  const others = [HOURS, MONTH_DAYS, MONTHS, WEEKDAYS]
  const crons = others.reduce((begun, field) => begun.flatMap(cron => field.map(each => `${cron} ${each}`)), MINUTES)
  for (const cron of crons) {
    const english = describeTiming({ cron })
    const german = sayOfTiming(english)
    if (english === cron) {
      if (german !== cron) wrong.push(cron)
      continue
    }
    told++
    const isGerman = german.match(/\p{Letter}+/gu)!.every(word => GERMAN.test(word))
    if (!isGerman || String(english.match(/\d+/g)) !== String(german.match(/\d+/g))) wrong.push(`${cron}: ${english} → ${german}`)
  }
  t.same(wrong.slice(0, 10), [])
  t.ok(told > 10_000, String(told))
})

t.test('unknown text stays unchanged, and long hostile text takes no noticeable time', async t => {
  for (const text of ['', 'At dawn', 'At 09:00, unless it rains', '0 0 1-31 * 1', 'Every', '<b>', 'Monday through', ', '])
    t.equal(sayOfTiming(text), text)
  const start = performance.now()
  for (const part of ['At 09:00, ', '1, ', 'Monday and ', 'Every minute ', '00:00, 00:00 and '])
    for (const times of [1, 60, 100, 100_000]) {
      const text = part.repeat(times)
      t.equal(sayOfTiming(`${text}!`), `${text}!`)
    }
  t.ok(performance.now() - start < 1_000)
})
