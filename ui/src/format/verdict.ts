import type { Health, Stats } from '../../../schemas/index.ts'
import { formatSpan } from './duration.ts'
import { formatCount, formatRate, plural } from './number.ts'
import { toOutage } from './outage.ts'
import { capitalized } from './status.ts'
import { formatClock, withLocalTimes } from './time.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'unknown'

export interface Verdict {
  readonly tone: Tone
  readonly headline: string
  /** What follows from it, and the next step. */
  readonly detail: string | null
  /** What the headline speaks of, where that has an address of its own. */
  readonly link?: { readonly href: string; readonly text: string }
}

export interface Since {
  readonly at: number
  /** False: it was so already when this page was opened. */
  readonly isExact: boolean
}

export interface LastHour {
  readonly finished: number
  readonly failed: number
}

/** Failure groups that somebody should know of. A new one is not counted as rising, too. */
export interface GroupsToLookAt {
  readonly rising: number
  /** First seen in the last hour. */
  readonly fresh: number
  /** There were too many to look at all of them. */
  readonly isCut: boolean
  /** Where they are shown. */
  readonly href: string
}

/**
 * What the verdict rests on, and how far it can be trusted. `at`: when it arrived. `reason`: why an answer that did arrive says nothing.
 * `stale`: the newest request failed, and this is the answer before it, if there was one.
 */
export type Seen<T> =
  | { readonly state: 'known'; readonly value: T; readonly at: number }
  | { readonly state: 'unknown'; readonly reason?: string }
  | { readonly state: 'forbidden' }
  | { readonly state: 'stale'; readonly value: T | null; readonly since: number; readonly message: string }

export interface Observed {
  /** Undefined while the newest report is missing: what the server said before is not news. */
  readonly health: Health | undefined
  readonly stats: Stats | undefined
  readonly lastHour: Seen<LastHour>
  readonly groups: Seen<GroupsToLookAt>
  /** Which of health and statistics the reader may not see. */
  readonly forbidden: ReadonlyArray<'health' | 'statistics'>
  /** Why the newest figures could not be had, and since when; null while they can. */
  readonly failure: { readonly status: number; readonly message: string; readonly since: number } | null
  /** When the server first called a datastore unhealthy, as seen from here. */
  readonly unhealthySince: Since | null
  /** When the figures on the page were true. */
  readonly figuresFrom: number | null
  /** When the oldest of health and statistics arrived; null before that. */
  readonly answeredAt: number | null
  readonly pausedSince: number | null
  readonly now: number
}

/** From this share of failed executions in the last hour on, the verdict is not "all well". */
export const FAILING_FROM_PERCENT = 5

/** The one line that answers: is it working, and if not, what broke and since when? */
export function toVerdict(seen: Observed): Verdict {
  const { health, stats, failure, now } = seen
  if (failure?.status === 401) return { tone: 'bad', headline: 'You are signed out', detail: staleFigures(seen) }

  const outage = health && failure?.status !== 0 ? toOutage(health) : null
  if (outage) {
    const since = seen.unhealthySince
    const detail = sentences(outage.detail && withLocalTimes(outage.detail, now), staleFigures(seen))
    return { tone: 'bad', headline: `${outage.headline}${since ? ` ${toSince(since, now)}` : ''}`, detail }
  }
  if (failure) {
    const since = toSince({ at: failure.since, isExact: seen.figuresFrom !== null }, now)
    const headline = `The dashboard's server cannot ${failure.status === 0 ? 'be reached' : 'answer'} ${since}`
    return { tone: 'bad', headline, detail: sentences(failure.status === 0 ? null : failure.message, staleFigures(seen)) }
  }
  if ((!health && !seen.forbidden.includes('health')) || (!stats && !seen.forbidden.includes('statistics'))) return LOOKING

  return toTrouble(seen) ?? toDoubt(seen) ?? toCalm(seen)
}

const LOOKING: Verdict = { tone: 'unknown', headline: 'Looking…', detail: null }
/** Polls come every few seconds. An answer older than this is not news, whatever kept the next one. */
const OLD_AFTER_MS = 30_000

