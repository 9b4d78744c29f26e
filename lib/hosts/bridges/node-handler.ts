import type { ServerResponse } from 'node:http'
import { pathOf } from '../../dashboard/http/routes/address.ts'
import { HEADERS } from '../../dashboard/http/headers.ts'
import { PROBLEM_TYPE, toProblem } from '../../dashboard/http/problem.ts'
import { createTaskDashboardError } from '../../errors.ts'
import { setOrigin } from './host-request.ts'
import { asMountable } from '../paths/as-mountable.ts'
import { pathBelow } from '../paths/mount-path.ts'
import type { NodeHandler, NodeRequest } from './node-types.ts'
import { createPrivateFastify, type PrivateFastify } from './private-fastify.ts'
import type { HostedQueueApp, HostOptions } from '../options.ts'

/** What the host knows besides the Node request: its own request object, and the body if it was read. */
export interface Passed { readonly request: unknown; readonly body?: unknown; readonly prefix?: string }

export function createNodeHandler(queueApp: HostedQueueApp, options?: HostOptions): NodeHandler {
  const app = createPrivateFastify(queueApp, options)

  async function handle(request: NodeRequest, response: ServerResponse, next?: (error?: unknown) => void): Promise<void> {
    try {
      if (await passToFastify(app, request, response)) return
    } catch (error) {
      if (next) return next(error)
      // No one awaits this promise, so a rejection would crash the process.
      return answerUnready(response, pathOf(request.originalUrl ?? request.url ?? '/'))
    }
    if (next) return next()
    response.writeHead(404, { 'content-length': 0 }).end()
  }

  return asMountable(Object.assign(handle, { close: app.close }))
}

/** The reason is in the log. */
function answerUnready(response: ServerResponse, instance: string): void {
  if (response.headersSent) return void response.destroy()
  const { statusCode: status, code, message: detail } = createTaskDashboardError('BUSY')
  response.writeHead(status, { ...HEADERS, 'content-type': PROBLEM_TYPE }).end(JSON.stringify(
    toProblem({ status, code, detail, instance })
  ))
}

/** Passes a request below the mount to the dashboard, which then answers it. Returns false for any other request. */
export async function passToFastify(
  app: PrivateFastify, request: NodeRequest, response: ServerResponse, passed?: Passed
): Promise<boolean> {
  const asked = request.url ?? '/'
  const prefix = passed?.prefix ?? app.prefix
  // If the host removed the mount path, the prefix may still state how it must be spelled.
  const below = pathBelow(asked, prefix) ??
    (request.originalUrl !== undefined && pathBelow(request.originalUrl, prefix) === asked ? asked : null)
  if (below === null) return false
  const fastify = await app.ready()
  // Pages use it to find their mount, and errors contain it.
  request.originalUrl ??= asked
  request.url = below
  if (passed) setOrigin(request, passed)
  fastify.routing(request, response)
  return true
}
