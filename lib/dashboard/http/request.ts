import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createTaskDashboardError, type TaskDashboardError } from '../../errors.ts'
import { isSpeltAs, parameterOf } from './address.ts'
import type { RegisteredConfig } from './route-config.ts'
import { BODY_LIMIT_BYTES } from './error-handler.ts'

/** The longest cursor with every other parameter fits. */
const MAX_URL_LENGTH = 12_288

/**
 * An `onRequest` hook: bounds the address and puts the name or id in it where the route's schema looks for it. The wildcard
 * also takes addresses that are not the route's: they have no parameter then, see `isUnknownAddress`.
 */
export function checkAddress(request: FastifyRequest, _reply: FastifyReply, done: (error?: TaskDashboardError) => void): void {
  if (request.url.length > MAX_URL_LENGTH) return done(createTaskDashboardError('URI_TOO_LONG'))
  const { parameter, followedBy } = request.routeOptions.config as unknown as RegisteredConfig
  if (parameter) {
    const value = parameterOf(request.url, request.routeOptions.url!, followedBy ?? null)
    request.params = value === null ? {} : { [parameter]: value }
  }
  done()
}

export function isUnknownAddress(request: FastifyRequest, prefix: string): boolean {
  if (!isSpeltAs(request.url, request.routeOptions.url!, prefix)) return true
  const { parameter } = request.routeOptions.config as unknown as RegisteredConfig
  return typeof parameter === 'string' && !Object.hasOwn(request.params as object, parameter)
}

/** JSON.stringify recurses: some thousand levels, which fit in a body, overflow its stack. */
const MAX_BODY_DEPTH = 100

/** Bodies are JSON and bounded, whatever parsers the host has. An empty one is none: some clients always name a content type. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT_BYTES }, (request, body, done) => {
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

/** Level by level, as recursion is what it guards against. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.filter(item => typeof item === 'object' && item !== null).flatMap(item => Object.values(item) as unknown[])
  }
  return false
}
