import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import type { SeenQueue } from '../../../lib/engine/observing/discovery.ts'
import { createJobStories } from '../../../lib/engine/observing/events/job-stories.ts'
import type { ObservedServer } from '../../../lib/engine/observing/observed-server.ts'
import { claimFinishes } from '../../../lib/queue-app/observing/finishes/claim-finishes.ts'
import { createFollowedStreams } from '../../../lib/queue-app/observing/streams/followed-streams.ts'
import { createSavedProgress } from '../../../lib/queue-app/observing/saved-progress.ts'
import { createEventFinishes } from '../../../lib/queue-app/observing/event-finishes.ts'
import { createMemoryDocuments } from '../../support/memory-documents.ts'
import { turnIn } from './turn-in.ts'

/** A server with few connections fails calls that arrive when this many are already waiting. */
const WAITING = 60

function serverOfFewConnections() {
  let waiting = 0
  let answered = 0
  const answer = <Value>(value: Value) => async (): Promise<Value> => {
    if (waiting >= WAITING) throw new Error('no connection')
    waiting++
    await nextTurn()
    waiting--
    answered++
    return value
  }
  const server = {
    identity: 'one', part: '', now: answer(9_000), ping: answer(1), queues: { counts: answer([]) },
    events: {
      stream: answer({ length: 0, firstId: null, lastId: '5-0', added: 5 }), lastFinishes: answer(new Map()), isRefusal: () => false
    },
    jobs: { finishedOn: (jobs: readonly unknown[]) => answer(jobs.map(() => 1_000))() }
  } as unknown as ObservedServer
  return { server, answered: () => answered }
}

t.test('a thousand queues are started a few at a time', async t => {
  const { server, answered } = serverOfFewConnections()
  const queues = Array.from({ length: 1_000 }, (_, index): SeenQueue =>
    ({ taskName: `q${index}`, name: `q${index}`, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }))
  const documents = createMemoryDocuments()
  const progress = createSavedProgress(documents, turnIn(documents).fence)
  const streams = createFollowedStreams({ progress, onError: error => t.fail(error.message) })
  await streams.begin(server, queues)
  t.equal(answered(), 1_002, 'one call for each queue, one for the clock, and one for all counts')
})

t.test('the jobs of a thousand finishes are checked in one call', async t => {
  const { server, answered } = serverOfFewConnections()
  const queue: SeenQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  const finishes = Array.from({ length: 1_000 }, (_, job) =>
    createJobStories().tell(queue, { id: `1000-${job}`, fields: { event: 'completed', jobId: String(job) } })!)
  const claims = await claimFinishes(finishes, { discovery: { queueOf: () => queue }, ofEvents: createEventFinishes() })
  t.equal(answered(), 1)
  t.ok(claims.every(({ finishedOn }) => finishedOn === 1_000))
})
