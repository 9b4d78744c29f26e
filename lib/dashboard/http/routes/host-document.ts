import type { FastifySchema } from 'fastify'
import { namedSchemas } from './compilers.ts'

interface TransformInput { readonly route: { readonly method: string | readonly string[] } }

/**
 * How a route stands in the document of the host's own @fastify/swagger (its `swaggerTransform`): under its own address and the
 * host's tags, without references, as our schemas are not among the host's.
 */
export function toHostDocument(url: string, schema: FastifySchema, tags: readonly string[]) {
  const listed = { ...inlined(schema) as FastifySchema, tags: [...tags], operationId: undefined }
  // HEAD is registered with GET and says nothing more.
  return ({ route }: TransformInput) => ({ schema: route.method === 'HEAD' ? { hide: true } : listed, url })
}

function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inlined)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref } = schema as { $ref?: unknown }
  if (typeof $ref === 'string' && namedSchemas[$ref]) return inlined(namedSchemas[$ref])
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$id').map(([key, value]) => [key, inlined(value)]))
}
