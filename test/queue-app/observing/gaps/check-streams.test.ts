import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { afterCheck, checkStreams } from '../../../../lib/queue-app/observing/gaps/check-streams.ts'
import { withSchedules } from '../../../../lib/queue-app/observing/gaps/schedules-lost.ts'
import { compareWithStream, type StreamPosition } from '../../../../lib/queue-app/observing/streams/stream-positions.ts'

const READ: StreamPosition = {
  position: '50-0', counted: 9, gaps: [], sureUntil: 100_000, had: { waiting: 3, running: 0, schedules: null, at: 100_000 }
}

function queueWith(waiting: number): SeenQueue {
  const counts = { waiting, prioritized: 0, delayed: 0, active: 0, planned: 0 }
  const server = {
    part: '', queues: { counts: async () => [counts] },
    events: { stream: async () => ({ length: 9, firstId: '1-0', lastId: '50-0', added: 9 }), isRefusal: () => false }
  } as unknown as ObservedServer
  return { taskName: 'mail', name: 'mail', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
}

t.test('after the clock of the server went back, its queues are counted again, not only once the old time has come', async t => {
  const queue = queueWith(8)
  const waitingAt = async (at: number) =>
    afterCheck(queue, READ, await checkStreams(queue.server, new Map([[queue, READ]]), at)).had?.waiting
  t.equal(await waitingAt(110_000), 3, 'counted ten seconds ago')
  t.equal(await waitingAt(160_000), 8, 'a minute later')
  t.equal(await waitingAt(100_000 - 3_600_000), 8, 'an hour earlier')
})

t.test('if the schedules of an emptied queue cannot be read, their number is unknown and not 0', async t => {
  const queue = queueWith(8)
  const all = new Map([[queue, { before: READ, position: compareWithStream(READ, null, 120_000) }]])
  const hadAfter = async (schedulesOf: () => Promise<ReadonlyMap<string, number>>) =>
    (await withSchedules(all, schedulesOf)).get(queue)!.gaps.at(-1)!.had
  t.match(await hadAfter(async () => new Map([['mail', 2]])), { waiting: 3, schedules: 2 })
  t.match(await hadAfter(async () => new Map()), { waiting: 3, schedules: 0 })
  t.match(await hadAfter(() => Promise.reject(new Error('away'))), { waiting: 3, schedules: null })
})
