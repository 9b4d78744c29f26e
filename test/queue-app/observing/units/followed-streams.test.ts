import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import type { ObservedServer } from '../../../../lib/engine/observing/observed-server.ts'
import { createFollowedStreams } from '../../../../lib/queue-app/observing/followed-streams.ts'
import { createSavedProgress } from '../../../../lib/queue-app/observing/saved-progress.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'

t.test('what a stream has that comes back from a backup is compared with the history', async t => {
  const progress = createSavedProgress(createMemoryDocuments())
  const server = { identity: 'one', now: async () => 9_000, events: { stream: async () => null } } as unknown as ObservedServer
  const queue: SeenQueue = { taskName: 'emails', name: 'emails', prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }
  await progress.savePositions([{ queue, position: { position: '5000-0', counted: 7, gaps: [] } }])
  const streams = createFollowedStreams({ progress, onError: error => t.fail(error.message) })
  await streams.begin(server, [queue])
  t.equal(streams.cursorOf('emails'), '0-0', 'all that comes is read')
  t.equal(streams.replayUntil('emails'), 9_000, 'and what is older than this look may have been recorded')
})
