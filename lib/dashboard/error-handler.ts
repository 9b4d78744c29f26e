import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { createTaskDashboardError, isTaskDashboardError, type InputFault, type TaskDashboardError } from '../errors.ts'
import { pathOf } from './address.ts'
import { HEADERS } from './headers.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/** 128 KiB: twice what the arguments of a schedule may take. */
export const BODY_LIMIT_BYTES = 128 * 1024

/** With every 503. */
export const RETRY_AFTER_SECONDS = 5

/** Answers every error with problem details. Only our own messages, and those a host made for its clients (4xx), leave. */
export function handleError(error: FastifyError | TaskDashboardError, request: FastifyRequest, reply: FastifyReply): void {
  const instance = pathOf(request.originalUrl)
  const known = toKnownError(error)
  if (known) {
    if (known.statusCode === 503) {
      request.log.warn({ cause: describeCause(known.cause) }, known.message)
      reply.header('retry-after', RETRY_AFTER_SECONDS)
    }
    const errors = request.routeOptions.schema?.body ? known.errors : known.errors?.map(toParameterError)
    if (known.statusCode !== 500) return sendProblem(reply, { status: known.statusCode, code: known.code, detail: known.message, instance, errors })
  }
  const status = statusOf(error)
  if (!known && status >= 400 && status < 500) {
    return sendProblem(reply, { status, code: `HTTP_${status}`, detail: error.message, instance })
  }
  request.log.error({ err: error }, 'defect of the task dashboard')
  const internal = createTaskDashboardError('INTERNAL', [request.id])
  sendProblem(reply, { status: 500, code: internal.code, detail: internal.message, instance, requestId: request.id })
}

function toKnownError(error: FastifyError | TaskDashboardError): TaskDashboardError | null {
  if (isTaskDashboardError(error)) return error
  if ('validation' in error && error.validation) return invalidInput(error.validation, error.validationContext)
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE': return createTaskDashboardError('BODY_TOO_LARGE', [BODY_LIMIT_BYTES])
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE': return createTaskDashboardError('NOT_JSON')
    case 'FST_ERR_BAD_URL': return createTaskDashboardError('INVALID_INPUT', ['The path is not valid percent-encoded UTF-8'])
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH': return createTaskDashboardError('INVALID_INPUT', ['The body is not as long as its content-length says'])
  }
  // A host that is overloaded or closing says 503 with a text of its own.
  return statusOf(error) === 503 ? createTaskDashboardError('BUSY', [], { cause: error }) : null
}

/** No more than this of a datastore's error: some carry the command that failed, with the arguments of tasks in it. */
function describeCause(cause: unknown): { type: string; message: string; code: unknown } | undefined {
  if (!(cause instanceof Error)) return undefined
  return { type: cause.name, message: cause.message, code: 'code' in cause ? cause.code : undefined }
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' ? status : 500
}

function invalidInput(faults: FastifySchemaValidationError[], part: string | undefined): TaskDashboardError {
  const errors = faults.map((fault) => ({ pointer: pointerOf(fault), message: messageOf(fault) }))
  const { pointer, message } = errors[0] ?? { pointer: '', message: 'is not valid' }
  const where = part === 'body' ? `The body${pointer && ` at ${pointer}`}` : `The ${part === 'params' ? 'path' : 'query'} parameter "${pointer.slice(1)}"`
  return createTaskDashboardError('INVALID_INPUT', [`${where} ${message}`], { errors })
}

/** Ajv's own words where they help. */
function messageOf({ keyword, message = 'is not valid', params }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required': return 'is missing'
    case 'additionalProperties': return 'is not known'
    case 'pattern': return 'has characters that are not allowed'
    case 'enum': return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`
    default: return message
  }
}

/** Ajv points at the object that misses a property or has one too many; a client wants to be pointed at the property. */
function pointerOf({ instancePath, params }: FastifySchemaValidationError): string {
  const property = params['missingProperty'] ?? params['additionalProperty']
  if (typeof property !== 'string') return instancePath
  return `${instancePath}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function toParameterError(fault: InputFault): InputFault {
  return { ...fault, pointer: fault.pointer.replace(/^\//, '') }
}

function sendProblem(reply: FastifyReply, problem: Parameters<typeof toProblem>[0]): void {
  // A string, so that no serializer or preSerialization hook of the host changes it.
  void reply.code(problem.status).headers(HEADERS).type(PROBLEM_TYPE).send(JSON.stringify(toProblem(problem)))
}
