import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import type { ExecutionFailure } from '../../execution.ts'
import { toStorableText } from './storable.ts'

/**
 * Characters kept of a message and a stack. This is more than the history keeps, so that the history can detect and report that it cut
 * them.
 */
export const MAX_MESSAGE_LENGTH = 10_000
export const MAX_STACK_LENGTH = 40_000

/** Messages with a special meaning in BullMQ. A job that fails with this one would stay in its queue and never be marked as failed. */
const RATE_LIMITED = 'bullmq:rateLimitExceeded'
/** This one marks a job that stalled too often. */
const LOST = 'job stalled more than allowable limit'

/** A handler's error in the form BullMQ expects: a plain Error, whose name has no special meaning, with `failureType`. */
export interface AttemptError extends Error {
  /** Class of the thrown error; for errors of this package, their code. */
  readonly failureType: string
}

/** Anything can be thrown. The stack's first line is always `type: message`, so that the type can be parsed later. */
export function toAttemptError(thrown: unknown): AttemptError {
  try {
    if (isAttemptError(thrown)) return thrown
    return attemptErrorFrom(typeOf(thrown), describe(thrown), textOrEmpty(() => framesOf(thrown)) + textOrEmpty(() => causesOf(thrown)))
  } catch {
    return attemptErrorFrom('Error', 'something was thrown that is not an Error', '')
  }
}

/** An error that ends all retries: BullMQ recognizes this name. */
export function toLastError(thrown: unknown): AttemptError {
  return Object.assign(toAttemptError(thrown), { name: 'UnrecoverableError' })
}

/** From the `toAttemptError` that a child process sent, or from whatever else it died of. */
export function attemptErrorFromChild(value: unknown): AttemptError {
  const { failureType, message, stack } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof failureType !== 'string' || !TYPE.test(failureType) || typeof message !== 'string')
    return toAttemptError(Object.assign(new Error(), value))
  const title = `${failureType}: ${message}`
  return attemptErrorFrom(failureType, message, typeof stack === 'string' && stack.startsWith(title) ? stack.slice(title.length) : '')
}

/** From the error that a worker reports for a failed attempt: the handler's or BullMQ's own. */
export function failureFromError(error: Error): ExecutionFailure {
  if (!isAttemptError(error) && isLost(error.message)) return lostFailure()
  const { failureType, message, stack } = toAttemptError(error)
  return { type: failureType, message, stack: stack ?? null }
}

/** From what BullMQ stores about a failed attempt. */
export function failureFromStack(stack: string | undefined, message?: string): ExecutionFailure {
  const firstLine = stack?.slice(0, MAX_MESSAGE_LENGTH).split('\n', 1)[0] ?? ''
  if (isLost(message ?? firstLine)) return lostFailure()
  const type = /^([\p{L}_$][\p{L}\p{N}_.$]{0,99})(?: \[\w+\])?(?::|$)/u.exec(firstLine)?.[1] ?? 'Error'
  return { type, message: message ?? firstLine.slice(firstLine.indexOf(': ') + 1).trim(), stack: stack ?? null }
}

/** Whether BullMQ gave the job up because its processes died too often. In that case there was no error, and there is no stack. */
export function isLost(message: string | undefined): boolean {
  return message?.endsWith(LOST) === true
}

function lostFailure(): ExecutionFailure {
  const { code, message } = createTaskDashboardError('EXECUTION_LOST')
  return { type: code, message, stack: null }
}

function attemptErrorFrom(failureType: string, described: string, rest: string): AttemptError {
  const text = toStorableText(described, MAX_MESSAGE_LENGTH)
  // A handler that throws the same text does not mean what BullMQ means by it.
  const message = text === RATE_LIMITED || isLost(text) ? `${text}.` : text
  const error = new Error(message)
  error.stack = toStorableText(`${failureType}: ${message}${rest}`, MAX_STACK_LENGTH)
  made.add(error)
  return Object.assign(error, { failureType })
}

function isAttemptError(thrown: unknown): thrown is AttemptError {
  return typeof thrown === 'object' && thrown !== null && made.has(thrown)
}

/** Tracks our own errors, because a handler may throw a look-alike. */
const made = new WeakSet<object>()

/** Errors of any realm, and error-like objects that libraries throw. */
function isErrorLike(thrown: unknown): thrown is Error {
  return thrown instanceof Error ||
    (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string')
}

function typeOf(thrown: unknown): string {
  if (!isErrorLike(thrown)) return 'Error'
  const type: unknown = isTaskDashboardError(thrown) ? thrown.code : thrown.name
  return typeof type === 'string' && TYPE.test(type) ? type : 'Error'
}

const TYPE = /^[\p{L}_$][\p{L}\p{N}_.$]{0,99}$/u

function describe(thrown: unknown): string {
  // Some libraries use objects as messages.
  const said: unknown = isErrorLike(thrown) ? thrown.message : thrown
  if (said === '' && isErrorLike(thrown)) return describeSilent(thrown)
  return typeof said === 'string' ? said : JSON.stringify(said) ?? String(said)
}

/** Node reports a connection refused on every address with an error that has no message. */
function describeSilent(error: Error): string {
  const parts = partsOf(error).filter(isErrorLike).map(part => part.message).filter(
    message => typeof message === 'string' && message !== ''
  )
  if (parts.length > 0) return parts.join('; ')
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** A getter of an error may throw; the rest is still described. */
function textOrEmpty(tell: () => string): string {
  try {
    return tell()
  } catch {
    return ''
  }
}

/** Frames follow the message, which may be long and may itself look like frames. */
function framesOf(error: unknown): string {
  if (!isErrorLike(error)) return ''
  const { message, stack } = error as { message: unknown, stack?: unknown }
  if (typeof stack !== 'string') return ''
  const messageStart = stack.slice(0, MAX_TITLE_LENGTH).indexOf(': ') + 2
  const isTold = typeof message === 'string' && message !== '' && stack.startsWith(message, messageStart)
  const framesStart = isTold ? messageStart + message.length : 0
  const rest = stack.slice(framesStart, framesStart + MAX_STACK_LENGTH)
  const start = rest.search(/\n[^\S\n]+at /)
  return start === -1 ? '' : rest.slice(start)
}

/** Length of an error's type with its code: `TypeError [ERR_INVALID_ARG_TYPE]`. */
const MAX_TITLE_LENGTH = 300

const MAX_CAUSES = 5
const MAX_PARTS = 5

/** Appended below the frames: the errors it aggregates, and its causes. */
function causesOf(error: unknown, depth = 1): string {
  if (!isErrorLike(error) || depth > MAX_CAUSES) return ''
  const parts = partsOf(error)
  const partTexts = parts.slice(0, MAX_PARTS).map(part => `\nOne of ${parts.length}: ${titleOf(part)}${framesOf(part)}`)
  if (error.cause === undefined || error.cause === null) return partTexts.join('')
  return `${partTexts.join('')}\nCaused by: ${titleOf(error.cause)}${framesOf(error.cause)}${causesOf(error.cause, depth + 1)}`
}

function titleOf(thrown: unknown): string {
  return isErrorLike(thrown) ? `${typeOf(thrown)}: ${describe(thrown)}` : describe(thrown)
}

function partsOf(error: Error): readonly unknown[] {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}
