import { SCRIPT_ERROR } from '../../stores/redis/script-error.ts'
import { errorCodeOf } from '../../stores/failures/error-code.ts'
import { DeadlineError } from '../../time/deadline.ts'
import { storeRefusalOf } from '../../stores/failures/store-refusal.ts'

/**
 * Whether the broker cannot or will not do this at the moment, so the call is worth retrying. For background work this includes refusals
 * that need an operator (stores/failures/store-refusal.ts): until they are fixed, they must not change the outcome of an execution.
 */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof DeadlineError) return true
  const code = errorCodeOf(error)
  if (code !== null && (code in SOCKET_CODES || POSTGRES_CODES.test(code))) return true
  return REDIS_CODES.test(error.message) || CLIENT_MESSAGES.test(error.message) || storeRefusalOf(error) !== null
}

/**
 * Redis error codes: the first word of the reply, or in 6.2 after "ERR Error running script … -" for errors in a script.
 * Sources: `createSharedObjects` in redis/src/server.c; https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors
 */
const REDIS_REFUSALS = {
  // https://redis.io/docs/latest/operate/oss_and_stack/management/replication/ (min-replicas-to-write, replica-serve-stale-data,
  // replica-read-only)
  NOREPLICAS: 'fewer replicas are connected than min-replicas-to-write asks for',
  MASTERDOWN: 'a replica that lost its master and serves no stale data',
  READONLY: 'a replica: the server was demoted in a failover',
  UNBLOCKED: 'a blocking command ended because the server became a replica',
  // https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/ (stop-writes-on-bgsave-error, appendfsync)
  MISCONF: 'the last snapshot, or write to the append-only file, failed',
  LOADING: 'the server is still loading its data',
  // https://redis.io/docs/latest/develop/reference/eviction/
  OOM: 'more memory is used than maxmemory allows',
  // https://redis.io/docs/latest/develop/programmability/ (busy-reply-threshold)
  BUSY: 'a script or a function takes too long',
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
  CLUSTERDOWN: 'the cluster does not serve this slot',
  TRYAGAIN: 'the slot is being moved to another node',
  // After it sent the full script to a node once, the client sends only the digest. But that node may have redirected the first call.
  NOSCRIPT: 'the node does not know the script yet, and has run nothing'
} satisfies Record<string, string>
const REDIS_CODES = new RegExp(`^(?:${SCRIPT_ERROR})?(?:${Object.keys(REDIS_REFUSALS).join('|')})\\b`)

/**
 * SQLSTATE, PostgreSQL's appendix A: https://www.postgresql.org/docs/current/errcodes-appendix.html. A class is its first two characters.
 */
const POSTGRES_REFUSALS = {
  '08...': 'connection exception',
  25006: 'read_only_sql_transaction: the server was demoted, or default_transaction_read_only is on',
  40001: 'serialization_failure',
  40003: 'statement_completion_unknown',
  '40P01': 'deadlock_detected',
  '53...': 'insufficient resources: disk full, out of memory, too many connections',
  '55P03': 'lock_not_available: lock_timeout',
  57014: 'query_canceled: statement_timeout, or someone cancelled it',
  '57P0.': 'admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout',
  '58...': 'system error: the disk or the operating system'
} satisfies Record<string, string>
const POSTGRES_CODES = new RegExp(`^(?:${Object.keys(POSTGRES_REFUSALS).join('|')})$`)

/** https://nodejs.org/api/errors.html#common-system-errors and https://nodejs.org/api/dns.html#error-codes */
const SOCKET_CODES = {
  ECONNRESET: 'connection reset', ECONNREFUSED: 'nothing listens there', EPIPE: 'connection closed', ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'no route', ENETUNREACH: 'no route',
  EAI_AGAIN: 'the name server does not answer', ENOTFOUND: 'unknown host, which may be temporary'
} satisfies Record<string, string>

/** Client messages that have no code: pg, then ioredis, then its cluster. */
const CLIENT_MESSAGES = new RegExp(`^(?:${[
  'Connection terminated', 'timeout exceeded when trying to connect', 'Query read timeout',
  'Client (?:was closed|has encountered a connection error)', 'Connection is closed\\.', 'Command timed out', 'Socket timeout\\.',
  'Stream isn\'t writeable', 'Reached the max retries per request limit', 'None of startup nodes is available',
  'Failed to refresh slots cache', 'Cluster isn\'t ready', 'Too many Cluster redirections'
].join('|')})`)
