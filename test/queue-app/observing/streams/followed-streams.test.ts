import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { createFollowedStreams, type FollowedStreams } from '../../../../lib/queue-app/observing/streams/followed-streams.ts'
import { createJobNames } from '../../../../lib/queue-app/observing/names/job-names.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'
import { turnIn } from '../turn-in.ts'

const NOT_COUNTED = { counts: async () => [] }
const WITHOUT_STREAMS = {
  identity: 'one', label: 'redis://one', now: async () => 9_000, queues: NOT_COUNTED,
  events: { stream: async () => null, isRefusal: () => false }
} as unknown as ObservedServer
const DONE = { isMore: false, tookMs: 0 }

t.test('events of a stream that reappears from a backup are compared with the history', async t => {
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const server = WITHOUT_STREAMS
  const queue: SeenQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  await progress.savePositions([{ queue, position: { position: '5000-0', counted: 7, gaps: [] } }])
  const told: string[] = []
  const streams = createFollowedStreams({ progress, onError: error => { told.push(error.message) } })
  await streams.begin(server, [queue])
  t.match(told, [/^The queue emails was removed from its server/], 'what was not read by then may be lost')
  t.equal(streams.cursorOf('emails'), '0-0', 'all events of the stream are read')
  t.equal(streams.replayUntil('emails'), 9_000, 'and events older than this check may have been recorded before')
})

t.test('a gap that was just found is new, however wrong the clock of the server is', async t => {
  for (const aheadMs of [0, -3 * 3_600_000, 3 * 3_600_000]) {
    const documents = createMemoryDocuments()
    const progress = createSavedProgress(documents, turnIn(documents).fence)
    const at = Date.now() + aheadMs
    const server = { ...WITHOUT_STREAMS, now: async () => Date.now() + aheadMs } as ObservedServer
    const queue: SeenQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
    const gone: SeenQueue = { ...queue, taskName: 'gone', name: 'gone' }
    const position = { position: `${at - 5_000}-0`, counted: 7, gaps: [] }
    await progress.savePositions([queue, gone].map(each => ({ queue: each, position })))
    const streams = createFollowedStreams({ progress, onError: () => {} })
    await streams.begin(server, [queue, gone])
    await streams.forget(taskName => taskName === 'gone')
    t.match(streams.gaps('new'), [/^The queue \w+ was removed/, /^The queue \w+ was removed/], `${aheadMs} ms ahead`)
    t.same(streams.gaps('old'), [])
  }
})

