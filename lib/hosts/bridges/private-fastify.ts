import { Readable } from 'node:stream'
import Fastify, {
  type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, type FastifyServerOptions, type RequestPayload
} from 'fastify'
import fp from 'fastify-plugin'
import { announceAccess } from '../../dashboard/access/announce-access.ts'
import { handleError } from '../../dashboard/http/error-handler.ts'
import { mountResolved } from '../../dashboard/plugin.ts'
import { FASTIFY_RANGE } from '../../dashboard/fastify-range.ts'
import { createTaskDashboardError, type TaskDashboardError } from '../../errors.ts'
import { LazyLogger } from './lazy-logger.ts'
import { bodyReadByHost } from './host-request.ts'
import { normalizePrefix } from '../paths/mount-path.ts'
import { checkHostOptions, type HostedQueueApp, type HostOptions } from '../options.ts'

/** The Fastify instance that every host passes its requests to. It never listens. */
export interface PrivateFastify {
  /** Mount path in the host; empty if the host itself removes it. */
  readonly prefix: string
  /** Sets it up on the first call. Rejects if its options or plugins are refused. */
  ready(): Promise<FastifyInstance>
  isClosed(): boolean
  /** Answers every further request with 503. Idempotent. */
  close(): Promise<void>
}

/** Throws INVALID_OPTIONS right away, so that a host with a wrong option does not start. */
export function createPrivateFastify(queueApp: HostedQueueApp, hostOptions: HostOptions = {}): PrivateFastify {
  const resolved = checkHostOptions(queueApp, hostOptions)
  const { logger, configure, stopOnClose = false, prefix } = hostOptions
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: { level: 'warn', stream: process.stderr } }),
    ...withoutRequestLog(),
    childLoggerFactory: (parent, bindings, child) => new LazyLogger(parent, bindings, child) as unknown as FastifyBaseLogger,
    frameworkErrors: (error, request, reply) => handleError(error, request, reply)
  }) as unknown as FastifyInstance
  app.setErrorHandler(handleError)
  app.setNotFoundHandler((request, reply) => handleError(createTaskDashboardError('NOT_FOUND'), request, reply))
  app.addHook('preParsing', readBodyAgain)
  announceAccess(resolved, app.log)
  waitFor(app, configure?.(app))
  // Mounted at the root, because the mount path is removed before a request gets here. As a plugin, so that Fastify checks its version.
  app.register(fp((scope: FastifyInstance) => mountResolved(scope, resolved), { name: 'fastify-task-dashboard', fastify: FASTIFY_RANGE }))
  let starting: Promise<FastifyInstance> | undefined
  let closing: Promise<void> | undefined

  async function start(): Promise<FastifyInstance> {
    try {
      await app.ready()
    } catch (error) {
      app.log.error({ err: error }, 'The task dashboard did not start')
      throw error
    }
    return app
  }

  async function close(): Promise<void> {
    await app.close()
    if (stopOnClose) await queueApp.stop?.()
  }

  return {
    prefix: normalizePrefix(prefix),
    ready: () => (starting ??= start()),
    isClosed: () => closing !== undefined,
    close: () => (closing ??= close())
  }
}

/** The option for Fastify up to 5.8 warns in later versions, and its replacement does not exist in earlier ones. */
function withoutRequestLog(): FastifyServerOptions {
  const { LogController } = Fastify as Partial<Pick<typeof Fastify, 'LogController'>>
  return LogController ? { logController: new LogController({ disableRequestLogging: true }) } : { disableRequestLogging: true }
}

/** Makes the dashboard's hooks and routes wait until `configure` has added its own. */
function waitFor(app: FastifyInstance, configured: void | Promise<void>): void {
  if (configured === undefined) return
  // It may fail before the first request awaits it; that request gets the error.
  configured.catch(() => {})
  app.register(async () => configured)
}

type AfterParsing = (error?: TaskDashboardError | null, payload?: RequestPayload) => void

/** A `preParsing` hook. It uses a callback, because most requests have no body. */
function readBodyAgain(request: FastifyRequest, _reply: unknown, payload: RequestPayload, done: AfterParsing): void {
  if (!request.raw.readableEnded) return done(null, payload)
  try {
    done(null, bodyAgain(request))
  } catch (error) {
    done(error as TaskDashboardError)
  }
}

/** Waiting for a body that the host has already read would never end, so a new stream is made from it. */
function bodyAgain({ raw, headers }: FastifyRequest): RequestPayload {
  const body = bodyReadByHost(raw)
  const length = Number(headers['content-length'])
  if (body === undefined && length !== 0) {
    throw createTaskDashboardError(
      'INVALID_INPUT',
      ['The body was read before it reached the dashboard, and not left at request.body: mount the dashboard before what reads it']
    )
  }
  const stream: RequestPayload = Readable.from(length === 0 ? [] : [bytesOf(body)])
  // Re-serializing may change the length, but the limit applies to what was sent.
  if (!Number.isNaN(length)) stream.receivedEncodedLength = length
  return stream
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return Buffer.from(body)
  try {
    return Buffer.from(JSON.stringify(body))
  } catch {
    throw createTaskDashboardError('INVALID_INPUT', ['The body is nested too deep'])
  }
}
