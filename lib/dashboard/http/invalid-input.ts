import type { FastifySchemaValidationError } from 'fastify'
import { createTaskDashboardError, type TaskDashboardError } from '../../errors.ts'

/**
 * Our routes' `schemaErrorFormatter`. Only these messages are sent: a host hook may throw an error of the same form with text of its own.
 */
export function toInvalidInput(faults: FastifySchemaValidationError[], part: string): TaskDashboardError {
  const errors = faults.map(fault => ({ pointer: pointerOf(fault), message: messageOf(fault) }))
  const { pointer, message } = errors[0] ?? { pointer: '', message: 'is not valid' }
  const where = part === 'body'
    ? `The body${pointer && ` at ${pointer}`}`
    : part === 'headers'
      ? `The header "${pointer.slice(1)}"`
      : `The ${part === 'params' ? 'path' : 'query'} parameter "${pointer.slice(1)}"`
  return createTaskDashboardError('INVALID_INPUT', [`${where} ${message}`], { errors })
}

/** Ajv's own message where it is helpful. */
function messageOf({ keyword, message = 'is not valid', params }: FastifySchemaValidationError): string {
  switch (keyword) {
    case 'required': return 'is missing'
    case 'additionalProperties': return 'is not known'
    case 'pattern': return 'has characters that are not allowed'
    case 'enum': return `must be one of ${(params['allowedValues'] as string[]).join(', ')}`
    default: return message
  }
}

/** Ajv points at the object with a missing or unexpected property; clients want a pointer to the property. */
function pointerOf({ instancePath, params }: FastifySchemaValidationError): string {
  const property = params['missingProperty'] ?? params['additionalProperty']
  if (typeof property !== 'string') return instancePath
  // An unexpected name can be as long as the body, and is repeated several times in the response.
  const name = property.length > MAX_NAME_LENGTH ? `${property.slice(0, MAX_NAME_LENGTH)}…` : property
  return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Longer than any of our names. */
const MAX_NAME_LENGTH = 200
