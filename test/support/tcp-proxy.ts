import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestScope } from './stores.ts'

/** A proxy in front of a datastore, as a firewall or a failover is. */
export interface TcpProxy {
  /** The URL of the datastore, by way of the proxy. */
  readonly url: string
  /** How many connections it has made so far. */
  readonly connections: number
  /** Connections that stand carry nothing more, in neither direction, and do not end; new ones work. */
  silence(): void
  /** Whether new connections are hung up on. */
  refuse(isRefusing: boolean): void
}

/** Closed when the test ends. */
export async function startTcpProxy(t: TestScope, target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let connections = 0
  let isRefusing = false
  const server = createServer(client => {
    if (isRefusing) return client.destroy()
    connections++
    const upstream = connect(Number(port), hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() { return connections },
    refuse(refusing) { isRefusing = refusing },
    silence() {
      for (const sockets of pairs) {
        for (const socket of sockets) {
          socket.unpipe()
          socket.removeAllListeners('data').removeAllListeners('end')
          // What arrives is read, and forgotten: whoever sends it sees no closed window.
          socket.resume()
        }
      }
    }
  }
}
