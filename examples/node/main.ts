import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBlueprint } from '../../lib/index.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
// Only your own machine. In production, use auth or authorize: docs/access.md
const dashboard = createBlueprint(queueApp, { prefix: '/tasks', access: 'local' })
const server = createServer((request, response) => {
  // Called for requests outside the dashboard.
  void dashboard(request, response, () => response.writeHead(302, { location: '/tasks' }).end())
})

server.listen(PORT, '127.0.0.1', () => {
  untilStopped((server.address() as AddressInfo).port, async () => {
    server.close()
    await dashboard.close()
    await queueApp.stop()
  })
})
