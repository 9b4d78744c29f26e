/** There are few time zones, but names can be spelled in many ways (`europe/berlin`). Clears the cache rather than letting it grow. */
const MAX_FORMATS = 200
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * UTC offset of a zone at a time, in milliseconds, positive east of Greenwich.
 * @throws RangeError if the zone is not an IANA name
 */
export function offsetAt(timezone: string, at: number): number {
  // The default zone. Computing its offset would take most of the time needed for a run.
  if (timezone === 'UTC') return 0
  const second = Math.floor(at / 1000) * 1000
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timezone).formatToParts(second)) parts[type] = Number(value)
  return Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second']) - second
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23',
    year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric'
  })
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(timezone, format)
  return format
}
