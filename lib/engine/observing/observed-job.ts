import { MAX_PRIORITY } from '../../../schemas/limits.ts'
import type { ExecutionState, ExecutionStatus } from '../../../schemas/execution.ts'
import { objectFrom, parsed, textsFrom, valueOrText } from '../../json/foreign-json.ts'
import type { Execution, ExecutionAttempt, ExecutionDetail, ExecutionFailure } from '../../execution.ts'
import { MAX_DATE_MS } from '../../time/latest-times.ts'
import { failureFromStack, isLost } from '../jobs/attempt-error.ts'
import { plannedTimeOfJob } from '../schedulers/planned-job-id.ts'
import { finishedIdOf, liveIdOf } from './observed-id.ts'
import { scheduleIdOf } from './schedulers/observed-scheduler.ts'

/** A job's hash as BullMQ 5 and 6 write it, without its payloads. Times are in milliseconds since the epoch. */
export interface ObservedJob {
  readonly taskName: string
  readonly queueName: string
  readonly id: string
  readonly name: string
  readonly opts: Readonly<Record<string, unknown>>
  readonly timestamp: number
  /** The job does not tell its `timestamp`, so that it is an estimate. */
  readonly isEstimated?: true | undefined
  readonly delay: number
  /** The current priority. It differs from that in `opts` if the owner has changed it. */
  readonly priority: number
  readonly processedOn: number | null
  readonly finishedOn: number | null
  readonly attemptsMade: number
  readonly attemptsStarted: number
  readonly failedReason: string | null
  readonly stacktrace: readonly string[]
  readonly progress: unknown
  readonly processedBy: string | null
  readonly repeatJobKey: string | null
  /** When a delayed job is due; null in other states. */
  readonly dueAt: number | null
  /** Fields that were too large to read. */
  readonly unread: ReadonlyArray<keyof LongFields>
}

/** The parts of a job that only the page of its execution shows. */
export interface ObservedPayload {
  /** Undefined: too large. Null: there is none. */
  readonly data: string | null | undefined
  readonly returnvalue: string | null | undefined
  readonly logs: readonly string[]
  /** JSON pointers to what was too large to read. */
  readonly unread: readonly string[]
}

/** Fields of the hash, in the order that `observedJobFrom` expects. */
export const OBSERVED_FIELDS = [
  'timestamp', 'delay', 'priority', 'processedOn', 'finishedOn', 'atm', 'ats', 'attemptsMade'
] as const

type Place = Pick<ObservedJob, 'taskName' | 'queueName' | 'id' | 'unread'>
/** The fields whose size only their owner limits. Null where absent, or too large to read. */
export interface LongFields {
  readonly name: string | null
  readonly opts: string | null
  readonly failedReason: string | null
  readonly stacktrace: string | null
  readonly progress: string | null
  /** The name of the worker that processed it. */
  readonly pb: string | null
  /** The scheduler that planned it. */
  readonly rjk: string | null
}

export const NO_LONG_FIELDS: LongFields = {
  name: null, opts: null, failedReason: null, stacktrace: null, progress: null, pb: null, rjk: null
}

/**
 * A job from its hash. BullMQ always writes when a job was added; another client may not. The estimate is when a delayed job is due, less
 * its delay; otherwise when it last started or finished.
 * @param score of a delayed job
 * @param firstSeenAt the estimate if there is no other
 */
export function observedJobFrom(
  place: Place, values: ReadonlyArray<string | null>, long: LongFields, score: number | null, firstSeenAt: () => number = Date.now
): ObservedJob {
  const [timestamp, delay, priority, processedOn, finishedOn, atm, ats, attemptsMade] = values
  const { taskName, queueName, id, unread } = place
  const addedAt = numberFrom(timestamp)
  const ownFinish = finishTimeFrom(finishedOn)
  const dueAt = score === null ? null : dueAtFrom(score)
  // The delay of any other job has passed. An estimate has nothing to do with it.
  const delayMs = addedAt === null && dueAt === null ? 0 : numberFrom(delay) ?? 0
  // No spread here: a page of many queues creates hundreds of these objects, and spreads take three times as long.
  return {
    taskName,
    queueName,
    id,
    unread,
    timestamp: addedAt ?? (dueAt === null ? numberFrom(processedOn) ?? ownFinish ?? firstSeenAt() : toTime(dueAt - delayMs)),
    isEstimated: addedAt === null ? true : undefined,
    delay: delayMs,
    priority: Math.min(Math.max(Math.trunc(numberFrom(priority) ?? 0), 0), MAX_PRIORITY),
    processedOn: numberFrom(processedOn),
    finishedOn: ownFinish,
    // BullMQ 4 and older call it `attemptsMade`.
    attemptsMade: numberFrom(atm) ?? numberFrom(attemptsMade) ?? 0,
    attemptsStarted: numberFrom(ats) ?? 0,
    processedBy: long.pb,
    repeatJobKey: long.rjk || null,
    dueAt,
    name: long.name ?? '',
    opts: objectFrom(long.opts) ?? {},
    failedReason: long.failedReason,
    stacktrace: textsFrom(parsed(long.stacktrace)),
    progress: parsed(long.progress) ?? null
  }
}

