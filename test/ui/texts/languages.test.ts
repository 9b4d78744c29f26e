import t from 'tap'
import { backoffWords } from '../../../ui/src/format/tasks/policy.ts'
import { formatBytes, formatCompact, formatCount, formatPace, formatRate, formatTotal } from '../../../ui/src/format/stats/number.ts'
import { formatDuration, formatRelative } from '../../../ui/src/format/time/duration.ts'
import { formatClock, formatDay, formatExact, formatLocals, formatMoment } from '../../../ui/src/format/time/time.ts'
import { lastOf, rangeLabel, rangePhrase, rangeWords } from '../../../ui/src/format/time/time-range.ts'
import { statusWord } from '../../../ui/src/format/executions/status.ts'
import { ROUTES } from '../../../ui/src/format/places/routes.ts'
import { CATALOGUES } from '../../../ui/src/texts/catalogues.ts'
import { LANGUAGES, languageFrom, languageNow } from '../../../ui/src/texts/language.ts'
import { counted } from '../../../ui/src/texts/numbers.ts'
import { executionTexts } from '../../../ui/src/texts/executions.ts'
import { setTexts } from '../../../ui/src/texts/texts.ts'
import { de } from '../../../ui/src/texts/de/de.ts'
import { en } from '../../../ui/src/texts/en/en.ts'

const AT = Date.UTC(2026, 10, 20, 23, 30, 5, 40)

t.afterEach(() => setTexts('en', null))

t.test('numbers follow the language', async t => {
  const words = () => [
    formatCount(1_204), formatTotal({ value: 10_000, relation: 'at_least' }), formatCompact(1_234_567), formatRate(99.28),
    formatRate(99.9999), formatPace(0.25), formatPace(8.44), formatDuration(1_240), formatDuration(192_000),
    formatBytes(3.5 * 1024 ** 2)
  ]
  t.same(words(), ['1,204', '10,000+', '1.2M', '99.3 %', '> 99.99 %', '0.25', '8.4', '1.24 s', '3 m 12 s', '3.5 MB'])
  setTexts('de', de)
  t.same(words(), ['1.204', '10.000+', '1,2\u00a0Mio.', '99,3 %', '> 99,99 %', '0,25', '8,4', '1,24 s', '3 min 12 s', '3,5 MB'])
})

t.test('dates and ranges follow the language', async t => {
  const words = () => [
    formatMoment(AT, AT + 3_600_000, 'UTC'), formatClock(AT, AT, 'UTC'), formatExact(AT, 'UTC'), formatDay(AT, 'UTC'),
    ...formatLocals(['2026-03-29T03:30:00'], AT), formatRelative(0, 192_000), rangeWords(lastOf('24h')), rangePhrase(lastOf('7d'), AT),
    rangeLabel(lastOf('15m')!), rangeWords(lastOf('45m')),
    backoffWords({ type: 'fixed', delay_ms: 90_000, max_delay_ms: 90_000, jitter: 0 })
  ]
  t.same(words(), [
    '20 Nov, 23:30', '23:30', 'Fri 20 Nov 2026 23:30:05.040', 'Fri 20 Nov', 'Sun 29 Mar 03:30', '3 m ago', 'Last 24 hours',
    ' in the last 7 days', '15 m', 'Last 45 m', '1 m 30 s'
  ])
  setTexts('de', de)
  t.same(words(), [
    '20. Nov., 23:30', '23:30', 'Fr. 20. Nov. 2026 23:30:05,040', 'Fr. 20. Nov.', 'So. 29. März 03:30', 'vor 3 min', 'Letzte 24 Stunden',
    ' in den letzten 7 Tagen', '15 min', 'Letzte 45 min', '1 min 30 s'
  ])
})

t.test('texts and the names of pages change with the language, and back', async t => {
  t.equal(statusWord('failed'), 'Failed')
  setTexts('de', (await CATALOGUES.de.load()))
  t.equal(languageNow(), 'de')
  t.equal(statusWord('failed'), 'Fehlschlag')
  t.equal(executionTexts.thatIsAll(1), 'Das sind alle: 1 Ausführung.')
  t.equal(executionTexts.thatIsAll(1_204), 'Das sind alle: 1.204 Ausführungen.')
  t.equal(new Set(ROUTES.map(({ title }) => title)).size, ROUTES.length, 'each has a name of its own')
  setTexts('en', await CATALOGUES.en.load())
  t.equal(executionTexts.thatIsAll(1), 'End of list: 1 execution.')
})

t.test('plurals follow the categories of the language', async t => {
  const forms = { one: 'run', other: 'runs' }
  t.same([0, 1, 2].map(count => counted(count, forms)), ['0 runs', '1 run', '2 runs'])
  setTexts('de', de)
  t.same([0, 1, 1_000].map(count => counted(count, { one: 'Lauf', other: 'Läufe' })), ['0 Läufe', '1 Lauf', '1.000 Läufe'])
})

t.test('a language is found by its tag, in any case, with or without a region', async t => {
  for (const language of LANGUAGES) t.equal(languageFrom(language), language)
  for (const tag of ['de', 'DE', 'de-AT', 'de-CH-1996']) t.equal(languageFrom(tag), 'de', tag)
  for (const tag of ['fr', 'deu', '', 'dex-AT', null, undefined]) t.equal(languageFrom(tag), null, String(tag))
})

t.test('every function of a catalogue returns a text in each language', async t => {
  for (const texts of [en, de]) {
    for (const [name, value] of leavesOf(texts)) {
      const text: unknown = typeof value === 'function' ? (value as (...values: unknown[]) => unknown)('2', '3', '4') : value
      if (typeof text === 'string') t.notMatch(text, /undefined|null|NaN|\[object/, name)
      else t.ok(text, name)
    }
  }
})

function leavesOf(value: unknown, path = ''): Array<readonly [name: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, `${path}.${key}`))
}
