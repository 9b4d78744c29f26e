import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import * as schemas from '../../../../schemas/index.ts'
import { serialize } from '../etag.ts'

/** The named schemas, by `$id`. They are not in Fastify's own store, because a host's document would list them. */
export const namedSchemas: Record<string, { $id: string }> = Object.fromEntries(
  Object.values<unknown>(schemas).filter(isNamed).map(schema => [schema.$id, schema])
)

/**
 * One compiler for all dashboards of a process, because they have the same routes. Ajv takes a tenth of a second of processor time for
 * them, and keeps each schema that it has seen. Fastify copies a schema of headers for each route, so schemas are compared by their text.
 */
let shared: FastifySchemaCompiler<unknown> | undefined

function createValidatorCompiler(): FastifySchemaCompiler<unknown> {
  const build = AjvCompiler()
  // With strict numbers, Ajv skips bounds for 1e999, which a query's text can contain and which is infinite.
  const options = { removeAdditional: false, useDefaults: true, allErrors: true, strictTypes: false, strictNumbers: false } as const
  // Query text is coerced to numbers and booleans; bodies are not.
  const forText = build(namedSchemas, { customOptions: { ...options, coerceTypes: true } })
  const forBody = build(namedSchemas, { customOptions: { ...options, coerceTypes: false } })
  const compiled = new Map<string, ReturnType<typeof forText>>()
  return route => {
    const isBody = route.httpPart === 'body'
    const key = `${isBody} ${JSON.stringify(route.schema)}`
    const validate = compiled.get(key) ?? (isBody ? forBody : forText)(route)
    compiled.set(key, validate)
    return validate
  }
}

/** Uses our own validation, whatever the host configured for its routes. */
export function setCompilers(app: FastifyInstance): void {
  // The readers' types come from the schemas, so output needs no validation. fast-json-stringify would run a validator for every nullable
  // field.
  const serializerCompiler: FastifySerializerCompiler<unknown> = () => serialize
  app.setValidatorCompiler(shared ??= createValidatorCompiler())
  app.setSerializerCompiler(serializerCompiler)
  app.setReplySerializer(serialize)
}

function isNamed(schema: unknown): schema is { $id: string } {
  return typeof schema === 'object' && schema !== null && '$id' in schema
}
