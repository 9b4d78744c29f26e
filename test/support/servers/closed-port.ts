import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A port of 127.0.0.1 that refuses connections until the test ends. A connection leaves from it, so no other server can take it. */
export async function closedPort(t: Test): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const holder = connect((server.address() as AddressInfo).port, '127.0.0.1')
  t.teardown(() => {
    holder.destroy()
    server.close()
  })
  await once(holder, 'connect')
  return holder.localPort!
}
