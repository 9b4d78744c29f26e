import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { createTaskDashboardError } from '../../../errors.ts'
import { isSpeltAs, pathOf, segmentsOf } from './address.ts'
import type { RouteConfig } from './route-config.ts'

const config: object = { action: 'ui:view' } satisfies RouteConfig
const PAGE_WRITES: HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE']

export interface KnownRoute { readonly method: string; readonly url: string }

/**
 * 404, or 405 with `Allow`, for every address below the mount that has no route. Uses routes, because a not-found handler would clash with
 * the host's when the dashboard is mounted at the root.
 */
export function answerUnknownAddresses(app: FastifyInstance, refuse: RefuseAddress): void {
  const route = { config, onRequest: refuse, handler: unreachable, schema: { hide: true }, exposeHeadRoute: false }
  const everyMethod = app.supportedMethods as HTTPMethods[]
  for (const url of ['/api', '/api/*', '/assets/*']) app.route({ ...route, method: everyMethod, url })
  app.route({ ...route, method: PAGE_WRITES, url: '/' })
  app.route({ ...route, method: PAGE_WRITES, url: '/*' })
}

export type RefuseAddress = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Always rejects, before the body is read. `known` may grow until the first request. */
export function createRefuseAddress(app: FastifyInstance, known: readonly KnownRoute[]): RefuseAddress {
  let templates: Array<{ method: string; pattern: RegExp }> | undefined

  return async (request, reply) => {
    // An address that is spelled differently does not reveal its methods.
    if (!isSpeltAs(request.url, request.routeOptions.url!, app.prefix)) throw createTaskDashboardError('NOT_FOUND')
    templates ??= known.map(({ method, url }) => ({ method, pattern: patternOf(url) }))
    // Keeps a trailing slash, because that is a different address.
    const below = `/${pathOf(request.url).split('/').slice(1 + segmentsOf(app.prefix).length).join('/')}`
    const allowed = [...new Set(templates.filter(({ pattern }) => pattern.test(below)).map(({ method }) => method))]
    if (allowed.length === 0 || allowed.includes(request.method)) throw createTaskDashboardError('NOT_FOUND')
    const allow = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
    reply.header('allow', allow.join(', '))
    throw createTaskDashboardError('METHOD_NOT_ALLOWED', [request.method, allow.join(', ')])
  }
}

function unreachable(): never {
  throw createTaskDashboardError('NOT_FOUND')
}

/** `/api/tasks/:name` as a pattern for raw paths. Pages are everything except the API and assets. */
function patternOf(url: string): RegExp {
  if (url === '/*') return /^\/(?!api(?:\/|$)|assets\/)/
  return new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`)
}
