import type { FastifySchemaValidationError } from 'fastify'
import { createTaskDashboardError, type TaskDashboardError } from '../../errors.ts'

/** Fastify's `schemaErrorFormatter` of our routes: what a hook of the host threw in the form of such an error has the host's text in it. */
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
  // A name that nobody asked for can be as long as a body, and comes back several times.
  const name = property.length > MAX_NAME_LENGTH ? `${property.slice(0, MAX_NAME_LENGTH)}…` : property
  return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Longer than any name of ours. */
const MAX_NAME_LENGTH = 200
