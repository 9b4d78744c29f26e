import Fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { DashboardOptions } from '../../lib/dashboard/options.ts'
import { dashboardPlugin } from '../../lib/dashboard/plugin.ts'
import { sampleQueueApp } from './sample-queue-app.ts'

export type Instead = NonNullable<Parameters<typeof sampleQueueApp>[0]>

export async function buildDashboard(t: Test, options: Partial<DashboardOptions> = {}, instead: Instead = {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp: sampleQueueApp(instead), ...options })
  return app
}
