import type { FastifyReply, FastifyRequest } from 'fastify'
import { createTaskDashboardError, type TaskDashboardError } from '../../../errors.ts'
import { isSpeltAs, parameterOf } from './address.ts'
import type { RegisteredConfig } from './route-config.ts'

/** Fits the longest cursor with every other parameter. */
const MAX_URL_LENGTH = 12_288

/**
 * An `onRequest` hook: limits the address length and puts the name or id where the route's schema expects it. The wildcard also matches
 * addresses that are not the route's. They get no parameter; see `isUnknownAddress`.
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
