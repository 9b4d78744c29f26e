import { resolve } from 'node:path'
import { createTaskDashboardError } from '../../errors.ts'
import { parsePostgresSource, type PostgresConnection, type PostgresSource } from '../postgres/source/postgres-source.ts'
import { parseRedisSource, type RedisConnection, type RedisSource } from '../redis/source/redis-source.ts'
import { isUnset, unsetProblems } from '../../input/unset-problems.ts'
import type { StoreSource } from './store-source.ts'
import type { StoreOptions } from '../store.ts'

export type { PostgresConnection, RedisConnection, StoreSource }

/** A validated store source. */
export type ParsedSource = RedisSource | PostgresSource | EmbeddedSource

export interface EmbeddedSource {
  readonly kind: 'embedded'
  readonly scheme: 'embedded:'
  /** Null for memory. */
  readonly folder: string | null
  readonly label: string
  readonly identity: string
}

const KINDS: Record<string, 'redis' | 'postgres'> = {
  'redis:': 'redis', 'rediss:': 'redis', 'valkey:': 'redis', 'valkeys:': 'redis', 'redis-sentinel:': 'redis', 'rediss-sentinel:': 'redis',
  'unix:': 'redis',
  'postgres:': 'postgres', 'postgresql:': 'postgres'
}

/** Spellings that other clients use. */
const SPELLINGS: Record<string, string> = {
  'redis+sentinel:': 'redis-sentinel:', 'rediss+sentinel:': 'rediss-sentinel:', 'redis-socket:': 'unix:', 'redis+socket:': 'unix:',
  'redis+unix:': 'unix:'
}

/** Supported URL schemes, as a URL starts. */
export const URL_SCHEMES: readonly string[] = [...Object.keys(KINDS), 'embedded:']

/** @throws UNKNOWN_URL_SCHEME or INVALID_OPTIONS */
export function parseStoreSource(source: StoreSource, role: StoreOptions['role']): ParsedSource {
  const connection = typeof source === 'string' ? { url: source } : source
  if (!('url' in connection) && ['sentinels', 'path', 'redis'].some(field => field in connection))
    return parseRedisSource(connection, 'redis:', role)
  if (isUnset(connection.url) && 'url' in connection && typeof source !== 'string') {
    throw createTaskDashboardError('INVALID_OPTIONS', [...unsetProblems(connection, { url: null }, `${role}: `).values()])
  }
  const text = typeof connection.url === 'string' ? connection.url : ''
  const written = /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1]?.toLowerCase()
  const scheme = written === undefined ? undefined : SPELLINGS[written] ?? written
  if (scheme === undefined) {
    const folder = role === 'result backend' ? ' or embedded:./history' : ''
    throw createTaskDashboardError('INVALID_OPTIONS', [`the ${role} needs a URL such as redis://localhost:6379/0${folder}`])
  }
  if (scheme === 'embedded:') {
    const others = Object.keys(connection).filter(field => field !== 'url')
    if (others.length > 0)
      throw createTaskDashboardError(
        'INVALID_OPTIONS', [`the ${role} is an embedded store, which takes only a URL: leave out ${others.join(', ')}`]
      )
    return parseEmbeddedUrl(text.slice(scheme.length))
  }
  const kind = KINDS[scheme]
  if (kind === undefined)
    throw createTaskDashboardError('UNKNOWN_URL_SCHEME', [scheme, role, `${URL_SCHEMES.slice(0, -1).join(', ')} or ${URL_SCHEMES.at(-1)!}`])
  return kind === 'redis'
    ? parseRedisSource(connection as RedisConnection, scheme, role)
    : parsePostgresSource(connection as PostgresConnection, scheme, role)
}

/** Whether both open the same store, so that one instance can serve both. Throws as `parseStoreSource` does. */
export function isSameStore(broker: StoreSource, backend: StoreSource): boolean {
  return parseStoreSource(broker, 'broker').identity === parseStoreSource(backend, 'result backend').identity
}

function parseEmbeddedUrl(path: string): EmbeddedSource {
  if (path === '') return { kind: 'embedded', scheme: 'embedded:', folder: null, label: 'embedded:', identity: 'embedded:' }
  // embedded:./folder, embedded:/folder and embedded:///folder
  const folder = resolve(path.replace(/^\/\/(?=\/)/, ''))
  const label = `embedded:${folder}`
  return { kind: 'embedded', scheme: 'embedded:', folder, label, identity: label }
}
