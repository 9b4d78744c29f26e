import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import type { RedisClient } from '../../store.ts'
import { reconnectWhenDemoted } from './reconnect-when-demoted.ts'
import type { RedisFactory } from '../source/redis-connection.ts'
import { unsupportedProblems, type RedisSource } from '../source/redis-source.ts'

/** How long a client tries; the same of one server and of a cluster. */
export interface ClientOptions {
  readonly retryStrategy: (times: number) => number
  readonly enableOfflineQueue: boolean
  readonly commandTimeout?: number
  readonly maxRetriesPerRequest: number | null
  /** A connection on which a command got no answer for so long is taken for cut off, and made anew. */
  readonly socketTimeout: number
}

/** For all connections, whatever the user's own options say. */
const ALWAYS = {
  lazyConnect: true,
  connectTimeout: 2_000,
  enableReadyCheck: true,
  // A sentinel that hangs must not hold up those that answer.
  sentinelCommandTimeout: 1_000,
  sentinelRetryStrategy: times => Math.min(50 * times, 500),
  // A cluster's node that was demoted needs none: it answers with the address of the new primary.
  reconnectOnError: reconnectWhenDemoted,
  keyPrefix: ''
} as const satisfies RedisOptions

/**
 * A client of the source, not connected yet. Its duplicates are made in the same way. Throws INVALID_OPTIONS if the user's function is at
 * fault.
 */
export function createClient(
  RedisClass: typeof Redis, source: RedisSource, options: ClientOptions & Pick<RedisOptions, 'connectionName'>
): RedisClient {
  const wanted: Omit<RedisOptions, 'replyMapping'> = { ...source.options, ...ALWAYS, ...options }
  const client = source.create === null ? new RedisClass(wanted) : madeBy(source.create, wanted)
  if (client.isCluster) return client
  const single = client as Redis
  // A function may have left some of them out.
  if (source.create !== null) Object.assign(single.options, ALWAYS, options)
  endOnRefusedSelect(single)
  hearEveryError(single)
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
  // BullMQ refuses such a client, and our own keys would be elsewhere than those that other processes see.
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

/** ioredis hears the first error of a socket alone. TLS can have a second one, the alert of the server, which would end the process. */
function hearEveryError(client: Redis): void {
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

/** Connects it; a client that a function made may be about to connect already. */
export async function connectClient(client: RedisClient): Promise<void> {
  if (client.status === 'wait') return await client.connect()
  if (client.status === 'ready') return
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve)
    client.once('close', () => reject(new Error('Connection is closed.')))
  })
}

/** The `code` of what the server says to SELECT. */
export const SELECT_REFUSED = 'SELECT_REFUSED'

/**
 * ioredis goes on in database 0 when the server refuses another one, as one that has fewer or a user without the right: what is meant for
 * this database would lie among the keys of somebody else. The connection ends before anything else is sent on it.
 */
function endOnRefusedSelect(client: Redis): void {
  const select = client.select.bind(client) as (...args: unknown[]) => Promise<'OK'>
  client.select = ((...args: unknown[]) => {
    const stream = (client as Partial<Pick<Redis, 'stream'>>).stream
    return select(...args).catch((error: unknown) => {
      const refusal = error instanceof Error && error.name === 'ReplyError' ? Object.assign(error, { code: SELECT_REFUSED }) : error
      // Before the connection ends, or a start would hear of nothing else.
      if (client.listenerCount('error') > 0) client.emit('error', refusal)
      stream?.destroy()
      throw refusal
    })
  })
}
