import { labelOf, parseServerUrl } from '../server-url.ts'
import type { StoreOptions } from '../store.ts'

/** A PostgreSQL server, for what a URL cannot say. */
export interface PostgresConnection {
  url: string
}

/** The same, checked. */
export interface PostgresSource {
  readonly kind: 'postgres'
  readonly scheme: string
  readonly url: string
  /** Without credentials, for messages and logs. */
  readonly label: string
  /** Equal for two sources that open the same store. */
  readonly identity: string
}

/** Throws INVALID_OPTIONS. */
export function parsePostgresSource({ url: text }: PostgresConnection, scheme: string, role: StoreOptions['role']): PostgresSource {
  const url = parseServerUrl(text, role)
  const identity = ['postgres', url.username, url.password, url.hostname.toLowerCase(), url.port || '5432', url.pathname, url.search].join(' ')
  return { kind: 'postgres', scheme, url: url.href, label: labelOf(url), identity }
}
