import { LATE_AFTER_MS } from '../../../scheduler/runs/late-after.ts'
import { isRunOf, ownersRunsAfter, readOwnersCron, zoneFitting } from './owners-cron.ts'

/** What one check of a scheduler found. Times are in milliseconds since the epoch. */
export interface Seen {
  readonly pattern: string | null
  readonly everyMs: number | null
  readonly timezone: string | null
  readonly startAt: number | null
  readonly endAt: number | null
  readonly plannedAt: number
  /** How many runs were planned since it was created. */
  readonly iterations: number
  readonly isDisabled: boolean
  /** When it was checked, by the server's clock. */
  readonly at: number
}

export interface Missed {
  readonly firstDueAt: number
  readonly lastDueAt: number
  readonly count: number
}

/** What happened between two checks. */
export interface Between {
  readonly missed: Missed | null
  /** The due time of a run that began too late; null if none did. */
  readonly lateDueAt: number | null
}

const NOTHING: Between = { missed: null, lateDueAt: null }
/** An outage counts at most this many misses: enough to tell a bad day from a good one. */
const MAX_COUNTED = 1_000

/**
 * BullMQ plans the next run when the previous one begins, and counts the planned runs. So of the times that were due between two checks, as
 * many ran as the counter has grown. The others never will.
 */
export function countMisses(before: Seen, after: Seen): Between {
  const ran = after.iterations - before.iterations
  // It was created again, or a person disabled or enabled it.
  if (ran < 0 || before.isDisabled || after.isDisabled) return NOTHING
  const isSame = RULE.every(field => before[field] === after[field])
  // If the rule has changed, only the times up to the last check with the old rule count.
  const until = isSame ? Math.min(after.plannedAt, after.at) : before.at
  if (until <= before.plannedAt) return NOTHING
  const due = dueBetween(before, before.plannedAt, until, isSame ? after.plannedAt : null)
  if (due === null) return NOTHING
  const missed = due.slice(ran)
  return {
    missed: missed.length === 0 ? null : { firstDueAt: missed[0]!, lastDueAt: missed.at(-1)!, count: missed.length },
    lateDueAt: ran > 0 && before.at - before.plannedAt > LATE_AFTER_MS ? before.plannedAt : null
  }
}

const RULE = ['pattern', 'everyMs', 'timezone', 'startAt', 'endAt'] as const

/**
 * The times of a rule from `from` up to `until`, which is not included.
 * @param next the planned time that follows; null if the rule has changed
 * @returns null if they cannot be known
 */
function dueBetween({ pattern, everyMs, timezone }: Seen, from: number, until: number, next: number | null): number[] | null {
  if (everyMs !== null && everyMs > 0) {
    const count = Math.min(Math.ceil((until - from) / everyMs), MAX_COUNTED)
    return Array.from({ length: count }, (_, index) => from + index * everyMs)
  }
  const cron = pattern === null ? null : readOwnersCron(pattern)
  if (cron === null) return null
  const zone = timezone ?? zoneFitting(cron, next ?? from)
  if (zone === null) return null
  try {
    // If these times do not fit, the owner plans by another rule or in another zone.
    if (next !== null && !isRunOf(cron, zone, next) || timezone === null && !isRunOf(cron, zone, from)) return null
    const due = [from]
    for (const at of ownersRunsAfter(cron, zone, from)) {
      if (at >= until || due.length >= MAX_COUNTED) break
      due.push(at)
    }
    return due
  } catch (error) {
    // A zone that this process does not know.
    if (error instanceof RangeError) return null
    throw error
  }
}
