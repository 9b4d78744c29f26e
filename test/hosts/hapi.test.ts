import Hapi from '@hapi/hapi'
import t from 'tap'
import { getUrls } from '../../lib/hosts/hapi.ts'
import { hostContract } from '../contracts/host.ts'

hostContract(t, 'Hapi', {
  knowsSocket: true,
  malformed: 400,
  async start(t, mounts) {
    const server = Hapi.server({ port: 0, host: '127.0.0.1' })
    for (const { prefix, queueApp, options } of mounts) server.route(getUrls(queueApp, { ...options, prefix }))
    await server.start()
    t.teardown(async () => {
      server.listener.closeAllConnections()
      await server.stop({ timeout: 100 })
    })
    return server.info.uri
  }
})
