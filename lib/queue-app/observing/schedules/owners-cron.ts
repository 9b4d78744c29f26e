import { parseCronField } from '../../../scheduler/timing/cron-field.ts'
import { parseCron } from '../../../scheduler/timing/cron.ts'
import { isTaskDashboardError } from '../../../errors.ts'
import { cronRunsAfter } from '../../../time/cron-runs.ts'
import { MAX_CALENDAR_MS } from '../../../time/latest-times.ts'
import { MINUTE_MS, SECOND_MS } from '../../../time/units.ts'

/** A cron expression as BullMQ reads it: five fields, or six with seconds before them. */
export interface OwnersCron {
  /** The five fields, without seconds. */
  readonly minutely: string
  /** The same in the simplest form. */
  readonly plain: string
  readonly seconds: readonly number[]
}

const ALIASES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0', '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *', '@hourly': '0 * * * *', '@minutely': '* * * * *', '@secondly': '* * * * * *',
  '@weekdays': '0 0 * * 1-5', '@weekends': '0 0 * * 0,6'
}

/** Null if its times cannot be computed: with `L`, `W`, `#` or `H`, or an expression for a repeat strategy of the owner. */
export function readOwnersCron(pattern: string): OwnersCron | null {
  const fields = (ALIASES[pattern.trim().toLowerCase()] ?? pattern).trim().split(/\s+/)
  if (fields.length !== 5 && fields.length !== 6) return null
  // In a day field, `?` means any day.
  const minutely = fields.slice(-5).map((field, index) => field === '?' && (index === 2 || index === 4) ? '*' : field).join(' ')
  try {
    const seconds = fields.length === 6 ? parseCronField(fields[0]!, { name: 'second', min: 0, max: 59 }).values : [0]
    return { minutely, plain: parseCron(minutely, 'UTC').plain, seconds }
  } catch (error) {
    if (error instanceof Error && (isTaskDashboardError(error) || error.constructor === Error)) return null
    throw error
  }
}

/** Its times after `after`, in order. */
export function * ownersRunsAfter({ plain, seconds }: OwnersCron, timezone: string, after: number): Generator<number, undefined> {
  for (const minute of cronRunsAfter(plain, timezone, after - MINUTE_MS)) {
    for (const second of seconds) {
      const at = minute + second * SECOND_MS
      if (at > after) yield at
    }
  }
}

/** False for times that no calendar has: owners may write any number. */
export function isRunOf(cron: OwnersCron, timezone: string, at: number): boolean {
  return at >= 0 && at < MAX_CALENDAR_MS && ownersRunsAfter(cron, timezone, at - 1).next().value === at
}

/** From UTC+14 to UTC-12. The names of these zones have the reversed sign: `Etc/GMT-14` is UTC+14. */
const WHOLE_HOURS = Array.from({ length: 27 }, (_, index) => 14 - index).filter(hours => hours !== 0)
  .map(hours => `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`)

/**
 * A scheduler without a time zone uses the zone of the process that plans it, and that zone is not stored anywhere. So it is inferred from
 * the planned time: it is the first of these zones in which the expression includes that time. Null if there is none.
 * @param plannedAt the planned time of the next run
 */
export function zoneFitting(cron: OwnersCron, plannedAt: number): string | null {
  // UTC comes first: for an expression that runs every hour, the zone makes no difference.
  const zones = ['UTC', Intl.DateTimeFormat().resolvedOptions().timeZone, ...WHOLE_HOURS]
  return zones.find(zone => isRunOf(cron, zone, plannedAt)) ?? null
}

/** The first instant after `after` of an interval. */
export function nextOfInterval(everyMs: number, anchorAt: number, after: number): number {
  return anchorAt + (Math.floor((after - anchorAt) / everyMs) + 1) * everyMs
}
