/**
 * A queue that receives an event sooner than any stream is read again never has all of them read. What was trimmed unread is reported all
 * the same, within seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { observe } from '../../../support/observe.ts'
import { openQueue } from '../../../support/programs/owners-of-queues.ts'
import { redisUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

const KEPT = 1_000
const TRIMMED = 500
const BURSTS = 4
const EVERY_MS = 10
const REPORTED_WITHIN_MS = 10_000
/** Events of the last second or two, which are still to be read. */
const UNREAD = 200

t.test('events that were trimmed unread are reported although the queue never rests', async t => {
  const url = await redisUrl(t)
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  await openQueue(t, 6, 'mail', url, { streams: { events: { maxLen: KEPT } } }).waitUntilReady()
  let reported = 0
  const queueApp = await observe(t, { broker: url }, {
    onError(error) { reported += Number(/^(\d+) events of the queue mail were removed/.exec(error.message)?.[1] ?? NaN) }
  })
  const recorded = async () => (await queueApp.monitoring.statistics()).executions.success
  let finished = 0
  const next = () => ['MAXLEN', KEPT, '*', 'event', 'completed', 'jobId', String(finished++)] as const
  await redis.xadd('bull:mail:events', ...next())
  await waitFor('the first finish', async () => await recorded() === 1)
  let isOver = false
  const traffic = (async () => {
    for (; !isOver; await sleep(EVERY_MS)) await redis.xadd('bull:mail:events', ...next())
  })()
  t.teardown(() => { isOver = true })
  for (let burst = 1; burst <= BURSTS; burst++) {
    await sleep(1_500)
    const transaction = redis.multi()
    for (let left = KEPT + TRIMMED; left > 0; left--) transaction.xadd('bull:mail:events', ...next())
    await transaction.exec()
    await waitFor(() => `the report of burst ${burst}, after ${reported}`, async () => reported >= TRIMMED * burst, REPORTED_WITHIN_MS)
    await waitFor(() => `burst ${burst}`, async () => await recorded() + reported > finished - UNREAD, REPORTED_WITHIN_MS)
  }
  isOver = true
  await traffic
  let found = 0
  await waitFor(() => `${finished} finishes, of which ${found} are recorded and ${reported} reported`, async () => {
    found = await recorded()
    return found + reported === finished
  }, REPORTED_WITHIN_MS)
  t.equal(found + reported, finished)
})
