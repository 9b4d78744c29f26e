import type { FastifySchema } from 'fastify'
import { namedSchemas } from './compilers.ts'

interface TransformInput { readonly route: { readonly method: string | readonly string[] } }

/**
 * How a route appears in the host's own @fastify/swagger document (its `swaggerTransform`): under its own address and the host's tags, with
 * references inlined, because our schemas are not in the host's document.
 */
export function toHostDocument(url: string, schema: FastifySchema, tags: readonly string[]) {
  const listed = { ...inlined(schema) as FastifySchema, tags: [...tags], operationId: undefined }
  // HEAD is registered along with GET and adds nothing.
  return ({ route }: TransformInput) => ({ schema: route.method === 'HEAD' ? { hide: true } : listed, url })
}

function inlined(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inlined)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref } = schema as { $ref?: unknown }
  if (typeof $ref === 'string' && namedSchemas[$ref]) return inlined(namedSchemas[$ref])
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$id').map(([key, value]) => [key, inlined(value)]))
}
