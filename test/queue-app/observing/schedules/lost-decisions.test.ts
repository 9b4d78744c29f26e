import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { observedSchedulerFrom, type ObservedScheduler } from '../../../../lib/engine/observing/schedulers/observed-scheduler.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import { createSchedulerWatch } from '../../../../lib/queue-app/observing/schedules/watch-schedulers.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'

const QUEUE = { taskName: 'mail', name: 'mail', prefix: 'bull', server: { identity: 'one' }, firstSeenAt: 0, lastSeenAt: 0 } as SeenQueue

function schedulerOf(id: string): ObservedScheduler {
  return observedSchedulerFrom(
    { taskName: 'mail', id, data: '{}', opts: '{}', plannedAt: 2_000, pending: 'delayed' },
    ['report', null, '1000', null, null, null, null, null, '1', null]
  )
}

t.test('when a scheduler that was disabled or edited is renamed by its owner, this is said once', async t => {
  const books = createScheduleBooks(createMemoryDocuments())
  const errors: string[] = []
  let ids = ['nightly', 'hourly', 'weekly']
  const watch = createSchedulerWatch({
    discovery: { queues: () => [QUEUE], queueOf: () => QUEUE },
    books,
    reads: {
      haveAny: async some => some.map(() => true),
      list: async () => ({ schedulers: ids.map(schedulerOf), left: 0 }),
      find: async () => null, optionsOfNext: async () => '{}', hasJob: async () => false, now: async () => 1_000, serverOf: () => 'one'
    },
    leases: { acquireLease: async () => true, releaseLease: async () => {} }, holder: 'this', onForgotten: async () => {},
    onError: error => errors.push(error.message)
  })
  await watch.runOnce()
  const by = { at: 1, by: 'ada' }
  await books.change('mail:nightly', book => book && { ...book, disabled: by })
  await books.change('mail:hourly', book => book && { ...book, edits: { everyMs: { ...by, value: '5000' as never } } })
  ids = ['nightly-2', 'hourly-2', 'weekly-2']
  await watch.runOnce()
  await watch.runOnce()
  t.same(errors.toSorted(), [['hourly', 'edited'], ['nightly', 'disabled']].map(([id, what]) =>
    `The queue mail no longer has the job scheduler "${id}", which was ${what} in the dashboard. If its owner has renamed it, ` +
    'decide again for the new one'))
})
