import t from 'tap'
import type { Gap } from '../../../../lib/queue-app/observing/gaps/gap.ts'
import { recentGaps } from '../../../../lib/queue-app/observing/gaps/tell-gaps.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { createFollowerOf, createObservedServer } from '../observed-server.ts'
import { turnIn } from '../turn-in.ts'

const HOUR_MS = 3_600_000

function gap(agoMs: number, more: Partial<Gap> = {}): Gap {
  return { events: null, from: Date.now() - agoMs - 1_000, to: Date.now() - agoMs, ...more }
}

const emptied = (waiting: number, agoMs = 60_000): Gap =>
  gap(agoMs, { cause: 'emptied', had: { waiting, running: 0, schedules: null, at: 0 } })
const trimmed = (events: number): Gap => gap(1_000, { events })

t.test('a gap is new for an hour, then old until it is a day old', async t => {
  const ages = (agoMs: number) => (['new', 'old'] as const).filter(age => recentGaps([['mail', [gap(agoMs)], 0]], age).length > 0)
  t.same(ages(-30_000), ['new'], 'a failover ends later than it was noticed')
  t.same(ages(HOUR_MS - 60_000), ['new'])
  t.same(ages(HOUR_MS + 60_000), ['old'])
  t.same(ages(24 * HOUR_MS - 60_000), ['old'])
  t.same(ages(24 * HOUR_MS + 60_000), [])
})

t.test('the queues that lost most are named, and the others are not said to have lost in the same way', async t => {
  const small = Array.from({ length: 5 }, (_, index) => [`small-${index}`, [trimmed(1)], 0] as const)
  const [first, second, , last, ...none] = recentGaps([...small, ['large', [emptied(500)], 0], ['larger', [emptied(900)], 0]], 'new')
  t.match(first, /^The queue larger was removed .* waiting: 900$/)
  t.match(second, /^The queue large was removed .* waiting: 500$/)
  t.equal(last, 'executions may also be missing of 4 other queues')
  t.same(none, [])
})

t.test('a queue that was emptied is still named after it has lost a few events', async t => {
  const texts = recentGaps([['mail', [emptied(9), trimmed(3), trimmed(2)], 0]], 'new')
  t.equal(texts.length, 2, 'the last gap of each cause')
  t.match(texts[0], /^The queue mail was removed .* waiting: 9$/)
  t.match(texts[1], /^2 events of the queue mail were removed/)
})

t.test('a gap that is no problem any more is mentioned by the process that records', async t => {
  const server = createObservedServer('emails')
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  // The clock of this server began in 1970.
  const gaps: Gap[] = [{ events: null, cause: 'replaced', from: -3 * HOUR_MS, to: -2 * HOUR_MS }]
  await progress.savePositions([{ queue: server.queue, position: { position: '0-0', counted: 0, gaps } }])
  const follower = createFollowerOf([server], { documents })
  t.teardown(() => follower.stop())
  t.equal(follower.mention(), null)
  follower.start()
  await waitFor('the mention', async () => follower.mention() !== null)
  t.match(follower.mention(), /^Another server took over the queue emails/)
  t.equal(follower.problem(), null)
})
