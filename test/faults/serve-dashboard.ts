import fastify, { type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { dashboardPlugin, type QueueApp } from '../../lib/index.ts'

/**
 * Serves the dashboard of a queue app under `/tasks`. Both end with the test, the server first.
 * @param shown replaces the queue app in the dashboard
 */
export async function serveDashboard(
  t: Test, queueApp: QueueApp, shown: Pick<QueueApp, 'monitoring' | 'operations'> = queueApp
): Promise<FastifyInstance> {
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp: shown, access: 'host' })
  t.teardown(async () => {
    await server.close()
    await queueApp.stop()
  })
  return server
}
