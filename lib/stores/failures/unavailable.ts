import { createTaskDashboardError, isTaskDashboardError, TaskDashboardError, type ErrorCode } from '../../errors.ts'
import { withDeadline } from '../../time/deadline.ts'
import type { StoreOptions } from '../store.ts'
import { SupersededError } from '../documents/fence.ts'
import { errorCodeOf } from './error-code.ts'
import { mayHaveHappened } from './may-have-happened.ts'
import { storeRefusalOf } from './store-refusal.ts'
import { writeRefusalOf } from './write-refusal.ts'

/*
 * Decides, in one place, which error a caller gets for a failed call:
 *
 * | the call failed with                               | the caller gets                             |
 * |----------------------------------------------------|---------------------------------------------|
 * | a bug in this code                                 | that error                                  |
 * | another process that has taken over this work      | that error                                  |
 * | an error of this package that has its own meaning  | that error                                  |
 * | a refusal that someone has to fix                 | STORE_REFUSED                               |
 * | anything else, or a timeout                        | BROKER_UNAVAILABLE or BACKEND_UNAVAILABLE   |
 * | the same, for a write that may have happened       | UNCONFIRMED                                 |
 *
 * NO_ANSWER belongs to the dashboard (dashboard/resources/answer.ts): the queue app did not answer at all, so there is no error to
 * classify.
 */

type Role = StoreOptions['role']

interface Done { readonly enqueuedIds?: readonly string[]; readonly unconfirmedIds?: readonly string[] }

/** Whether our own code failed, not the datastore it called. Retrying does not help. */
export function isDefect(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError ||
    isWrongCall(error)
}

/**
 * The caller's error for an error from a datastore or the way to it: STORE_REFUSED if waiting does not help, otherwise BROKER_UNAVAILABLE
 * or BACKEND_UNAVAILABLE, which say to retry. Bugs are passed through, and so are errors of this package that have their own meaning.
 */
export function failedCall(error: unknown, role: Role): unknown {
  return isDefect(error) || error instanceof SupersededError || hasMeaning(error, role) ? error : unavailable(error, role)
}

/** The same for an error that is known to come from the datastore. For a broker, it is UNCONFIRMED if there are `unconfirmedIds`. */
export function unavailable(cause: unknown, role: Role, done: Done = {}): TaskDashboardError {
  const refusal = storeRefusalOf(cause)
  if (refusal) return createTaskDashboardError('STORE_REFUSED', [role, refusal.reason, refusal.remedy], { ...done, cause })
  const isUnconfirmed = done.unconfirmedIds !== undefined && done.unconfirmedIds.length > 0
  const code = role === 'result backend' ? 'BACKEND_UNAVAILABLE' : isUnconfirmed ? 'UNCONFIRMED' : 'BROKER_UNAVAILABLE'
  const reason = code === 'UNCONFIRMED' ? null : writeRefusalOf(cause)
  if (reason === null) return createTaskDashboardError(code, [], { ...done, cause })
  // It can be reached, and reads go on.
  return new TaskDashboardError(code, `The ${role} refuses writes at the moment: ${reason}; try again in a few seconds`, { ...done, cause })
}

/** For an optional part of a response, which must not make the whole response fail: null if the datastore failed the call. */
export async function unlessAway<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (isStoreFailure(error)) return null
    throw error
  }
}

/** Whether the datastore failed the call: it is unavailable or refuses. */
export function isStoreFailure(error: unknown): error is TaskDashboardError {
  return isTaskDashboardError(error) && STORE_FAILURES.has(error.code)
}

/** The same, or it is unknown whether the call was carried out. */
export function isOutOfReach(error: unknown): error is TaskDashboardError {
  return isStoreFailure(error) || isTaskDashboardError(error) && error.code === 'UNCONFIRMED'
}

/** Runs `work` and rejects as `failedCall` describes. Each call in it has its own deadline. */
export async function withStoreErrors<Result>(work: () => Promise<Result>, role: Role = 'broker'): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw failedCall(error, role)
  }
}

/**
 * The same with a deadline of `ms`.
 * @param late the message of the cause after a timeout: what did not answer
 */
export function answeredWithin<Result>(ms: number, work: () => Promise<Result>, role: Role, late: string): Promise<Result> {
  return withStoreErrors(() => withDeadline((async () => work())(), ms, late), role)
}

/**
 * Runs the single step that makes a write take effect. Rejects with BROKER_UNAVAILABLE (BACKEND_UNAVAILABLE for the result backend) if the
 * write has not happened and will not, with UNCONFIRMED if no response came and the write may still take effect or already has, and with
 * STORE_REFUSED if waiting does not help.
 */
export async function confirmed<Result>(commit: () => Promise<Result>, role: Role = 'broker'): Promise<Result> {
  try {
    return await commit()
  } catch (error) {
    const failure = failedCall(error, role)
    if (!isTaskDashboardError(failure) || failure.code !== UNAVAILABLE[role]) throw failure
    throw mayHaveHappened(failure.cause) ? createTaskDashboardError('UNCONFIRMED', [], { cause: failure.cause }) : failure
  }
}

/** For a read that follows a change. The change was made, but its result is unknown. Defects are passed through. */
export function unreadAfterChange(error: unknown): never {
  throw isDefect(error) ? error : createTaskDashboardError('UNCONFIRMED', [], { cause: error })
}

const UNAVAILABLE = { 'broker': 'BROKER_UNAVAILABLE', 'result backend': 'BACKEND_UNAVAILABLE' } as const

const STORE_FAILURES: ReadonlySet<string> = new Set<ErrorCode>(['BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE', 'STORE_REFUSED'])

/**
 * Errors that keep their own meaning for a result backend: for example, a newer version wrote the data, or a change was made but could not
 * be read back. All others, such as a backend that is not open, count as unavailable.
 */
const BACKEND_SAYS: ReadonlySet<string> = new Set<ErrorCode>([
  'BACKEND_UNAVAILABLE', 'STORE_REFUSED', 'STORE_UNSUITABLE', 'EMBEDDED_STORE_LOST', 'UNCONFIRMED'
])

function hasMeaning(error: unknown, role: Role): boolean {
  return isTaskDashboardError(error) && (role === 'broker' || BACKEND_SAYS.has(error.code))
}

/** A datastore's error for a call that is wrong in itself: it is available, and a retry would fail too. */
function isWrongCall(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  if (code !== null && WRONG_STATEMENT.test(code)) return true
  return error.name === 'ReplyError' && WRONG_COMMAND.test(error.message)
}

/** SQLSTATE: data exception; syntax error, undefined column, datatype mismatch. */
const WRONG_STATEMENT = /^(?:22...|42601|42703|42804)$/
/**
 * Errors of Redis, and of scripts that fail by themselves. 6.2 puts the code of a refused command after a hyphen. It has no code if the
 * user may not run the command or the server does not know it: see store-refusal.ts.
 */
const WRONG_COMMAND =
  /^(?:WRONGTYPE |ERR (?:wrong number of arguments|syntax error|value is not|(?:user_script|Error running script)(?![^]*(?:The user executing|Unknown Redis command))[^-]*$))/
