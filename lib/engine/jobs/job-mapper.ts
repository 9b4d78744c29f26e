import type { ExecutionState, ExecutionStatus } from '../../../schemas/execution.ts'
import type { Execution, ExecutionAttempt, ExecutionDetail, ExecutionFailure, ExecutionLoss, FinishedExecution } from '../../execution.ts'
import { failureFromStack, isLost } from './attempt-error.ts'
import { cancellationFrom, cancelMarkOf } from './job-cancellation.ts'
import { earlierStarts, startableAgainAt } from './earlier-starts.ts'
import type { EnqueueRequest } from '../engine.ts'
import type { JobData, JobFields } from './job-fields.ts'
import { queueNameFromTask, taskFromQueueName } from './queue-name.ts'
import { toStorableJson, valueFromJson } from './storable.ts'
import { resultFromStored } from './stored-result.ts'
import { textOrNull } from '../../json/foreign-json.ts'

export function toJobData(request: Pick<EnqueueRequest, 'args'>): JobData {
  return { args: toStorableJson(request.args) }
}

export function argsFromJob(job: Pick<JobFields, 'data'>): readonly unknown[] | null {
  const args = valueFromJson(dataOf(job)?.args)
  return Array.isArray(args) ? args : null
}

/** Derived from the queue name, because other code gives its jobs other names. */
export function taskNameFromJob({ name, queueName }: Pick<JobFields, 'name' | 'queueName'>): string {
  return queueName === undefined || queueNameFromTask(name) === queueName ? name : taskFromQueueName(queueName)
}

/** The earliest time the job could start: the time planned by its schedule, or submission plus delay. */
export function dueAtFromJob(job: Pick<JobFields, 'id' | 'opts' | 'timestamp' | 'repeatJobKey'>): number {
  const planned = job.repeatJobKey ? /:(\d+)$/.exec(job.id ?? '')?.[1] : undefined
  return planned === undefined ? job.timestamp + (job.opts.delay ?? 0) : Number(planned)
}

export function maxAttemptsFromJob(job: Pick<JobFields, 'opts'>): number {
  return Math.max(job.opts.attempts ?? 1, 1)
}

export function scheduleIdFromJob(job: Pick<JobFields, 'data' | 'opts' | 'repeatJobKey'>): string | null {
  return markOf(job, 'schedule_id') ?? job.repeatJobKey ?? null
}

/** Values we store in a job's options: small, so that lists can read them without the job's data. */
export interface JobMarks {
  schedule_id?: string
  retry_of?: string
  request_id?: string
}

export function toJobMarks({ scheduleId, retryOf, requestId }: Pick<EnqueueRequest, 'scheduleId' | 'retryOf' | 'requestId'>): JobMarks {
  return {
    ...(scheduleId !== null && { schedule_id: scheduleId }),
    ...(retryOf !== null && { retry_of: retryOf }),
    ...(requestId !== undefined && { request_id: requestId })
  }
}

export function requestIdFromJob(job: Pick<JobFields, 'data' | 'opts'>): string | null {
  return markOf(job, 'request_id')
}

/** Jobs created by 0.1.0 have these values in their data. */
function markOf(job: Pick<JobFields, 'data' | 'opts'>, name: keyof JobMarks): string | null {
  const marks = job.opts as Partial<Record<keyof JobMarks, unknown>>
  return textOrNull(marks[name]) ?? textOrNull(dataOf(job)?.[name])
}

/**
 * @param state in BullMQ's naming
 * @param now milliseconds since the epoch, in the broker's time
 */
export function executionFromJob(job: JobFields, state: string, now = Date.now()): Execution {
  const mark = cancelMarkOf(job)
  const broker = STATUS_OF[state] ?? 'pending'
  const status = broker === 'failed' && mark !== null ? 'cancelled' : broker
  const isFinished = status === 'success' || status === 'failed' || status === 'cancelled'
  const attempt = Math.max(job.attemptsMade + (status === 'running' ? 1 : 0), isFinished && status !== 'cancelled' ? 1 : 0)
  // If a job was given up as lost, BullMQ's times are those of the worker that gave it up.
  const startedAt = status === 'failed' && isLost(job.failedReason) ? null : job.processedOn ?? null
  const finishedAt = isFinished ? job.finishedOn ?? null : null
  const dueAt = dueAtFromJob(job)
  const taskName = taskNameFromJob(job)
  const starts = (job.attemptsStarted ?? 1) <= 1 ? [] : earlierStarts(job)
  // A later start, of a retry or after a lost process, overwrites the first.
  const firstStart = (job.attemptsStarted ?? 1) <= 1 && attempt <= 1
    ? startedAt
    : starts.find(({ number }) => number === 1)?.startedAt ?? null

  // BullMQ takes a job from the delayed ones only when a worker asks for jobs. Without a worker, it stays there however long it has been
  // due.
  const isDue = state === 'delayed' && (job.attemptsStarted ?? 0) === 0 && dueAt <= now
  const isDelayed = state === 'delayed' && job.attemptsMade === 0 && dueAt > now
  const nextAttemptAt = status === 'pending' && job.attemptsMade > 0 ? startableAgainAt(job) : isDelayed ? dueAt : null
  return {
    executionId: job.id ?? '',
    taskName,
    queue: queueNameFromTask(taskName),
    status,
    state: status === 'pending' && job.attemptsMade > 0
      ? 'retrying'
      : status === 'cancelled' ? 'cancelled' : isDue ? 'waiting' : STATE_OF[state] ?? 'waiting',
    attempt,
    maxAttempts: maxAttemptsFromJob(job),
    priority: job.opts.priority ?? 0,
    scheduleId: scheduleIdFromJob(job),
    retryOf: markOf(job, 'retry_of'),
    workerId: startedAt === null ? null : job.processedBy ?? null,
    submittedAt: job.repeatJobKey ? dueAt : job.timestamp,
    ...(nextAttemptAt !== null && { nextAttemptAt }),
    startedAt,
    finishedAt,
    waitMs: firstStart === null ? null : Math.max(firstStart - dueAt, 0),
    durationMs: startedAt !== null && finishedAt !== null && mark?.unstarted !== true ? Math.max(finishedAt - startedAt, 0) : null,
    progress: progressFromJob(job),
    error: status === 'failed' || job.attemptsMade > 0 && status === 'pending' ? lastFailure(job) : null,
    errorGroup: null,
    ...(mark !== null && { cancellation: cancellationFrom(mark) })
  }
}

