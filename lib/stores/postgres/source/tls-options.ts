import { checkServerIdentity, createSecureContext, type ConnectionOptions } from 'node:tls'
import { isUnset } from '../../../input/unset-problems.ts'
import { isPem, readPem } from '../../source/read-pem.ts'
import { refuseSource } from '../../source/refuse-source.ts'
import type { PostgresAddress } from './postgres-url.ts'

/** Which one to try first if either is acceptable; see `settleTls`. */
export type OptionalTls = 'encrypted first' | 'plain first' | null

interface TlsSettings {
  /** In pg's format. */
  readonly ssl: false | ConnectionOptions
  readonly optional: OptionalTls
}

/**
 * Implements `sslmode` as PostgreSQL documents it, https://www.postgresql.org/docs/current/libpq-ssl.html. pg reads it differently: it
 * treats `require` as `verify-full`. Two things differ here. Without `sslmode`, a connection is not encrypted, or it is fully verified if
 * certificates are given. And `verify-full` without `sslrootcert` trusts the authorities that Node trusts. Throws INVALID_OPTIONS, also if
 * a file cannot be read.
 */
export function toTlsOptions(
  { host, tls: parameters, channelBinding }: PostgresAddress, tls: boolean | ConnectionOptions | undefined, where: string
): TlsSettings {
  const settings = tls === undefined ? fromParameters(parameters, where) : fromOptions(tls, host, where)
  if (tls !== undefined && Object.values(parameters).some(value => value !== null && value !== parameters.negotiation)) {
    refuseSource(`${where} has parameters that begin with ssl, and the option tls is set: leave one out`)
  }
  const isSocket = host?.startsWith('/') === true
  if (isSocket && typeof tls !== 'undefined' && tls !== false)
    refuseSource(`${where} is a Unix socket, which does not use TLS: leave out tls`)
  const found = isSocket ? PLAIN : settings
  const isVerified = found.ssl !== false && found.optional === null && found.ssl.rejectUnauthorized !== false &&
    found.ssl.checkServerIdentity === undefined
  if (channelBinding === 'require' && !isVerified) {
    refuseSource(
      `${where} has channel_binding=require, which cannot be guaranteed: write sslmode=verify-full for the same ` +
        'protection, or channel_binding=prefer'
    )
  }
  if (found.ssl === false && parameters.negotiation === 'direct')
    refuseSource(`${where} has sslnegotiation=direct, which needs sslmode=require, verify-ca or verify-full`)
  if (found.ssl !== false) checkMaterial(found.ssl, where)
  return found
}

const PLAIN: TlsSettings = { ssl: false, optional: null }

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

function fromParameters({ mode: said, rootCert, cert, key, passphrase }: PostgresAddress['tls'], where: string): TlsSettings {
  // libpq's own variable. pg also reads it, but interprets it differently.
  const fromEnvironment = said === null && process.env['PGSSLMODE'] ? process.env['PGSSLMODE'] : null
  const mode = said ?? fromEnvironment ?? ((rootCert ?? cert ?? key) === null ? 'disable' : 'verify-full')
  if (!(MODES as readonly string[]).includes(mode)) {
    const hint = mode === 'no-verify' ? ' (no-verify is called require)' : ''
    refuseSource(
      `${fromEnvironment === null ? `sslmode in ${where}` : 'the environment variable PGSSLMODE'} must be one of ${MODES.join(', ')}${hint}`
    )
  }
  if ((cert === null) !== (key === null))
    refuseSource(`${where} has ${cert === null ? 'sslkey without sslcert' : 'sslcert without sslkey'}: a client certificate needs both`)
  if (mode === 'disable') return PLAIN
  const isSystem = rootCert === 'system'
  if (isSystem && mode !== 'verify-full') refuseSource(`${where} has sslrootcert=system, which needs sslmode=verify-full`)
  if (mode === 'verify-ca' && rootCert === null) {
    refuseSource(
      `${where} has sslmode=verify-ca without sslrootcert, so any certificate of any authority would pass. Add ` +
        'sslrootcert=/path/to/ca.pem, ' +
        'or write sslmode=verify-full'
    )
  }
  const ca = rootCert === null || isSystem ? null : read(rootCert, 'sslrootcert', where)
  const verifiesName = mode === 'verify-full'
  // With a root certificate, require means verify-ca.
  const verifiesCertificate = verifiesName || mode === 'verify-ca' || mode === 'require' && ca !== null
  const ssl: ConnectionOptions = {
    ...(ca !== null && { ca }),
    ...(cert !== null && key !== null && { cert: read(cert, 'sslcert', where), key: read(key, 'sslkey', where) }),
    ...(passphrase !== null && { passphrase }),
    ...(!verifiesCertificate && { rejectUnauthorized: false }),
    ...(verifiesCertificate && !verifiesName && { checkServerIdentity: () => undefined })
  }
  return { ssl, optional: mode === 'prefer' ? 'encrypted first' : mode === 'allow' ? 'plain first' : null }
}

function fromOptions(tls: boolean | ConnectionOptions, host: string | null, where: string): TlsSettings {
  if (tls === false) return PLAIN
  if (tls === true) return { ssl: {}, optional: null }
  for (const [name, value] of Object.entries(tls)) {
    if (isUnset(value))
      refuseSource(`tls.${name} of ${where} has no value (is an environment variable not set?): give it one, or leave it out`)
    if ((name === 'ca' || name === 'cert' || name === 'key') && typeof value === 'string' && !isPem(value)) {
      refuseSource(`tls.${name} of ${where} must be the text of a PEM file, not its path: readFileSync(path)`)
    }
  }
  const { servername } = tls
  // pg always sends the name of the host.
  const checksName = servername !== undefined && servername !== host && tls.checkServerIdentity === undefined
  return {
    ssl: { ...tls, ...(checksName && { checkServerIdentity: (_name, certificate) => checkServerIdentity(servername, certificate) }) },
    optional: null
  }
}

function read(file: string, parameter: string, where: string): string {
  return readPem(file, problem => refuseSource(`${parameter} in ${where} names the file ${JSON.stringify(file)}, which ${problem}`))
}

/** Otherwise a key that does not match its certificate would fail every connection with OpenSSL's message. */
function checkMaterial(ssl: ConnectionOptions, where: string): void {
  try {
    createSecureContext(ssl)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    refuseSource(`the TLS certificates of ${where} cannot be used: ${code ?? message.slice(0, 200)}`)
  }
}
