import { createTaskDashboardError } from '../../errors.ts'
import { offsetAt } from '../../time/zone-offset.ts'
import { DAY_MS, MINUTE_MS } from '../../time/units.ts'

const TWICE_WITHIN_MS = DAY_MS

/** @throws INVALID_SCHEDULE with pointer `/timezone` if it is not an IANA name */
export function checkTimezone(timezone: string): void {
  // Offsets such as +02:00, which some runtimes accept, are not names and have no daylight saving time.
  if (typeof timezone === 'string' && /^[a-z][a-z\d_+/-]{0,63}$/i.test(timezone)) {
    try {
      offsetAt(timezone, 0)
      return
    } catch { /* not a name: reported below */ }
  }
  const message = `"${String(timezone).slice(0, 64)}" is not a time zone; use an IANA name such as Europe/Berlin`
  throw createTaskDashboardError('INVALID_SCHEDULE', [message], { errors: [{ pointer: '/timezone', message }] })
}

/** `2026-03-29T03:30:00` */
export function toLocalTime(at: number, offset: number): string {
  return new Date(at + offset).toISOString().slice(0, -5)
}

/** `+02:00` */
export function toOffsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE_MS)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** Whether the zone's clocks show this local time twice because they are set back. */
export function isLocalTimeTwice(timezone: string, at: number, offset: number): boolean {
  return [at - TWICE_WITHIN_MS, at + TWICE_WITHIN_MS].some(near => {
    const other = offsetAt(timezone, near)
    return other !== offset && offsetAt(timezone, at + offset - other) === other
  })
}
