import { once } from 'node:events'
import { connect } from 'node:net'
import type { Test } from 'tap'

/** A server that waits for a request on it takes longer to close: Node gives a connection a minute. */
export const UNUSED_MS = 30_000

/** Connects as a browser does before it needs the connection, and asks nothing. */
export async function connectUnused(t: Pick<Test, 'teardown'>, address: string): Promise<void> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
}
