import type { Job, Queue, RepeatOptions } from 'bullmq'
import { CronExpressionParser } from 'cron-parser'
import { cronRunsAfter } from '../../time/cron-runs.ts'
import { jitterOf } from '../../time/jitter.ts'
import type { SchedulerDefinition } from '../scheduler-definition.ts'
import { toJobBackoff } from '../jobs/job-backoff.ts'
import { CANCEL_FIELD } from '../jobs/job-cancellation.ts'
import { dueAtFromJob, toJobData } from '../jobs/job-mapper.ts'
import type { JobData } from '../jobs/job-fields.ts'
import { MAX_LOG_LINES } from '../workers/run-log.ts'
import type { Store } from '../../stores/store.ts'
import { plannedJobId } from './planned-job-id.ts'
import { removeDueRun } from './remove-due-run.ts'
import { shortDigestOfJson } from '../../json/digest.ts'

/** Does nothing if the scheduler is current, so its next run stays. `isNew`: it is known to be missing or outdated. */
export async function upsertScheduler(
  queue: Queue, definition: SchedulerDefinition, { isNew = false }: { readonly isNew?: boolean } = {}
): Promise<void> {
  const fingerprint = fingerprintOf(definition)
  if (!isNew && await isStanding(queue, definition.scheduleId, fingerprint)) return

  await queue.upsertJobScheduler(definition.scheduleId, repeatOf(definition), {
    name: definition.taskName,
    data: { ...toJobData(definition), definition: fingerprint },
    opts: {
      attempts: definition.maxAttempts,
      backoff: toJobBackoff(definition.backoff),
      priority: definition.priority,
      keepLogs: MAX_LOG_LINES
    }
  })
}

async function isStanding(queue: Queue, scheduleId: string, fingerprint: string): Promise<boolean> {
  const standing = await queue.getJobScheduler(scheduleId)
  const standingData = standing?.template?.data as JobData | undefined
  const isCurrent = standing !== undefined && standing !== null && standingData?.definition === fingerprint
  return isCurrent && !await isBroken(queue, scheduleId, standing.next ?? 0)
}

/** Removes a scheduler with its planned run, and a due run that has not started. */
export async function removeScheduler(store: Store, queue: Queue, scheduleId: string): Promise<boolean> {
  const standing = await queue.getJobScheduler(scheduleId)
  const wasThere = await queue.removeJobScheduler(scheduleId)
  if (standing?.next !== undefined) await removeDueRun(store, queue, plannedJobId(scheduleId, standing.next))
  return wasThere
}

/**
 * Plans the next run again, from now on. Job ids contain the due time. If a process with a fast clock ran that run too early, a finished
 * job has its id, and BullMQ would not create another.
 */
export async function planSchedulerAnew(store: Store, queue: Queue, definition: SchedulerDefinition): Promise<boolean> {
  const { scheduleId } = definition
  const next = nextRunAt(Date.now(), repeatOf(definition))
  if (next === undefined || await queue.getJobState(plannedJobId(scheduleId, next)) !== 'unknown') return false
  await removeScheduler(store, queue, scheduleId)
  await upsertScheduler(queue, definition, { isNew: true })
  return true
}

/** Plans the run after a due one that will not start, as a worker does when it takes a run. Does nothing if that run is planned already. */
export async function planSuccessor(queue: Queue, executionId: string): Promise<void> {
  const job = await queue.getJob(executionId) as Job | undefined
  if (job?.repeatJobKey === undefined || job.finishedOn !== undefined) return
  // A worker whose clock is fast takes a run before it is due here.
  if (dueAtFromJob(job) > Date.now() && await job.isDelayed()) return
  const { [CANCEL_FIELD]: _, ...opts } = job.opts as Job['opts'] & { repeat?: RepeatOptions; [CANCEL_FIELD]?: unknown }
  if (opts.repeat === undefined) return
  const schedulers = await queue.jobScheduler
  await schedulers.upsertJobScheduler(job.repeatJobKey, opts.repeat, job.name, job.data, opts, {
    override: false, producerId: executionId
  })
}

