import type { FastifyInstance } from 'fastify'

const CUT_AFTER_MS = 5_000

/** A server that closes waits for every request: forever if a client never sends the rest of one. This closes all connections after 5 s. */
export function cutLateRequests(server: FastifyInstance): void {
  server.addHook('preClose', async () => { setTimeout(() => server.server.closeAllConnections(), CUT_AFTER_MS).unref() })
}
