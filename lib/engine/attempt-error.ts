import { createTaskDashboardError, isTaskDashboardError } from '../errors.ts'
import type { ExecutionFailure } from '../execution.ts'
import { toStorableText } from './storable.ts'

/** Characters kept of a message and of a stack. */
const MESSAGE_MAX_LENGTH = 10_000
const STACK_MAX_LENGTH = 20_000

/** A message to which BullMQ gives a meaning: the job would stay and never fail. */
const RATE_LIMITED = 'bullmq:rateLimitExceeded'

/** What a handler threw, as BullMQ takes it: a plain Error whose name it gives no meaning to, and with `failureType`. */
export interface AttemptError extends Error {
  /** Class of what was thrown; the code for errors of this package. */
  readonly failureType: string
}

/** Anything can be thrown. The stack's first line is always `type: message`, from which the type is had back later. */
export function toAttemptError(thrown: unknown): AttemptError {
  if (isAttemptError(thrown)) return thrown
  const failureType = typeOf(thrown)
  const message = toStorableText(describe(thrown), MESSAGE_MAX_LENGTH)
  const error = new Error(message === RATE_LIMITED ? `${message}.` : message)
  const frames = thrown instanceof Error ? framesOf(thrown) : ''
  error.stack = toStorableText(`${failureType}: ${message}${frames}`, STACK_MAX_LENGTH)
  return Object.assign(error, { failureType })
}

export function failureFromError(error: AttemptError): ExecutionFailure {
  if (isLost(error.message)) return lostFailure()
  return { type: error.failureType, message: error.message, stack: error.stack ?? null }
}

/** From what BullMQ keeps of a failed attempt. */
export function failureFromStack(stack: string | undefined, message?: string): ExecutionFailure {
  const firstLine = stack?.split('\n', 1)[0] ?? ''
  if (isLost(message ?? firstLine)) return lostFailure()
  const type = /^([\p{L}_$][\p{L}\p{N}_.$]{0,99})(?: \[\w+\])?(?::|$)/u.exec(firstLine)?.[1] ?? 'Error'
  return { type, message: message ?? firstLine.slice(firstLine.indexOf(': ') + 1).trim(), stack: stack ?? null }
}

/** Whether BullMQ gave it up because too many of its processes were lost; there was no error then, and there is no stack. */
export function isLost(message: string | undefined): boolean {
  return message?.endsWith('job stalled more than allowable limit') === true
}

function lostFailure(): ExecutionFailure {
  const { code, message } = createTaskDashboardError('EXECUTION_LOST')
  return { type: code, message, stack: null }
}

function isAttemptError(thrown: unknown): thrown is AttemptError {
  return thrown instanceof Error && 'failureType' in thrown && typeof thrown.failureType === 'string'
}

function typeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'Error'
  const type = isTaskDashboardError(thrown) ? thrown.code : thrown.name
  return typeof type === 'string' && /^[\p{L}_$][\p{L}\p{N}_.$]{0,99}$/u.test(type) ? type : 'Error'
}

function describe(thrown: unknown): string {
  try {
    // Some libraries make objects of their messages.
    const said: unknown = thrown instanceof Error ? thrown.message : thrown
    return typeof said === 'string' ? said : JSON.stringify(said) ?? String(said)
  } catch {
    return 'something was thrown that is not an Error'
  }
}

function framesOf(error: Error): string {
  const stack = typeof error.stack === 'string' ? error.stack : ''
  const start = stack.search(/\n\s+at /)
  return start === -1 ? '' : stack.slice(start)
}
