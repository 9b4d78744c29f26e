import { once } from 'node:events'
import { createServer } from 'node:net'

/** Rejects as `listen` would if another process uses this port, before time is spent on anything else. */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer()
  server.listen({ host, port })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
