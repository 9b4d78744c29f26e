import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { cut } from '../resources/wire-values.ts'

/** Longer than any address. A host that trusts too many proxies passes on whatever a client writes. */
const MAX_LENGTH = 100

/** The client's address; null if the host does not report it. Express knows which proxies to trust, and fetch-style hosts report none. */
export function clientAddressOf({ raw, ip }: FastifyRequest): string | null {
  const { ip: known } = raw as { ip?: unknown }
  const address = typeof known === 'string' ? known : ip
  return address ? cut(address, MAX_LENGTH) : null
}

/**
 * The part of an address that a client cannot easily change. A single customer usually gets 2^64 IPv6 addresses with the same first half.
 * Some proxies add a port, which differs for each connection.
 */
export function networkOf(address: string): string {
  const bare = /^\[(.*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
  const [unscoped = ''] = bare.split('%')
  const mapped = /^::ffff:([\d.]+)$/i.exec(unscoped)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(unscoped)) return bare
  const short = new URL(`http://[${unscoped}]`).hostname.slice(1, -1)
  // This machine, and IPv4 clients behind a translator: their addresses all have the same first half.
  if (short.startsWith('::') || short.startsWith('64:ff9b:')) return short
  const [head = '', tail = ''] = short.split('::')
  const [first, last] = [head, tail].map(groups => groups.split(':').filter(group => group !== ''))
  return [...first!, ...Array.from({ length: 8 - first!.length - last!.length }, () => '0'), ...last!].slice(0, 4).join(':')
}
