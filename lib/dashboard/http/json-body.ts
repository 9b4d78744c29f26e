import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createTaskDashboardError } from '../../errors.ts'

/** 128 KiB: twice the limit for a schedule's arguments. */
export const MAX_BODY_BYTES = 128 * 1024
/** JSON.stringify recurses. A few thousand levels, which fit in a body, overflow its stack. */
const MAX_BODY_DEPTH = 100

/**
 * Bodies must be JSON and within limits, whatever parsers the host has. An empty body counts as none, because some clients always send a
 * content type.
 */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    void parse(request, body as string, (error, value) => {
      if (error)
        done(createTaskDashboardError(
          'INVALID_INPUT',
          [
            PROTOTYPE_KEY.test(body as string)
              ? 'The body is not valid JSON, or has a key "__proto__" or "constructor", which are refused'
              : 'The body is not valid JSON'
          ]
        ))
      else if (isDeeperThan(value, MAX_BODY_DEPTH))
        done(createTaskDashboardError('INVALID_INPUT', [`The body is nested deeper than ${MAX_BODY_DEPTH} levels`]))
      else done(null, value)
    })
  })
}

const PROTOTYPE_KEY = /"(?:__proto__|constructor)"\s*:/

/** Iterates level by level, because recursion is what this guards against. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.filter(item => typeof item === 'object' && item !== null).flatMap(item => Object.values(item) as unknown[])
  }
  return false
}

/** A `preValidation` hook for a POST whose fields are all optional: a missing body counts as an empty object. */
export async function acceptNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}
