import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A server that waits for a request on an unused connection takes longer than this to close: Node waits a minute for one. */
export const UNUSED_MS = 30_000

/** Connects as a browser does before it needs the connection, and sends nothing. */
export async function connectUnused(t: Pick<Test, 'teardown'>, address: string): Promise<void> {
  await open(t, address)
}

/**
 * Sends half a request and never the rest. The same packet begins with a complete request, whose response shows that the server has read
 * both.
 */
export async function connectHalfway(t: Pick<Test, 'teardown'>, address: string): Promise<void> {
  const socket = await open(t, address)
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\nGET / HTTP/1.1\r\nhost:')
  await once(socket, 'data')
}

async function open(t: Pick<Test, 'teardown'>, address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  return socket
}
