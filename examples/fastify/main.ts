import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { createRouter } from '../../lib/index.ts'
import { PORT, startQueueApp, untilStopped } from '../queue-app.ts'

const queueApp = await startQueueApp()
const fastify = Fastify()
// A client that never sends the rest of its request would keep the server open.
fastify.addHook('preClose', async () => { setTimeout(() => fastify.server.closeAllConnections(), 5_000).unref() })
// Only your own machine. In production, use auth or authorize: docs/access.md
await fastify.register(createRouter(queueApp, { access: 'local' }), { prefix: '/tasks' })
fastify.get('/', (_request, reply) => reply.redirect('/tasks'))

await fastify.listen({ port: PORT, host: '127.0.0.1' })
untilStopped((fastify.server.address() as AddressInfo).port, async () => {
  await fastify.close()
  await queueApp.stop()
})
