import type { RedisConnection } from '../../../stores/redis/source/redis-source.ts'

/** The options of a queue's connection, which is a client that the owner created or plain options. Null if they cannot be used here. */
export function redisOfQueue(connection: unknown): RedisConnection | null {
  if (connection === undefined || connection === null) return { redis: {} }
  if (typeof connection !== 'object') return null
  if (!('status' in connection) && !('sendCommand' in connection)) {
    const { url, ...options } = connection as { url?: unknown }
    return { ...(typeof url === 'string' && { url }), redis: withoutOwnersChoices(options) }
  }
  if ('isCluster' in connection && connection.isCluster === true) return clusterOf(connection)
  // BullMQ's adapters for other clients also have a status and options, but in another form. Those options would lead to another server.
  if (typeof (connection as { isCluster?: unknown }).isCluster !== 'boolean') return null
  const { options } = connection as { options?: unknown }
  return typeof options === 'object' && options !== null ? { redis: withoutOwnersChoices(options) } : null
}

/** One node of a cluster is enough: it names the others. */
function clusterOf(connection: object): RedisConnection | null {
  const { startupNodes, options } = connection as { startupNodes?: unknown; options?: { redisOptions?: object; natMap?: unknown } }
  const [first] = Array.isArray(startupNodes) ? startupNodes as unknown[] : []
  // With a NAT map, only the owner knows what the addresses of the nodes mean.
  if (first === undefined || options?.natMap) return null
  const own = withoutOwnersChoices(options?.redisOptions ?? {})
  if (typeof first === 'string') return first.includes('://') ? { url: first, redis: own } : { redis: { ...own, host: first } }
  if (typeof first === 'number') return { redis: { ...own, port: first } }
  const { host, port } = first as { host?: string; port?: number }
  return { redis: { ...own, ...(host !== undefined && { host }), ...(port !== undefined && { port: Number(port) }) } }
}

/**
 * Leaves out the options that decide how the owner's connection behaves: this one must behave differently. Its name is left out too,
 * because this connection would look like a worker of the owner.
 */
function withoutOwnersChoices(options: object): NonNullable<RedisConnection['redis']> {
  const {
    maxRetriesPerRequest: _retries, retryStrategy: _strategy, connectionName: _name, enableOfflineQueue: _queue, commandTimeout: _timeout,
    enableAutoPipelining: _pipelining, lazyConnect: _lazy, skipVersionCheck: _check, ...others
  } = options as Record<string, unknown>
  return others
}
