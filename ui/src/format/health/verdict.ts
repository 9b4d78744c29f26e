import type { Health, Stats } from '../../../../schemas/index.ts'
import { formatSpan } from '../time/duration.ts'
import { MINUTE_MS } from '../time/units.ts'
import type { FailingSpan } from '../failures/failing-span.ts'
import { formatRate } from '../stats/number.ts'
import { toOutage } from './store-outage.ts'
import type { QueuesToLookAt } from './queues-to-look-at.ts'
import { asOf, OLD_AFTER_MS, valueOf, type Seen } from './seen.ts'
import { capitalized } from '../letter-case.ts'
import { formatClock, withLocalTimes } from '../time/time.ts'
import { errorTexts } from '../../texts/errors.ts'
import { frameTexts } from '../../texts/frame.ts'
import { statsTexts } from '../../texts/stats.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'unknown'

export interface Verdict {
  readonly tone: Tone
  readonly headline: string
  /** Address of the rows behind the headline, if it has one. */
  readonly href?: string
  /** Further facts, each with a link to its rows, if there is one. */
  readonly clauses: readonly Clause[]
  /** What follows from it, and the next step. */
  readonly detail: string | null
}

export interface Clause {
  readonly text: string
  readonly href?: string
}

export interface LastHour {
  readonly finished: number
  readonly failed: number
  /** The latest stretch in which too many failed. */
  readonly failing: FailingSpan | null
}

/** Failure groups that need attention. A new one is not counted as rising as well. */
export interface GroupsToLookAt {
  readonly rising: number
  /** First seen in the last hour. */
  readonly fresh: number
  /** Failed again after someone resolved them. Not counted as new or rising as well. */
  readonly regressed: number
  /** There were too many groups to examine all of them. */
  readonly isCut: boolean
  /** Where they are shown. */
  readonly href: string
  /** What most of the latest failures have in common; null if there is nothing, or if it is not known. */
  readonly cause: Clause | null
}

export interface Observed {
  /** Undefined while the newest report is missing, because an older report is not current. */
  readonly health: Health | undefined
  readonly stats: Stats | undefined
  readonly lastHour: Seen<LastHour>
  readonly groups: Seen<GroupsToLookAt>
  readonly queues: Seen<QueuesToLookAt>
  /** Which of health and statistics the reader may not see. */
  readonly forbidden: ReadonlyArray<'health' | 'statistics'>
  /** Why the newest figures are missing, and since when, if known; null if they are not missing. */
  readonly failure: { readonly status: number; readonly message: string; readonly since: number | null } | null
  /** When the server began to report a datastore as unhealthy; null if it does not, or if it did so before the page's first request. */
  readonly unhealthySince: number | null
  /** The time of the figures on the page. */
  readonly figuresFrom: number | null
  /** When the oldest of health and statistics arrived; null before that. */
  readonly answeredAt: number | null
  readonly pausedSince: number | null
  readonly now: number
}

/** If at least this share of the executions failed in the last hour, the verdict is not "all well". */
export const FAILING_FROM_PERCENT = 5

/** The one line that answers: is it working, and if not, what broke and since when? */
export function toVerdict(seen: Observed): Verdict {
  const { health, stats, failure, now } = seen
  if (failure?.status === 401) return verdict('bad', frameTexts.youAreSignedOut, staleFigures(seen))

  const outage = health && failure?.status !== 0 ? toOutage(health) : null
  if (outage) {
    const since = seen.unhealthySince
    const detail = sentences(outage.detail && withLocalTimes(errorTexts.sayOfPart(outage.detail), now), staleFigures(seen))
    return verdict('bad', `${outage.headline}${since === null ? '' : ` ${statsTexts.since(formatClock(since, now))}`}`, detail)
  }
  if (failure) {
    const since = failure.since === null ? null : statsTexts.since(formatClock(failure.since, now))
    const headline = failure.status === 0 ? statsTexts.serverUnreachable(since) : statsTexts.serverCannotAnswer(since)
    return verdict('bad', headline, sentences(failure.status === 0 ? null : failure.message, staleFigures(seen)))
  }
  if ((!health && !seen.forbidden.includes('health')) || (!stats && !seen.forbidden.includes('statistics'))) return looking()

  return toTrouble(seen) ?? toDoubt(seen) ?? toCalm(seen)
}

function looking(): Verdict {
  return verdict('unknown', statsTexts.looking)
}

