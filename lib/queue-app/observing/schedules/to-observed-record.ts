import { argsFromData } from '../../../engine/observing/observed-job.ts'
import { scheduleIdOf, type ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import { objectFrom } from '../../../json/foreign-json.ts'
import { MAX_PRIORITY } from '../../../../schemas/limits.ts'
import { LATE_AFTER_MS } from '../../../scheduler/runs/late-after.ts'
import type { DriftField, ScheduleRecord } from '../../../scheduler/schedules.ts'
import { describeInterval, describeTiming } from '../../../scheduler/timing/describe-timing.ts'
import { offsetAt } from '../../../time/zone-offset.ts'
import { nextOfInterval, ownersRunsAfter, readOwnersCron, zoneFitting, type OwnersCron } from './owners-cron.ts'
import type { EditedField, ScheduleBook } from './schedule-book.ts'
import { shortDigestOfJson } from '../../../json/digest.ts'

/** The time of a disabled scheduler's next run: the year 2100. BullMQ continues from there only if someone promotes that job. */
export const DISABLED_UNTIL_MS = Date.UTC(2100, 0)

export function isDisabled({ plannedAt }: Pick<ObservedScheduler, 'plannedAt'>): boolean {
  return plannedAt >= DISABLED_UNTIL_MS
}

/** How a scheduler is timed, as far as it can be known. */
export interface OwnersTiming {
  /** Null for an interval, and for a rule that only its owner can read. */
  readonly cron: OwnersCron | null
  /** Null if the owner named no zone and none fits, or if this process does not know the owner's zone. */
  readonly timezone: string | null
}

export function timingOf({ pattern, timezone, plannedAt }: Pick<ObservedScheduler, 'pattern' | 'timezone' | 'plannedAt'>): OwnersTiming {
  const cron = pattern === null ? null : readOwnersCron(pattern)
  if (cron === null) return { cron, timezone }
  return { cron, timezone: timezone === null ? zoneFitting(cron, plannedAt) : isZone(timezone) ? timezone : null }
}

/** Gives a disabled scheduler the time that was planned before it was disabled, because its rule is interpreted by that time. */
export function asPlanned(scheduler: ObservedScheduler, book: ScheduleBook | null): ObservedScheduler {
  if (!isDisabled(scheduler)) return scheduler
  return { ...scheduler, plannedAt: book?.plannedAt ?? scheduler.offsetMs ?? 0 }
}

/**
 * The first time after `after`; null if there is none, or it cannot be known.
 * @param scheduler as `asPlanned` returns it
 */
export function nextOf(scheduler: ObservedScheduler, after: number): number | null {
  const { everyMs, plannedAt, endAt } = scheduler
  const { cron, timezone } = timingOf(scheduler)
  const next = everyMs !== null && everyMs > 0
    ? nextOfInterval(everyMs, plannedAt, after)
    : cron === null || timezone === null ? null : ownersRunsAfter(cron, timezone, after).next().value ?? null
  return next === null || endAt !== null && next > endAt ? null : next
}

interface ObservedQueueFacts {
  readonly queueSeenAt: number
  /** Whether its schedulers can be changed. */
  readonly isManaged: boolean
}

/** @param book null until its first check is noted */
export function toObservedRecord(
  scheduler: ObservedScheduler, book: ScheduleBook | null, at: number, { queueSeenAt, isManaged }: ObservedQueueFacts
): ScheduleRecord {
  const { taskName, id, pattern, everyMs, pending, plannedAt, startAt, endAt } = scheduler
  const timing = timingOf(asPlanned(scheduler, book))
  // If its owner has enabled it again, the watch soon disables it again.
  const enabled = !isDisabled(scheduler) && (book?.disabled ?? null) === null
  const isPlanned = pending === 'delayed' || pending === 'due'
  const createdAt = book?.firstSeenAt ?? queueSeenAt
  const edits = Object.values(book?.edits ?? {}).map(edit => edit.at)
  const canCount = everyMs !== null || timing.cron !== null && timing.timezone !== null
  return {
    scheduleId: scheduleIdOf(taskName, id),
    scheduleType: everyMs === null ? 'cron' : 'interval',
    taskName,
    cron: pattern,
    intervalMs: everyMs,
    timezone: timing.timezone ?? 'UTC',
    description: scheduler.jobName === '' || scheduler.jobName === id ? id : `${id} (${scheduler.jobName})`,
    human: everyMs !== null ? describeInterval(everyMs) : describePattern(pattern ?? '', timing.cron),
    args: argsFromData(scheduler.data) ?? [],
    enabled,
    priority: priorityOf(scheduler.opts),
    overlap: 'allow',
    catchUp: 'none',
    jitterMs: 0,
    startAt, endAt,
    source: 'code',
    version: versionOf(scheduler, book),
    taskRegistered: true,
    wins: book?.wins ?? 'live',
    drift: driftOf(scheduler, book, enabled),
    createdAt,
    updatedAt: Math.max(createdAt, book?.disabled?.at ?? 0, ...edits),
    nextRunAt: !enabled || scheduler.kind === 'scheduler' && !isPlanned ? null : plannedAt > at ? plannedAt : nextOf(scheduler, at),
    overdue: enabled && isPlanned && plannedAt < at - LATE_AFTER_MS,
    missed: canCount && scheduler.kind === 'scheduler' ? book?.missed ?? 0 : null,
    late: scheduler.kind === 'scheduler' ? book?.late ?? 0 : null,
    changes: isManaged && scheduler.kind === 'scheduler' ? 'some' : 'none',
    note: noteOf(scheduler, timing, at)
  }
}

/** Why no further run is planned, or what is not known about its times; null if there is nothing to say. */
function noteOf(scheduler: ObservedScheduler, { cron, timezone }: OwnersTiming, at: number): string | null {
  const { kind, pending, plannedAt, endAt, limit, iterations, everyMs } = scheduler
  if (kind === 'repeatable') return 'A repeatable job from before BullMQ had job schedulers: it is shown and left alone'
  if (pending === 'gone' || pending === 'started' && plannedAt < at - LATE_AFTER_MS) {
    return endAt !== null && endAt <= at || limit !== null && iterations !== null && iterations >= limit
      ? 'It has ended'
      : 'No run is planned, so it runs again only after its owner has called upsertJobScheduler'
  }
  if (everyMs !== null) return null
  if (cron === null) return 'Only the code of its owner can read this rule, so missed runs are not known'
  if (timezone === null) return 'The time zone of its owner is not known, so missed runs are not known'
  return scheduler.timezone === null ? `Its owner named no time zone: ${timezone} fits its next run` : null
}

/** Whether this process knows the zone. Other versions of Node know other zones. */
function isZone(timezone: string): boolean {
  try {
    offsetAt(timezone, 0)
    return true
  } catch {
    return false
  }
}

function describePattern(pattern: string, cron: OwnersCron | null): string {
  if (cron === null || cron.seconds.length !== 1 || cron.seconds[0] !== 0) return pattern
  return describeTiming({ cron: cron.minutely })
}

function priorityOf(opts: string | null | undefined): number {
  const priority = objectFrom(opts)?.['priority']
  return typeof priority === 'number' && Number.isSafeInteger(priority) ? Math.min(Math.max(priority, 0), MAX_PRIORITY) : 0
}

const SHOWN_AS: Readonly<Record<EditedField, string>> = { pattern: 'cron', everyMs: 'intervalMs', timezone: 'timezone', data: 'args' }

function driftOf(scheduler: ObservedScheduler, book: ScheduleBook | null, enabled: boolean): DriftField[] {
  const disabled = enabled ? [] : [{
    field: 'enabled', code: true, live: false, since: book?.disabled?.at ?? null, by: book?.disabled?.by ?? null
  }]
  const owners = book?.owners ?? null
  if (book === null || owners === null) return disabled
  const fields = (Object.keys(book.edits) as EditedField[]).filter(field => owners[field] !== scheduler[field])
  return [...disabled, ...fields.map((field): DriftField => {
    const shown = (value: unknown) => field === 'data' ? argsFromData(value as string | null) ?? [] : value
    const { at: since, by } = book.edits[field]!
    return { field: SHOWN_AS[field], code: shown(owners[field]), live: shown(scheduler[field]), since, by }
  })]
}

/** Changes whenever anything changes that a person can see and edit. */
export function versionOf(scheduler: ObservedScheduler, book: ScheduleBook | null): string {
  const { pattern, everyMs, timezone, startAt, endAt, data, opts } = scheduler
  const definition = [pattern, everyMs, timezone, startAt, endAt, data, opts, isDisabled(scheduler), book?.wins ?? 'live']
  return shortDigestOfJson(definition)
}
