import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { observe } from '../../../support/observe.ts'
import { openQueue } from '../../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

/**
 * An observed queue `mail` whose stream keeps `kept` events, and counts of what was recorded and reported. The history has begun, with one
 * finish: what is trimmed before that is not lost.
 */
export async function startFinishes(t: Test, kept: number) {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await openQueue(t, 6, 'mail', url, { streams: { events: { maxLen: kept } } }).waitUntilReady()
  const counts = { finished: 0, reported: 0 }
  const { monitoring } = await observe(t, { broker: url }, {
    onError(error) { counts.reported += Number(/^(\d+) events of the queue mail were removed/.exec(error.message)?.[1] ?? NaN) }
  })
  const recorded = async (): Promise<number> => (await monitoring.statistics()).executions.success
  /** The arguments of XADD for the next finish, which trim the stream as BullMQ does. */
  const next = () => ['MAXLEN', '~', kept, '*', 'event', 'completed', 'jobId', String(counts.finished++)] as const
  await redis.xadd('bull:mail:events', ...next())
  await waitFor('the first finish', async () => await recorded() === 1)

  return {
    counts,
    recorded,
    finish: () => redis.xadd('bull:mail:events', ...next()),
    /** In a transaction, so no one can read in the middle of it. */
    async finishMany(count: number): Promise<void> {
      const transaction = redis.multi()
      for (let left = count; left > 0; left--) transaction.xadd('bull:mail:events', ...next())
      await transaction.exec()
    },
    /** Rejects if they do not add up in time. */
    async untilAllCounted(timeoutMs: number): Promise<void> {
      let found = 0
      await waitFor(() => `${counts.finished} finishes, of which ${found} are recorded and ${counts.reported} reported`, async () => {
        found = await recorded()
        return found + counts.reported === counts.finished
      }, timeoutMs)
      t.equal(found + counts.reported, counts.finished)
    }
  }
}
