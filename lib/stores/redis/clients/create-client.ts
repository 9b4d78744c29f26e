import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import type { RedisClient } from '../../store.ts'
import { extendDeadlines } from './command-deadlines.ts'
import { reconnectWhenDemoted } from './reconnect-when-demoted.ts'
import type { RedisFactory } from '../source/redis-connection.ts'
import { unsupportedProblems, type RedisSource } from '../source/redis-source.ts'

/** How long a client tries; the same for a single server and a cluster. */
export interface ClientOptions {
  readonly retryStrategy: (times: number) => number
  readonly enableOfflineQueue: boolean
  readonly commandTimeout?: number
  readonly maxRetriesPerRequest: number | null
  /** If false, a command whose response was lost is not sent again. Default: true. */
  readonly autoResendUnfulfilledCommands?: boolean
  /** A connection on which a command got no response for this long counts as cut off and is reopened. */
  readonly socketTimeout: number
}

/** Set on every connection to a server, and to each node of a cluster. */
export const CONNECTING = {
  connectTimeout: 2_000,
  // How often a server that is loading its data is checked. By default ioredis waits up to 10 s, even after the client was closed.
  maxLoadingRetryTime: 1_000
} as const satisfies RedisOptions

/** Set on all connections, whatever the user's own options are. */
const ALWAYS = {
  ...CONNECTING,
  lazyConnect: true,
  enableReadyCheck: true,
  // A sentinel that hangs must not delay those that answer.
  sentinelCommandTimeout: 1_000,
  sentinelRetryStrategy: times => Math.min(50 * times, 500),
  // Not needed for a demoted cluster node: it responds with the address of the new primary.
  reconnectOnError: reconnectWhenDemoted,
  keyPrefix: ''
} as const satisfies RedisOptions

/**
 * A client for the source, not connected yet. Its duplicates are created the same way. Throws INVALID_OPTIONS if the user's function
 * misbehaves.
 */
export function createClient(
  RedisClass: typeof Redis, source: RedisSource, options: ClientOptions & Pick<RedisOptions, 'connectionName'>
): RedisClient {
  const wanted: Omit<RedisOptions, 'replyMapping'> = { ...source.options, ...ALWAYS, ...options }
  const client = extendDeadlines(source.create === null ? new RedisClass(wanted) : madeBy(source.create, wanted))
  if (client.isCluster) return client
  const single = client as Redis
  // The user's function may have omitted some of them.
  if (source.create !== null) Object.assign(single.options, ALWAYS, options)
  endOnRefusedSelect(single)
  handleEveryError(single)
  single.duplicate = override =>
    createClient(RedisClass, source, { ...options, ...override as Pick<RedisOptions, 'connectionName'> }) as Redis
  return single
}

function madeBy(create: RedisFactory, wanted: Parameters<RedisFactory>[0]): RedisClient {
  const refuse = (problem: string, cause?: unknown): never => {
    throw createTaskDashboardError(
      'INVALID_OPTIONS', [`the function \`redis\` ${problem}`], { cause }
    )
  }
  let client: RedisClient | undefined
  try {
    client = create(wanted)
  } catch (cause) {
    refuse(`failed: ${cause instanceof Error ? cause.message : 'it threw no error'}`, cause)
  }
  if (typeof client?.status !== 'string' || typeof client.isCluster !== 'boolean') return refuse('did not return an ioredis client')
  // BullMQ refuses such a client, and our keys would not be where other processes expect them.
  const problems = unsupportedProblems(
    client.isCluster ? { ...client.options, ...(client as Cluster).options.redisOptions } : client.options
  )
  if (problems.length > 0) {
    client.disconnect()
    return refuse(`returned a client with options that cannot be used: ${problems.join('; ')}`)
  }
  if (client.status === 'ready' || client.status === 'end') return refuse('returned a client that is already in use: create a new one ' +
    'for each call')
  return client
}

/** ioredis handles only a socket's first error. TLS can emit a second one, the server's alert, which would crash the process. */
function handleEveryError(client: Redis): void {
  type Stream = Redis['stream'] | undefined
  let stream: Stream = (client as { stream?: Stream }).stream
  stream?.on('error', () => {})
  Object.defineProperty(client, 'stream', {
    configurable: true,
    enumerable: true,
    get: () => stream,
    set(next: Stream) {
      next?.on('error', () => {})
      stream = next
    }
  })
}

/** Connects it. A client that a function created may already be connecting. */
export async function connectClient(client: RedisClient): Promise<void> {
  if (client.status === 'wait') return await client.connect()
  if (client.status === 'ready') return
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve)
    client.once('close', () => reject(new Error('Connection is closed.')))
  })
}

/** The `code` of the server's error for SELECT. */
export const SELECT_REFUSED = 'SELECT_REFUSED'

/**
 * If the server refuses a database, because it has fewer or the user lacks the right, ioredis continues in database 0. Our data would then
 * be among someone else's keys. So the connection is closed before anything else is sent on it.
 */
function endOnRefusedSelect(client: Redis): void {
  const select = client.select.bind(client) as (...args: unknown[]) => Promise<'OK'>
  client.select = ((...args: unknown[]) => {
    const stream = (client as Partial<Pick<Redis, 'stream'>>).stream
    return select(...args).catch((error: unknown) => {
      const refusal = error instanceof Error && error.name === 'ReplyError' ? Object.assign(error, { code: SELECT_REFUSED }) : error
      // Emitted before the connection ends; otherwise the start would only see the end.
      if (client.listenerCount('error') > 0) client.emit('error', refusal)
      stream?.destroy()
      throw refusal
    })
  })
}