/** Null if the text is not a time: other clients may write anything. */
export function finishTimeFrom(text: string | null | undefined): number | null {
  return /^\d{1,16}$/.test(text ?? '') ? numberFrom(text) : null
}

/** A finished job with the time at which its queue lists it, for one that does not tell when it finished. */
export function withListedFinish(job: ObservedJob, listedAt: number): ObservedJob {
  const isTimeless = job.isEstimated === true && job.processedOn === null
  return { ...job, finishedOn: listedAt, timestamp: isTimeless ? listedAt : job.timestamp }
}

export function withLongFields(job: ObservedJob, long: LongFields): ObservedJob {
  return {
    ...job,
    processedBy: long.pb,
    repeatJobKey: long.rjk || null,
    name: long.name ?? '',
    opts: objectFrom(long.opts) ?? {},
    failedReason: long.failedReason,
    stacktrace: textsFrom(parsed(long.stacktrace)),
    progress: parsed(long.progress) ?? null
  }
}

const STATUS_OF: Readonly<Record<string, ExecutionStatus>> = { active: 'running', completed: 'success', failed: 'failed' }
const STATE_OF: Readonly<Record<string, ExecutionState>> = {
  delayed: 'delayed', prioritized: 'prioritized', 'waiting-children': 'waiting_children', active: 'active', completed: 'completed',
  failed: 'failed'
}

/** @param state in BullMQ's naming */
export function executionFromObserved(job: ObservedJob, state: string, now = Date.now()): Execution {
  const status = STATUS_OF[state] ?? 'pending'
  const isFinished = status === 'success' || status === 'failed'
  const finishedAt = isFinished ? job.finishedOn : null
  const attempt = Math.max(job.attemptsMade + (status === 'running' ? 1 : 0), isFinished ? 1 : 0)
  // If a job was given up as lost, BullMQ's times are those of the worker that gave it up.
  const startedAt = status === 'failed' && isLost(job.failedReason ?? undefined) || status === 'pending' ? null : job.processedOn
  const isRetrying = status === 'pending' && job.attemptsMade > 0
  // BullMQ sets the delay to 0 when the job is due.
  const firstDueAt = plannedTimeOfJob(job.id) ?? job.timestamp + (job.delay || (wholeOf(job.opts.delay) ?? 0))
  const dueAt = state === 'delayed' ? job.dueAt ?? firstDueAt : null
  const isDue = dueAt !== null && dueAt <= now
  const isFirst = attempt <= 1 && job.attemptsStarted <= 1 && !isSubmissionUnknown(job)
  return {
    executionId: finishedAt === null ? liveIdOf(job.taskName, job.id) : finishedIdOf(job.taskName, job.id, finishedAt),
    taskName: job.taskName,
    queue: job.queueName,
    status,
    state: isRetrying ? 'retrying' : isDue ? 'waiting' : STATE_OF[state] ?? 'waiting',
    attempt,
    maxAttempts: Math.max(wholeOf(job.opts.attempts) ?? 1, 1),
    priority: job.priority,
    scheduleId: job.repeatJobKey === null ? null : scheduleIdOf(job.taskName, job.repeatJobKey),
    retryOf: null,
    workerId: startedAt === null ? null : job.processedBy,
    submittedAt: plannedTimeOfJob(job.id) ?? job.timestamp,
    ...(dueAt !== null && !isDue && { nextAttemptAt: dueAt }),
    startedAt,
    finishedAt,
    // BullMQ keeps only the last start.
    waitMs: isFirst && startedAt !== null ? Math.max(startedAt - firstDueAt, 0) : null,
    durationMs: startedAt !== null && finishedAt !== null ? Math.max(finishedAt - startedAt, 0) : null,
    progress: job.progress,
    error: status === 'failed' || isRetrying ? lastFailure(job) : null,
    errorGroup: null,
    jobName: job.name
  }
}

