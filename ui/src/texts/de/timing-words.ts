const DAYS: Readonly<Record<string, string>> = {
  Monday: 'montags', Tuesday: 'dienstags', Wednesday: 'mittwochs', Thursday: 'donnerstags', Friday: 'freitags', Saturday: 'samstags',
  Sunday: 'sonntags'
}
const MONTHS: Readonly<Record<string, string>> = {
  January: 'Januar', February: 'Februar', March: 'März', April: 'April', May: 'Mai', June: 'Juni', July: 'Juli', August: 'August',
  September: 'September', October: 'Oktober', November: 'November', December: 'Dezember'
}
const EVERY: Readonly<Record<string, readonly [one: string, many: string]>> = {
  second: ['jede Sekunde', 'Sekunden'], minute: ['jede Minute', 'Minuten'], hour: ['jede Stunde', 'Stunden'], day: ['jeden Tag', 'Tage'],
  month: ['jeden Monat', 'Monate']
}

const DAY = Object.keys(DAYS).join('|')
const MONTH = Object.keys(MONTHS).join('|')

/** One item, a range, or a list of both: `1`, `1 through 5`, `1, 2, and 4 through 6`. */
function listOf(item: string): string {
  const part = `(?:${item})(?: through (?:${item}))?`
  return `(${part}(?:(?:, and |, | and )${part})*)`
}

const [TIMES, NUMBERS, DAY_LIST, MONTH_LIST] = [listOf('\\d\\d:\\d\\d'), listOf('\\d+'), listOf(DAY), listOf(MONTH)]

/** Each clause of the server's words for a schedule, in the order in which they are tried. */
const CLAUSES: ReadonlyArray<readonly [pattern: RegExp, german: (one: string, other: string) => string]> = [
  [/every (second|minute|hour|day|month)/, unit => EVERY[unit]![0]],
  [/every ([\d.]+) (second|minute|hour|day|month)s/, (count, unit) => `alle ${count.replace('.', ',')} ${EVERY[unit]![1]}`],
  [/on the hour/, () => 'zur vollen Stunde'],
  [new RegExp(`at ${TIMES}`), times => `um ${said(times)}`],
  [new RegExp(`(?:at )?${NUMBERS} minutes? past the hour`), inMinutes],
  [new RegExp(`minutes ${NUMBERS} past the hour`), inMinutes],
  [/starting at (\d+) minutes? past the hour/, minute => `ab Minute ${minute} der Stunde`],
  [/between day (\d+) and (\d+) of the month/, (first, last) => `vom ${first}. bis ${last}. des Monats`],
  [/between (\d\d:\d\d) and (\d\d:\d\d)/, (first, last) => `von ${first} bis ${last}`],
  [new RegExp(`on day ${NUMBERS} of the month`), days => `am ${said(days, day => `${day}.`)} des Monats`],
  [new RegExp(`only on ${DAY_LIST}`), days => `nur ${weekdays(days)}`],
  [new RegExp(`(?:on )?${DAY_LIST}`), weekdays],
  [new RegExp(`only in ${MONTH_LIST}`), months => `nur im ${said(months, month => MONTHS[month]!)}`],
  [new RegExp(MONTH_LIST), months => `von ${said(months, month => MONTHS[month]!)}`]
]

/** A clause ends where the next one begins. */
const WHOLE = CLAUSES.map(([pattern, german]) => [new RegExp(`^${pattern.source}(?=$|, | between )`, 'i'), german] as const)
/** Longer texts do not describe a schedule. */
const MAX_LENGTH = 1_000

/** Translates the server's words for a cron expression or an interval. Other texts, such as a raw expression, stay unchanged. */
export function sayOfTiming(human: string): string {
  if (human.length > MAX_LENGTH) return human
  let [rest, german] = [human, '']
  while (rest !== '') {
    const joint = /^(, or |, | )?/.exec(rest)![0]
    rest = rest.slice(joint.length)
    const [pattern, words] = WHOLE.find(([pattern]) => pattern.test(rest)) ?? []
    if (!pattern || !words) return human
    const [found, one = '', other = ''] = pattern.exec(rest)!
    german += `${joint === ', or ' ? ' oder ' : joint}${words(one, other)}`
    rest = rest.slice(found.length)
  }
  return /^[A-Z]/.test(human) ? german.charAt(0).toUpperCase() + german.slice(1) : german
}

function weekdays(days: string): string {
  return said(days, day => DAYS[day]!)
}

function inMinutes(minutes: string): string {
  return `${/^\d+$/.test(minutes) ? 'in Minute' : 'in den Minuten'} ${said(minutes)} der Stunde`
}

function said(list: string, wordOf: (item: string) => string = item => item): string {
  const items = list.split(/, and |, | and /).map(item => item.split(' through ').map(wordOf).join(' bis '))
  return items.length === 1 ? items[0]! : `${items.slice(0, -1).join(', ')} und ${items.at(-1)}`
}
