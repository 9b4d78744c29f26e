import { createTaskDashboardError } from '../../../errors.ts'
import { percentDecoded } from '../../source/percent-decoded.ts'
import { readPem } from '../../source/read-pem.ts'
import { parseServerUrl } from '../../source/server-url.ts'
import type { StoreOptions } from '../../store.ts'
import type { RedisConnection, RedisTls } from './redis-connection.ts'

/** The contents of a URL, as fields of a connection. */
export interface RedisUrl extends Omit<RedisConnection, 'url' | 'redis' | 'tls'> {
  host?: string
  port?: number
  family?: number
  tls: false | RedisTls
}

/** Parameters of the URL; docs/configuration.md documents them all. */
const PARAMETERS = ['db', 'path', 'family', 'sslrootcert', 'sslcert', 'sslkey'] as const
const SENTINEL_PARAMETERS = ['name', 'db', 'sentinelUsername', 'sentinelPassword', 'sslrootcert', 'sslcert', 'sslkey'] as const
const SOCKET_PARAMETERS = ['db'] as const
/** Names that other clients use. */
const ALIASES: ReadonlyMap<string, string> = new Map([['database', 'db'], ['sentinelMasterId', 'name'], ['virtual_host', 'db']])

/**
 * Throws INVALID_OPTIONS. Messages contain no part of the URL that may be a password.
 * @param scheme one of `URL_SCHEMES`, whichever spelling the text uses
 */
export function parseRedisUrl(text: string, scheme: string, role: StoreOptions['role']): RedisUrl {
  const refuse = (problem: string): never => { throw createTaskDashboardError('INVALID_OPTIONS', [problem]) }
  const { authority, path, query, fragment } = partsOf(text.slice(text.indexOf(':') + 1))
  const at = authority.lastIndexOf('@')
  const hosts = authority.slice(at + 1)
  const [username, password] = credentialsOf(authority.slice(0, Math.max(at, 0)), role)
  const isSentinel = scheme === 'redis-sentinel:' || scheme === 'rediss-sentinel:'
  const isSocket = scheme === 'unix:'
  const known = isSentinel ? SENTINEL_PARAMETERS : isSocket ? SOCKET_PARAMETERS : PARAMETERS
  if (fragment !== undefined && !isSentinel)
    refuse(`the URL of the ${role} has a # in it: percent-encode special characters of the password (# is %23)`)
  const parameters = parametersOf(query, known, role)
  const tls = tlsOf(scheme, parameters, role)
  const credentials = { ...(username !== '' && { username }), ...(password !== undefined && { password }) }

  if (isSentinel) {
    const { name, database } = groupOf(path, role)
    const primary = parameters.name ?? (fragment === undefined ? name : percentDecoded(fragment, `the name in the URL of the ${role}`))
    const { sentinelUsername, sentinelPassword } = parameters
    return {
      ...credentials, tls, sentinels: hosts.split(',').map(host => hostOf(host, role)),
      ...(primary !== undefined && { name: primary }), ...databaseOf(database, parameters.db, role),
      ...(sentinelUsername !== undefined && { sentinelUsername }), ...(sentinelPassword !== undefined && { sentinelPassword })
    }
  }
  if (hosts.includes(',')) {
    refuse(`the URL of the ${role} names several hosts: for Redis Sentinel write redis-sentinel://host1:26379,host2:26379/mymaster; ` +
      'for a Redis Cluster give a single node')
  }
  // A number is a database, even if there is no host before it.
  const isPath = hosts === '' && path.startsWith('/') && !/^\/\d*$/.test(path)
  const socket = parameters.path ?? (isSocket || isPath ? percentDecoded(path, `the path in the URL of the ${role}`) : undefined)
  if (socket !== undefined) {
    if (!socket.startsWith('/') || socket === '/')
      refuse(`the URL of the ${role} needs the absolute path of a socket, for example unix:///run/redis/redis.sock`)
    if (isSocket && hosts !== '')
      refuse(`the URL of the ${role} has a host: the path of a unix socket begins with the third slash, unix:///run/redis/redis.sock`)
    return {
      ...credentials, tls, path: socket, ...databaseOf(parameters.path === undefined ? '' : numberOf(path, role), parameters.db, role)
    }
  }
  const { family } = parameters
  if (family !== undefined && !/^[046]$/.test(family)) refuse(`the parameter family in the URL of the ${role} must be 4 or 6`)
  const place = { ...hostOf(hosts, role), ...databaseOf(numberOf(path, role), parameters.db, role) }
  return { ...credentials, tls, ...place, ...(family !== undefined && { family: Number(family) }) }
}

/** A non-numeric port is often an unencoded password, and Node's URL parser would fail without a useful message. */
function partsOf(text: string): { authority: string; path: string; query: string; fragment: string | undefined } {
  const [beforeFragment, fragment] = splitAt(text, text.indexOf('#'))
  const [beforeQuery, query = ''] = splitAt(beforeFragment, beforeFragment.indexOf('?'))
  if (!beforeQuery.startsWith('//')) return { authority: '', path: beforeQuery, query, fragment }
  const slash = beforeQuery.indexOf('/', 2)
  return slash < 0
    ? { authority: beforeQuery.slice(2), path: '', query, fragment }
    : { authority: beforeQuery.slice(2, slash), path: beforeQuery.slice(slash), query, fragment }
}

