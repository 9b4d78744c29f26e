/**
 * While a queue finishes more jobs than its stream keeps, events are trimmed unread. What was recorded and what was reported as lost add up
 * to all of them, within seconds. With BullMQ's default of 10,000 events in `npm run soak`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { observe } from '../../../support/observe.ts'
import { openQueue } from '../../../support/programs/owners-of-queues.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { redisUrl } from '../../../support/servers/stores.ts'
import { isSoak } from '../../../support/soak.ts'
import { waitFor } from '../../../support/wait-for.ts'

t.setTimeout(900_000)

const [ROUNDS, KEPT] = isSoak ? [60, 10_000] : [4, 1_000]
const BURSTS = 6
/** Well below a minute, in which each stream is compared anyway. */
const REPORTED_WITHIN_MS = 15_000

t.test('what is recorded and what is reported as trimmed add up within seconds', async t => {
  const random = seededRandom(1)
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await openQueue(t, 6, 'mail', url, { streams: { events: { maxLen: KEPT } } }).waitUntilReady()
  let reported = 0
  const queueApp = await observe(t, { broker: url }, {
    onError(error) { reported += Number(/^(\d+) events of the queue mail were removed/.exec(error.message)?.[1] ?? NaN) }
  })
  const recordedSoFar = async () => (await queueApp.monitoring.statistics()).executions.success
  // What was trimmed before the history begins is not lost.
  await redis.xadd('bull:mail:events', '*', 'event', 'completed', 'jobId', '0')
  await waitFor('the first finish', async () => await recordedSoFar() === 1)
  let finished = 1
  for (let round = 0; round < ROUNDS; round++) {
    for (let burst = 0; burst < BURSTS; burst++) {
      // The first burst of a round is longer than the stream, and no one can read in the middle of it.
      const transaction = redis.multi()
      for (let left = Math.floor(KEPT * (burst === 0 ? 1 + random() : 0.6 * random())); left > 0; left--)
        transaction.xadd('bull:mail:events', 'MAXLEN', '~', KEPT, '*', 'event', 'completed', 'jobId', String(finished++))
      await transaction.exec()
      await sleep(random() * 200)
    }
    let recorded = 0
    await waitFor(() => `${finished} finishes, of which ${recorded} are recorded and ${reported} reported`, async () => {
      recorded = await recordedSoFar()
      return recorded + reported === finished
    }, REPORTED_WITHIN_MS)
    t.equal(recorded + reported, finished)
  }
  t.ok(reported > 0)
  t.comment(`${reported} of ${finished} were trimmed`)
})
