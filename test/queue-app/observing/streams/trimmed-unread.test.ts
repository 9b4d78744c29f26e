/** Events that a stream trims before they are read: how soon they are reported, and how often the server is asked for that. */
import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { createFollowedStreams } from '../../../../lib/queue-app/observing/streams/followed-streams.ts'
import type { StreamPosition } from '../../../../lib/queue-app/observing/streams/stream-positions.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { turnIn } from '../turn-in.ts'

/** The queue `mail`, followed on a server that says what `streamOf` returns about its stream. */
async function follow(streamOf: () => object | null, stored?: StreamPosition) {
  const server = {
    identity: 'one', label: 'redis://one', part: '', now: async () => Date.now(), queues: { counts: async () => [] },
    events: { stream: async () => streamOf(), isRefusal: () => false }
  } as unknown as ObservedServer
  const queue: SeenQueue = { taskName: 'mail', name: 'mail', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  if (stored !== undefined) await progress.savePositions([{ queue, position: stored }])
  const told: string[] = []
  const streams = createFollowedStreams({ progress, onError: error => { told.push(error.message) } })
  await streams.begin(server, [queue])
  return {
    told,
    /** The reader reads the events with these numbers. */
    async take(first: number, last: number, isMore = false) {
      const events = Array.from({ length: last - first + 1 }, (_, index) =>
        ({ id: `${first + index}-0`, fields: { event: 'waiting', jobId: '1' }, size: 0 }))
      await streams.take(server, { queues: [queue], events: new Map([['mail', events]]), unfinished: isMore ? ['mail'] : [] })
    },
    /** After a second, the shortest time between two comparisons. */
    async compareLater() {
      await new Promise(resolve => { setTimeout(resolve, 1_050) })
      await streams.compare(server, [queue], false)
    }
  }
}

t.test('events trimmed during a backlog are reported within seconds of its end', async t => {
  const stream = { length: 5, firstId: '1-0', lastId: '5-0', added: 5, maxLength: 10_000 }
  const { told, take, compareLater } = await follow(() => stream)
  await take(1, 5)
  // The stream receives 10,170 events and keeps 10,000. When most of those are read, the first one that is left does not show the loss.
  Object.assign(stream, { length: 10_000, firstId: '176-0', lastId: '10175-0', added: 10_175 })
  await take(176, 8_675, true)
  await compareLater()
  t.same(told, [])
  await take(8_676, 10_175, true)
  await take(10_176, 10_175)
  await compareLater()
  t.match(told, [/^170 events of the queue mail were removed before they could be read/])
  await compareLater()
  t.equal(told.length, 1)
})

t.test('events trimmed during a backlog are reported although the queue is never without unread events', async t => {
  const stream = { length: 5, firstId: '1-0', lastId: '5-0', added: 5, maxLength: 10_000 }
  let comparisons = 0
  const { told, take, compareLater } = await follow(() => { comparisons++; return stream }, { position: '5-0', counted: 5, gaps: [] })
  const base = Date.now()
  let last = 10_175
  await take(176, last)
  // During each pause the queue receives five events, and only one comparison is needed.
  for (let round = 0; round < 3; round++) {
    Object.assign(stream, { length: 10_000, firstId: `${last - 9_994}-0`, lastId: `${last + 5}-0`, added: last + 5 })
    await compareLater()
    await take(last + 1, last + 7)
    last += 7
  }
  t.match(told, [/^170 events of the queue mail were removed before they could be read, between /])
  t.equal(told.length, 1)
  const [, begin = '', end = ''] = /between (\S+) and (\S+): executions/.exec(told[0] ?? '') ?? []
  t.ok(Date.parse(begin) <= base && base <= Date.parse(end), 'from the last comparison without a doubt to the one that counted')
  t.equal(comparisons, 2, 'the first one, and one after the backlog')
})

t.test('a stream whose state cannot be read is not asked for it again soon', async t => {
  let comparisons = 0
  const { told, take, compareLater } = await follow(() => {
    if (comparisons++ > 0) throw new Error('Command timed out')
    return null
  })
  await take(1, 1)
  for (let round = 0; round < 3; round++) await compareLater()
  t.equal(comparisons, 2, 'the first one, and one after the first event')
  t.same(told, [])
})

t.test('a new stream that keeps few events is compared soon after its first events', async t => {
  let stream: object | null = null
  const { told, take, compareLater } = await follow(() => stream)
  stream = { length: 100, firstId: '51-0', lastId: '150-0', added: 150, maxLength: 100 }
  await take(51, 150)
  await compareLater()
  t.match(told, [/^50 events of the queue mail were removed before they could be read/])
})