function splitAt(text: string, at: number): [string, string?] {
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

function credentialsOf(text: string, role: StoreOptions['role']): [username: string, password: string | undefined] {
  const colon = text.indexOf(':')
  const [username, password] = colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
  return [
    percentDecoded(username, `the user in the URL of the ${role}`),
    password === undefined || password === '' ? undefined : percentDecoded(password, `the password in the URL of the ${role}`)
  ]
}

/** `parseServerUrl` checks host and port. */
function hostOf(text: string, role: StoreOptions['role']): { host: string; port?: number } {
  const { hostname, port } = parseServerUrl(`redis://${text}`, role)
  return { host: hostname.replace(/^\[|\]$/g, '').toLowerCase() || 'localhost', ...(port !== '' && { port: Number(port) }) }
}

function numberOf(path: string, role: StoreOptions['role']): string {
  if (/^\/?\d{0,9}$/.test(path)) return path.slice(1)
  const isOfPassword = path.includes('@')
  throw createTaskDashboardError('INVALID_OPTIONS', [isOfPassword
    ? `the URL of the ${role} has a / before its host: percent-encode special characters of the password (/ is %2F)`
    : `the path in the URL of the ${role} must be the number of a Redis database, for example redis://localhost:6379/1`])
}

/** For sentinels: `/mymaster`, `/mymaster/1`, `/1` or nothing. */
function groupOf(path: string, role: StoreOptions['role']): { name?: string; database: string } {
  const [, name, database] = /^\/?(?:([^/]*?)(?:\/(\d{0,9}))?)$/.exec(path) ?? []
  if (name === undefined) {
    throw createTaskDashboardError('INVALID_OPTIONS', [`the path in the URL of the ${role} must be the name of the primary and the ` +
      'number of a database: redis-sentinel://host:26379/mymaster/1'])
  }
  if (database === undefined && /^\d{1,9}$/.test(name)) return { database: name }
  return { ...(name !== '' && { name: percentDecoded(name, `the name in the URL of the ${role}`) }), database: database ?? '' }
}

function databaseOf(inPath: string, parameter: string | undefined, role: StoreOptions['role']): { database?: number } {
  if (parameter !== undefined && !/^\d{1,9}$/.test(parameter))
    throw createTaskDashboardError('INVALID_OPTIONS', [`the parameter db in the URL of the ${role} must be the number of a Redis database`])
  if (parameter !== undefined && inPath !== '' && Number(inPath) !== Number(parameter)) {
    throw createTaskDashboardError(
      'INVALID_OPTIONS', [`the URL of the ${role} names two databases, one in its path and one in the parameter db: leave one of them out`]
    )
  }
  const database = inPath === '' ? parameter : inPath
  return database === undefined ? {} : { database: Number(database) }
}

function parametersOf(query: string, known: readonly string[], role: StoreOptions['role']): Record<string, string | undefined> {
  const found: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const [key, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    const name = ALIASES.get(key) ?? key
    const list = `known are ${known.join(', ')}`
    if (!known.includes(name))
      throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} has ${unknownName(key)}: ${list}${HINTS.get(key) ?? ''}`])
    if (found[name] !== undefined)
      throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} has the parameter ${name} twice`])
    if (value === '') {
      throw createTaskDashboardError(
        'INVALID_OPTIONS', [`the parameter ${name} in the URL of the ${role} is empty (is an environment variable not set?)`]
      )
    }
    found[name] = value
  }
  return found
}

/** After an unencoded ? in a password, the name is part of the password. */
function unknownName(key: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]{0,30}$/.test(key)
    ? `the unknown parameter ${key}`
    : 'an unknown parameter (a ? in a password is written %3F)'
}

const WITH_FILES =
  '. For TLS write rediss:. For your own certificates add sslrootcert, sslcert and sslkey with file paths, or pass an object with `tls`'
const HINTS: ReadonlyMap<string, string> = new Map(Object.entries({
  tls: WITH_FILES, ssl: WITH_FILES, ca: WITH_FILES, cert: WITH_FILES, key: WITH_FILES, sslmode: WITH_FILES, rejectUnauthorized: WITH_FILES,
  keyPrefix: '. Use the option `namespace` to keep queue apps apart',
  password: '. Put the password before the host, redis://:password@host, or pass an object with `password`'
}))

function tlsOf(scheme: string, parameters: Record<string, string | undefined>, role: StoreOptions['role']): false | RedisTls {
  const isEncrypted = /^(rediss|valkeys|rediss-sentinel):$/.test(scheme)
  const files = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const
  const tls = Object.fromEntries(Object.entries(files).flatMap(([option, parameter]) => {
    const path = parameters[parameter]
    if (path === undefined) return []
    if (!isEncrypted) {
      throw createTaskDashboardError(
        'INVALID_OPTIONS',
        [`the URL of the ${role} has ${parameter} but does not encrypt: write ${scheme.replace(/^(redis|valkey)/, '$1s')}`]
      )
    }
    const refuse = (problem: string): never => {
      throw createTaskDashboardError(
        'INVALID_OPTIONS', [`the file ${path} of the parameter ${parameter} in the URL of the ${role} ${problem}`]
      )
    }
    return [[option, readPem(path, refuse)]]
  }))
  if ((tls.cert === undefined) !== (tls.key === undefined))
    throw createTaskDashboardError('INVALID_OPTIONS', [`the URL of the ${role} needs both sslcert and sslkey`])
  return isEncrypted && tls
}
