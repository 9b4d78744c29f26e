import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import { observedSchedulerFrom } from '../../../../lib/engine/observing/schedulers/observed-scheduler.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import { createSchedulerWatch } from '../../../../lib/queue-app/observing/schedules/watch-schedulers.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'

const COUNT = 30

function queuesOf(identity: string): SeenQueue[] {
  const server = { identity } as SeenQueue['server']
  return Array.from({ length: COUNT }, (_, index) =>
    ({ taskName: `${identity}${index}`, name: `${identity}${index}`, prefix: 'bull', server, firstSeenAt: 0, lastSeenAt: 0 }))
}

t.test('a server that becomes unavailable during a check does not keep the schedules of others from being checked', async t => {
  const queues = [...queuesOf('silent'), ...queuesOf('well')]
  const books = createScheduleBooks(createMemoryDocuments())
  const errors: string[] = []
  const watch = createSchedulerWatch({
    discovery: { queues: () => queues, queueOf: name => queues.find(({ taskName }) => taskName === name) },
    books,
    reads: {
      haveAny: async some => some.map(() => true),
      list: async ({ taskName }) => ({
        schedulers: [observedSchedulerFrom(
          { taskName, id: 'report', data: '{}', opts: '{}', plannedAt: 2_000, pending: 'delayed' },
          ['report', null, '1000', null, null, null, null, null, '1', null]
        )],
        left: 0
      }),
      find: async () => null, optionsOfNext: async () => '{}', hasJob: async () => false,
      async now({ server }) {
        if (server.identity === 'silent') throw new Error('the server silent does not answer')
        return 1_000
      },
      serverOf: ({ server }) => server.identity
    },
    leases: { acquireLease: async () => true, releaseLease: async () => {} }, holder: 'this', onForgotten: async () => {},
    onError: error => errors.push(error.message)
  })
  await watch.runOnce().catch((error: Error) => errors.push(error.message))
  const noted = (await books.list()).map(({ value }) => value.taskName)
  t.equal(noted.filter(name => name.startsWith('well')).length, COUNT)
  t.equal(noted.filter(name => name.startsWith('silent')).length, 0)
  t.match(errors, ['the server silent does not answer'])
})
