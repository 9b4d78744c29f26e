import type { FastifyInstance } from 'fastify'

const CUT_AFTER_MS = 5_000

/** A closing server waits for every request, for ever if a client never sends the rest of one. This cuts them after 5 s. */
export function cutLateRequests(server: FastifyInstance): void {
  server.addHook('preClose', async () => { setTimeout(() => server.server.closeAllConnections(), CUT_AFTER_MS).unref() })
}
