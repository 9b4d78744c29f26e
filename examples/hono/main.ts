import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createBlueprint } from '../../lib/hosts/hono.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
// Only your own machine. In production, use auth or authorize: docs/access.md
const dashboard = createBlueprint(queueApp, { access: 'local' })
const app = new Hono()
app.all('/tasks/*', dashboard)
app.get('/', context => context.redirect('/tasks'))

const server = serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' }, ({ port }) => {
  untilStopped(port, async () => {
    server.close()
    await dashboard.close()
    await queueApp.stop()
  })
})