/**
 * When a scheduler runs next, for BullMQ's `repeatStrategy`; undefined if never again. Intervals use a pattern of our own: BullMQ's `every`
 * runs at once and is not aligned. Its cron strategy is not used either: it skips days on which clocks skip midnight, and stops where they
 * shift by half an hour.
 */
export function nextRunAt(millis: number, { pattern = '', tz = 'UTC' }: RepeatOptions): number | undefined {
  const [, bounds, plain = ''] = /^(?:bounds:(\S+) )?(.*)$/s.exec(pattern) ?? []
  const nominalAfter = toNominal(plain, tz)
  if (bounds === undefined) return nominalAfter(millis)

  const [jitterMs, startAt, endAt, scheduleId] = JSON.parse(decodeURIComponent(bounds)) as Bounds
  let next: number | undefined
  // With jitter, a later run can become due before an earlier one.
  let nominal = nominalAfter(Math.max(millis - jitterMs, (startAt ?? 0) - 1))
  for (; nominal !== undefined && nominal <= Math.min(endAt ?? Infinity, next ?? Infinity); nominal = nominalAfter(nominal)) {
    const due = nominal + jitterOf(scheduleId, nominal, jitterMs)
    if (due > millis && due < (next ?? Infinity)) next = due
  }
  return next
}

type Bounds = readonly [jitterMs: number, startAt: number | null, endAt: number | null, scheduleId: string]

/** Our own patterns: five fields of numbers, ranges, commas and `*`. */
const PLAIN_CRON = /^[\d*,-]+(?: [\d*,-]+){4}$/

function toNominal(pattern: string, tz: string): (after: number) => number | undefined {
  const [, intervalMs, anchorAt] = /^every:(\d+):(\d+)$/.exec(pattern) ?? []
  if (intervalMs !== undefined) return after => nextInstant(after, Number(intervalMs), Number(anchorAt))
  if (PLAIN_CRON.test(pattern)) return after => cronRunsAfter(pattern, tz, after).next().value
  // A scheduler that other code made in the same queue: seconds, @daily and everything else BullMQ accepts.
  return after => CronExpressionParser.parse(pattern, { tz, currentDate: new Date(after) }).next().getTime()
}

/** The first time after `after` that is a positive whole number of intervals past the anchor. */
export function nextInstant(after: number, intervalMs: number, anchorAt: number): number {
  return anchorAt + Math.max(Math.floor((after - anchorAt) / intervalMs) + 1, 1) * intervalMs
}

function repeatOf(
  { scheduleId, timing, jitterMs = 0, startAt = null, endAt = null }: SchedulerDefinition
): { pattern: string; tz?: string } {
  const bounds: Bounds = [jitterMs, startAt, endAt, scheduleId]
  const prefix = jitterMs === 0 && startAt === null && endAt === null ? '' : `bounds:${encodeURIComponent(JSON.stringify(bounds))} `
  if ('cron' in timing) return { pattern: `${prefix}${timing.cron}`, tz: timing.timezone }
  return { pattern: `${prefix}every:${timing.intervalMs}:${timing.anchorAt}` }
}

/** Without its planned job, a scheduler would never run again. */
async function isBroken(queue: Queue, scheduleId: string, next: number): Promise<boolean> {
  return await queue.getJobState(plannedJobId(scheduleId, next)) === 'unknown'
}

/** Covers the whole definition; stored with the scheduler for comparison. */
export function fingerprintOf(definition: SchedulerDefinition): string {
  const { taskName, args, priority, maxAttempts, backoff } = definition
  const parts = [repeatOf(definition), taskName, args, priority, maxAttempts, toJobBackoff(backoff)]
  return shortDigestOfJson(parts)
}
