import { CronExpressionParser } from 'cron-parser'
import { createTaskDashboardError } from '../errors.ts'
import { CRON_MAX_LENGTH } from '../../schemas/schedule.ts'
import { CRON_FIELDS, parseCronField, type CronField } from './cron-field.ts'
import { checkTimezone, offsetAt } from './zoned-time.ts'

/** A checked cron expression in its time zone. */
export interface Cron {
  /** As it was given. */
  readonly expression: string
  readonly timezone: string
  /**
   * The same times in the plainest spelling (numbers, ranges, commas, `*`), the one that every cron library reads alike.
   * It is what the engine is given.
   */
  readonly plain: string
  readonly minute: CronField
  readonly hour: CronField
  readonly dayOfMonth: CronField
  readonly month: CronField
  readonly dayOfWeek: CronField
}

/**
 * Checks a cron expression: exactly five fields (minute, hour, day of month, month, day of week), each a list of values,
 * ranges and steps. Months and days of the week may be names (`JAN`, `mon`); 0 and 7 are Sunday; `5/15` starts at 5. When
 * both day fields are restricted (written as anything but `*`) a day that matches either of them counts. Seconds, years, `@daily`
 * and the extensions `L` `W` `#` `?` `H` are refused.
 * @param timezone IANA name, for example `Europe/Berlin`
 * @throws INVALID_CRON with pointer `/cron`, INVALID_SCHEDULE with pointer `/timezone`
 */
export function parseCron(expression: string, timezone: string): Cron {
  checkTimezone(timezone)
  if (typeof expression !== 'string' || expression.length > CRON_MAX_LENGTH) throw invalidCron(String(expression), `it is longer than ${CRON_MAX_LENGTH} characters`)
  const texts = expression.split(/[ \t]+/).filter(text => text !== '')
  if (texts[0]?.startsWith('@')) throw invalidCron(expression, 'names such as @daily are not taken; write five fields')
  if (texts.length !== CRON_FIELDS.length) throw invalidCron(expression, `it has ${texts.length} fields; it takes exactly five: minute, hour, day of month, month, day of week`)
  const fields = texts.map((text, index) => {
    try {
      return parseCronField(text, CRON_FIELDS[index]!)
    } catch (error) {
      throw invalidCron(expression, (error as Error).message)
    }
  })
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [CronField, CronField, CronField, CronField, CronField]
  if (dayOfWeek.isStar && !isDateInSomeYear(dayOfMonth, month)) throw invalidCron(expression, 'it never matches: no month in it has such a day')
  return { expression, timezone, plain: fields.map(field => field.plain).join(' '), minute, hour, dayOfMonth, month, dayOfWeek }
}

/**
 * The next instants of a cron after `from`, at most `count`. Pure. A local time that a change of the clocks skips moves to
 * the hour that follows (Lord Howe's half an hour leaves it out); one that happens twice runs the first time only, unless
 * every hour is scheduled.
 * @param from milliseconds since the epoch, exclusive
 */
export function nextCronRuns(cron: Cron, from: number, count: number): number[] {
  const found: number[] = []
  if (count < 1) return found
  for (const run of cronRunsAfter(cron, from)) if (found.push(run) === count) break
  return found
}

/** The instants of a cron after `from` and before `to`, both exclusive, found one by one. */
export function * cronRunsBetween(cron: Cron, from: number, to: number): Generator<number> {
  for (const run of cronRunsAfter(cron, from)) {
    if (run >= to) return
    yield run
  }
}

/** All instants of a cron after `from`, found one by one. */
export function * cronRunsAfter(cron: Cron, from: number): Generator<number> {
  const runs = CronExpressionParser.parse(cron.plain, { tz: cron.timezone, currentDate: new Date(from) })
  for (let last = from; ;) {
    const idleUntil = idleUntilAfter(cron, last)
    if (idleUntil !== null) runs.reset(new Date(idleUntil))
    const next = runs.take(1)[0]?.getTime()
    if (next === undefined) return
    yield next
    last = next
  }
}

const DAY_MS = 86_400_000
/** More than any offset from UTC, and than a day in which the clocks change. */
const DAY_WITH_OFFSET_MS = 40 * 3_600_000
/** 29 February is left out in 2100: eight years. */
const YEARS_BETWEEN_RUNS_MAX = 8
const GAP_MINUTES_MAX = 180

/**
 * An instant before the next run, up to which there is none for days: the library would walk there hour by hour, which takes
 * it ten milliseconds for four years. null where that is not worth a thought.
 */
function idleUntilAfter(cron: Cron, at: number): number | null {
  const offset = offsetAt(cron.timezone, at)
  const today = Math.floor((at + offset) / DAY_MS) * DAY_MS
  const next = matchingDay(cron, today + DAY_MS)
  if (next === null || next - today < 4 * DAY_MS) return null
  if (isMatchingDay(cron, new Date(today)) && mayRunLaterToday(cron, at, offset)) return null
  return next - DAY_WITH_OFFSET_MS
}

/** By its fields, days being instants of UTC; null when it is further away than any. */
function matchingDay(cron: Cron, from: number): number | null {
  const end = from + (YEARS_BETWEEN_RUNS_MAX + 1) * 366 * DAY_MS
  for (let day = from; day < end;) {
    const date = new Date(day)
    if (isMatchingDay(cron, date)) return day
    day = cron.month.values.includes(date.getUTCMonth() + 1) ? day + DAY_MS : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  }
  return null
}

function isMatchingDay({ dayOfMonth, month, dayOfWeek }: Cron, date: Date): boolean {
  if (!month.values.includes(date.getUTCMonth() + 1)) return false
  const [isDate, isWeekday] = [dayOfMonth.values.includes(date.getUTCDate()), dayOfWeek.values.includes(date.getUTCDay())]
  return dayOfMonth.isStar || dayOfWeek.isStar ? isDate && isWeekday : isDate || isWeekday
}

function mayRunLaterToday({ timezone, hour, minute }: Cron, at: number, offset: number): boolean {
  const local = new Date(at + offset)
  const last = hour.values.at(-1)! * 60 + minute.values.at(-1)!
  // A skipped time moves to a later one.
  const isChanging = offsetAt(timezone, at - DAY_MS) !== offsetAt(timezone, at + DAY_MS)
  return last > local.getUTCHours() * 60 + local.getUTCMinutes() - (isChanging ? GAP_MINUTES_MAX : 0)
}

const LONGEST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDateInSomeYear(dayOfMonth: CronField, month: CronField): boolean {
  return month.values.some(value => dayOfMonth.values[0]! <= LONGEST_DAYS[value - 1]!)
}

function invalidCron(expression: string, reason: string) {
  const shown = expression.length > 100 ? `${expression.slice(0, 100)}…` : expression
  return createTaskDashboardError('INVALID_CRON', [shown, reason], { errors: [{ pointer: '/cron', message: reason }] })
}
