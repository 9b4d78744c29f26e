import type {
  Execution, ExecutionAttempt, ExecutionCancellation, ExecutionLoss, FinishedExecution, FinishedStatus, MissingField
} from '../../execution.ts'
import { mergeAttempts, withoutMarks } from './attempts.ts'
import { binOf } from '../counting/histogram-bins.ts'
import { errorGroupOf } from '../fingerprint/fingerprint.ts'
import { LIMITS, cutAttempt, cutFailure, cutJson, cutLogs, cutText, RESULT_CUT } from './limits.ts'
import { topOwnFrame } from '../fingerprint/own-frame.ts'

/** A finished execution as drivers write it. Fields for lists are separate from those that only its own page shows. */
export interface LedgerEntry {
  /** Cut to the limits; `error.stack` is null. */
  readonly execution: FinishedListItem
  /** JSON of the remaining fields, null when they all have default values. JSON escaping makes it safe for any datastore. */
  readonly payload: string | null
  readonly durationBin: number | null
  readonly waitBin: number | null
  /** The frame that its error group is based on; null without one, and for a success. */
  readonly frame: string | null
}

export interface FinishedListItem extends Execution {
  readonly status: FinishedStatus
  readonly finishedAt: number
}

/** Only non-default values. Absent means: no args, null result, no logs, and one attempt that the execution's own fields describe. */
interface Payload {
  args?: readonly unknown[] | null
  result?: unknown
  message?: string
  stack?: string
  logs?: readonly string[]
  /** 0 stands for the attempt that the execution's own fields describe. */
  attempts?: ReadonlyArray<ExecutionAttempt | 0>
  losses?: readonly ExecutionLoss[]
  truncated?: readonly string[]
  resultProblem?: string
  cancellation?: ExecutionCancellation
  sealed?: string
  jobName?: string
  missing?: readonly MissingField[]
}

const MAX_INT32 = 2 ** 31 - 1

/** Whether it can be recorded: its ids and names must fit an index. */
export function isRecordable(execution: Execution): boolean {
  return isKey(execution.executionId) && isKey(execution.taskName) && (execution.scheduleId === null || isKey(execution.scheduleId))
}

export function isKey(text: string): boolean {
  return text.length <= LIMITS.keyCharacters
}

/**
 * The entries of a batch: each execution once, ordered by id so that concurrent writers cannot deadlock.
 * @param failedArgsBytes up to this size, the arguments of failed executions are kept whole
 */
export function toLedgerEntries(
  executions: readonly FinishedExecution[], failedArgsBytes: number = LIMITS.argsBytes
): LedgerEntry[] {
  const ordered = executions.filter(isRecordable).sort((a, b) => a.executionId < b.executionId ? -1 : a.executionId > b.executionId ? 1 : 0)
  // The sort is stable, so the first of several duplicates wins.
  return ordered.filter((execution, index) => index === 0 || execution.executionId !== ordered[index - 1]!.executionId)
    .map(execution => toLedgerEntry(execution, failedArgsBytes))
}

