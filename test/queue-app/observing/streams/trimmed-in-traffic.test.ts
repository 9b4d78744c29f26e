/**
 * A queue that receives an event sooner than any stream is read again never has all of them read. What was trimmed unread is reported all
 * the same, within seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { waitFor } from '../../../support/wait-for.ts'
import { startFinishes } from './finishes-of-stream.ts'

const KEPT = 1_000
/** BullMQ trims whole nodes of a stream, of 100 events, so that up to 99 more are kept. */
const NODE = 100
const TRIMMED = 500
const BURSTS = 4
const EVERY_MS = 10
const REPORTED_WITHIN_MS = 10_000
/** Events of the last second or two, which are still to be read. */
const UNREAD = 200

t.test('events that were trimmed unread are reported although the queue never rests', async t => {
  const { counts, recorded, finish, finishMany, untilAllCounted } = await startFinishes(t, KEPT)
  let isOver = false
  const traffic = (async () => {
    for (; !isOver; await sleep(EVERY_MS)) await finish()
  })()
  t.teardown(() => { isOver = true })
  for (let burst = 1; burst <= BURSTS; burst++) {
    await sleep(1_500)
    await finishMany(KEPT + NODE + TRIMMED)
    await waitFor(() => `the report of burst ${burst}, after ${counts.reported}`,
      async () => counts.reported >= TRIMMED * burst, REPORTED_WITHIN_MS)
    await waitFor(() => `burst ${burst}`,
      async () => await recorded() + counts.reported > counts.finished - UNREAD, REPORTED_WITHIN_MS)
  }
  isOver = true
  await traffic
  await untilAllCounted(REPORTED_WITHIN_MS)
})
