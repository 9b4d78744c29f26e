import { cronRunsBetween, parseCron, type Cron } from './cron.ts'
import type { CronField } from './cron-field.ts'
import type { RunRules } from './due-times.ts'
import type { AgendaResult } from '../schedules.ts'
import { offsetAt } from '../../time/zone-offset.ts'
import { HOUR_MS, MINUTE_MS } from '../../time/units.ts'

export interface AgendaSchedule extends Pick<RunRules, 'timing' | 'startAt' | 'endAt'> {
  readonly scheduleId: string
  readonly taskName: string
  readonly description: string | null
}

/**
 * How often each schedule is due in each hour, ignoring jitter. Pure. A cron's hours are computed from its fields and the local times that
 * an hour covers, not run by run. Only around a clock change are the runs themselves computed.
 * @param from start of the first hour, a whole hour in UTC
 * @param to end of the last, exclusive
 */
export function planAgenda(schedules: readonly AgendaSchedule[], from: number, to: number): AgendaResult {
  const hours = Array.from({ length: Math.ceil((to - from) / HOUR_MS) }, (_, index) => from + index * HOUR_MS)
  const totals = hours.map(() => 0)
  const zones = new Map<string, ZonedHour[]>()
  const crons = new Map<string, { readonly cron: Cron; readonly counts: readonly number[] }>()

  const planned = schedules.map(({ scheduleId, taskName, description, ...rules }) => {
    const counts = 'cron' in rules.timing ? countCron(rules, rules.timing) : countInterval(rules, rules.timing)
    let total = 0
    for (let index = 0; index < counts.length; index++) {
      total += counts[index]!
      totals[index]! += counts[index]!
    }
    return { scheduleId, taskName, description, total, counts }
  })
  const byTotal = planned.filter(({ total }) => total > 0).sort((one, other) =>
    other.total - one.total || (one.scheduleId < other.scheduleId ? -1 : 1))
  return { hours, totals, schedules: byTotal }

  function countCron(
    { startAt, endAt }: Pick<RunRules, 'startAt' | 'endAt'>, { cron: expression, timezone }: { cron: string; timezone: string }
  ): readonly number[] {
    const key = `${timezone} ${expression}`
    let known = crons.get(key)
    if (!known) {
      const cron = parseCron(expression, timezone)
      const zone = zones.get(timezone) ?? toZonedHours(timezone, hours)
      zones.set(timezone, zone)
      known = { cron, counts: countHours(cron, zone) }
      crons.set(key, known)
    }
    const { cron, counts } = known
    if (startAt === null && endAt === null) return counts
    const [first, last] = [startAt ?? -Infinity, endAt ?? Infinity]
    return counts.map((count, index) => {
      const start = hours[index]!
      if (count === 0 || last < start || first >= start + HOUR_MS) return 0
      if (first <= start && last >= start + HOUR_MS) return count
      return countRuns(cron, Math.max(start, first), Math.min(start + HOUR_MS, to, last + 1))
    })
  }

  function countHours(cron: Cron, zone: readonly ZonedHour[]): number[] {
    const countHour = hourCounter(cron)
    const counts = zone.map(parts => parts === null ? 0 : countHour(parts))
    if (to < hours.at(-1)! + HOUR_MS) counts[counts.length - 1] = countRuns(cron, hours.at(-1)!, to)
    // Computed in one go from before the change. Starting in the middle would treat the second occurrence of a repeated time as the first.
    const [first, last] = [zone.indexOf(null), zone.lastIndexOf(null)]
    if (first === -1) return counts
    const end = Math.min(hours[last]! + HOUR_MS, to)
    for (let index = first; index <= last; index++) counts[index] = 0
    // Most crons do not run in these hours, and walking through one costs a thousand times this check.
    const local = [offsetAt(cron.timezone, hours[first]!), offsetAt(cron.timezone, end)].flatMap(offset =>
      Array.from({ length: last - first + 4 }, (_, index) => new Date(hours[first]! + offset + (index - 1) * HOUR_MS).getUTCHours()))
    if (!cron.hour.values.some(hour => local.includes(hour))) return counts
    for (const run of cronRunsBetween(cron, hours[first]! - 1, end)) counts[first + Math.floor((run - hours[first]!) / HOUR_MS)]!++
    return counts
  }

  function countInterval(
    { startAt, endAt }: Pick<RunRules, 'startAt' | 'endAt'>, { intervalMs, anchorAt }: { intervalMs: number; anchorAt: number }
  ): readonly number[] {
    const first = Math.max(startAt ?? -Infinity, anchorAt + 1)
    const end = Math.min(to, (endAt ?? Infinity) + 1)
    const before = (at: number) => Math.ceil((at - anchorAt) / intervalMs)
    return hours.map(start => {
      const [low, high] = [Math.max(start, first), Math.min(start + HOUR_MS, end)]
      return high <= low ? 0 : before(high) - before(low)
    })
  }
}