/** Hot path: every execution passes here, so the common case must cost next to nothing. */
export function toLedgerEntry(execution: FinishedExecution, failedArgsBytes: number = LIMITS.argsBytes): LedgerEntry {
  const argsBytes = execution.status === 'failed' ? failedArgsBytes : LIMITS.argsBytes
  const args = execution.args === null ? ABSENT : cutJson(execution.args, argsBytes, preview => [preview])
  const result = execution.result === null ? ABSENT : cutJson(execution.result, LIMITS.resultBytes)
  const { progress, cut: progressCut } = cutProgress(execution.progress)
  const { logs, cut: logsCut } = cutLogs(execution.logs)
  const error = execution.error && cutFailure(execution.error)
  const item: FinishedListItem = {
    executionId: execution.executionId,
    taskName: execution.taskName,
    queue: cutText(execution.queue, LIMITS.keyCharacters),
    status: execution.status,
    state: execution.state,
    attempt: toInteger(execution.attempt, MAX_INT32),
    maxAttempts: toInteger(execution.maxAttempts, MAX_INT32),
    priority: toInteger(execution.priority, MAX_INT32),
    scheduleId: execution.scheduleId || null,
    retryOf: cutKey(execution.retryOf),
    workerId: cutKey(execution.workerId),
    submittedAt: toInteger(execution.submittedAt),
    startedAt: toTime(execution.startedAt),
    finishedAt: toInteger(execution.finishedAt),
    waitMs: toDuration(execution.waitMs),
    durationMs: toDuration(execution.durationMs),
    progress,
    error: error && { type: error.type, message: cutText(error.message, LIMITS.listMessageCharacters), stack: null },
    errorGroup: execution.error && (cutKey(execution.errorGroup) ?? errorGroupOf(execution.error))
  }

  const truncated = truncatedOf(execution, [
    args.cut && '/args', result.cut && '/result', progressCut && '/progress', logsCut && '/logs',
    error?.message !== execution.error?.message && '/error/message', error?.stack !== execution.error?.stack && '/error/stack',
    execution.attempts.length > LIMITS.attempts && '/attempts'
  ])
  const attempts = attemptsJson(item, error, execution)

  const fields: string[] = []
  if (args.json !== '[]') fields.push(`"args":${args.json}`)
  if (result.json !== 'null') fields.push(`"result":${result.json}`)
  if (error && error.message !== item.error?.message) fields.push(`"message":${JSON.stringify(error.message)}`)
  if (error && error.stack !== null) fields.push(`"stack":${JSON.stringify(error.stack)}`)
  if (logs.length > 0) fields.push(`"logs":${JSON.stringify(logs)}`)
  if (attempts !== '0') fields.push(`"attempts":[${attempts}]`)
  if (execution.losses && execution.losses.length > 0) fields.push(`"losses":${JSON.stringify(execution.losses)}`)
  if (truncated.length > 0) fields.push(`"truncated":${JSON.stringify(truncated)}`)

  if (execution.resultProblem !== undefined && !result.cut)
    fields.push(`"resultProblem":${JSON.stringify(cutText(execution.resultProblem, LIMITS.messageCharacters))}`)

  if (execution.cancellation !== undefined) fields.push(`"cancellation":${JSON.stringify(execution.cancellation)}`)
  if (execution.jobName !== undefined) fields.push(`"jobName":${JSON.stringify(cutText(execution.jobName, LIMITS.keyCharacters))}`)
  if (execution.missing !== undefined) fields.push(`"missing":${JSON.stringify(execution.missing)}`)
  if (execution.sealed !== undefined) fields.push(`"sealed":${JSON.stringify(execution.sealed)}`)

  return {
    execution: item,
    payload: fields.length === 0 ? null : `{${fields.join(',')}}`,
    durationBin: item.durationMs === null ? null : binOf(item.durationMs),
    waitBin: item.waitMs === null ? null : binOf(item.waitMs),
    frame: execution.error && cutKey(topOwnFrame(execution.error.stack))
  }
}

/** The searchable parts of a payload: the arguments, and the message if it is longer than the one in lists. */
export function keptText(payloadJson: string | null): { readonly args: readonly unknown[] | null; readonly message: string | null } {
  const payload = payloadJson === null ? {} : JSON.parse(payloadJson) as Payload
  return { args: payload.args === undefined ? [] : payload.args, message: payload.message ?? null }
}

function truncatedOf({ truncated }: FinishedExecution, cuts: ReadonlyArray<string | false>): readonly string[] {
  if (cuts.every(cut => cut === false)) return truncated
  return [...new Set([...truncated, ...cuts.filter(cut => cut !== false)])]
}

/** Stands for a payload that was not read. */
export const NO_PAYLOAD = '{"args":null,"attempts":[]}'

