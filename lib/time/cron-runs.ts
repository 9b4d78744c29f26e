import { offsetAt } from './zone-offset.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './units.ts'

/** 29 February is left out in 2100: eight years, and one for the month it is in. */
const MAX_YEARS_BETWEEN_RUNS = 9

/**
 * The instants after `after` at which a cron runs, found day by day; ends when it never runs again. Pure. The engine plans with it
 * and the scheduler counts with it. A local time that a change of the clocks skips is put off by as much as they are put forward;
 * one that happens twice runs the first time only. With every hour scheduled neither is done: it runs whenever the clock shows its minute.
 *
 * No library does this: those there are step hour by hour, and stand still or leave runs out where the clocks move by half an hour.
 * @param plain five fields of numbers, ranges, commas and `*`, as `parseCron` gives them
 * @param timezone IANA name
 * @param after milliseconds since the epoch, exclusive
 */
export function * cronRunsAfter(plain: string, timezone: string, after: number): Generator<number, undefined> {
  const cron = toPlainCron(plain)
  // The day before, since what it put off past midnight may be still to come.
  const first = Math.floor((after + offsetAt(timezone, after)) / DAY_MS) * DAY_MS - DAY_MS
  let last = after
  let held: number[] = []
  for (let day = matchingDay(cron, first); day !== null; day = matchingDay(cron, day + DAY_MS)) {
    const { runs, isChanging } = runsOfDay(cron, timezone, day)
    held = held.length === 0 ? runs : [...held, ...runs].sort((one, other) => one - other)
    // What is put off past midnight comes among the runs of the next day.
    if (isChanging) continue
    for (const run of held) {
      if (run <= last) continue
      yield run
      last = run
    }
    held = []
  }
}

/** A day or an hour is a bit: none is above 31. Days are instants of UTC, at midnight. */
interface PlainCron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly dates: number
  readonly months: number
  readonly weekdays: number
  /** Both day fields are restricted: either of them counts. */
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

/** The first day of the cron from `from` on, null when there is none in any year. */
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

/** Date.UTC would take the years 0 to 99 for those of the last century. */
function firstOfNextMonth(date: Date): number {
  return new Date(date).setUTCMonth(date.getUTCMonth() + 1, 1)
}

function has(mask: number, value: number): boolean {
  return (mask >>> value & 1) === 1
}

function runsOfDay(cron: PlainCron, timezone: string, day: number): { runs: number[]; isChanging: boolean } {
  // Whatever the offset, the local day lies between the two; clocks are not changed twice in three days.
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

/** The instant at which a zone leaves an offset. */
function changeBetween(timezone: string, from: number, to: number, before: number): number {
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(timezone, middle) === before) low = middle
    else high = middle
  }
  return high
}
