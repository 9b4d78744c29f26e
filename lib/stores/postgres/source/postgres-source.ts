import type { PoolConfig } from 'pg'
import { isUnset } from '../../../input/unset-problems.ts'
import { identityOf } from '../../source/identity-of.ts'
import { refuseSource } from '../../source/refuse-source.ts'
import type { StoreOptions } from '../../store.ts'
import { askForPassword } from './ask-for-password.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { parsePostgresUrl, type PostgresAddress } from './postgres-url.ts'
import { toTlsOptions, type OptionalTls } from './tls-options.ts'

export type { PostgresConnection }

/** A validated PostgreSQL connection. */
export interface PostgresSource {
  readonly kind: 'postgres'
  readonly scheme: string
  /** Host, credentials and encryption. All connections share the same `ssl` object, because pg mutates it. */
  readonly config: PoolConfig
  /** For `sslmode` prefer and allow: which way to try first. Null if `config` decides. */
  readonly optionalTls: OptionalTls
  /** Null for the default. */
  readonly maxConnections: number | null
  /** Connection that bypasses a pooler. Null if `config` leads to the server itself, or no direct URL was given. */
  readonly direct: PoolConfig | null
  /** Without credentials, for messages and logs. */
  readonly label: string
  /** Equal for two sources that open the same store. */
  readonly identity: string
}

/** @throws INVALID_OPTIONS */
export function parsePostgresSource(connection: PostgresConnection, scheme: string, role: StoreOptions['role']): PostgresSource {
  checkOptions(connection, role)
  const main = addressOf(connection, connection.url, `the URL of the ${role}`, connection.path)
  const direct = connection.directUrl === undefined ? null : addressOf(connection, connection.directUrl, `directUrl of the ${role}`)
  if (direct !== null && direct.address.max !== null)
    refuseSource(`directUrl of the ${role} has max: put it in url, or use maxConnections`)
  if (direct !== null && direct.optionalTls !== null)
    refuseSource(`directUrl of the ${role} has sslmode ${direct.address.tls.mode}: write disable, require, verify-ca or verify-full`)
  if (main.address.max !== null && connection.maxConnections !== undefined)
    refuseSource(`the ${role} has both maxConnections and max in its URL: leave one out`)
  return {
    kind: 'postgres',
    scheme,
    config: main.config,
    optionalTls: main.optionalTls,
    maxConnections: connection.maxConnections ?? main.address.max,
    direct: direct?.config ?? null,
    label: labelOf(scheme, main.address),
    identity: `postgres ${identityOf([
      ...[main, direct].map(each => each && withDefaults(each.address, connection)), connection.tls,
      connection.maxConnections ?? main.address.max
    ])}`
  }
}

interface ReadAddress {
  readonly address: PostgresAddress
  readonly config: PoolConfig
  readonly optionalTls: OptionalTls
}

function addressOf({ tls, password }: PostgresConnection, url: string, where: string, path?: string): ReadAddress {
  const address = parsePostgresUrl(url, where, path)
  if (password !== undefined && address.password !== null)
    refuseSource(`${where} has a password, and the option password is set: leave one out`)
  const { host, port, user, database, applicationName, connectTimeoutMs, channelBinding } = address
  const { ssl, optional } = toTlsOptions(address, tls, where)
  const secret = password ?? address.password
  const config: PoolConfig = {
    ...(host !== null && { host }),
    ...(port !== null && { port }),
    ...(user !== null && { user }),
    ...(database !== null && { database }),
    ...(secret !== null && { password: typeof secret === 'function' ? askForPassword(secret) : secret }),
    ssl,
    ...(ssl !== false && address.tls.negotiation !== null && { sslnegotiation: address.tls.negotiation }),
    ...(channelBinding !== null && { enableChannelBinding: true }),
    ...(applicationName !== null && { application_name: applicationName }),
    ...(connectTimeoutMs !== null && { connectionTimeoutMillis: connectTimeoutMs })
  }
  return { address, config, optionalTls: optional }
}

function withDefaults(address: PostgresAddress, { password }: PostgresConnection): object {
  return { ...address, port: address.port ?? 5432, max: null, password: password ?? address.password }
}

function labelOf(scheme: string, { host, port, database }: PostgresAddress): string {
  const path = database === null ? '' : `/${encodeURIComponent(database)}`
  if (host?.startsWith('/')) return `${scheme}//${path || '/'}?host=${host}${port === null ? '' : `&port=${port}`}`
  return `${scheme}//${host?.includes(':') ? `[${host}]` : host ?? ''}${port === null ? '' : `:${port}`}${path}`
}

const OPTIONS = ['url', 'tls', 'path', 'password', 'maxConnections', 'directUrl'] as const satisfies ReadonlyArray<keyof PostgresConnection>

function checkOptions(connection: PostgresConnection, role: StoreOptions['role']): void {
  for (const [name, value] of Object.entries(connection)) {
    if (!OPTIONS.includes(name as typeof OPTIONS[number])) {
      refuseSource(`the ${role} has an unknown option ${JSON.stringify(name.slice(0, 60))}: the options for PostgreSQL are ` +
        `${OPTIONS.join(', ')}`)
    }
    if (isUnset(value))
      refuseSource(`${name} of the ${role} has no value (is an environment variable not set?): give it one, or leave it out`)
  }
  const { tls, path, password, maxConnections, directUrl } = connection
  if (tls !== undefined && typeof tls !== 'boolean' && (typeof tls !== 'object' || Array.isArray(tls)))
    refuseSource(`tls of the ${role} must be true, false, or options of Node's tls.connect`)
  if (path !== undefined && (typeof path !== 'string' || !path.startsWith('/')))
    refuseSource(`path of the ${role} must be the folder of a Unix socket, for example /var/run/postgresql`)
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    refuseSource(`password of the ${role} must be a string, or a function that returns one`)
  if (maxConnections !== undefined && !(Number.isInteger(maxConnections) && maxConnections >= 2 && maxConnections <= 1_000)) {
    refuseSource(`maxConnections of the ${role} must be a whole number from 2 to 1,000`)
  }
  if (directUrl !== undefined && (typeof directUrl !== 'string' || !/^postgres(?:ql)?:/i.test(directUrl)))
    refuseSource(`directUrl of the ${role} must be a URL that begins with postgres: or postgresql:`)
}