/** What is known to be wrong, in one line, the most serious first. */
function toTrouble(seen: Observed): Verdict | null {
  const { stats, lastHour } = seen
  if (stats?.active_workers === 0 && stats.registered_tasks === 0 && stats.queue_size === 0) {
    return verdict('unknown', statsTexts.noTaskYet, statsTexts.noTaskYetDetail)
  }
  const unattended = toUnattended(seen)
  const troubles = [
    toIdle(seen), toFailing(seen), unattended, toPaused(seen), toOverdue(seen),
    // Otherwise, the missing worker already explains why executions wait.
    unattended === null ? toWaiting(seen) : null
  ].filter(trouble => trouble !== null)
  if (troubles.length === 0) troubles.push(...[toAiling(seen)].filter(trouble => trouble !== null))
  troubles.push(...toNews(seen))
  const [first, ...others] = troubles
  if (!first) return null

  const hour = valueOf(lastHour)
  const isToldOfHour = hour === null || isFailing(hour)
  return {
    ...first,
    tone: troubles.some(({ tone }) => tone === 'bad') ? 'bad' : first.tone,
    clauses: [
      ...first.clauses,
      ...others.flatMap(({ headline, href, clauses }) => [{ text: statsTexts.behind(headline), ...(href && { href }) }, ...clauses]),
      ...(isToldOfHour ? [] : [{ text: summary(hour) }])
    ]
  }
}

function toIdle({ stats }: Observed): Verdict | null {
  if (stats?.active_workers !== 0) return null
  const pending = stats.queue_size ?? 0
  const waiting = pending > 0
    ? statsTexts.executionsWait(pending) +
      `${stats.oldest_pending_ms === null ? '' : statsTexts.theOldestFor(formatSpan(stats.oldest_pending_ms))}. `
    : ''
  return verdict(
    pending > 0 ? 'bad' : 'warn', statsTexts.noWorkers, `${waiting}${statsTexts.startProcess}`
  )
}

function toFailing({ lastHour, groups, now }: Observed): Verdict | null {
  const hour = valueOf(lastHour)
  if (!hour || !isFailing(hour)) return null
  const { failing } = hour
  const since = failing && toSince(failing, now)
  const isOver = failing !== null && failing.until !== null
  const cause = valueOf(groups)?.cause ?? null
  return {
    ...verdict(
      isOver ? 'warn' : 'bad',
      isOver ? statsTexts.failuresEnded(formatClock(failing.until, now)) : `${statsTexts.failing}${since ? ` ${since}` : ''}`,
      asOf(lastHour, now)
    ),
    clauses: [
      { text: statsTexts.rateOf(formatRate(failedPercent(hour)), statsTexts.activity(hour.finished)), href: FAILED_IN_LAST_HOUR },
      ...(cause ? [cause] : [])
    ]
  }
}

const FAILED_IN_LAST_HOUR = '/executions?status=failed&range=1h'

/** Tasks without a worker although other tasks have workers. */
function toUnattended({ stats, queues, now }: Observed): Verdict | null {
  const tasks = valueOf(queues)?.withoutWorker ?? []
  if (tasks.length === 0 || stats?.active_workers === 0) return null
  const detail = sentences(statsTexts.withoutWorkerDetail, asOf(queues, now))
  return { ...verdict('warn', statsTexts.withoutWorker(tasks[0]!, tasks.length), detail), href: '/workers' }
}

function toPaused({ queues: seen, now }: Observed): Verdict | null {
  const { queues, waiting } = valueOf(seen)?.paused ?? { queues: 0, waiting: 0 }
  if (queues === 0) return null
  const detail = sentences(statsTexts.queuesPausedDetail, asOf(seen, now))
  return { ...verdict('warn', statsTexts.queuesPaused(queues, waiting), detail), href: '/workers' }
}

function toOverdue({ stats }: Observed): Verdict | null {
  if (!stats || stats.schedules.overdue === 0) return null
  return {
    ...verdict(
      'warn', statsTexts.schedulesOverdue(stats.schedules.overdue), statsTexts.overdueDetail
    ),
    href: '/schedules?show=overdue'
  }
}

/** Longer than in a queue that is merely busy. */
const WAITS_LONG_MS = 15 * MINUTE_MS

function toWaiting({ stats }: Observed): Verdict | null {
  if (!stats || stats.active_workers === 0 || (stats.oldest_pending_ms ?? 0) < WAITS_LONG_MS) return null
  return {
    ...verdict('warn', statsTexts.waitsLong(formatSpan(stats.oldest_pending_ms!)), statsTexts.waitsLongDetail),
    href: '/executions?status=pending&order=oldest'
  }
}

function toAiling({ health, now }: Observed): Verdict | null {
  const ailing = health && Object.values(health.components).find(component => !component.healthy)
  if (!ailing && (!health || health.status === 'healthy')) return null
  return verdict('warn', statsTexts.needsAttention, ailing ? withLocalTimes(errorTexts.sayOfPart(ailing.message), now) : null)
}

