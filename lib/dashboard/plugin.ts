import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createAccess } from './access/access-hook.ts'
import { recordOutcome } from './audit/audit-writes.ts'
import { followedByStrategy, FOLLOWED_BY } from './http/routes/address.ts'
import { announceAccess } from './access/announce-access.ts'
import { createApi, refuseIncompleteRoute } from './http/routes/api.ts'
import { createAuthenticate } from './access/authenticate.ts'
import { setCompilers } from './http/routes/compilers.ts'
import { compressAnswers } from './http/compression.ts'
import { createViews, decorate } from './decorators.ts'
import { answerPastHooks, handleError } from './http/error-handler.ts'
import { answerUnchanged } from './http/etag.ts'
import { answerUnknownAddresses, createRefuseAddress, type KnownRoute } from './http/routes/unknown-addresses.ts'
import { decorateHeaders, setHeaders } from './http/headers.ts'
import { keepAnswer } from './http/idempotency.ts'
import { toInvalidInput } from './http/invalid-input.ts'
import { createRateLimits } from './access/rate-limits.ts'
import { readJsonOnly } from './http/json-body.ts'
import { createUserReader } from './access/identify.ts'
import { openApiDocument } from './resources/openapi/openapi-document.ts'
import { resolveOptions, type DashboardOptions, type ResolvedOptions } from './options.ts'
import { checkAddress, isUnknownAddress } from './http/routes/check-address.ts'
import { declareRoutes } from './resources/declare-routes.ts'
import { createCurrentSession } from './resources/session/current-session.ts'
import { closeUnusedConnections } from './http/unused-connections.ts'
import { serveInterface } from './interface/serve-interface.ts'
import { FASTIFY_RANGE } from './fastify-range.ts'

/**
 * The dashboard and its API, as a Fastify plugin: `app.register(dashboardPlugin, { prefix: '/tasks', queueApp })`. It can be
 * registered several times in a server. Rejects with INVALID_OPTIONS, which lists every problem.
 */
export const dashboardPlugin = fp(register, { name: 'fastify-task-dashboard', fastify: FASTIFY_RANGE })

/**
 * Runs in the host's own context for two reasons: Fastify then checks its version and knows the plugin by name, and a prefix with a
 * trailing slash can be trimmed before it applies. Everything else is one level below, encapsulated.
 */
async function register(host: FastifyInstance, options: DashboardOptions): Promise<void> {
  const resolved = resolveOptions(options)
  announceAccess(resolved, host.log)
  closeUnusedConnections(host)
  await mountResolved(host, { ...resolved, ...fastifyOptionsOf(options) })
}

/** For callers that have resolved the options and announced access already. */
export async function mountResolved(host: FastifyInstance, options: ResolvedOptions): Promise<void> {
  if (!host.hasConstraintStrategy(FOLLOWED_BY)) host.addConstraintStrategy(followedByStrategy as never)
  await host.register(async around => {
    // With nested error handlers, Fastify calls the outer one when the inner one's response fails.
    around.setErrorHandler(answerPastHooks)
    await around.register(app => mount(app, options))
  }, options)
}

async function mount(app: FastifyInstance, options: ResolvedOptions): Promise<void> {
  const readUser = createUserReader(options)
  const limits = createRateLimits(options.rateLimit)
  const views = createViews(options)
  const access = createAccess(options, await createAuthenticate(app, options.auth, limits), readUser, views)
  const readSession = createCurrentSession(options, access, readUser)
  decorate(app, options, { access, limits, readUser, readSession, readDocument: openApiDocument, views })

  const known: KnownRoute[] = [{ method: 'GET', url: '/' }, { method: 'GET', url: '/*' }]
  const refuseAddress = createRefuseAddress(app, known)

  decorateHeaders(app, options)
  setCompilers(app)
  app.setErrorHandler(handleError)
  app.setSchemaErrorFormatter(toInvalidInput)
  readJsonOnly(app)
  app.addHook('onSend', recordOutcome)
  app.addHook('onSend', keepAnswer)
  await compressAnswers(app)

  app.addHook('onRequest', setHeaders)
  app.addHook('onRequest', checkAddress)
  app.addHook('onRequest', access.onRequest)
  app.addHook('onRequest', (request, reply, done) => {
    if (isUnknownAddress(request, app.prefix)) refuseAddress(request, reply).catch(done)
    else done()
  })
  app.addHook('preHandler', access.preHandler)
  app.addHook('preSerialization', answerUnchanged)

  await app.register(async routes => {
    routes.addHook('onRoute', refuseIncompleteRoute)
    const api = createApi(routes, options.tags)
    declareRoutes({
      route(options) {
        known.push({ method: String(options.method), url: options.url })
        api.route(options)
      }
    })
  })
  await serveInterface(app, options)
  answerUnknownAddresses(app, refuseAddress)
}

/** Options that `register` handles itself. */
function fastifyOptionsOf(options: object): object {
  const { logLevel, logSerializers } = options as { logLevel?: string; logSerializers?: unknown }
  return { ...(logLevel !== undefined && { logLevel }), ...(logSerializers !== undefined && { logSerializers }) }
}
