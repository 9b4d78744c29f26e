import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { DashboardOptions } from '../dashboard/options.ts'
import { dashboardPlugin } from '../dashboard/plugin.ts'
import type { HostedQueueApp } from './options.ts'

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
 * Registering it rejects with INVALID_OPTIONS, which lists every problem.
 */
export function createRouter(queueApp: HostedQueueApp, { stopOnClose = false, ...options }: RouterOptions = {}): FastifyPluginAsync<RouterRegistration> {
  const plugin: FastifyPluginAsync<RouterRegistration> = async (host, registration) => {
    await host.register(dashboardPlugin, { ...options, ...registration, queueApp })
    if (stopOnClose) host.addHook('onClose', async () => { await queueApp.stop?.() })
  }
  return fp(plugin, { name: 'fastify-task-dashboard-router', fastify: '5.x' })
}
