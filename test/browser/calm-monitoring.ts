import Fastify from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Monitoring } from '../../lib/queue-app/monitoring/monitoring.ts'
import { createRouter, type RouterOptions } from '../../lib/index.ts'
import { sampleQueueApp } from '../dashboard/sample-queue-app.ts'

/** The sample with nothing that needs attention, except that one of three executions failed in the last hour. */
export function healthy(): Monitoring {
  const { monitoring } = sampleQueueApp()
  return {
    ...monitoring,
    statistics: async () => ({ ...await monitoring.statistics(), activeWorkers: 1 }),
    queues: async () => (await monitoring.queues()).map(queue => ({ ...queue, isPaused: false, pause: null })),
    async health() {
      const health = await monitoring.health()
      return {
        ...health, status: 'healthy', timestamp: Date.now(),
        components: { ...health.components, workers: { healthy: true, message: 'fine' } }
      }
    }
  }
}

/** Nothing failed, in any time span. */
export function succeeding(): Monitoring['timeseries'] {
  const { timeseries } = sampleQueueApp().monitoring
  return async query => {
    const answer = await timeseries(query)
    return { ...answer, points: answer.points.map(point => ({ ...point, failed: point.failed === null ? null : 0 })) }
  }
}

/** Resolves to the address of the mount. */
export async function serve(t: Test, monitoring: Monitoring, options: RouterOptions = { access: 'host' }): Promise<string> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  await app.register(createRouter(sampleQueueApp({ monitoring }), options), { prefix: '/tasks' })
  return `${await app.listen({ port: 0, host: '127.0.0.1' })}/tasks`
}

const UNAVAILABLE = {
  type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'The broker cannot be reached at the moment', instance: '/',
  code: 'BROKER_UNAVAILABLE'
}

/** Removes the embedded API responses from pages that are opened from now on, so that they request everything. */
export async function withoutFirstReads(page: Page): Promise<void> {
  await page.route('**/first-reads.json*', route => route.fulfill({ json: {} }))
  await page.route('**/*', async route => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const html = await response.text()
    return route.fulfill({ response, body: html.replace(/"reads":\{.*\}\}<\/script>/, () => '"reads":{}}</script>') })
  })
}

/** Makes a page's requests to these addresses fail as in an outage, until they are unrouted. */
export async function refuse(
  page: Page, address: string, problem: { status?: number; code?: string; detail?: string } = {}
): Promise<void> {
  const { status = 503 } = problem
  await withoutFirstReads(page)
  await page.route(address, route =>
    route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ ...UNAVAILABLE, ...problem }) }))
}
