import fastify from 'fastify'
import type { Test } from 'tap'
import { dashboardPlugin, QueueApp, type DashboardOptions, type QueueAppOptions } from '../../../lib/index.ts'
import { testNamespace } from '../../support/servers/stores.ts'

/** An app with a dashboard, stopped when the test ends. */
export async function startCombined(
  t: Test, options: QueueAppOptions, declare: (queueApp: QueueApp) => void = () => {}, plugin: Partial<DashboardOptions> = {}
) {
  const queueApp = QueueApp.fromUrls({ namespace: testNamespace(), onError: error => t.comment(error.message), ...options })
  declare(queueApp)
  await queueApp.start()
  const app = fastify()
  await app.register(dashboardPlugin, { prefix: '/tasks', queueApp, access: 'host', ...plugin })
  t.teardown(async () => {
    await app.close()
    await queueApp.stop()
  })
  return {
    queueApp,
    read: async <Body>(path: string): Promise<Body> => (await app.inject(`/tasks/api${path}`)).json<Body>(),
    status: async (path: string): Promise<number> => (await app.inject(`/tasks/api${path}`)).statusCode,
    async write<Body = { code: string }>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) {
      const answer = await app.inject({ method, url: `/tasks/api${url}`, ...payload && { payload } })
      return { status: answer.statusCode, body: (answer.body === '' ? null : answer.json<Body>()) as Body }
    }
  }
}
