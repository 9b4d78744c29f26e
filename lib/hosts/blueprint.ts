import { createNodeHandler } from './bridges/node-handler.ts'
import type { NodeHandler } from './bridges/node-types.ts'
import type { HostedQueueApp, HostOptions } from './options.ts'

/**
 * One object that mounts in Express 5 and 4, Connect and bare Node: `app.use('/tasks', createBlueprint(queueApp))`, or
 * `http.createServer(createBlueprint(queueApp, { prefix: '/tasks' }))`. Bodies that the host has parsed already work.
 * Throws INVALID_OPTIONS, which lists every problem.
 */
export function createBlueprint(queueApp: HostedQueueApp, options?: HostOptions): NodeHandler {
  return createNodeHandler(queueApp, options)
}
