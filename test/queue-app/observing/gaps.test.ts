import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { ServerProcess } from '../../../lib/engine/observing/observed-server.ts'
import { QueueApp } from '../../../lib/index.ts'
import { sayGap } from '../../../lib/queue-app/observing/gaps/say-gap.ts'
import {
  afterEvents, beginningOf, compareWithProcess, compareWithStream, NOT_BEGUN, stepPast
} from '../../../lib/queue-app/observing/streams/stream-positions.ts'
import { OBSERVING_USER } from '../../support/documented-rights.ts'
import { observe, withHistory } from '../../support/observe.ts'
import { openQueue, startOwnersWorker } from '../../support/programs/owners-of-queues.ts'
import { redisUrl, startRedis, testNamespace } from '../../support/servers/stores.ts'
import { waitFor } from '../../support/wait-for.ts'

t.test('events that were trimmed before they were read are counted exactly', async t => {
  const begun = compareWithStream(NOT_BEGUN, { added: 100, length: 40, firstId: '11-0', lastId: '50-0' }, 60)
  t.match(begun, { position: '0-0', counted: 60, gaps: [] }, 'events that were trimmed before the first read are not a gap')
  const read = afterEvents(begun, '50-0', 40)
  t.equal(read.counted, 100)
  const same = compareWithStream(read, { added: 100, length: 40, firstId: '11-0', lastId: '50-0' }, 60)
  t.same(same, { position: '50-0', counted: 100, gaps: [], sureUntil: 60 }, 'nothing was added')
  t.match(
    compareWithStream(read, { added: 130, length: 40, firstId: '41-0', lastId: '80-0' }, 90), { ...read, sureUntil: 50 },
    'all that was added is still there'
  )
  const lost = compareWithStream(read, { added: 170, length: 40, firstId: '71-0', lastId: '99-0' }, 120)
  t.match(lost, { position: '50-0', counted: 130, gaps: [{ events: 30, from: 11, to: 120 }] },
    'the history begins with the first event that was there')
  t.match(compareWithStream(same, { added: 170, length: 40, firstId: '71-0', lastId: '99-0' }, 120), { gaps: [{ from: 60, to: 120 }] },
    'the gap begins when nothing was missing yet')
  const empty = compareWithStream(read, { added: 170, length: 0, firstId: null, lastId: '99-0' }, 120)
  t.match(empty, { position: '99-0', counted: 170, gaps: [{ events: 70 }] })
  const read7 = compareWithStream({ ...read, counted: 100 }, { added: null, length: 1, firstId: '99-0', lastId: '99-0' }, 60)
  t.match(read7, { position: '50-0', counted: null, gaps: [] }, 'Redis before 7')
})

t.test('what a stream lost that was recreated or went back is a gap of unknown size', async t => {
  const read = { position: '50-0', counted: 100, gaps: [], sureUntil: 55, had: { waiting: 3, running: 1, schedules: null, at: 55 } }
  const emptied = compareWithStream(read, null, 60)
  const gap = { events: null, from: 55, to: 60, cause: 'emptied', had: { waiting: 3, running: 1 } } as const
  t.match(emptied, { position: '0-0', counted: 0, gaps: [gap] }, 'the queue was obliterated')
  t.same(compareWithStream(emptied, null, 70).gaps, emptied.gaps, 'which is stated once')
  t.same(compareWithStream({ ...NOT_BEGUN, counted: 0 }, null, 70).gaps, [], 'a queue that never had events has lost none')
  const lost = compareWithStream(emptied, { added: 90, length: 60, firstId: '71-0', lastId: '90-0' }, 95)
  t.match(lost, { position: '0-0', counted: 30, gaps: [gap, { events: 30, from: 60, to: 95 }] }, 'its new stream has lost a known number')
  const shorter = compareWithStream(read, { added: 90, length: 60, firstId: '61-0', lastId: '90-0' }, 95)
  t.match(shorter, { position: '50-0', counted: 30, gaps: [{ ...gap, to: 95 }] }, 'flushed, with a new stream that is shorter')
  const longer = compareWithStream(read, { added: 500, length: 500, firstId: '61-0', lastId: '600-0' }, 605)
  t.match(longer, { position: '50-0', counted: 0, gaps: [{ ...gap, to: 605 }] }, 'flushed, with a new stream that is longer')
  t.same(compareWithStream(afterEvents(longer, '600-0', 500), { added: 500, length: 500, firstId: '61-0', lastId: '600-0' }, 700).gaps,
    longer.gaps, 'which is stated once')
  const begun = afterEvents(read, '70-0', 5)
  const both = compareWithStream(begun, { added: 5, length: 5, firstId: '61-0', lastId: '70-0' }, 75)
  t.match(both, { position: '70-0', counted: 5, gaps: [{ ...gap, to: 75 }] }, 'flushed, and the new events were read')
  const back = compareWithStream(read, { added: 95, length: 40, firstId: '6-0', lastId: '45-0' }, 60)
  const wentBack = { events: null, from: 55, cause: 'went back' }
  t.match(back, { position: '0-0', counted: 55, gaps: [{ ...wentBack, to: 60 }] }, 'the server lost its latest events: all are read again')
  const grown = compareWithStream(read, { added: 98, length: 40, firstId: '11-0', lastId: '70-0' }, 75)
  t.match(grown, { position: '50-0', counted: null, gaps: [{ ...wentBack, to: 75 }] }, 'new events since are counted once they are read')
  const counted = compareWithStream(afterEvents(grown, '70-0', 3), { added: 98, length: 40, firstId: '11-0', lastId: '70-0' }, 80)
  t.match(counted, { position: '70-0', counted: 98 })
  t.same(counted.gaps, grown.gaps, 'which is stated once')
})

