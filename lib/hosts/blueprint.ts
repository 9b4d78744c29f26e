import { createNodeHandler } from './bridges/node-handler.ts'
import type { NodeHandler } from './bridges/node-types.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'

/**
 * A request handler for Express 5 and 4, Connect and plain Node: `app.use('/tasks', createBlueprint(queueApp))`, or
 * `http.createServer(createBlueprint(queueApp, { prefix: '/tasks' }))`. It works after a body parser.
 * Throws INVALID_OPTIONS, which lists every problem.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): NodeHandler {
  return createNodeHandler(queueApp, options)
}
