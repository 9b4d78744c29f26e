import { createTaskDashboardError } from '../../errors.ts'
import { labelOf, parseServerUrl } from '../server-url.ts'
import type { StoreOptions } from '../store.ts'

/** A Redis server, for what a URL cannot say. */
export interface RedisConnection {
  url: string
}

/** The same, checked. */
export interface RedisSource {
  readonly kind: 'redis'
  readonly scheme: string
  readonly url: string
  /** Without credentials, for messages and logs. */
  readonly label: string
  /** Equal for two sources that open the same store. */
  readonly identity: string
}

/** Throws INVALID_OPTIONS. */
export function parseRedisSource({ url: text }: RedisConnection, scheme: string, role: StoreOptions['role']): RedisSource {
  const url = parseServerUrl(text, role)
  if (!/^\/?\d{0,9}$/.test(url.pathname)) {
    throw createTaskDashboardError('INVALID_OPTIONS', [`the path in the URL of the ${role} is the number of a Redis database, for example redis://localhost:6379/1`])
  }
  const isEncrypted = /^(rediss|valkeys):$/.test(scheme)
  const identity = ['redis', isEncrypted, url.username, url.password, url.hostname.toLowerCase(), url.port || '6379', Number(url.pathname.slice(1) || 0), url.search].join(' ')
  return { kind: 'redis', scheme, url: url.href, label: labelOf(url), identity }
}