/** Failure groups that failed again after they were resolved, are new or rise. */
function toNews({ groups }: Observed): Verdict[] {
  const { rising, fresh, regressed, href } = valueOf(groups) ?? NO_GROUPS
  return [
    ...(regressed > 0 ? [{ ...verdict('warn', statsTexts.groupsRegressed(regressed), null), href }] : []),
    ...(rising > 0 ? [{ ...verdict('warn', statsTexts.groupsRising(rising), null), href }] : []),
    ...(fresh > 0 ? [{ ...verdict('warn', statsTexts.groupsNew(fresh), null), href }] : [])
  ]
}

function verdict(tone: Tone, headline: string, detail: string | null = null): Verdict {
  return { tone, headline, clauses: [], detail }
}

function isFailing(hour: LastHour): boolean {
  return failedPercent(hour) >= FAILING_FROM_PERCENT
}

const NO_GROUPS: GroupsToLookAt = { rising: 0, fresh: 0, regressed: 0, isCut: false, href: '', cause: null }

/** What must be known before the verdict can be "all well". */
function toDoubt({ stats, lastHour, groups, queues, forbidden, answeredAt, pausedSince, now }: Observed): Verdict | null {
  const inputs = [[lastHour, statsTexts.whatFinished], [groups, statsTexts.failureGroups], [queues, statsTexts.queues]] as const
  for (const [input, name] of inputs) {
    if (input.state === 'stale')
      return verdict(
        'unknown', input.since === null ? statsTexts.notKnownWhether : statsTexts.notKnownSince(formatClock(input.since, now)),
        statsTexts.couldNotBeLoaded(name, withLocalTimes(input.message, now))
      )
  }
  for (const [input] of inputs) {
    if (input.state === 'unknown') return input.reason === undefined ? looking() : notKnown(input.reason)
  }
  if (groups.state === 'known' && groups.value.isCut) return notKnown(statsTexts.tooManyGroups)
  if (stats?.active_workers === null) return notKnown(statsTexts.workersUnknown)
  const hidden = [
    ...forbidden, ...(lastHour.state === 'forbidden' ? ['finished' as const] : []),
    ...(groups.state === 'forbidden' ? ['groups' as const] : []), ...(queues.state === 'forbidden' ? ['queues' as const] : [])
  ].map(name => statsTexts.hidden[name])
  if (hidden.length > 0) {
    return {
      ...verdict('unknown', statsTexts.noTroubleSeen, statsTexts.notShown(hidden.join(', '))),
      clauses: lastHour.state === 'known' ? [{ text: summary(lastHour.value) }] : []
    }
  }
  if (pausedSince !== null)
    return verdict('unknown', statsTexts.wasWell(formatClock(pausedSince, now)), statsTexts.paused)
  const oldest = Math.min(answeredAt ?? now, ...[lastHour, groups, queues].map(input => (input.state === 'known' ? input.at : now)))
  if (now - oldest > OLD_AFTER_MS)
    return verdict('unknown', statsTexts.wasWell(formatClock(oldest, now)), statsTexts.askingAgain)
  return null
}

function notKnown(detail: string): Verdict {
  return verdict('unknown', statsTexts.notKnownWhether, detail)
}

function toCalm({ lastHour }: Observed): Verdict {
  if (lastHour.state !== 'known') return looking()
  return { ...verdict('good', statsTexts.marks.good), clauses: [{ text: summary(lastHour.value) }] }
}

function failedPercent({ finished, failed }: LastHour): number {
  return finished > 0 ? (failed / finished) * 100 : 0
}

function summary(hour: LastHour): string {
  const { nothingInLastHour, activity, activityNoneFailed, activityFailed } = statsTexts
  if (hour.finished === 0) return nothingInLastHour
  const finished = activity(hour.finished)
  return hour.failed === 0 ? activityNoneFailed(finished) : activityFailed(finished, formatRate(failedPercent(hour)))
}

function toSince({ since, isExact }: FailingSpan, now: number): string {
  return statsTexts[isExact ? 'since' : 'atLeastSince'](formatClock(since, now))
}

function sentences(...parts: ReadonlyArray<string | null>): string | null {
  return parts.filter(part => part !== null && part !== '').map(part => capitalized(part!).replace(/\.?$/, '.')).join(' ') || null
}

function staleFigures({ figuresFrom, now }: Observed): string | null {
  return figuresFrom === null ? null : statsTexts.figuresFrom(formatClock(figuresFrom, now))
}
