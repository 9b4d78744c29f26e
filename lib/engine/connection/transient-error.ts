import { SCRIPT_ERROR } from '../../stores/redis/script-error.ts'
import { errorCodeOf } from '../../stores/failures/error-code.ts'
import { storeRefusalOf } from '../../stores/failures/store-refusal.ts'

/**
 * Whether the broker could not, or would not, do it for now: the same call is worth making again. So it is, for background work, with what
 * does not pass by itself (stores/failures/store-refusal.ts): somebody puts it right, and until then it must not change what comes of an
 * execution.
 */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = errorCodeOf(error)
  if (code !== null && (code in SOCKET_CODES || POSTGRES_CODES.test(code))) return true
  return REDIS_CODES.test(error.message) || CLIENT_MESSAGES.test(error.message) || storeRefusalOf(error) !== null
}

/**
 * Error codes of Redis, the first word of the reply, in 6.2 behind "ERR Error running script … -" when a script met them.
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
  LOADING: 'the data is being read from the disk',
  // https://redis.io/docs/latest/develop/reference/eviction/
  OOM: 'more memory is used than maxmemory allows',
  // https://redis.io/docs/latest/develop/programmability/ (busy-reply-threshold)
  BUSY: 'a script or a function takes too long',
  // https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
  CLUSTERDOWN: 'the cluster does not serve this slot',
  TRYAGAIN: 'the slot is being moved to another node'
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
  57014: 'query_canceled: statement_timeout, or somebody cancelled it',
  '57P0.': 'admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout',
  '58...': 'system error: the disk or the operating system'
} satisfies Record<string, string>
const POSTGRES_CODES = new RegExp(`^(?:${Object.keys(POSTGRES_REFUSALS).join('|')})$`)

/** https://nodejs.org/api/errors.html#common-system-errors and https://nodejs.org/api/dns.html#error-codes */
const SOCKET_CODES = {
  ECONNRESET: 'hung up', ECONNREFUSED: 'nobody listens', EPIPE: 'hung up before', ETIMEDOUT: 'no answer', EHOSTUNREACH: 'no route',
  ENETUNREACH: 'no route',
  EAI_AGAIN: 'the name server does not answer', ENOTFOUND: 'the name is gone for now'
} satisfies Record<string, string>

/** What the clients say without a code: pg, then ioredis, then its cluster. */
const CLIENT_MESSAGES = new RegExp(`^(?:${[
  'Connection terminated', 'timeout exceeded when trying to connect', 'Query read timeout',
  'Client (?:was closed|has encountered a connection error)', 'Connection is closed\\.', 'Command timed out', 'Socket timeout\\.',
  'Stream isn\'t writeable', 'Reached the max retries per request limit', 'None of startup nodes is available',
  'Failed to refresh slots cache', 'Cluster isn\'t ready', 'Too many Cluster redirections'
].join('|')})`)
