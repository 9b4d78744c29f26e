import { percentDecoded } from '../../source/percent-decoded.ts'
import { refuseSource } from '../../source/refuse-source.ts'

/** The contents of a PostgreSQL URL. Null for omitted parts, which pg takes from the environment (`PGHOST`, `PGUSER`, …). */
export interface PostgresAddress {
  /** A host name, an address, or the folder of a Unix socket. */
  readonly host: string | null
  readonly port: number | null
  readonly user: string | null
  readonly password: string | null
  readonly database: string | null
  readonly max: number | null
  readonly applicationName: string | null
  readonly connectTimeoutMs: number | null
  readonly channelBinding: 'prefer' | 'require' | null
  readonly tls: TlsParameters
}

export interface TlsParameters {
  readonly mode: string | null
  readonly rootCert: string | null
  readonly cert: string | null
  readonly key: string | null
  readonly passphrase: string | null
  readonly negotiation: 'postgres' | 'direct' | null
}

/**
 * Parses a URL as libpq does, with fewer parameters. Unknown parameters are refused: pg would ignore them or pass them to the server, where
 * `options` replaces settings that this package needs. Throws INVALID_OPTIONS, which names `where` and reveals only parameter names of the
 * URL.
 * @param path the folder of a Unix socket, from another option
 */
export function parsePostgresUrl(text: string, where: string, path?: string): PostgresAddress {
  const url = parseUrl(text, where)
  const parameters = readParameters(url, where)
  const take = (name: Parameter): string | null => parameters.get(name) ?? null
  const one = (name: Parameter, part: string, what: string): string | null => {
    if (part !== '' && parameters.has(name)) refuseSource(`${where} has ${what} twice: leave out the parameter ${name}`)
    return part === '' ? take(name) : percentDecoded(part, `${what} in ${where}`)
  }
  const socket = path ?? take('path')
  const named = one('host', url.hostname === NO_HOST ? '' : url.hostname.replace(/^\[(.+)\]$/, '$1'), 'the host')
  if (socket !== null && named !== null)
    refuseSource(`${where} has both a host and the path of a Unix socket: leave one out, as in postgres:///database`)
  const ofSocket = socket === null ? null : /^(.+)\/\.s\.PGSQL\.(\d{1,5})$/.exec(socket)
  const host = ofSocket?.[1] ?? socket ?? named
  if (host?.includes(',')) refuseSource(`${where} has several hosts: give one name that leads to the primary`)
  if (host !== null && /[\s\0]/.test(host)) refuseSource(`${where} has a host with a space`)
  const portText = one('port', url.port, 'the port') ?? ofSocket?.[2] ?? null
  const mode = take('sslmode')
  return {
    host: host?.startsWith('/') ? host : host?.toLowerCase() ?? null,
    port: portText === null ? null : wholeNumber(portText, 1, 65_535, `the port in ${where}`),
    user: one('user', url.username, 'the user'),
    password: one('password', url.password, 'the password'),
    database: one('dbname', url.pathname.replace(/^\//, ''), 'the database'),
    max: optionalNumber(take('max'), 2, 1_000, `max in ${where}`),
    applicationName: take('application_name'),
    connectTimeoutMs: secondsToMs(optionalNumber(take('connect_timeout'), 1, 600, `connect_timeout in ${where}`)),
    channelBinding: oneOf(take('channel_binding'), ['disable', 'prefer', 'require'], `channel_binding in ${where}`, 'disable'),
    tls: {
      mode,
      rootCert: take('sslrootcert'),
      cert: take('sslcert'),
      key: take('sslkey'),
      passphrase: take('sslpassword'),
      negotiation: oneOf(take('sslnegotiation'), ['postgres', 'direct'], `sslnegotiation in ${where}`)
    }
  }
}

const PARAMETERS = [
  'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword', 'sslnegotiation', 'channel_binding', 'host', 'port', 'user', 'password',
  'dbname', 'path', 'max', 'application_name', 'connect_timeout'
] as const
type Parameter = typeof PARAMETERS[number]

/** Parameters of other clients, and those that would break this package. */
const HINTS: Readonly<Record<string, string>> = {
  ssl: 'write sslmode=require to encrypt, or sslmode=verify-full to check the certificate too',
  tls: 'write sslmode=verify-full',
  ca: 'write sslrootcert=/path/to/ca.pem',
  options: 'settings of the session come from this package; for others use ALTER ROLE … SET',
  search_path: 'the option namespace decides which schemas hold the tables',
  schema: 'the option namespace decides which schemas hold the tables',
  pgbouncer: 'leave it out',
  uselibpqcompat: 'leave it out: sslmode has the same meaning as in libpq',
  connection_limit: 'write max',
  pool_max: 'write max',
  target_session_attrs: 'give one host that points to the primary; a standby is refused at start'
}

function readParameters(url: URL, where: string): ReadonlyMap<Parameter, string> {
  const known = new Map<Parameter, string>()
  for (const pair of url.search.slice(1).split('&')) {
    if (pair === '') continue
    const [rawName, ...rest] = pair.split('=')
    const name = percentDecoded(rawName!, `a parameter in ${where}`)
    const hint = Object.hasOwn(HINTS, name) ? ` (${HINTS[name]})` : ''
    if (!isKnown(name))
      refuseSource(`${where} has the unknown parameter ${JSON.stringify(name.slice(0, 60))}${hint}: the known ones are ` +
        `${PARAMETERS.join(', ')}`)
    if (known.has(name)) refuseSource(`${where} has the parameter ${name} twice`)
    // A plus sign is literal, as in libpq.
    const value = percentDecoded(rest.join('='), `${name} in ${where}`)
    if (value === '') refuseSource(`${where} has the parameter ${name} without a value: give it one, or leave it out`)
    known.set(name, value)
  }
  return known
}

function isKnown(name: string): name is Parameter {
  return (PARAMETERS as readonly string[]).includes(name)
}

function parseUrl(text: string, where: string): URL {
  const start = /^[a-z]+:\/\//i.exec(text)?.[0] ?? ''
  const authority = start === '' ? '' : /^[^/?#]*/.exec(text.slice(start.length))![0]
  const rest = text.slice(start.length + authority.length)
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(','))
    refuseSource(`${where} has several hosts: give one name that leads to the primary`)
  let url: URL
  try {
    // libpq's form for sockets is not a valid URL: postgres://user@/database?host=/var/run/postgresql
    url = new URL(authority.endsWith('@') ? start + authority + NO_HOST + rest : text)
  } catch {
    refuseSource(`${where} is not valid: check its host and port (1 to 65535), and percent-encode special characters of the password`)
  }
  if (url.hash !== '') refuseSource(`${where} has a #: write %23 for it`)
  return url
}

/** A URL with a user must have a host. */
const NO_HOST = 'no-host.invalid'

function wholeNumber(text: string, from: number, to: number, what: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
  if (!(number >= from && number <= to)) refuseSource(`${what} must be a whole number from ${from} to ${to}`)
  return number
}

function optionalNumber(text: string | null, from: number, to: number, what: string): number | null {
  return text === null ? null : wholeNumber(text, from, to, what)
}

function secondsToMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1_000
}

function oneOf<Value extends string, None extends Value = never>(
  text: string | null, values: readonly Value[], what: string, none?: None
): Exclude<Value, None> | null {
  if (text === null || text === none) return null
  if (!(values as readonly string[]).includes(text)) refuseSource(`${what} must be one of ${values.join(', ')}`)
  return text as Exclude<Value, None>
}