t.test('a gap is reported with its reason, and with what an emptied queue had', async t => {
  const gap = { events: null, from: 0, to: 1_000 }
  const had = { waiting: 12, running: 0, schedules: 2, at: 500 }
  const when = 'between 1970-01-01T00:00:00.000Z and 1970-01-01T00:00:01.000Z: executions that finished then may be missing'
  t.equal(sayGap('mail', { ...gap, cause: 'emptied', had }), 'The queue mail was removed from its server, or the server was flushed, ' +
    `${when}. At the last check, 1970-01-01T00:00:00.500Z, it had waiting: 12, schedules: 2`)
  t.equal(sayGap('mail', { ...gap, cause: 'emptied', had: { ...had, waiting: 0, schedules: 0 } }),
    `The queue mail was removed from its server, or the server was flushed, ${when}`)
  t.equal(sayGap('mail', { ...gap, cause: 'went back' }), `The server lost events of the queue mail that it had before, ${when}`)
  t.equal(sayGap('mail', { ...gap, cause: 'replaced' }), `Another server took over the queue mail, ${when}`)
})

t.test('another server is one whose process was there before, not one that restarted, and in a cluster a former replica', async t => {
  const before = { runId: 'a', replicationId: 'x', replicationIdBefore: '0', startedAt: 0 }
  const other = { runId: 'b', replicationId: 'y', replicationIdBefore: 'x', startedAt: 10_000 }
  const stream = { added: 100, length: 40, firstId: '11-0', lastId: '50000-0' }
  const read = compareWithStream({ position: '50000-0', counted: 100, gaps: [] }, stream, 50_000)
  const known = compareWithProcess(read, read, before, { at: 50_000, isInCluster: false })
  const after = (now: ServerProcess | null, isInCluster = false, state = stream) =>
    compareWithProcess(known, compareWithStream(known, state, 60_000), now, { at: 60_000, isInCluster })
  const gap = { events: null, from: 50_000, to: 90_000, cause: 'replaced' }
  t.same(after(other).gaps, [gap], 'until the old primary is surely a replica')
  t.same(after(other, true).gaps, [gap])
  t.same(after({ ...other, replicationIdBefore: 'z' }, true).gaps, [], 'a slot has moved to another node')
  t.same(after({ ...other, startedAt: 55_000 }).gaps, [], 'the server has restarted')
  t.same(after({ ...other, startedAt: 49_000 }).gaps, [], 'it may have restarted just then, because ages are whole seconds')
  t.same(after(before).gaps, [], 'the connection was lost')
  t.same(after(null).gaps, [], 'the server does not tell')
  t.equal(after(null).process?.runId, 'a', 'so the next check compares with the one before')
  t.same(after(other, false, { ...stream, added: 90, lastId: '49000-0' }).gaps, [gap], 'a replica that lacked the latest events')
  t.match(after(other, false, { ...stream, added: 200, firstId: '55000-0', lastId: '60000-0' }).gaps, [{ events: 60 }, gap],
    'the number of the trimmed ones is known')
  const once = after(other)
  t.same(compareWithProcess(once, compareWithStream(once, stream, 70_000), other, { at: 70_000, isInCluster: false }).gaps, [gap],
    'which is stated once')
})