t.test('queues of two servers that are gone at the same time are all reported', async t => {
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const queues = ['one', 'two'].map((name): SeenQueue => {
    const server = { ...WITHOUT_STREAMS, identity: name, part: '' } as ObservedServer
    return { taskName: name, name, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  })
  const told: string[] = []
  const streams = createFollowedStreams({ progress, onError: error => { told.push(error.message) } })
  await progress.savePositions(queues.map(queue => ({ queue, position: { position: '5000-0', counted: 7, gaps: [] } })))
  let isThere = true
  for (const { server } of queues) {
    const stream = async () => isThere ? { length: 7, firstId: '4000-0', lastId: '5000-0', added: 7 } : null
    Object.assign(server, { events: { stream, isRefusal: () => false } })
  }
  for (const queue of queues) await streams.begin(queue.server, [queue])
  t.same(told, [])
  isThere = false
  await streams.forget(() => true)
  t.match(told, [/^The queue one was removed/, /^The queue two was removed/])
})

t.test('events that the stream of a new queue lost before it was found are a gap, and those of an older queue are not', async t => {
  for (const [absentAt, gap] of [[4_000, /^150 events of the queue emails were removed before they could be read, between/], [undefined, null]] as const) {
    const documents = createMemoryDocuments()
    const stream = { length: 100, firstId: '8000-0', lastId: '8500-0', added: 250 }
    const server = {
      identity: 'one', now: async () => Date.now(), queues: NOT_COUNTED, events: { stream: async () => stream }
    } as unknown as ObservedServer
    const queue: SeenQueue = {
      taskName: 'emails', name: 'emails', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0, ...absentAt !== undefined && { absentAt }
    }
    const told: string[] = []
    const streams = createFollowedStreams({
      progress: createSavedProgress(documents, turnIn(documents).fence), onError: error => { told.push(error.message) }
    })
    await streams.begin(server, [queue])
    t.match(told, gap === null ? [] : [gap])
    t.equal(told.length, gap === null ? 0 : 1)
    t.equal(streams.cursorOf('emails'), '0-0', 'the remaining events are read')
  }
})

t.test('the marks of an unavailable part of a cluster are kept while those of the other parts are replaced', async t => {
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const [away, well] = ['{a}', '{b}'].map((name): SeenQueue => {
    const server = { identity: 'redis://cluster', part: name } as ObservedServer
    return { taskName: name, name, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  }) as [SeenQueue, SeenQueue]
  await progress.mark([{ queue: away, eventId: '1-0', executionId: '{a}:1@1' }])
  for (const round of [1, 2]) {
    await progress.mark([{ queue: well, eventId: `${round}-0`, executionId: `{b}:${round}@${round}` }])
    progress.forgetMarks(well.server, true)
  }
  await progress.mark([{ queue: well, eventId: '3-0', executionId: '{b}:3@3' }])
  const next = createSavedProgress(documents, () => null)
  await next.load()
  t.equal(next.markOf(away, '1-0'), '{a}:1@1')
  t.same(['1-0', '2-0', '3-0'].map(id => next.markOf(well, id)), [undefined, undefined, '{b}:3@3'], 'those are replaced')
})

t.test('a name is known as soon as its first job is added, not only when that has finished', async t => {
  const server = WITHOUT_STREAMS
  const queue: SeenQueue = { taskName: 'mail', name: 'mail', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  const names = createJobNames(createMemoryDocuments(), true)
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const streams = createFollowedStreams({ progress, names, onError: error => t.fail(error.message) })
  await streams.begin(server, [queue])
  const events = [
    { event: 'added', jobId: '1', name: 'welcome' }, { event: 'added', jobId: '2', name: 'invoice' }, { event: 'completed', jobId: '1' },
    // An event that the owner publishes about something else.
    { event: 'added', name: 'a file in the bucket' }
  ].map((fields, index) => ({ id: `${index + 1}-0`, fields, size: 0 }))
  const finishes = await streams.take(server, { queues: [queue], events: new Map([['mail', events]]), unfinished: [] })
  t.equal(finishes.length, 1)
  t.same(names.tasksOf('mail').map(({ taskName }) => taskName), ['mail:welcome', 'mail:invoice'])
})

t.test('under high load, events are read once a second, unless a stream could trim some of them within that second', async t => {
  const maxLengths: Record<string, number | undefined> = { busy: 10_000, quiet: 10_000 }
  const server = {
    identity: 'one', now: async () => 9_000, queues: NOT_COUNTED,
    events: {
      stream: async ({ taskName }: SeenQueue) =>
        ({ length: 5, firstId: '1-0', lastId: '5-0', added: 5, maxLength: maxLengths[taskName] })
    }
  } as unknown as ObservedServer
  const streamsAfter = async (count: number, changed: typeof maxLengths = {}) => {
    Object.assign(maxLengths, { busy: 10_000, quiet: 10_000 }, changed)
    const documents = createMemoryDocuments()
    const progress = createSavedProgress(documents, turnIn(documents).fence)
    const streams = createFollowedStreams({ progress, onError: error => t.fail(error.message) })
    const queues = Object.keys(maxLengths).map((name): SeenQueue =>
      ({ taskName: name, name, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }))
    await streams.begin(server, queues)
    streams.pauseMs(DONE)
    await new Promise(resolve => { setTimeout(resolve, 20) })
    const events = Array.from({ length: count }, (_, index) =>
      ({ id: `${index + 10}-0`, fields: { event: 'waiting', jobId: '1' }, size: 0 }))
    await streams.take(server, { queues, events: new Map([['busy', events]]), unfinished: [] })
    return streams
  }
  const pauseAfter = async (...taken: Parameters<typeof streamsAfter>) => (await streamsAfter(...taken)).pauseMs(DONE)
  t.equal(await pauseAfter(10), 250)
  t.equal(await pauseAfter(30, { busy: 1_000_000_000 }), 250)
  t.equal(await pauseAfter(2_000, { busy: 1_000_000_000 }), 1_000)
  t.equal(await pauseAfter(2_000), 250, 'a quarter of the stream would be full before')
  t.equal(await pauseAfter(2_000, { busy: 1_000_000_000, quiet: 100 }), 250, 'a quiet stream may become busy')
  t.equal(await pauseAfter(2_000, { busy: 1_000_000_000, quiet: undefined }), 250, 'the maximum length is unknown')
  const more = { isMore: true, tookMs: 20 }
  const breathe = (streams: FollowedStreams, times: number) => Array.from({ length: times }, () => streams.pauseMs(more))
  const roomy = await streamsAfter(2_000, { busy: 1_000_000_000 })
  t.same(breathe(roomy, 22), [...Array<number>(20).fill(40), 0, 0], 'a pause between parts, until there is a large backlog')
  t.equal(roomy.pauseMs(DONE), 1_000, 'the same pause as without pauses between parts')
  t.same(breathe(roomy, 1), [40], 'the next time too')
  const [breath = NaN] = breathe(await streamsAfter(2_000), 1)
  t.ok(breath > 0 && breath < 40, `${breath} ms, because the stream would be full soon`)
  t.same(breathe(await streamsAfter(2_000, { busy: 100 }), 1), [0])
})

const GONE_STREAM = { stream: async () => null, isRefusal: () => false }

function queueOn(server: ObservedServer, name: string): SeenQueue {
  return { taskName: name, name, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
}

t.test('the time at which a queue was found to be gone is told by the clock of its server', async t => {
  const aheadMs = 3_600_000
  let stream: object | null = { length: 5, firstId: '1-0', lastId: '5-0', added: 5 }
  const server = {
    identity: 'one', now: async () => Date.now() - aheadMs, queues: NOT_COUNTED, events: { ...GONE_STREAM, stream: async () => stream }
  } as unknown as ObservedServer
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const queue = queueOn(server, 'mail')
  await progress.savePositions([{ queue, position: { position: '5-0', counted: 5, gaps: [] } }])
  const told: string[] = []
  const streams = createFollowedStreams({ progress, onError: error => { told.push(error.message) } })
  await streams.begin(server, [queue])
  stream = null
  await streams.forget(() => true)
  const [, end = ''] = /and (\S+): executions/.exec(told[0] ?? '') ?? []
  t.ok(Math.abs(Date.parse(end) - (Date.now() - aheadMs)) < 60_000, told.join())
})

t.test('if a server with very many queues is flushed, a few of them are reported by name and the others by number', async t => {
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const server = { ...WITHOUT_STREAMS, now: async () => Date.now() } as ObservedServer
  const queues = Array.from({ length: 500 }, (_, index) => queueOn(server, `mail-${index}`))
  await progress.savePositions(queues.map(queue => ({ queue, position: { position: '5000-0', counted: 7, gaps: [] } })))
  const told: string[] = []
  const streams = createFollowedStreams({ progress, onError: error => { told.push(error.message) } })
  await streams.begin(server, queues)
  t.ok(told.length < 30, `${told.length} errors`)
  t.match(told.at(-1), /^executions may also be missing of 480 other queues at redis:\/\/one$/i)
})
