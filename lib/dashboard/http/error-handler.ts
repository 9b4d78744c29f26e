import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { apiStatusOf, createTaskDashboardError, isTaskDashboardError, type InputFault, type TaskDashboardError } from '../../errors.ts'
import { pathOf } from './routes/address.ts'
import { headersOf } from './headers.ts'
import { MAX_BODY_BYTES } from './json-body.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'
import { isForPerson, refusalPage, refusalPageHeaders } from '../access/refusal-page.ts'

/** Sent with every 503. */
export const RETRY_AFTER_SECONDS = 5

/**
 * Answers every error with problem details, whatever was thrown: host hooks and `authorize` can throw anything. Only our own messages are
 * sent. Of anyone else's error, at most its 4xx status is passed on.
 */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    answerError(error, request, reply)
  } catch (cause) {
    // A getter of the thrown value, or the log, threw as well.
    logSafely(request, { cause: describeCause(cause) }, 'An error could not be described')
    answerDefect(request, reply)
  }
}

/**
 * The outer error handler, called when a host hook fails while a problem is being sent. Sends the same problem again, bypassing every hook,
 * because Fastify's own response would contain the error's message.
 */
export function answerPastHooks(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  logSafely(request, { cause: describeCause(error) }, 'A hook of the host failed while an error response was sent')
  const { type = PROBLEM_TYPE, body = '' } = problems.get(reply) ?? {}
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined && !ABOUT_BODY.has(name)) raw.setHeader(name, value)
  raw.setHeader('content-type', type)
  raw.setHeader('content-length', Buffer.byteLength(body))
  raw.writeHead(reply.statusCode)
  raw.end(body)
}

/** The problem that was sent for each reply. */
const problems = new WeakMap<FastifyReply, { type: string; body: string }>()
/** Headers of a body that a hook had changed. */
const ABOUT_BODY = new Set(['content-length', 'content-encoding', 'transfer-encoding'])
/** Headers of a success response that became an error. */
const ABOUT_ANSWER = ['etag', 'link', 'location'] as const

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const instance = pathOf(request.originalUrl)
  const known = toKnownError(error)
  // Like a bug, but the host's: the response says which decision failed.
  if (known?.code === 'AUTHORIZE_FAILED' || known?.code === 'IDENTIFY_FAILED' || known?.code === 'SCOPE_FAILED') {
    logFailure(request, known, known.code === 'IDENTIFY_FAILED' ? 'identify failed' : undefined)
    return sendProblem(request, reply, {
      status: known.statusCode, code: known.code, detail: known.message, instance, requestId: request.id
    })
  }
  if (known?.code === 'STORE_REFUSED') {
    logSafely(request, { cause: describeCause(known.cause) }, known.message)
    return sendProblem(request, reply, {
      status: known.statusCode, code: known.code, detail: known.message, instance, requestId: request.id
    })
  }
  const knownStatus = known ? apiStatusOf(known.code) : 500
  if (known && knownStatus !== 500) {
    const isUnavailable = knownStatus === 503
    if (isUnavailable) logSafely(request, { cause: describeCause(known.cause) }, known.message, 'warn')
    const { retryAfterSeconds = isUnavailable ? RETRY_AFTER_SECONDS : undefined } = known
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    const errors = request.routeOptions.schema?.body ? known.errors : known.errors?.map(toParameterError)
    return sendProblem(request, reply, {
      status: knownStatus, code: known.code, detail: known.message, instance, errors, executionId: known.executionId,
      drift: known.drift
    })
  }
  const status = statusOf(error)
  if (!known && status >= 400 && status < 500) {
    return sendProblem(request, reply, {
      status, code: `HTTP_${status}`, detail: `The server refused this request: ${STATUS_CODES[status] ?? String(status)}`, instance
    })
  }
  logSafely(request, { err: error }, 'bug in the task dashboard')
  answerDefect(request, reply)
}

function answerDefect(request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, code, message } = createTaskDashboardError('INTERNAL', [request.id])
  sendProblem(request, reply, { status: statusCode, code, detail: message, instance: pathOf(request.originalUrl), requestId: request.id })
}

/** Logs why the host could not decide, for its operators. */
export function logFailure(request: FastifyRequest, error: unknown, what = 'authorize failed'): void {
  logSafely(request, { err: error instanceof Error && error.cause !== undefined ? error.cause : error }, what)
}

/** Logging throws if a getter of the logged value does, and a host's own logger may throw at any time. */
export function logSafely(request: FastifyRequest, details: object, message: string, level: 'info' | 'warn' | 'error' = 'error'): void {
  for (const line of [() => request.log[level](details, message), () => request.log[level](message)]) {
    try {
      return line()
    } catch {
      // The response matters more than the log line.
    }
  }
}

function toKnownError(error: unknown): TaskDashboardError | null {
  if (isTaskDashboardError(error)) return error
  if (typeof error !== 'object' || error === null) return null
  switch ((error as Partial<FastifyError>).code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': return createTaskDashboardError('BODY_TOO_LARGE', [MAX_BODY_BYTES])
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE': return createTaskDashboardError('NOT_JSON')
    case 'FST_ERR_BAD_URL': return createTaskDashboardError('INVALID_INPUT', ['The path is not valid percent-encoded UTF-8'])
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return createTaskDashboardError('INVALID_INPUT', ['The length of the body differs from its content-length'])
    // A host that is overloaded or closing sends 503 with its own message.
    default: return statusOf(error) === 503 ? createTaskDashboardError('BUSY', [], { cause: error }) : null
  }
}

/** Only these parts of a datastore's error: some contain the failed command, including task arguments. */
function describeCause(cause: unknown): { type: string; message: string; code: unknown } | undefined {
  if (!(cause instanceof Error)) return undefined
  return { type: cause.name, message: cause.message, code: 'code' in cause ? cause.code : undefined }
}

/** The HTTP status of an error that has one, otherwise 500. Never throws. */
export function statusOf(error: unknown): number {
  try {
    const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
    return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500
  } catch {
    return 500
  }
}

function toParameterError(fault: InputFault): InputFault {
  return { ...fault, pointer: fault.pointer.replace(/^\//, '') }
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, fields: Parameters<typeof toProblem>[0]): void {
  const problem = toProblem(fields)
  const isPage = isForPerson(request)
  const headers = isPage ? refusalPageHeaders(request) : { ...headersOf(request), 'content-type': PROBLEM_TYPE }
  // A string, so that no serializer or preSerialization hook of the host changes it.
  const body = isPage ? refusalPage(problem, request) : JSON.stringify(problem)
  problems.set(reply, { type: isPage ? 'text/html; charset=utf-8' : PROBLEM_TYPE, body })
  for (const name of ABOUT_ANSWER) reply.removeHeader(name)
  void reply.code(problem.status).headers(headers).send(body)
}