/**
 * @param logs its lines
 * @param failure the error of its last attempt, if at hand
 */
export function executionDetailFromJob(
  job: JobFields, state: string, logs: readonly string[], failure?: ExecutionFailure
): ExecutionDetail {
  const execution = executionFromJob(job, state)
  const error = execution.error === null ? null : failure ?? execution.error
  const { result, problem } = execution.status === 'success' ? resultFromStored(job.returnvalue) : NO_RESULT
  // Hot path: extending the new object is far cheaper than copying it.
  return Object.assign(execution, {
    error,
    args: argsFromJob(job),
    result,
    attempts: attemptsFromJob(job, execution, error),
    logs,
    ...((job.attemptsStarted ?? 1) > 1 && { losses: lossesFromJob(job) }),
    truncated: problem === null ? [] : ['/result'],
    ...(problem !== null && { resultProblem: problem })
  })
}

/** null for a job that has not finished. */
export function finishedExecutionFromJob(
  job: JobFields, state: 'completed' | 'failed', logs: readonly string[], failure?: ExecutionFailure
): FinishedExecution | null {
  return job.finishedOn === undefined ? null : executionDetailFromJob(job, state, logs, failure) as FinishedExecution
}

const NO_RESULT = { result: null, problem: null }

const STATUS_OF: Record<string, ExecutionStatus> = { active: 'running', completed: 'success', failed: 'failed' }

const STATE_OF: Record<string, ExecutionState> = {
  waiting: 'waiting', wait: 'waiting', paused: 'paused', delayed: 'delayed', prioritized: 'prioritized',
  'waiting-children': 'waiting_children', active: 'active', completed: 'completed', failed: 'failed'
}

function lossesFromJob(job: JobFields): ExecutionLoss[] {
  return earlierStarts(job).flatMap(({ attempt, startedAt, workerId, end, endedAt }) =>
    end === 'failed' ? [] : [{ attempt, startedAt, workerId, endedAt, isHandedBack: end === 'handed_back' }])
}

/** For attempts before the last, BullMQ keeps only the stack. */
function attemptsFromJob(job: JobFields, execution: Execution, failure: ExecutionFailure | null): ExecutionAttempt[] {
  const isFinished = execution.finishedAt !== null
  const failedAttempts = Math.max(job.attemptsMade - (execution.status === 'success' ? 1 : 0), 0)
  const stacks = job.stacktrace ?? []
  const attempts: ExecutionAttempt[] = []
  for (let index = 0; index < failedAttempts; index++) {
    const isLast = index === failedAttempts - 1
    const stack = stacks[index - failedAttempts + stacks.length]
    const error = isLast && failure !== null ? failure : failureFromStack(stack)
    const isCurrent = isLast && isFinished && cancelMarkOf(job)?.unstarted !== true
    attempts.push({
      attempt: index + 1,
      startedAt: isCurrent ? execution.startedAt : null,
      finishedAt: isCurrent ? execution.finishedAt : null,
      workerId: isCurrent ? execution.workerId : null,
      error
    })
  }
  if (execution.status === 'success') {
    const { attempt, startedAt, finishedAt, workerId } = execution
    attempts.push({ attempt, startedAt, finishedAt, workerId, error: null })
  }
  return attempts
}

function lastFailure(job: JobFields): ExecutionFailure {
  return failureFromStack(job.stacktrace?.at(-1), job.failedReason)
}

/** BullMQ's own default is 0. */
function progressFromJob(job: JobFields): unknown {
  return typeof job.progress === 'string' ? valueFromJson(job.progress) : null
}

/** Other code may have put anything, or nothing, into its jobs. */
function dataOf({ data }: Pick<JobFields, 'data'>): Partial<Record<keyof JobData | keyof JobMarks, unknown>> | null | undefined {
  return data
}
