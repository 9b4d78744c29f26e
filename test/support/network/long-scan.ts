import { Redis } from 'ioredis'
import { openQueue } from '../programs/owners-of-queues.ts'
import { redisUrl, type TestScope } from '../servers/stores.ts'
import { startSlowProxy } from './slow-proxy.ts'

/** A server with the queue `emails` and so many other keys that a search for queues takes long. @returns its URL */
export async function startLongScan(t: TestScope, keys: number): Promise<string> {
  const url = await redisUrl(t)
  await openQueue(t, 6, 'emails', url).add('send', {})
  const redis = new Redis(url)
  await redis.mset(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`other:${index}`, '1'])))
  redis.disconnect()
  const proxy = await startSlowProxy(t, url)
  proxy.roundTripMs = 400
  return proxy.url
}