export function executionDetailFromObserved(job: ObservedJob, state: string, payload: ObservedPayload): ExecutionDetail {
  const execution = executionFromObserved(job, state)
  const { returnvalue } = payload
  const result = execution.status === 'success' && typeof returnvalue === 'string' ? valueOrText(returnvalue) : null
  return {
    ...execution,
    args: argsFromData(payload.data),
    result,
    attempts: attemptsOf(job, execution),
    logs: payload.logs,
    truncated: [...payload.unread, ...job.unread.flatMap(field => WITHOUT_FIELD[field])],
    ...isSubmissionUnknown(job) && { missing: ['submitted_at'] as const },
    ...(execution.status === 'success' && payload.returnvalue === undefined && { resultProblem: 'result is too large to be read' })
  }
}

/** @param data and `returnvalue` are undefined if they were too large to read */
export function payloadFrom(
  data: ObservedPayload['data'], returnvalue: ObservedPayload['returnvalue'],
  log: { readonly lines: readonly string[]; readonly isCut: boolean }
): ObservedPayload {
  const unread = [data === undefined && '/args', returnvalue === undefined && '/result', log.isCut && '/logs']
  return { data, returnvalue, logs: log.lines, unread: unread.filter(pointer => pointer !== false) }
}

/**
 * When a delayed job with this score is due. BullMQ adds a counter below 4096 to the time. Owners may write any score, also an infinite
 * one.
 */
export function dueAtFrom(score: number): number {
  return toTime(score / 4096)
}

/** A whole number of milliseconds that a `Date` can hold. */
export function toTime(ms: number): number {
  return Math.floor(Math.min(Math.max(ms, -MAX_DATE_MS), MAX_DATE_MS))
}

/** Since when the job could start: for the first time, or again after a failed attempt. */
export function waitsSince({ dueAt, attemptsMade, processedOn, timestamp, delay }: ObservedJob): number {
  return dueAt ?? (attemptsMade > 0 ? processedOn ?? timestamp : timestamp + delay)
}

/** What an execution lacks if a field of its job is too large to read, as JSON pointers. */
const WITHOUT_FIELD: Readonly<Record<keyof LongFields, readonly string[]>> = {
  name: ['/job_name'], opts: ['/max_attempts'], failedReason: ['/error/message'], stacktrace: ['/error/stack'], progress: ['/progress'],
  pb: ['/worker_id'], rjk: ['/schedule_id']
}

/** The data of a job is its only argument. Data that is not JSON is shown as plain text. */
export function argsFromData(data: string | null | undefined): readonly unknown[] | null {
  return data === null || data === undefined ? null : [valueOrText(data)]
}

/** A planned run counts as submitted when it was planned for. */
function isSubmissionUnknown(job: ObservedJob): boolean {
  return job.isEstimated === true && plannedTimeOfJob(job.id) === null
}

function lastFailure({ stacktrace, failedReason }: ObservedJob): ExecutionFailure {
  return failureFromStack(stacktrace.at(-1), failedReason ?? undefined)
}

/** BullMQ keeps the stacks of the last failed attempts, but the times of the last attempt only. */
function attemptsOf(job: ObservedJob, execution: Execution): ExecutionAttempt[] {
  const { status, startedAt, finishedAt, workerId, error } = execution
  const failed = Math.min(Math.max(job.attemptsMade - (status === 'success' ? 1 : 0), status === 'failed' ? 1 : 0), MAX_ATTEMPTS_SHOWN)
  const attempts: ExecutionAttempt[] = []
  for (let index = 0; index < failed; index++) {
    const isLast = index === failed - 1
    const isCurrent = isLast && status === 'failed'
    attempts.push({
      attempt: index + 1,
      startedAt: isCurrent ? startedAt : null,
      finishedAt: isCurrent ? finishedAt : null,
      workerId: isCurrent ? workerId : null,
      error: isLast && error !== null ? error : failureFromStack(job.stacktrace[index - failed + job.stacktrace.length])
    })
  }
  if (status === 'success') attempts.push({ attempt: execution.attempt, startedAt, finishedAt, workerId, error: null })
  return attempts
}

/** The history keeps this many as well. */
const MAX_ATTEMPTS_SHOWN = 100

function numberFrom(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  const value = Number(text)
  return Number.isFinite(value) && Math.abs(value) <= MAX_DATE_MS ? value : null
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}