/** What is known to be wrong, the gravest first. */
function toTrouble({ health, stats, lastHour, groups, now }: Observed): Verdict | null {
  if (stats?.active_workers === 0 && stats.registered_tasks === 0 && stats.queue_size === 0) {
    return {
      tone: 'unknown', headline: 'No task is registered yet',
      detail: 'Register one in a process of the queue app; the page Tasks shows how.'
    }
  }
  if (stats?.active_workers === 0) {
    const waiting = stats.queue_size > 0
      ? `${plural(stats.queue_size, 'execution')} ` +
        `${stats.queue_size === 1 ? 'waits' : 'wait'}${stats.oldest_pending_ms === null
          ? ''
          : `, the oldest for ${formatSpan(stats.oldest_pending_ms)}`}. `
      : ''
    return {
      tone: stats.queue_size > 0 ? 'bad' : 'warn', headline: 'No workers are running',
      detail: `${waiting}Start a process that calls queueApp.start().`
    }
  }

  const hour = valueOf(lastHour)
  if (hour && failedPercent(hour) >= FAILING_FROM_PERCENT) {
    return {
      tone: 'bad', headline: `Failing · ${formatRate(failedPercent(hour))} of ${activity(hour)} failed`, detail: asOf(lastHour, now)
    }
  }
  if (stats && stats.schedules.overdue > 0) {
    return {
      tone: 'warn', headline: `${plural(stats.schedules.overdue, 'schedule')} overdue`,
      detail: 'A due run has not been taken by any worker for over 30 seconds.'
    }
  }
  const ailing = health && Object.values(health.components).find(component => !component.healthy)
  if (ailing) return { tone: 'warn', headline: 'Needs attention', detail: withLocalTimes(ailing.message, now) }
  if (health && health.status !== 'healthy') return { tone: 'warn', headline: 'Needs attention', detail: null }

  const { rising, fresh, href } = valueOf(groups) ?? NO_GROUPS
  if (rising + fresh === 0) return null
  const counted = rising === 0
    ? plural(fresh, 'new failure group')
    : `${plural(rising, 'failure group')} rising${fresh === 0 ? '' : `, ${fresh} new`}`
  return {
    tone: 'warn', headline: `${counted}${hour ? ` · ${summary(hour)}` : ''}`, detail: null,
    link: { href, text: rising + fresh === 1 ? 'Show its failures' : 'Show the failures' }
  }
}

const NO_GROUPS: GroupsToLookAt = { rising: 0, fresh: 0, isCut: false, href: '' }

/** What would have to be known before all can be called well. */
function toDoubt({ stats, lastHour, groups, forbidden, answeredAt, pausedSince, now }: Observed): Verdict | null {
  for (const [input, name] of [[lastHour, 'What finished in the last hour'], [groups, 'Failure groups']] as const) {
    if (input.state === 'stale')
      return {
        tone: 'unknown', headline: `Not known whether all is well since ${formatClock(input.since, now)}`,
        detail: `${name} could not be loaded: ${withLocalTimes(input.message, now)}`
      }
  }
  for (const input of [lastHour, groups]) {
    if (input.state === 'unknown') return input.reason === undefined ? LOOKING : notKnown(input.reason)
  }
  if (groups.state === 'known' && groups.value.isCut) return notKnown('There are too many failure groups to look at all of them.')
  if (stats?.active_workers === null) return notKnown('The broker cannot tell how many workers run.')
  const hidden = [
    ...forbidden, ...(lastHour.state === 'forbidden' ? ['what finished'] : []), ...(groups.state === 'forbidden' ? ['failure groups'] : [])
  ]
  if (hidden.length > 0) {
    return {
      tone: 'unknown', headline: `No trouble in what you may see${lastHour.state === 'known' ? ` · ${summary(lastHour.value)}` : ''}`,
      detail: `Not shown to you: ${hidden.join(', ')}.`
    }
  }
  if (pausedSince !== null)
    return { tone: 'unknown', headline: `All was well at ${formatClock(pausedSince, now)}`, detail: 'Updates are paused.' }
  const oldest = Math.min(answeredAt ?? now, ...[lastHour, groups].map(input => (input.state === 'known' ? input.at : now)))
  if (now - oldest > OLD_AFTER_MS)
    return { tone: 'unknown', headline: `All was well at ${formatClock(oldest, now)}`, detail: 'Asking again…' }
  return null
}

function notKnown(detail: string): Verdict {
  return { tone: 'unknown', headline: 'Not known whether all is well', detail }
}

function toCalm({ lastHour }: Observed): Verdict {
  return lastHour.state === 'known' ? { tone: 'good', headline: `All well · ${summary(lastHour.value)}`, detail: null } : LOOKING
}

/** When a figure was true, if that is not now; a tab that slept has figures from before. */
function asOf(seen: Seen<unknown>, now: number): string | null {
  if (seen.state === 'stale') return `As of ${formatClock(seen.since, now)}; newer counts cannot be read.`
  return seen.state === 'known' && now - seen.at > OLD_AFTER_MS ? `As of ${formatClock(seen.at, now)}. Asking again…` : null
}

function valueOf<T>(seen: Seen<T>): T | null {
  return seen.state === 'known' || seen.state === 'stale' ? seen.value : null
}

function failedPercent({ finished, failed }: LastHour): number {
  return finished > 0 ? (failed / finished) * 100 : 0
}

function summary(hour: LastHour): string {
  if (hour.finished === 0) return 'nothing finished in the last hour'
  return `${activity(hour)}, ${hour.failed === 0 ? 'none' : formatRate(failedPercent(hour))} failed`
}

function toSince({ at, isExact }: Since, now: number): string {
  return `${isExact ? 'since' : 'at least since'} ${formatClock(at, now)}`
}

function activity(hour: LastHour): string {
  return `${formatCount(hour.finished)} execution${hour.finished === 1 ? '' : 's'} in the last hour`
}

function sentences(...parts: ReadonlyArray<string | null>): string | null {
  return parts.filter(part => part !== null && part !== '').map(part => capitalized(part!).replace(/\.?$/, '.')).join(' ') || null
}

function staleFigures({ figuresFrom, now }: Observed): string | null {
  return figuresFrom === null ? null : `Figures below are from ${formatClock(figuresFrom, now)}.`
}
