import { resolve } from 'node:path'
import { createTaskDashboardError } from '../errors.ts'
import type { StoreOptions } from './store.ts'

/** A store's URL, checked. `folder` is null for an embedded store in memory. */
export type StoreUrl = ServerUrl<'redis'> | ServerUrl<'postgres'> | EmbeddedUrl

export interface ServerUrl<Kind> { readonly kind: Kind; readonly scheme: string; readonly url: string; readonly label: string }
export interface EmbeddedUrl { readonly kind: 'embedded'; readonly scheme: 'embedded:'; readonly folder: string | null; readonly label: string }

/** Throws UNKNOWN_URL_SCHEME or INVALID_OPTIONS. */
export function parseStoreUrl(text: string, role: StoreOptions['role']): StoreUrl {
  const scheme = /^([a-z][a-z0-9+.-]*:)/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) throw createTaskDashboardError('INVALID_OPTIONS', [`the ${role} needs a URL such as redis://localhost:6379/0`])
  if (scheme === 'embedded:') return parseEmbeddedUrl(text.slice(scheme.length))
  const kind = KINDS[scheme]
  if (kind === undefined) throw createTaskDashboardError('UNKNOWN_URL_SCHEME', [scheme, role, `${URL_SCHEMES.slice(0, -1).join(', ')} or ${URL_SCHEMES.at(-1)!}`])

  const url = parseServerUrl(text, role)
  const shown = new URL(url.href)
  shown.username = shown.password = shown.search = ''
  if (kind === 'redis') checkRedisDatabase(url, role)
  return { kind, scheme, url: url.href, label: shown.href }
}

/** Whether both URLs open the same store, so that one instance serves both. Throws as `parseStoreUrl`. */
export function isSameStore(broker: string, backend: string): boolean {
  return identityOf(broker, 'broker') === identityOf(backend, 'result backend')
}

const KINDS: Record<string, 'redis' | 'postgres'> = {
  'redis:': 'redis', 'rediss:': 'redis', 'valkey:': 'redis', 'valkeys:': 'redis', 'postgres:': 'postgres', 'postgresql:': 'postgres'
}

/** Schemes of the URLs that are understood, as a URL begins. */
export const URL_SCHEMES: readonly string[] = [...Object.keys(KINDS), 'embedded:']

const DEFAULT_PORTS = { redis: '6379', postgres: '5432' }

function parseEmbeddedUrl(path: string): StoreUrl {
  if (path === '') return { kind: 'embedded', scheme: 'embedded:', folder: null, label: 'embedded:' }
  // embedded:./folder, embedded:/folder and embedded:///folder
  const folder = resolve(path.replace(/^\/\/(?=\/)/, ''))
  return { kind: 'embedded', scheme: 'embedded:', folder, label: `embedded:${folder}` }
}

function parseServerUrl(text: string, role: StoreOptions['role']): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} is not valid: check its host and port (1 to 65535), and percent-encode special characters of the password`])
  }
  if (url.port === '0') throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} has port 0: use 1 to 65535`])
  return url
}

function checkRedisDatabase(url: URL, role: StoreOptions['role']): void {
  if (/^\/?\d{0,9}$/.test(url.pathname)) return
  throw createTaskDashboardError('INVALID_OPTIONS', [`the path in the URL of the ${role} is the number of a Redis database, for example redis://localhost:6379/1`])
}

function identityOf(text: string, role: StoreOptions['role']): string {
  const url = parseStoreUrl(text, role)
  if (url.kind === 'embedded') return url.label
  const parts = new URL(url.url)
  const port = parts.port || DEFAULT_PORTS[url.kind]
  const path = url.kind === 'redis' ? Number(parts.pathname.slice(1) || 0) : parts.pathname
  const isEncrypted = url.kind === 'redis' && /^(rediss|valkeys):$/.test(url.scheme)
  return [url.kind, isEncrypted, parts.username, parts.password, parts.hostname.toLowerCase(), port, path, parts.search].join(' ')
}
