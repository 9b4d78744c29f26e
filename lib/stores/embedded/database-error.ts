import type { PlainError } from './thread/messages.ts'

const FIELDS = [
  'code', 'detail', 'hint', 'position', 'constraint', 'table', 'column', 'dataType', 'schema', 'severity', 'where', 'routine'
] as const

/**
 * A copy of an error of the embedded database. The original is thrown from a minified line of 25 KB, which Node prints in full if the error
 * is uncaught.
 */
export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error), fields: {} }
  const fields: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value = (error as unknown as Record<string, unknown>)[field]
    if (typeof value === 'string') fields[field] = value
  }
  return { message: error.message, fields }
}

export function databaseErrorFrom({ message, fields }: PlainError): Error {
  const error = new Error(message)
  error.name = 'DatabaseError'
  return Object.assign(error, fields)
}

/**
 * A connection failure (SQLSTATE 08006), as pg would report for a server that went down: it is unknown whether the statement took effect.
 */
export function connectionFailure(reason: string): Error {
  return databaseErrorFrom({ message: reason, fields: { code: '08006' } })
}
