import { isTaskDashboardError } from '../../../errors.ts'
import { parsePostgresSource, type PostgresConnection, type PostgresSource } from '../../../stores/postgres/source/postgres-source.ts'
import { identityOf } from '../../../stores/source/identity-of.ts'

/** The schema that BullMQ uses if none is named. */
export const DEFAULT_SCHEMA = 'bullmq'

interface QueueOnPostgres { readonly source: PostgresSource; readonly schema: string }
interface NotCopied { readonly problem: string; readonly schema: string }

/** Options of pg that decide which server is reached, and how. All others are the owner's choice. */
interface OwnersConfig {
  readonly connectionString?: unknown
  readonly host?: unknown
  readonly port?: unknown
  readonly user?: unknown
  readonly database?: unknown
  readonly password?: unknown
  readonly ssl?: unknown
  readonly options?: unknown
  readonly enableChannelBinding?: unknown
  readonly sslnegotiation?: unknown
  readonly Client?: unknown
  readonly stream?: unknown
  readonly schema?: unknown
}

/** Whether only PostgreSQL has connections of this form. */
export function isOfPostgres(connection: unknown): boolean {
  if (typeof connection === 'string') return URL_PATTERN.test(connection)
  return typeof connection === 'object' && connection !== null && (isPool(connection) || 'connectionString' in connection)
}

/**
 * How to reach the server of a queue: from the URL or options that its owner gave to BullMQ, or from the options of the owner's `pg.Pool`,
 * which is never used itself.
 */
export function postgresOfQueue(connection: unknown): QueueOnPostgres | NotCopied {
  if (typeof connection === 'string') return toSource({ connectionString: connection }, DEFAULT_SCHEMA)
  if (typeof connection !== 'object' || connection === null) return { problem: 'it has no options', schema: DEFAULT_SCHEMA }
  if (!isPool(connection)) {
    const config = connection as OwnersConfig
    return toSource(config, typeof config.schema === 'string' && config.schema !== '' ? config.schema : DEFAULT_SCHEMA)
  }
  const config = (connection as { options?: unknown }).options
  return typeof config === 'object' && config !== null
    ? toSource(config, searchPathOf(config) ?? DEFAULT_SCHEMA)
    : { problem: 'its pool is not one of pg', schema: DEFAULT_SCHEMA }
}

/** As BullMQ tells a pool from options. */
function isPool(connection: object): boolean {
  return ['connect', 'query', 'end'].every(name => typeof (connection as Record<string, unknown>)[name] === 'function')
}

const URL_PATTERN = /^postgres(?:ql)?:/i

/** BullMQ leaves the schema to the pool of its owner. Reads the options as PostgreSQL does: `-c name=value`, of which the last counts. */
function searchPathOf({ options }: OwnersConfig): string | null {
  const words = typeof options === 'string' ? options.match(/(?:\\.|[^\s\\])+/gs) ?? [] : []
  const found = words.map(word => word.replace(/\\(.)/gs, '$1'))
    .flatMap((word, index, all) => /^(?:-c|--)(?=.)/.test(word) ? [word.slice(2)] : all[index - 1] === '-c' ? [word] : [])
    .findLast(setting => /^search[_-]path=/i.test(setting))
  const first = found === undefined ? null : /^\s*(?:"((?:[^"]|"")*)"|([^\s",]+))/.exec(found.slice('search_path='.length))
  return first?.[1]?.replaceAll('""', '"') ?? first?.[2]?.toLowerCase() ?? null
}

function toSource(config: OwnersConfig, schema: string): QueueOnPostgres | NotCopied {
  for (const name of ['Client', 'stream'] as const) if (config[name]) return { problem: `it has its own \`${name}\``, schema }
  const connection = connectionFrom(config)
  if (connection === null) return { problem: 'it is not a postgres: URL', schema }
  try {
    const source = parsePostgresSource(connection, 'postgres:', 'broker')
    const kept = Object.fromEntries(KEPT.filter(name => config[name]).map(name => [name, config[name]]))
    if (Object.keys(kept).length === 0) return { source, schema }
    return { source: { ...source, config: { ...source.config, ...kept }, identity: `${source.identity} ${identityOf(kept)}` }, schema }
  } catch (error) {
    if (!isTaskDashboardError(error)) throw error
    return { problem: error.message.replace(/^Invalid options: /, ''), schema }
  }
}

/** Some providers tell their customers apart by `options`. */
const KEPT = ['options', 'enableChannelBinding', 'sslnegotiation'] as const

/** Null if it names the server in a form of its own. pg ignores the other options of the address beside a URL. */
function connectionFrom({ connectionString, host, port, user, database, password, ssl }: OwnersConfig): PostgresConnection | null {
  const parts = { host, port, user, dbname: database }
  const url = connectionString
    ? typeof connectionString === 'string' && URL_PATTERN.test(connectionString) ? asLibpq(connectionString) : null
    : `postgres:///?${Object.entries(parts).filter(([, part]) => part)
      .map(([name, part]) => `${name}=${encodeURIComponent(String(part))}`).join('&')}`
  if (url === null) return null
  const tls = /[?&]ssl/.test(url) || ssl === undefined || ssl === null ? null : tlsOf(ssl)
  const isSecretGiven = (typeof password === 'function' || typeof password === 'string' && password !== '') && !hasPassword(url)
  return { url, ...tls !== null && { tls }, ...isSecretGiven && { password: password as NonNullable<PostgresConnection['password']> } }
}

function hasPassword(url: string): boolean {
  const [credentials = '', host] = url.replace(/^\w+:\/\//, '').split(/[/?#]/, 1)[0]!.split('@')
  return host !== undefined && credentials.includes(':') || /[?&]password=/.test(url)
}

/** pg-pool hides `key`, so a copy would lack it. */
function tlsOf(ssl: unknown): NonNullable<PostgresConnection['tls']> {
  if (typeof ssl !== 'object' || ssl === null) return ssl as boolean
  const { key } = ssl as { key?: unknown }
  return Object.fromEntries(Object.entries({ ...ssl, key }).filter(([, value]) => value !== undefined))
}

/** Writes a URL that pg understands as libpq does: in pg, `sslmode=require` verifies the server, and so must this connection. */
function asLibpq(url: string): string {
  const [address, query] = [url.split('?', 1)[0]!, url.split('?').slice(1).join('?')]
  if (query === '') return url
  const pairs = query.split('&')
  const isLibpq = pairs.includes('uselibpqcompat=true')
  const known = isLibpq ? pairs.filter(pair => pair !== 'uselibpqcompat=true') : pairs.map(pair => OF_PG.get(pair) ?? pair)
  return `${address}?${known.join('&')}`
}

const OF_PG: ReadonlyMap<string, string> = new Map([
  ...['sslmode=prefer', 'sslmode=require', 'sslmode=verify-ca', 'ssl=true', 'ssl=1'].map(pair => [pair, 'sslmode=verify-full'] as const),
  ['sslmode=no-verify', 'sslmode=require'], ['ssl=0', 'sslmode=disable']
])