t.test('all lost events of a queue that did not exist before are missed, and none of a queue that was hidden or imported', async t => {
  const lost = (stored: Parameters<typeof beginningOf>[0], absentAt: number | undefined, firstId: string | null) => {
    const stream = { added: 6_000, length: firstId === null ? 0 : 1_000, firstId, lastId: '950-0' }
    return compareWithStream(beginningOf(stored, stream, absentAt), stream, 1_000).gaps.at(-1)?.events ?? 0
  }
  const stored = { position: '50-0', counted: 100, gaps: [] }
  t.equal(lost(null, 500, '600-0'), 5_000, 'a new queue')
  t.equal(lost(null, 500, null), 6_000, 'a new queue whose stream was emptied')
  t.equal(lost(null, 500, '400-0'), 0, 'a queue that became readable, or was imported: it has events from before')
  t.equal(lost(null, undefined, '600-0'), 0, 'a queue at the start of the dashboard')
  t.equal(lost(stored, 500, '600-0'), 5_000, 'a queue that was gone and is there again counts from the beginning')
  t.equal(lost({ ...stored, counted: 5_000 }, 500, '600-0'), 5_000, 'even if it has become longer than what was read')
  t.equal(lost(stored, 500, '40-0'), 4_900, 'a queue that was hidden counts from where it was read')
  const missed = { ...stored, gaps: [{ events: 1, from: 2, to: 3 }] }
  t.match(beginningOf(missed, undefined, 500), { counted: 100 }, 'as long as the stream is unknown')
  t.match(beginningOf(missed, { added: 1, length: 1, firstId: '600-0', lastId: '600-0' }, 500),
    { counted: 0, gaps: [{ events: 1 }, { events: null, from: 50, to: 500, cause: 'emptied' }] },
    'earlier gaps are kept, and what was not read before the queue was gone is another')
  const gone = { ...missed, position: '0-0', counted: 0 }
  t.equal(beginningOf(gone, { added: 1, length: 1, firstId: '600-0', lastId: '600-0' }, 500).gaps.length, 1,
    'unless that was stated when it was gone')
})

t.test('skipped events are reported with their exact number if the server counts events', async t => {
  const read = { position: '50-0', counted: 100, gaps: [], sureUntil: 55 }
  const stepped = stepPast(read, 90)
  const stated = compareWithStream(stepped, { added: 107, length: 40, firstId: '20-0', lastId: '88-0' }, 100)
  t.match(stated, { position: '90-0', counted: 107, gaps: [{ events: 7, from: 55, to: 100 }] })
  t.match(stepPast({ ...read, counted: null }, 90), { gaps: [{ events: null, from: 55, to: 90 }] })
  t.match(sayGap('emails', stepPast({ ...read, counted: null }, 90).gaps.at(-1)!), /^An unknown number of events of the queue emails/)
})

t.test('a user with the documented rights sees everything, or only the named queues without SCAN', async t => {
  const server = await startRedis(t)
  const queue = openQueue(t, 5, 'emails', server.url)
  await queue.add('send', { to: 'ada' })
  const worker = startOwnersWorker(t, 5, 'emails', server.url)
  await waitFor('the worker', async () => worker.outcomes.length === 1)
  const redis = new Redis(server.url)
  await redis.call('ACL', ...OBSERVING_USER)
  const url = server.url.replace('redis://', 'redis://dashboard:secret@')
  const seen = async (source: Parameters<typeof QueueApp.fromQueues>[0]) => {
    const queueApp = QueueApp.fromQueues(source, await withHistory(t, { onError: error => t.fail(error.message) }))
    await queueApp.start()
    const task = await waitFor('the history', async () =>
      (await queueApp.monitoring.tasks()).find(({ executions }) => executions.success === 1))
    const health = await queueApp.monitoring.health()
    await queueApp.stop()
    return { task, health }
  }
  t.match(await seen({ broker: url }), { task: { name: 'emails' }, health: { status: 'healthy' } })
  await redis.call('ACL', 'SETUSER', 'dashboard', '-scan', '-info', '-time', '-ping')
  t.match(await seen({ broker: url, queues: ['emails'] }), { task: { name: 'emails' }, health: { status: 'healthy' } })
  await t.rejects(QueueApp.fromQueues({ broker: url }).start(), { code: 'STORE_UNSUITABLE', message: /may not run SCAN.*name them/ })
  redis.disconnect()
})

