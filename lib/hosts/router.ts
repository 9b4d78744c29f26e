import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { resolveOptions, type DashboardOptions } from '../dashboard/options.ts'
import { dashboardPlugin } from '../dashboard/plugin.ts'
import { FASTIFY_RANGE } from '../dashboard/version.ts'
import { createTaskDashboardError } from '../errors.ts'
import { stopOnCloseProblems, type HostedQueueApp } from './options.ts'

/** Options of `createRouter`: those of `dashboardPlugin` but the queue app, and `stopOnClose`. */
export interface RouterOptions extends Omit<DashboardOptions, 'queueApp' | 'prefix'> {
  /** Stops the queue app when the server is closed. Default false: who started it, stops it. */
  stopOnClose?: boolean
}

/** What is said at the registration. */
export interface RouterRegistration {
  /** Path under which the dashboard lives. Default: the root. */
  prefix?: string
  /** Lists the API in the host's own OpenAPI document, under these tags. Default: not listed. */
  tags?: string[]
}

/**
 * A Fastify plugin bound to a queue app: `fastify.register(createRouter(queueApp), { prefix: '/tasks', tags: ['tasks'] })`.
 * Throws INVALID_OPTIONS, which lists every problem; so does registering it, for what is said there.
 */
export function createRouter(queueApp: HostedQueueApp, routerOptions: RouterOptions = {}): FastifyPluginAsync<RouterRegistration> {
  if (typeof routerOptions !== 'object' || routerOptions === null)
    throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const { stopOnClose = false, ...options } = routerOptions
  resolveOptions({ ...options, queueApp }, undefined, [
    ...stopOnCloseProblems(stopOnClose),
    ...'prefix' in options ? ['prefix is said at the registration: fastify.register(createRouter(queueApp), { prefix })'] : []
  ])
  const plugin: FastifyPluginAsync<RouterRegistration> = async (host, registration) => {
    await host.register(dashboardPlugin, { ...options, ...registration, queueApp })
    if (stopOnClose) host.addHook('onClose', async () => { await queueApp.stop?.() })
  }
  return fp(plugin, { name: 'fastify-task-dashboard-router', fastify: FASTIFY_RANGE })
}
