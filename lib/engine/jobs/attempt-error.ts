import { createTaskDashboardError, isTaskDashboardError } from '../../errors.ts'
import type { ExecutionFailure } from '../../execution.ts'
import { toStorableText } from './storable.ts'

/** Characters kept of a message and of a stack: more than the ledger keeps of them, which thereby knows, and says, that it cut. */
export const MAX_MESSAGE_LENGTH = 10_000
export const MAX_STACK_LENGTH = 40_000

/** Messages to which BullMQ gives a meaning: with this one the job would stay and never fail, */
const RATE_LIMITED = 'bullmq:rateLimitExceeded'
/** and this one is its own word for a job that was lost too often. */
const LOST = 'job stalled more than allowable limit'

/** What a handler threw, as BullMQ takes it: a plain Error whose name it gives no meaning to, and with `failureType`. */
export interface AttemptError extends Error {
  /** Class of what was thrown; the code for errors of this package. */
  readonly failureType: string
}

/** Anything can be thrown. The stack's first line is always `type: message`, from which the type is had back later. */
export function toAttemptError(thrown: unknown): AttemptError {
  try {
    if (isAttemptError(thrown)) return thrown
    return attemptErrorFrom(typeOf(thrown), describe(thrown), toldIfItCan(() => framesOf(thrown)) + toldIfItCan(() => causesOf(thrown)))
  } catch {
    return attemptErrorFrom('Error', 'something was thrown that is not an Error', '')
  }
}

/** One after which no attempt follows, however many there are left: BullMQ goes by this name. */
export function toLastError(thrown: unknown): AttemptError {
  return Object.assign(toAttemptError(thrown), { name: 'UnrecoverableError' })
}

/** From what a child process sent of its own `toAttemptError`, or of whatever else it died of. */
export function attemptErrorFromChild(value: unknown): AttemptError {
  const { failureType, message, stack } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof failureType !== 'string' || !TYPE.test(failureType) || typeof message !== 'string')
    return toAttemptError(Object.assign(new Error(), value))
  const title = `${failureType}: ${message}`
  return attemptErrorFrom(failureType, message, typeof stack === 'string' && stack.startsWith(title) ? stack.slice(title.length) : '')
}

/** From what a worker tells of a failed attempt: an error of a handler, or BullMQ's own. */
export function failureFromError(error: Error): ExecutionFailure {
  if (!isAttemptError(error) && isLost(error.message)) return lostFailure()
  const { failureType, message, stack } = toAttemptError(error)
  return { type: failureType, message, stack: stack ?? null }
}

/** From what BullMQ keeps of a failed attempt. */
export function failureFromStack(stack: string | undefined, message?: string): ExecutionFailure {
  const firstLine = stack?.slice(0, MAX_MESSAGE_LENGTH).split('\n', 1)[0] ?? ''
  if (isLost(message ?? firstLine)) return lostFailure()
  const type = /^([\p{L}_$][\p{L}\p{N}_.$]{0,99})(?: \[\w+\])?(?::|$)/u.exec(firstLine)?.[1] ?? 'Error'
  return { type, message: message ?? firstLine.slice(firstLine.indexOf(': ') + 1).trim(), stack: stack ?? null }
}

/** Whether BullMQ gave it up because too many of its processes were lost; there was no error then, and there is no stack. */
export function isLost(message: string | undefined): boolean {
  return message?.endsWith(LOST) === true
}

function lostFailure(): ExecutionFailure {
  const { code, message } = createTaskDashboardError('EXECUTION_LOST')
  return { type: code, message, stack: null }
}

function attemptErrorFrom(failureType: string, described: string, rest: string): AttemptError {
  const text = toStorableText(described, MAX_MESSAGE_LENGTH)
  // A handler that says the same means something else.
  const message = text === RATE_LIMITED || isLost(text) ? `${text}.` : text
  const error = new Error(message)
  error.stack = toStorableText(`${failureType}: ${message}${rest}`, MAX_STACK_LENGTH)
  made.add(error)
  return Object.assign(error, { failureType })
}

function isAttemptError(thrown: unknown): thrown is AttemptError {
  return typeof thrown === 'object' && thrown !== null && made.has(thrown)
}

/** A handler may throw something that looks like one of ours. */
const made = new WeakSet<object>()

/** Of any realm, and what libraries throw in place of one. */
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
  // Some libraries make objects of their messages.
  const said: unknown = isErrorLike(thrown) ? thrown.message : thrown
  if (said === '' && isErrorLike(thrown)) return describeSilent(thrown)
  return typeof said === 'string' ? said : JSON.stringify(said) ?? String(said)
}

/** Node tells a connection that was refused on each address by an error without a message. */
function describeSilent(error: Error): string {
  const parts = partsOf(error).filter(isErrorLike).map(part => part.message).filter(
    message => typeof message === 'string' && message !== ''
  )
  if (parts.length > 0) return parts.join('; ')
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** A getter of an error may throw; then the rest of it is told. */
function toldIfItCan(tell: () => string): string {
  try {
    return tell()
  } catch {
    return ''
  }
}

/** Frames follow the message, which may have any length and may itself look like frames. */
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

/** Of the type of an error, with its code: `TypeError [ERR_INVALID_ARG_TYPE]`. */
const MAX_TITLE_LENGTH = 300

const MAX_CAUSES = 5
const MAX_PARTS = 5

/** Below the frames of the error: what it is made of, and what it was caused by. */
function causesOf(error: unknown, depth = 1): string {
  if (!isErrorLike(error) || depth > MAX_CAUSES) return ''
  const parts = partsOf(error)
  const told = parts.slice(0, MAX_PARTS).map(part => `\nOne of ${parts.length}: ${titleOf(part)}${framesOf(part)}`)
  if (error.cause === undefined || error.cause === null) return told.join('')
  return `${told.join('')}\nCaused by: ${titleOf(error.cause)}${framesOf(error.cause)}${causesOf(error.cause, depth + 1)}`
}

function titleOf(thrown: unknown): string {
  return isErrorLike(thrown) ? `${typeOf(thrown)}: ${describe(thrown)}` : describe(thrown)
}

function partsOf(error: Error): readonly unknown[] {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors : []
}
