import type { Redis } from 'ioredis'
import type { RedisClient, StoreOptions } from '../../store.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { askSentinels, watchSentinels, type KnowingSentinels, type SentinelWatch } from '../source/sentinels.ts'

/**
 * Whether we know the sentinels of a source. The options of an instance may have `sentinels: null`, and a user's function connects to its
 * own sentinels.
 */
function hasSentinels({ options, create }: RedisSource): boolean {
  return Boolean(options.sentinels) && create === null
}

interface FollowedSource extends Pick<KnowingSentinels, 'primaries'> { readonly from: RedisSource }

/** The source with those sentinels first that know its primary; the source itself if it has no sentinels. Throws as `askSentinels` does. */
export async function withKnowingSentinels(
  RedisClass: typeof Redis, source: RedisSource, role: StoreOptions['role']
): Promise<FollowedSource> {
  if (!hasSentinels(source)) return { from: source, primaries: new Map() }
  const { sentinels, primaries } = await askSentinels(RedisClass, source, role)
  return { from: { ...source, options: { ...source.options, sentinels } }, primaries }
}

/**
 * Moves clients to each new primary that the sentinels report, because writes that the old one still accepts are lost.
 * @returns null if the source has no sentinels
 */
export function followSentinels(
  RedisClass: typeof Redis, { from, primaries }: FollowedSource, clients: () => Iterable<RedisClient>
): SentinelWatch | null {
  if (!hasSentinels(from)) return null
  return watchSentinels(RedisClass, from.options, primaries, (host, port) => {
    for (const client of clients()) disconnectUnlessAt(client, host, port)
  })
}

/** Ends a connection that leads to a different server; the client then asks the sentinels again. */
function disconnectUnlessAt(client: RedisClient, host: string, port: number): void {
  const { stream } = client as unknown as { stream?: { remoteAddress?: string, remotePort?: number, destroy(): void } }
  if (stream?.remotePort === port && stream.remoteAddress?.replace(/^::ffff:/, '') === host) return
  stream?.destroy()
}
