import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { resolveOptions, type DashboardOptions } from '../dashboard/options.ts'
import { dashboardPlugin } from '../dashboard/plugin.ts'
import { FASTIFY_RANGE } from '../dashboard/fastify-range.ts'
import { createTaskDashboardError } from '../errors.ts'
import { isObject } from '../json/is-object.ts'
import { stopOnCloseProblems, type HostedQueueApp } from './options.ts'

/** Options of `createRouter`: those of `dashboardPlugin` without `queueApp` and `prefix`, plus `stopOnClose`. */
export interface RouterOptions extends Omit<DashboardOptions, 'queueApp' | 'prefix'> {
  /** Stops the queue app when the server closes. Default false: the code that started the queue app stops it. */
  stopOnClose?: boolean
}

/** Options of the registration. */
export interface RouterRegistration {
  /** Path of the dashboard. Default: the root. */
  prefix?: string
  /** Lists the API in the host's own OpenAPI document, under these tags. Default: not listed. */
  tags?: string[]
}

/**
 * A Fastify plugin bound to a queue app: `fastify.register(createRouter(queueApp), { prefix: '/tasks', tags: ['tasks'] })`.
 * Throws INVALID_OPTIONS, which lists every problem. Registering it rejects with the same error for its own options.
 */
export function createRouter(queueApp: HostedQueueApp, routerOptions: RouterOptions = {}): FastifyPluginAsync<RouterRegistration> {
  if (!isObject(routerOptions))
    throw createTaskDashboardError('INVALID_OPTIONS', ['options must be an object'])
  const { stopOnClose = false, ...options } = routerOptions
  resolveOptions({ ...options, queueApp }, undefined, [
    ...stopOnCloseProblems(stopOnClose),
    ...'prefix' in options ? ['prefix belongs to the registration: fastify.register(createRouter(queueApp), { prefix })'] : []
  ])
  const plugin: FastifyPluginAsync<RouterRegistration> = async (host, registration) => {
    await host.register(dashboardPlugin, { ...options, ...registration, queueApp })
    if (stopOnClose) host.addHook('onClose', async () => { await queueApp.stop?.() })
  }
  return fp(plugin, { name: 'fastify-task-dashboard-router', fastify: FASTIFY_RANGE })
}
