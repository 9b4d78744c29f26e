import Fastify from 'fastify'
import t from 'tap'
import { createRouter } from '../../lib/index.ts'
import { hostContract } from '../contracts/host.ts'

hostContract(t, 'Fastify', {
  knowsSocket: true,
  malformed: 400,
  async start(t, mounts) {
    const app = Fastify({ forceCloseConnections: true })
    t.teardown(() => app.close())
    for (const { prefix, queueApp, options: { configure, logger: _logger, ...options } } of mounts) {
      await app.register(createRouter(queueApp, options), { prefix })
      if (configure) await app.register(async scope => { await configure(scope) }, { prefix })
    }
    return app.listen({ port: 0, host: '127.0.0.1' })
  }
})
