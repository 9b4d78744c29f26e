import type { Health, Stats } from '../../../schemas/index.ts'
import { formatSpan } from './duration.ts'
import { formatCount, formatRate, plural } from './number.ts'
import { formatClock } from './time.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'unknown'

export interface Verdict {
  readonly tone: Tone
  readonly headline: string
  /** What follows from it, and the next step. */
  readonly detail: string | null
}

export interface Since {
  readonly at: number
  /** False: it was so already when this page was opened. */
  readonly isExact: boolean
}

export interface LastHour {
  readonly finished: number
  readonly failed: number
  /** Counting stopped at a bound: there are at least as many. */
  readonly capped: boolean
}

export interface Observed {
  readonly health: Health | undefined
  readonly stats: Stats | undefined
  readonly lastHour: LastHour | undefined
  /** Why the newest figures could not be had, and since when; null while they can. */
  readonly failure: { readonly status: number; readonly since: number } | null
  /** When the server first called a datastore unhealthy, as seen from here. */
  readonly unhealthySince: Since | null
  /** When the figures on the page were true. */
  readonly figuresFrom: number | null
  readonly now: number
}

/** From this share of failed executions in the last hour on, the verdict is not "all well". */
export const FAILING_FROM_PERCENT = 5

/** The one line that answers: is it working, and if not, what broke and since when? */
export function toVerdict(seen: Observed): Verdict {
  const { health, stats, failure, now } = seen
  if (failure?.status === 401) return { tone: 'bad', headline: 'You are signed out', detail: staleFigures(seen) }

  const broken = health && !failureHidesHealth(seen) ? (['broker', 'backend'] as const).filter((name) => !health.components[name].healthy) : []
  if (broken.length > 0) {
    const since = seen.unhealthySince
    const names = broken.map((name) => (name === 'broker' ? 'Broker' : broken.length > 1 ? 'result backend' : 'Result backend')).join(' and ')
    return { tone: 'bad', headline: `${names} out of reach${since ? ` ${toSince(since, now)}` : ''}`, detail: staleFigures(seen) }
  }
  if (failure) {
    const since = toSince({ at: failure.since, isExact: seen.figuresFrom !== null }, now)
    const headline = `The dashboard's server cannot ${failure.status === 0 ? 'be reached' : 'answer'} ${since}`
    return { tone: 'bad', headline, detail: staleFigures(seen) }
  }
  if (!health || !stats) return { tone: 'unknown', headline: 'Looking…', detail: null }

  if (stats.active_workers === 0) {
    const waiting = stats.queue_size > 0
      ? `${plural(stats.queue_size, 'execution')} ${stats.queue_size === 1 ? 'waits' : 'wait'}${stats.oldest_pending_ms === null ? '' : `, the oldest for ${formatSpan(stats.oldest_pending_ms)}`}. `
      : ''
    return { tone: stats.queue_size > 0 ? 'bad' : 'warn', headline: 'No workers are running', detail: `${waiting}Start a process that calls queueApp.start().` }
  }

  const hour = seen.lastHour
  const failedShare = hour && hour.finished > 0 ? (hour.failed / hour.finished) * 100 : 0
  if (hour && failedShare >= FAILING_FROM_PERCENT) {
    return { tone: 'bad', headline: `Failing · ${formatRate(failedShare)} of ${activity(hour)} failed`, detail: null }
  }
  if (stats.schedules.overdue > 0) {
    return { tone: 'warn', headline: `${plural(stats.schedules.overdue, 'schedule')} overdue`, detail: 'A due run has not been taken by any worker for over 30 seconds.' }
  }
  const ailing = Object.values(health.components).find((component) => !component.healthy)
  if (ailing) return { tone: 'warn', headline: 'Needs attention', detail: ailing.message }
  if (health.status !== 'healthy') return { tone: 'warn', headline: 'Needs attention', detail: null }

  if (!hour) return { tone: 'good', headline: 'All well', detail: null }
  if (hour.finished === 0) return { tone: 'good', headline: 'All well · nothing finished in the last hour', detail: null }
  return { tone: 'good', headline: `All well · ${activity(hour)}, ${hour.failed === 0 ? 'none' : formatRate(failedShare)} failed`, detail: null }
}

function toSince({ at, isExact }: Since, now: number): string {
  return `${isExact ? 'since' : 'at least since'} ${formatClock(at, now)}`
}

function activity(hour: LastHour): string {
  return `${formatCount(hour.finished)}${hour.capped ? '+' : ''} execution${hour.finished === 1 ? '' : 's'} in the last hour`
}

function staleFigures({ figuresFrom, now }: Observed): string | null {
  return figuresFrom === null ? null : `Figures below are from ${formatClock(figuresFrom, now)}.`
}

/** While the server itself is out of reach, what it said last about its broker is no longer news. */
function failureHidesHealth({ failure }: Observed): boolean {
  return failure !== null && failure.status === 0
}
