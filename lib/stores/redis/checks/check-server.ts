import type { Redis } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import type { RedisClient, StoreOptions } from '../../store.ts'
import { INFO_REFUSED, infoField, OLDEST } from './info.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { watchedNames } from '../source/sentinels.ts'

const BY_NUMBERS = new Intl.Collator('en', { numeric: true })

/**
 * Refuses a server that is too old or of the wrong kind, and warns about one that may evict keys. Throws STORE_UNSUITABLE.
 * @param oldest the oldest version that is accepted
 */
export async function checkServer(
  client: RedisClient, { label, options: { db, path, sentinels } }: RedisSource, options: StoreOptions, oldest: string = OLDEST
): Promise<'cluster' | 'single'> {
  const info = await client.info()
  const field = (name: string): string | undefined => infoField(info, name)
  const refuse = (reason: string): never => { throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, reason]) }
  if (field('redis_mode') === 'sentinel') {
    const [name = 'mymaster'] = await watchedNames(client as Redis).catch(() => [])
    refuse('it is a sentinel, which keeps no data: write redis-sentinel://, then the hosts of all sentinels with commas ' +
      `between them, then /${name}`)
  }
  const version = field('redis_version') ?? '0'
  if (BY_NUMBERS.compare(version, oldest) < 0) refuse(`it is version ${version}; ${oldest} or newer is needed`)
  const policy = field('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    options.onError(
      new Error(
        `The ${options.role} at ${label} has the eviction policy ${policy} and may drop executions when its memory is full: set ` +
          'maxmemory-policy to noeviction'
      )
    )
  }
  if (field('cluster_enabled') !== '1' && !(info === INFO_REFUSED && await isClusterNode(client))) return 'single'
  if (db !== undefined && db > 0)
    refuse('a cluster has only database 0: leave the number out, and use `namespace` to keep queue apps apart')
  if (path || sentinels)
    refuse('it is a node of a cluster, and the other nodes are reached by host and port: use a URL with the host and port of a node')
  return 'cluster'
}

/** For a user who may not run INFO. Without the right to run CLUSTER either, a cluster node looks like a single server. */
async function isClusterNode(client: RedisClient): Promise<boolean> {
  return await client.cluster('SLOTS').then(slots => Array.isArray(slots), () => false)
}
