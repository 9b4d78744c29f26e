import Hapi from '@hapi/hapi'
import { getUrls } from '../../lib/hosts/hapi.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
// Only your own machine. In production, use auth or authorize: docs/access.md
const urls = getUrls(queueApp, { prefix: '/tasks', access: 'local' })
const server = Hapi.server({ port: PORT, host: '127.0.0.1' })
server.route(urls)
server.route({ method: 'GET', path: '/', handler: (_request, toolkit) => toolkit.redirect('/tasks') })

await server.start()
untilStopped(Number(server.info.port), async () => {
  await server.stop()
  await urls.close()
  await queueApp.stop()
})
