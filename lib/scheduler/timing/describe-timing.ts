import cronstrue from 'cronstrue'
import { parseCron, type Cron } from './cron.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../time/units.ts'

const UNITS = [['day', DAY_MS], ['hour', HOUR_MS], ['minute', MINUTE_MS], ['second', SECOND_MS]] as const

/**
 * How many descriptions are cached. One takes a fifth of a millisecond to create, and lists of thousands are read again and again. A full
 * cache is cleared.
 */
const MAX_KNOWN = 10_000
const known = new Map<string, string>()

/** @throws INVALID_CRON */
export function describeTiming(timing: { readonly cron: string } | { readonly intervalMs: number }): string {
  if (!('cron' in timing)) return describeInterval(timing.intervalMs)
  const words = known.get(timing.cron) ?? describeCron(timing.cron)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(timing.cron, words)
  return words
}

/**
 * A cron in words, `At 09:00, Monday through Friday`, or the expression itself if the words would be long or wrong. Steps that do not
 * divide their cycle evenly (every 45 minutes runs at :00 and :45) are described by their values.
 * @throws INVALID_CRON
 */
export function describeCron(expression: string): string {
  const cron = parseCron(expression, 'UTC')
  const readable = [cron.minute, cron.hour, cron.dayOfMonth, cron.month, cron.dayOfWeek].map(field => field.readable)
  if (readable.includes(null)) return expression
  if (isEveryDayBesideOtherDays(cron)) return expression
  try {
    const words = toWords(readable.join(' '))
    return cron.dayOfMonth.isStar || cron.dayOfWeek.isStar ? words : describeEitherDay(words, readable[4]!) ?? expression
  } catch {
    return expression
  }
}

/** `every 5 minutes`, `every 1.5 seconds`, `every 90 minutes`: the largest unit that gives a whole number. */
export function describeInterval(intervalMs: number): string {
  const [unit, size] = UNITS.find(([, size]) => intervalMs % size === 0) ?? UNITS[3]
  const count = intervalMs / size
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`
}

/** A restricted day field that includes every day. Either day field may match, so this means every day, which the words would not say. */
function isEveryDayBesideOtherDays({ dayOfMonth, dayOfWeek }: Cron): boolean {
  return (!dayOfMonth.isStar && dayOfMonth.readable === '*') || (!dayOfWeek.isStar && dayOfWeek.readable === '*')
}

function toWords(expression: string): string {
  return cronstrue.toString(expression, { use24HourTimeFormat: true, throwExceptionOnParseError: true })
}

/** The library joins the two day fields with "and", but a day that matches either one counts. */
function describeEitherDay(words: string, dayOfWeek: string): string | null {
  const days = toWords(`* * * * ${dayOfWeek}`).replace(/^Every minute, (only )?/, '')
  const joined = [`, and ${days}`, `, ${days}`].find(part => words.includes(part))
  return joined === undefined ? null : words.replace(joined, `, or ${days}`)
}
