import Koa from 'koa'
import type { AddressInfo } from 'node:net'
import { createBlueprint } from '../../lib/hosts/koa.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
// Only your own machine. In production, use auth or authorize: docs/access.md
const dashboard = createBlueprint(queueApp, { prefix: '/tasks', access: 'local' })
const app = new Koa()
app.use(dashboard)
app.use(context => context.redirect('/tasks'))

const server = app.listen(PORT, '127.0.0.1', () => {
  untilStopped((server.address() as AddressInfo).port, async () => {
    server.close()
    await dashboard.close()
    await queueApp.stop()
  })
})
