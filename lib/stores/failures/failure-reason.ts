import { errorCodeOf } from './error-code.ts'
import { storeRefusalOf } from './store-refusal.ts'

/** Why a datastore cannot be reached, in words that contain no credential, no address and none of the datastore's text. */
export function failureReason(error: unknown): string {
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : ''
  const known = (code === null ? undefined : REASONS[code]) ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1]
  return known ?? storeRefusalOf(error)?.reason ?? (code ? `error ${code}` : 'it does not answer')
}

const DAMAGED = 'its files are damaged or incomplete; restore them from a backup, or remove the folder to start over'

const UNTRUSTED =
  'its certificate is not signed by a trusted authority: pass its certificate as `tls.ca`, or the file as sslrootcert'
const CLIENT_CERTIFICATE = 'it requires a client certificate: set `tls.cert` and `tls.key`, or the files as sslcert and sslkey'

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'connection refused; is it running, and are host and port right?',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'there is no such file or socket',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host: use the host in the certificate, or set `tls.servername`',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: CLIENT_CERTIFICATE,
  '28P01': 'wrong user name or password',
  28000:
    'the server does not accept this user from here: it may want TLS (sslmode=require), a client certificate, or a line in its pg_hba.conf',
  '3D000': 'the database does not exist: create it',
  42501: 'the user may not create a schema in this database',
  53300:
    'the server is full: it has no connection left for this user. Raise its max_connections, lower maxConnections of its ' +
      'clients, or put a pooler in front',
  '57P03': 'the server is starting up or shutting down',
  XX001: DAMAGED,
  XX002: DAMAGED,
  '58P01': DAMAGED,
  PASSWORD_FUNCTION_FAILED: 'the function `password` failed, or did not return a string',
  FILES_NOT_OPENED:
    'its files cannot be opened. If the disk is not full, the files may be read and written, and the same version of PGlite made them, ' +
      'they are damaged: restore them from a backup, or remove the folder to start over'
}

const MESSAGES: ReadonlyArray<[RegExp, string]> = [
  [/NOAUTH|password must be a string|SASL/i, 'a password is needed'],
  [/WRONGPASS|invalid password|AUTH/i, 'wrong user name or password'],
  [/max number of clients/i, 'the server is full: as many clients are connected as its `maxclients` allows'],
  [/DB index/i, 'the database number is out of range'],
  [/does not support SSL/, 'the server does not speak TLS: turn it on there, or write sslmode=disable where the network is trusted'],
  [/certificate|self-signed|TLS|SSL/i, 'the TLS handshake failed: check the scheme and the certificate'],
  [/within|timeout|timed out/i, 'no answer in time']
]

function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  return errorCodeOf(error)
}
