import type { Cluster, ClusterNode, ClusterOptions, Redis } from 'ioredis'
import type { ClientOptions } from './create-client.ts'

/** A failover takes the cluster some 15 s to decide on, and its node as long again: who is patient asks for so many tenths of a second. */
const PATIENT_REDIRECTIONS = 600
/** On a busy machine the default of a second takes nodes for lost that are not. */
const SLOTS_REFRESH_TIMEOUT_MS = 2_000

/**
 * A client of the cluster that `node` belongs to, with its credentials; not connected yet. All keys of a store have one hash
 * tag, so one node serves it: a cluster keeps it available, and spreads the stores of several namespaces.
 */
export function createClusterClient(ClusterClient: typeof Cluster, node: Redis, options: ClientOptions): Cluster {
  const { host, port, username, password, tls } = node.options
  const { retryStrategy, enableOfflineQueue, ...ofNodes } = options
  const startupNodes = [{ host, port }]

  /**
   * BullMQ disconnects a client that seems lost to it, and connects it again; if that fails, ioredis takes it for closed on purpose, for
   * ever.
   */
  class TenaciousCluster extends ClusterClient {
    override connect(): Promise<void> {
      Object.assign(this, { manuallyClosing: false })
      return super.connect()
    }

    override duplicate(_startupNodes?: ClusterNode[], changed: Partial<ClusterOptions> = {}): Cluster {
      const inherited = { ...this.options, ...changed, redisOptions: { ...this.options.redisOptions, ...changed.redisOptions } }
      return new TenaciousCluster(startupNodes, inherited as object)
    }
  }

  return new TenaciousCluster(startupNodes, {
    lazyConnect: true,
    clusterRetryStrategy: retryStrategy,
    enableOfflineQueue,
    ...(enableOfflineQueue && { maxRedirections: PATIENT_REDIRECTIONS }),
    slotsRefreshTimeout: SLOTS_REFRESH_TIMEOUT_MS,
    // Certificates name hosts: what a node is called stays as it is until it is connected to.
    dnsLookup: (address, callback) => callback(null, address),
    redisOptions: {
      connectTimeout: 2_000,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls !== undefined && { tls }),
      ...ofNodes
    }
  })
}
