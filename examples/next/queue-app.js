import { QueueApp } from 'fastify-task-dashboard'
import { createRouteHandlers } from 'fastify-task-dashboard/next'

const queueApp = QueueApp.fromUrls()
queueApp.task('greet', async name => `Hello ${name}`)

export const dashboard = createRouteHandlers(queueApp, {
  prefix: '/tasks',
  auth: { username: 'ana', password: process.env.DASHBOARD_PASSWORD ?? 'secret' }
})

// While Next.js builds it looks at every route, and then there is nothing to start.
if (process.env.NEXT_PHASE !== 'phase-production-build') {
  // Next.js would end the process before running executions are handed back. With NEXT_MANUAL_SIG_HANDLE=true (see package.json) it
  // leaves signals to this handler.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)
  await queueApp.start()
}

async function stop() {
  await dashboard.close()
  await queueApp.stop()
  process.exit()
}