/** The total of each hour over some schedules of an agenda. */
export function totalsOf({ hours }: Pick<AgendaResult, 'hours'>, schedules: AgendaResult['schedules']): number[] {
  return hours.map((_, hour) => schedules.reduce((sum, { counts }) => sum + counts[hour]!, 0))
}

/** An hour of UTC in a zone: one local hour, or parts of two; null if the clocks change in or near it. */
type ZonedHour = ReadonlyArray<LocalPart> | null

interface LocalPart {
  readonly hour: number
  readonly dayOfMonth: number
  readonly month: number
  readonly dayOfWeek: number
  /** Minutes, from inclusive, to exclusive. */
  readonly from: number
  readonly to: number
}

function toZonedHours(timezone: string, hours: readonly number[]): ZonedHour[] {
  // A skipped time moves to the next hour, and a repeated time is left out the second time.
  const BEFORE = 2
  const offsets = Array.from({ length: hours.length + BEFORE + 1 }, (_, index) =>
    offsetAt(timezone, hours[0]! + (index - BEFORE) * HOUR_MS))
  return hours.map((start, index) => {
    const around = offsets.slice(index, index + BEFORE + 2)
    const offset = offsets[index + BEFORE]!
    if (around.some(other => other !== offset) || offset % MINUTE_MS !== 0) return null
    const shift = ((offset / MINUTE_MS) % 60 + 60) % 60
    const first = toLocalPart(start + offset, shift, 60)
    return shift === 0 ? [first] : [first, toLocalPart(start + offset + HOUR_MS, 0, shift)]
  })
}

function toLocalPart(local: number, from: number, to: number): LocalPart {
  const date = new Date(local)
  return { hour: date.getUTCHours(), dayOfMonth: date.getUTCDate(), month: date.getUTCMonth() + 1, dayOfWeek: date.getUTCDay(), from, to }
}

/** Counts the runs of a cron in an hour. Created once per cron: the agenda of a week may have thousands of crons, with 168 hours each. */
function hourCounter({ minute, hour, dayOfMonth, month, dayOfWeek }: Cron): (parts: readonly LocalPart[]) => number {
  const [hours, dates, months, weekdays] = [hour, dayOfMonth, month, dayOfWeek].map(maskOf) as [number, number, number, number]
  const isEither = !dayOfMonth.isStar && !dayOfWeek.isStar

  return parts => {
    let count = 0
    for (const part of parts) {
      if (!isIn(hours, part.hour) || !isIn(months, part.month)) continue
      const [isDate, isWeekday] = [isIn(dates, part.dayOfMonth), isIn(weekdays, part.dayOfWeek)]
      if (isEither ? !isDate && !isWeekday : !isDate || !isWeekday) continue
      if (part.from === 0 && part.to === 60) count += minute.values.length
      else for (const value of minute.values) if (value >= part.from && value < part.to) count++
    }
    return count
  }
}

/** One bit per value; no value is above 31. */
function maskOf({ values }: CronField): number {
  return values.reduce((mask, value) => mask | (1 << value), 0)
}

function isIn(mask: number, value: number): boolean {
  return (mask >>> value & 1) === 1
}

function countRuns(cron: Cron, start: number, end: number): number {
  return [...cronRunsBetween(cron, start - 1, end)].length
}
