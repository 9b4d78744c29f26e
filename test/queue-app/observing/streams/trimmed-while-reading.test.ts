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
  await openQueue(t, 6, 'mail', url).waitUntilReady()
  let reported = 0
  const queueApp = await observe(t, { broker: url }, {
    onError(error) { reported += Number(/^(\d+) events of the queue mail were removed/.exec(error.message)?.[1] ?? NaN) }
  })
  let [finished, lost, trimmedRounds] = [0, 0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    for (let burst = 0; burst < BURSTS; burst++) {
      const pipeline = redis.pipeline()
      for (let left = Math.floor(random() * KEPT * 0.6); left > 0; left--)
        pipeline.xadd('bull:mail:events', 'MAXLEN', '~', KEPT, '*', 'event', 'completed', 'jobId', String(++finished), 'returnvalue', '1')
      await pipeline.exec()
      await sleep(random() * 200)
    }
    let recorded = 0
    await waitFor(() => `${finished} finishes, of which ${recorded} are recorded and ${reported} reported`, async () => {
      recorded = (await queueApp.monitoring.statistics()).executions.success
      return recorded + reported === finished
    }, REPORTED_WITHIN_MS)
    t.equal(recorded + reported, finished)
    if (reported > lost) trimmedRounds++
    lost = reported
  }
  t.ok(trimmedRounds > 0, `${lost} of ${finished} were trimmed, in ${trimmedRounds} of ${ROUNDS} rounds`)
})
