/** The short form for Express 5 and 4: `app.use('/tasks', createBlueprint(queueApp))`. */
export { createBlueprint } from './blueprint.ts'
export { hostRequestOf } from './bridges/host-request.ts'
export type { NodeHandler } from './bridges/node-types.ts'
export type { HostedQueueApp, HostOptions } from './options.ts'
