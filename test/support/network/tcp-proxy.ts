import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestScope } from '../servers/stores.ts'

/** A proxy in front of a datastore that behaves like a firewall or a failover. */
export interface TcpProxy {
  /** The URL of the datastore through the proxy. */
  readonly url: string
  /** How many connections were made so far. */
  readonly connections: number
  /** Existing connections carry nothing more in either direction and do not end; new ones work. */
  silence(): void
  /** The next `times` matching commands reach the datastore, but their connections break when the response arrives. */
  loseAnswers(command: RegExp, times: number): void
  /** How many responses were lost that way. */
  readonly lostAnswers: number
  /** Whether new connections are closed at once. */
  refuse(isRefusing: boolean): void
  /** New connections lead to another datastore; existing ones stay where they are. */
  moveTo(target: string): void
}

/** The proxy closes when the test ends. */
export async function startTcpProxy(t: TestScope, target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target)
  const pairs = new Set<readonly [Socket, Socket]>()
  let connections = 0
  let isRefusing = false
  let lost = { command: /^$/, times: 0 }
  let lostAnswers = 0
  const server = createServer(client => {
    if (isRefusing) return client.destroy()
    connections++
    const upstream = connect(Number(port), hostname)
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.on('data', (sent: Buffer) => {
      if (lost.times === 0 || !lost.command.test(sent.toString('latin1'))) return
      lost.times--
      upstream.unpipe()
      upstream.once('data', () => {
        lostAnswers++
        client.destroy()
      })
      upstream.resume()
    })
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
    loseAnswers(command, times) { lost = { command, times } },
    get lostAnswers() { return lostAnswers },
    refuse(refusing) { isRefusing = refusing },
    moveTo(other) { ({ hostname, port } = new URL(other)) },
    silence() {
      for (const sockets of pairs) {
        for (const socket of sockets) {
          socket.unpipe()
          socket.removeAllListeners('data').removeAllListeners('end')
          // Arriving data is read and discarded, so that the sender never sees a closed window.
          socket.resume()
        }
      }
    }
  }
}
