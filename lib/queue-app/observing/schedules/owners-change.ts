import type { PlanChange } from '../../../engine/observing/managing/manage-queues.ts'
import type { ObservedScheduler } from '../../../engine/observing/schedulers/observed-scheduler.ts'
import type { ScheduleChanges } from '../../../scheduler/schedules.ts'
import { checkTiming, invalidSchedule } from '../../../scheduler/definitions/schedule-input.ts'
import { readSentArguments } from '../../../json/sent-arguments.ts'
import { MAX_ARGS_BYTES } from '../../../../schemas/limits.ts'
import { nextOf } from './to-observed-record.ts'
import type { EditedField, OwnersDefinition } from './schedule-book.ts'

export const EDITED_FIELDS: readonly EditedField[] = ['pattern', 'everyMs', 'timezone', 'data']

export function definitionOf({ pattern, everyMs, timezone, data }: ObservedScheduler): OwnersDefinition {
  return { pattern, everyMs, timezone, data: data ?? null }
}

const ONLY_OWN: ReadonlyArray<[keyof ScheduleChanges, string]> = [
  ['description', '/description'], ['priority', '/priority'], ['overlap', '/overlap'], ['catchUp', '/catch_up'], ['jitterMs', '/jitter_ms'],
  ['startAt', '/start_at'], ['endAt', '/end_at']
]

/**
 * The definition of an existing queue's scheduler after a person's changes.
 * @throws INVALID_CRON, INVALID_SCHEDULE
 */
export function changedDefinition(current: OwnersDefinition, changes: ScheduleChanges): OwnersDefinition {
  const faults = ONLY_OWN.filter(([field]) => changes[field] !== undefined)
    .map(([, pointer]) => ({ pointer, message: 'must be absent: a schedule of an existing queue does not have it' }))
  const { cron, intervalMs, timezone, args } = changes
  if (cron !== undefined && current.everyMs !== null)
    faults.push({ pointer: '/cron', message: 'is for cron schedules; this one runs at an interval' })
  if (intervalMs !== undefined && current.everyMs === null)
    faults.push({ pointer: '/interval_ms', message: 'is for interval schedules; this one has a cron expression' })
  if (timezone !== undefined && current.everyMs !== null)
    faults.push({ pointer: '/timezone', message: 'must be absent: an interval of an existing queue has none' })
  const { json, problems } = args === undefined
    ? { json: null, problems: [] }
    : readSentArguments(args, { maxItems: 1, maxBytes: MAX_ARGS_BYTES })
  faults.push(...problems.map(message => ({ pointer: '/args', message })))
  if (args !== undefined && args.length !== 1)
    faults.push({ pointer: '/args', message: 'must be a list with the data of the job as its only item' })
  if (faults.length > 0) throw invalidSchedule(faults)
  const next: OwnersDefinition = {
    pattern: cron ?? current.pattern, everyMs: intervalMs ?? current.everyMs, timezone: timezone ?? current.timezone,
    data: json === null ? current.data : JSON.stringify((JSON.parse(json) as unknown[])[0])
  }
  if (next.pattern !== current.pattern || next.timezone !== current.timezone)
    checkTiming({ cron: next.pattern ?? '', timezone: next.timezone ?? 'UTC' })
  if (next.everyMs !== current.everyMs) checkTiming({ intervalMs: next.everyMs!, timezone: 'UTC' })
  return next
}

/**
 * What has to be written so that a scheduler, and the job of its next run, match the definition.
 * @param knownOpts the options of that job, as JSON
 * @param zone the time zone in which the scheduler is planned; null if it is not known
 */
export function changeTo(
  scheduler: ObservedScheduler, wanted: OwnersDefinition, knownOpts: string,
  { now, zone, isEdit }: { readonly now: number; readonly zone: string | null; readonly isEdit: boolean }
): PlanChange {
  const { plannedAt, pending } = scheduler
  const isTimed = wanted.pattern !== scheduler.pattern || wanted.everyMs !== scheduler.everyMs || wanted.timezone !== scheduler.timezone
  const asWanted: ObservedScheduler = { ...scheduler, ...wanted, timezone: zone, plannedAt: now }
  // Only a later run is moved. A run that is due begins at once, and its worker plans the next one by the new rule.
  const moves = isTimed && pending === 'delayed' && plannedAt < FAR_MS
  const to = moves ? nextOf(asWanted, now) ?? plannedAt : plannedAt
  const offset = wanted.everyMs === null ? null : isTimed ? to % wanted.everyMs : scheduler.offsetMs
  return {
    plannedAt, to, now,
    opts: { known: knownOpts, next: withRule(knownOpts, wanted, offset, moves ? to : null) },
    ...wanted.data !== null && { data: wanted.data },
    fields: {
      pattern: wanted.pattern, every: textOf(wanted.everyMs), tz: wanted.timezone, offset: textOf(offset),
      data: wanted.data === '{}' ? null : wanted.data, taskDashboard: isEdit ? String(now) : null
    }
  }
}

/** A run after this belongs to a disabled scheduler, which stays disabled. */
const FAR_MS = Date.UTC(2099, 0)

/** A worker that takes a job plans the next run by the rule in the job's options. */
function withRule(
  json: string, { pattern, everyMs, timezone }: OwnersDefinition, offset: number | null, plannedAt: number | null
): string {
  const opts = JSON.parse(json) as Record<string, unknown>
  const { pattern: _pattern, every: _every, tz: _tz, ...others } = (opts['repeat'] ?? {}) as Record<string, unknown>
  const repeat = {
    ...others, ...pattern !== null && { pattern }, ...everyMs !== null && { every: everyMs }, ...timezone !== null && { tz: timezone },
    ...offset !== null && { offset }
  }
  return JSON.stringify({ ...opts, repeat, ...plannedAt !== null && 'prevMillis' in opts && { prevMillis: plannedAt } })
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value)
}
