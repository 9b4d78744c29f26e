import { QueueApp } from 'fastify-task-dashboard'
import { createRouteHandlers } from 'fastify-task-dashboard/next'

const queueApp = QueueApp.fromUrls()
queueApp.task('greet', async (name) => `Hello ${name}`)
// While Next.js builds it looks at every route, and then there is nothing to start.
if (process.env.NEXT_PHASE !== 'phase-production-build') await queueApp.start()

export const dashboard = createRouteHandlers(queueApp, {
  prefix: '/tasks',
  auth: { username: 'ana', password: process.env.DASHBOARD_PASSWORD ?? 'secret' }
})