/** The queues `mine` and `secret`, and apps that observe them as a user who may read all of both until `mayRead` restricts that. */
async function startWithTwoQueues(t: Test) {
  const server = await startRedis(t)
  for (const name of ['mine', 'secret']) await openQueue(t, 5, name, server.url).add('send', {})
  const redis = new Redis(server.url)
  t.teardown(() => redis.disconnect())
  await redis.call('ACL', ...OBSERVING_USER)
  const options = await withHistory(t, { onError: error => t.comment(error.message) })
  return {
    broker: server.url.replace('redis://', 'redis://dashboard:secret@'),
    mayRead: (keys: string) => redis.call('ACL', 'SETUSER', 'dashboard', 'resetkeys', keys),
    open(source: Parameters<typeof QueueApp.fromQueues>[0]) {
      const queueApp = QueueApp.fromQueues(source, { ...options, namespace: testNamespace() })
      t.teardown(() => queueApp.stop())
      return queueApp
    }
  }
}

t.test('a named queue that the user may not read is not shown, and health says so; the start fails if there is no other queue', async t => {
  const { broker, open, mayRead } = await startWithTwoQueues(t)
  await mayRead('~bull:mine:*')
  const queueApp = open({ broker, queues: ['secret', 'mine'] })
  await queueApp.start()
  t.same((await queueApp.monitoring.tasks()).map(({ name, executions }) => [name, executions.pending]), [['mine', 1]])
  t.match(await queueApp.monitoring.health(), {
    status: 'degraded', components: { broker: { message: /may not read them: "bull:secret" \(.*\)\. Give the user the rights in docs/ } }
  })
  const two = open([{ broker, queues: ['secret'], label: 'a' }, { broker, label: 'b' }])
  await two.start()
  t.same((await two.monitoring.tasks()).map(({ name }) => name), ['b/mine'], 'stopping one source does not affect another on its server')
  await two.stop()
  await t.rejects(open({ broker, queues: ['secret'] }).start(), { code: 'STORE_UNSUITABLE', message: /the queues "bull:secret" may not be read: / })
})

t.test('a queue that the user may not read any more is not shown, and health says so until it can be read again', async t => {
  const { broker, open, mayRead } = await startWithTwoQueues(t)
  const queueApp = open({ broker })
  await queueApp.start()
  const names = async () => (await queueApp.monitoring.tasks()).map(({ name }) => name).join()
  t.equal(await names(), 'mine,secret')
  await mayRead('~bull:mine:*')
  await waitFor('the next scan', async () => await names().catch(() => '') === 'mine')
  t.match((await queueApp.monitoring.health()).components.broker, {
    message: /Queues are not shown .* may not read them: "bull:secret" \(the right was taken away\)/
  })
  t.equal((await queueApp.monitoring.executions({ status: 'pending' })).executions.length, 1)
  await mayRead('~bull:*')
  await waitFor('the scan after that', async () => await names() === 'mine,secret')
  t.equal((await queueApp.monitoring.health()).status, 'healthy')
})

t.test('for a queue that other code creates later, health reports the number of events lost before it was found', async t => {
  const url = await redisUrl(t)
  const queueApp = await observe(t, { broker: url }, { onError: error => t.comment(error.message) })
  const queue = openQueue(t, 6, 'late', url, { defaultJobOptions: { removeOnComplete: true }, streams: { events: { maxLen: 100 } } })
  const worker = startOwnersWorker(t, 6, 'late', url)
  await queue.addBulk(Array.from({ length: 300 }, (_, to) => ({ name: 'send', data: { to } })))
  await waitFor('the worker', async () => worker.outcomes.length === 300)
  await waitFor('the queue', async () => (await queueApp.monitoring.tasks()).some(({ name }) => name === 'late'))
  const lost = await waitFor('the number of lost events', async () =>
    /^(\d+) events of the queue late were removed/.exec((await queueApp.monitoring.health()).components.backend.message)?.[1])
  const redis = new Redis(url)
  t.teardown(() => redis.disconnect())
  const info = await redis.xinfo('STREAM', 'bull:late:events') as unknown[]
  const of = (name: string): number => Number(info[info.indexOf(name) + 1])
  t.ok(of('length') < 300, 'most events are gone')
  t.equal(Number(lost), of('entries-added') - of('length'))
  const { total } = await waitFor('the remaining events', async () => {
    const page = await queueApp.monitoring.executions({ status: 'success', limit: 1 })
    return page.total.value > 0 ? page : null
  })
  t.ok(total.value < 300)
})
