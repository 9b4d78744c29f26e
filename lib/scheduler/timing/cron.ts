import { cronRunsAfter } from '../../time/cron-runs.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { MAX_CRON_LENGTH } from '../../../schemas/schedule.ts'
import { CRON_FIELDS, parseCronField, type CronField } from './cron-field.ts'
import { checkTimezone } from './time-zone.ts'

/** A validated cron expression in its time zone. */
export interface Cron {
  /** As given. */
  readonly expression: string
  readonly timezone: string
  /**
   * The same times in the simplest form (numbers, ranges, commas, `*`), which every cron library reads the same way. The engine gets this
   * one.
   */
  readonly plain: string
  readonly minute: CronField
  readonly hour: CronField
  readonly dayOfMonth: CronField
  readonly month: CronField
  readonly dayOfWeek: CronField
}

/**
 * Parses a cron expression: exactly five fields (minute, hour, day of month, month, day of week), each a list of values, ranges and steps.
 * Months and days of the week may be names (`JAN`, `mon`); 0 and 7 are Sunday; `5/15` starts at 5. If both day fields are restricted
 * (anything but `*`), a day that matches either one counts. Seconds, years, `@daily` and the extensions `L` `W` `#` `?` `H` are refused.
 * @param timezone IANA name, for example `Europe/Berlin`
 * @throws INVALID_CRON with pointer `/cron`, INVALID_SCHEDULE with pointer `/timezone`
 */
export function parseCron(expression: string, timezone: string): Cron {
  checkTimezone(timezone)
  if (typeof expression !== 'string' || expression.length > MAX_CRON_LENGTH)
    throw invalidCron(String(expression), `it is longer than ${MAX_CRON_LENGTH} characters`)
  const texts = expression.split(/[ \t]+/).filter(text => text !== '')
  if (texts[0]?.startsWith('@')) throw invalidCron(expression, 'aliases such as @daily are not supported; write five fields')
  if (texts.length !== CRON_FIELDS.length)
    throw invalidCron(expression, `it has ${texts.length} fields; it takes exactly five: minute, hour, day of month, month, day of week`)
  const fields = texts.map((text, index) => {
    try {
      return parseCronField(text, CRON_FIELDS[index]!)
    } catch (error) {
      throw invalidCron(expression, (error as Error).message)
    }
  })
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields as [CronField, CronField, CronField, CronField, CronField]
  if (dayOfWeek.isStar && !isDateInSomeYear(dayOfMonth, month))
    throw invalidCron(expression, 'it never matches: none of its months has such a day')
  return { expression, timezone, plain: fields.map(field => field.plain).join(' '), minute, hour, dayOfMonth, month, dayOfWeek }
}

/** The next runs of a cron after `from` (exclusive, milliseconds since the epoch), at most `count`. */
export function nextCronRuns(cron: Cron, from: number, count: number): number[] {
  const found: number[] = []
  if (count < 1) return found
  for (const run of cronRunsAfter(cron.plain, cron.timezone, from)) if (found.push(run) === count) break
  return found
}

/** The runs of a cron between `from` and `to`, both exclusive, computed one by one. */
export function * cronRunsBetween(cron: Cron, from: number, to: number): Generator<number> {
  for (const run of cronRunsAfter(cron.plain, cron.timezone, from)) {
    if (run >= to) return
    yield run
  }
}

const LONGEST_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDateInSomeYear(dayOfMonth: CronField, month: CronField): boolean {
  return month.values.some(value => dayOfMonth.values[0]! <= LONGEST_DAYS[value - 1]!)
}

function invalidCron(expression: string, reason: string) {
  const shown = expression.length > 100 ? `${expression.slice(0, 100)}…` : expression
  return createTaskDashboardError('INVALID_CRON', [shown, reason], { errors: [{ pointer: '/cron', message: reason }] })
}
