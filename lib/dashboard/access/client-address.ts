import type { FastifyRequest } from 'fastify'

/** The client's address; null if the host does not report it. Express knows which proxies to trust, and fetch-style hosts report none. */
export function clientAddressOf({ raw, ip }: FastifyRequest): string | null {
  const { ip: known } = raw as { ip?: unknown }
  return (typeof known === 'string' ? known : ip) || null
}
