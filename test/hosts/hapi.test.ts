import Hapi from '@hapi/hapi'
import t, { type Test } from 'tap'
import { getUrls } from '../../lib/hosts/hapi.ts'
import { hostContract, type Mount } from '../contracts/host.ts'

hostContract(t, 'Hapi', {
  knowsSocket: true,
  malformed: 400,
  start: (t, mounts) => start(t, mounts),
  startParsing: (t, mounts) => start(t, mounts, { routes: { payload: { parse: true, output: 'data', maxBytes: 5_000_000 } } })
})

async function start(t: Test, mounts: readonly Mount[], options: Hapi.ServerOptions = {}): Promise<string> {
  const server = Hapi.server({ port: 0, host: '127.0.0.1', ...options })
  for (const { prefix, queueApp, options } of mounts) server.route(getUrls(queueApp, { ...options, prefix }))
  await server.start()
  t.teardown(async () => {
    server.listener.closeAllConnections()
    await server.stop({ timeout: 100 })
  })
  return server.info.uri
}
