import { AjvCompiler } from '@fastify/ajv-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import * as schemas from '../../../../schemas/index.ts'
import { serialize } from '../etag.ts'

/** The named schemas, by `$id`. They are kept from Fastify's own store, which a host's document would list. */
export const namedSchemas: Record<string, { $id: string }> = Object.fromEntries(
  Object.values<unknown>(schemas).filter(isNamed).map(schema => [schema.$id, schema])
)

/** Our own validation, whatever the host set for its routes. */
export function setCompilers(app: FastifyInstance): void {
  const build = AjvCompiler()
  // With strict numbers no bound is held against 1e999, which is infinite and comes out of the text of a query.
  const options = { removeAdditional: false, useDefaults: true, allErrors: true, strictTypes: false, strictNumbers: false } as const
  // Text of a query becomes numbers and booleans; a body says what it means.
  const forText = build(namedSchemas, { customOptions: { ...options, coerceTypes: true } })
  const forBody = build(namedSchemas, { customOptions: { ...options, coerceTypes: false } })

  const validatorCompiler: FastifySchemaCompiler<unknown> = route => {
    const compile = route.httpPart === 'body' ? forBody : forText
    return compile(route)
  }
  // The readers' types are those of the schemas, and fast-json-stringify would run a validator for every nullable field.
  const serializerCompiler: FastifySerializerCompiler<unknown> = () => serialize
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setReplySerializer(serialize)
}

function isNamed(schema: unknown): schema is { $id: string } {
  return typeof schema === 'object' && schema !== null && '$id' in schema
}
