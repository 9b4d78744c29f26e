/**
 * While a queue finishes more jobs than its stream keeps, events are trimmed unread. What was recorded and what was reported as lost add up
 * to all of them, within seconds. With BullMQ's default of 10,000 events in `npm run soak`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { seededRandom } from '../../../support/seeded-random.ts'
import { isSoak } from '../../../support/soak.ts'
import { startFinishes } from './finishes-of-stream.ts'

t.setTimeout(900_000)

const [ROUNDS, KEPT] = isSoak ? [60, 10_000] : [4, 1_000]
const BURSTS = 6
/** Well below a minute, in which each stream is compared anyway. */
const REPORTED_WITHIN_MS = 15_000

t.test('what is recorded and what is reported as trimmed add up within seconds', async t => {
  const random = seededRandom(1)
  const { counts, finishMany, untilAllCounted } = await startFinishes(t, KEPT)
  for (let round = 0; round < ROUNDS; round++) {
    for (let burst = 0; burst < BURSTS; burst++) {
      // The first burst of a round is longer than the stream.
      await finishMany(Math.floor(KEPT * (burst === 0 ? 1 + random() : 0.6 * random())))
      await sleep(random() * 200)
    }
    await untilAllCounted(REPORTED_WITHIN_MS)
  }
  t.ok(counts.reported > 0)
  t.comment(`${counts.reported} of ${counts.finished} were trimmed`)
})
