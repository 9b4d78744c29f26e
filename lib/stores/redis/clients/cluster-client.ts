import type { Cluster, ClusterNode, ClusterOptions, Redis } from 'ioredis'
import { extendDeadlines } from './command-deadlines.ts'
import { CONNECTING, type ClientOptions } from './create-client.ts'

/**
 * A failover takes about 30 s: 15 s until the cluster decides on it, and another 15 s for the node. A patient client retries this many
 * times, every tenth of a second.
 */
const PATIENT_REDIRECTIONS = 600
/** While a slot moves, a call is retried at most every tenth of a second. So it fails with the actual reason before `callMs` is over. */
const HASTY_REDIRECTIONS = 11
/** On a busy machine, the default of one second would count reachable nodes as lost. */
const SLOTS_REFRESH_TIMEOUT_MS = 2_000

/**
 * A client for the cluster that `node` belongs to, with its credentials; not connected yet. All keys of a store share one hash tag, so one
 * node serves it. The cluster keeps it available, and spreads the stores of several namespaces.
 */
export function createClusterClient(ClusterClient: typeof Cluster, node: Redis, options: ClientOptions): Cluster {
  const { host, port, username, password, tls } = node.options
  const { retryStrategy, enableOfflineQueue, ...ofNodes } = options
  const startupNodes = [{ host, port }]

  /** BullMQ disconnects and reconnects a client that it considers lost. If that fails, ioredis considers it closed on purpose, forever. */
  class TenaciousCluster extends ClusterClient {
    override connect(): Promise<void> {
      Object.assign(this, { manuallyClosing: false })
      return super.connect()
    }

    override duplicate(_startupNodes?: ClusterNode[], changed: Partial<ClusterOptions> = {}): Cluster {
      const inherited = { ...this.options, ...changed, redisOptions: { ...this.options.redisOptions, ...changed.redisOptions } }
      return extendDeadlines(new TenaciousCluster(startupNodes, inherited as object))
    }
  }

  return extendDeadlines(new TenaciousCluster(startupNodes, {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue,
    maxRedirections: enableOfflineQueue ? PATIENT_REDIRECTIONS : HASTY_REDIRECTIONS,
    slotsRefreshTimeout: SLOTS_REFRESH_TIMEOUT_MS,
    // Certificates contain host names, so a node's name is not resolved before the client connects to it.
    dnsLookup: (address, callback) => callback(null, address),
    redisOptions: {
      ...CONNECTING,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { tls }),
      ...ofNodes
    }
  }))
}
