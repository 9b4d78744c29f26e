import { offsetAt } from './zone-offset.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts'

/** There is no 29 February 2100, so there may be eight years between two, plus one for the month itself. */
const MAX_YEARS_BETWEEN_RUNS = 9

/**
 * The times after `after` at which a cron expression runs, found day by day; ends if it never runs again. Pure. The engine plans with it
 * and the scheduler counts with it. A local time that a clock change skips is moved by the same amount. One that occurs twice runs only the
 * first time. If every hour is scheduled, neither applies: it runs whenever the clock shows its minute.
 *
 * Existing libraries step hour by hour, and get stuck or skip runs where clocks shift by half an hour.
 * @param plain five fields of numbers, ranges, commas and `*`, as `parseCron` returns them
 * @param timezone IANA name
 * @param after milliseconds since the epoch, exclusive
 */
export function * cronRunsAfter(plain: string, timezone: string, after: number): Generator<number, undefined> {
  const cron = toPlainCron(plain)
  // Starts the day before, because a run that was moved past midnight may still be to come.
  const first = Math.floor((after + offsetAt(timezone, after)) / DAY_MS) * DAY_MS - DAY_MS
  let last = after
  let held: number[] = []
  for (let day = matchingDay(cron, first); day !== null; day = matchingDay(cron, day + DAY_MS)) {
    const { runs, isChanging } = runsOfDay(cron, timezone, day)
    held = held.length === 0 ? runs : [...held, ...runs].sort((one, other) => one - other)
    // A run that was moved past midnight is sorted among those of the next day.
    if (isChanging) continue
    for (const run of held) {
      if (run <= last) continue
      yield run
      last = run
    }
    held = []
  }
}

/** Bit masks for days and hours, which are at most 31. Days are UTC midnights. */
interface PlainCron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly dates: number
  readonly months: number
  readonly weekdays: number
  /** Both day fields are restricted, so either may match. */
  readonly isEitherDay: boolean
}

function toPlainCron(plain: string): PlainCron {
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = plain.split(' ')
  return {
    minutes: toValues(minute, 0, 59),
    hours: toValues(hour, 0, 23),
    dates: toMask(toValues(date, 1, 31)),
    months: toMask(toValues(month, 1, 12)),
    weekdays: toMask(toValues(weekday, 0, 6)),
    isEitherDay: date !== '*' && weekday !== '*'
  }
}

function toValues(field: string, min: number, max: number): number[] {
  return field.split(',').flatMap(item => {
    const [from, to = from] = item === '*' ? [min, max] : item.split('-').map(Number)
    return Array.from({ length: to! - from! + 1 }, (_, index) => from! + index)
  })
}

function toMask(values: readonly number[]): number {
  return values.reduce((mask, value) => mask | (1 << value), 0)
}

/** The first matching day from `from` on; null if there will never be one. */
function matchingDay(cron: PlainCron, from: number): number | null {
  const end = from + MAX_YEARS_BETWEEN_RUNS * 366 * DAY_MS
  for (let day = from; day < end;) {
    const date = new Date(day)
    const isMonth = has(cron.months, date.getUTCMonth() + 1)
    if (isMonth && isMatchingDay(cron, date)) return day
    day = isMonth ? day + DAY_MS : firstOfNextMonth(date)
  }
  return null
}

function isMatchingDay({ dates, weekdays, isEitherDay }: PlainCron, date: Date): boolean {
  const [isDate, isWeekday] = [has(dates, date.getUTCDate()), has(weekdays, date.getUTCDay())]
  return isEitherDay ? isDate || isWeekday : isDate && isWeekday
}

/** Date.UTC would read the years 0 to 99 as 1900 to 1999. */
function firstOfNextMonth(date: Date): number {
  return new Date(date).setUTCMonth(date.getUTCMonth() + 1, 1)
}

function has(mask: number, value: number): boolean {
  return (mask >>> value & 1) === 1
}

function runsOfDay(cron: PlainCron, timezone: string, day: number): { runs: number[]; isChanging: boolean } {
  // Whatever the offset, the local day is between these two. Clocks do not change twice within three days.
  const [from, to] = [day - DAY_MS, day + 2 * DAY_MS]
  const [before, after] = [offsetAt(timezone, from), offsetAt(timezone, to)]
  const locals = cron.hours.flatMap(hour => cron.minutes.map(minute => day + hour * HOUR_MS + minute * MINUTE_MS))
  if (before === after) return { runs: locals.map(local => local - before), isChanging: false }

  const change = changeBetween(timezone, from, to, before)
  const isEveryHour = cron.hours.length === 24
  const runs = locals.flatMap(local => {
    const [first, second] = [local - before, local - after]
    if (first < change) return isEveryHour && second >= change ? [first, second] : [first]
    if (second >= change) return [second]
    return isEveryHour ? [] : [first]
  })
  return { runs: runs.sort((one, other) => one - other), isChanging: true }
}

/** The time at which a zone's offset changes. */
function changeBetween(timezone: string, from: number, to: number, before: number): number {
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(timezone, middle) === before) low = middle
    else high = middle
  }
  return high
}