/** The execution as it was recorded; `recordedAttempts` are those written before it finished. */
export function toFinishedExecution(
  item: FinishedListItem, payloadJson: string | null, recordedAttempts: readonly ExecutionAttempt[]
): FinishedExecution {
  const payload = payloadJson === null ? {} : JSON.parse(payloadJson) as Payload
  const error = item.error && { ...item.error, message: payload.message ?? item.error.message, stack: payload.stack ?? null }
  const truncated = payload.truncated ?? []
  const resultProblem = payload.resultProblem ?? (truncated.includes('/result') ? RESULT_CUT : undefined)
  const reported = (payload.attempts ?? [0]).map(attempt => attempt === 0 ? withMark(ownAttempt(item, error), truncated) : attempt)
  const { attempts, pointers } = withoutMarks(mergeAttempts(reported, recordedAttempts))
  return {
    ...item,
    error,
    args: payload.args === undefined ? [] : payload.args,
    result: payload.result ?? null,
    attempts,
    logs: payload.logs ?? [],
    ...(payload.losses && { losses: payload.losses }),
    truncated: pointers.length === 0 ? truncated : [...truncated, ...pointers],
    ...(resultProblem !== undefined && { resultProblem }),
    ...(payload.cancellation && { cancellation: payload.cancellation }),
    ...(payload.jobName !== undefined && { jobName: payload.jobName }),
    ...(payload.missing && { missing: payload.missing }),
    ...(payload.sealed !== undefined && { sealed: payload.sealed })
  }
}

function withMark(attempt: ExecutionAttempt, truncated: readonly string[]): ExecutionAttempt {
  const own = truncated.filter(pointer => pointer.startsWith('/error/'))
  return own.length === 0 || attempt.error === null ? attempt : { ...attempt, truncated: own }
}

const ABSENT = { json: 'null', cut: false }

/** Copies the value, because the handler may mutate what it reported; null when it is too large. */
function cutProgress(value: unknown): { progress: unknown; cut: boolean } {
  if (value === null || value === undefined) return { progress: null, cut: false }
  const { json, cut } = cutJson(value, LIMITS.progressBytes)
  return cut ? { progress: null, cut } : { progress: JSON.parse(json) as unknown, cut }
}

function attemptsJson(item: FinishedListItem, error: ExecutionAttempt['error'], execution: FinishedExecution): string {
  const { attempts } = execution
  const [first] = attempts
  if (attempts.length === 1 && first!.error === null && error === null && isLastRun(first!, item)) return '0'
  const ownJson = JSON.stringify(ownAttempt(item, error))
  return attempts.slice(-LIMITS.attempts).map(cutAttempt).map(attempt => {
    const json = JSON.stringify(orderFields(attempt))
    return json === ownJson || isOwnAttempt(attempt, item, execution) ? '0' : json
  }).join(',')
}

/** The last attempt, rebuilt from the execution's own fields. */
function ownAttempt(item: FinishedListItem, error: ExecutionAttempt['error']): ExecutionAttempt {
  return { attempt: item.attempt, startedAt: item.startedAt, finishedAt: item.finishedAt, workerId: item.workerId, error: error ?? null }
}

/** Whether it is the same attempt, although its error was cut to the limit for attempts. */
function isOwnAttempt(attempt: ExecutionAttempt, item: FinishedListItem, execution: FinishedExecution): boolean {
  return isLastRun(attempt, item) && attempt.error !== null && execution.error !== null &&
    execution.attempts.at(-1)?.error?.message === execution.error.message &&
    execution.attempts.at(-1)?.error?.stack === execution.error.stack
}

function isLastRun({ attempt, startedAt, finishedAt, workerId }: ExecutionAttempt, item: FinishedListItem): boolean {
  return attempt === item.attempt && startedAt === item.startedAt && finishedAt === item.finishedAt && workerId === item.workerId
}

function orderFields({ attempt, startedAt, finishedAt, workerId, error, truncated }: ExecutionAttempt): ExecutionAttempt {
  const ordered = {
    attempt, startedAt, finishedAt, workerId, error: error && { type: error.type, message: error.message, stack: error.stack }
  }
  return truncated === undefined ? ordered : { ...ordered, truncated }
}

function cutKey(text: string | null): string | null {
  return text === null ? null : cutText(text, LIMITS.keyCharacters)
}

function toInteger(value: number, max = Number.MAX_SAFE_INTEGER): number {
  return Number.isFinite(value) ? Math.trunc(Math.max(-max, Math.min(max, value))) : 0
}

function toTime(value: number | null): number | null {
  return value === null ? null : toInteger(value)
}

function toDuration(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.min(Math.max(0, value), Number.MAX_SAFE_INTEGER)
}
