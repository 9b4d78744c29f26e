/** The process that watches job schedulers is frozen. While it is, another one watches them, or a person makes a decision. */
import t from 'tap'
import type { SeenQueue } from '../../../../lib/engine/observing/discovery.ts'
import type { ManagedQueues, PlanChange } from '../../../../lib/engine/observing/managing/manage-queues.ts'
import { observedSchedulerFrom, type ObservedScheduler } from '../../../../lib/engine/observing/schedulers/observed-scheduler.ts'
import type { SchedulerReads } from '../../../../lib/engine/observing/schedulers/scheduler-reads.ts'
import { createManagedSchedules } from '../../../../lib/queue-app/observing/schedules/managed-schedules.ts'
import { createObservedSchedules } from '../../../../lib/queue-app/observing/schedules/observed-schedules.ts'
import { createScheduleBooks } from '../../../../lib/queue-app/observing/schedules/schedule-book.ts'
import { createSchedulerWatch } from '../../../../lib/queue-app/observing/schedules/watch-schedulers.ts'
import { createMemoryDocuments } from '../../../support/memory-documents.ts'

const SCHEDULE = 'emails:report'
const queue = { taskName: 'emails', name: 'emails', prefix: 'bull', server: {}, firstSeenAt: 0, lastSeenAt: 0 } as unknown as SeenQueue

/** One scheduler that runs every second, on a server whose clock the test sets. */
function createServer() {
  const server = {
    now: 1_000,
    scheduler: observedSchedulerFrom(
      { taskName: 'emails', id: 'report', data: '{}', opts: '{}', plannedAt: 2_000, pending: 'delayed' },
      ['report', null, '1000', null, null, null, null, null, '1', null]
    ),
    set(changes: Partial<ObservedScheduler>) { server.scheduler = { ...server.scheduler, ...changes } }
  }
  const reads: SchedulerReads<SeenQueue> = {
    haveAny: async () => [true], list: async () => ({ schedulers: [server.scheduler], left: 0 }), find: async () => server.scheduler,
    optionsOfNext: async () => '{}', hasJob: async () => false, now: async () => server.now, serverOf: () => 'one'
  }
  return Object.assign(server, { reads })
}

/** The parts that each process has separately. */
function createProcess(
  server: ReturnType<typeof createServer>, documents = createMemoryDocuments(),
  { isHolder = (): boolean => true, beforePlan = async () => {} } = {}
) {
  const discovery = { queues: () => [queue], queueOf: () => queue }
  const books = createScheduleBooks(documents)
  const reads = createObservedSchedules({
    discovery, books, reads: server.reads, names: { taskOf: name => name, tasksOf: () => [] }, patienceMs: 15_000, manages: true,
    problem: () => null
  })
  const managed = {
    async plan(_queue: unknown, _id: string, change: PlanChange) {
      await beforePlan()
      server.set({ plannedAt: change.to })
      return 'planned'
    }
  } as unknown as ManagedQueues
  const schedules = createManagedSchedules({ managed, discovery, books, schedulers: server.reads, reads })
  const watch = createSchedulerWatch({
    discovery, books, reads: server.reads, leases: { acquireLease: async () => isHolder(), releaseLease: async () => {} }, holder: 'this',
    settle: schedules.settle, onForgotten: async () => {}, onError: error => t.fail(error.message)
  })
  return { watch, schedules, books }
}

t.test('missed runs are counted once, even if the process that watched before watches again', async t => {
  const server = createServer()
  const documents = createMemoryDocuments()
  let holder = 'frozen'
  const frozen = createProcess(server, documents, { isHolder: () => holder === 'frozen' })
  const successor = createProcess(server, documents, { isHolder: () => holder === 'successor' })
  await frozen.watch.runOnce()
  holder = 'successor'
  Object.assign(server, { now: 6_500 })
  // Of the five runs that were due, one took place.
  server.set({ plannedAt: 7_000, iterations: 2 })
  await successor.watch.runOnce()
  t.equal((await successor.books.get(SCHEDULE))?.value.missed, 4)
  holder = 'frozen'
  for (let look = 0; look < 3; look++) await frozen.watch.runOnce()
  t.equal((await frozen.books.get(SCHEDULE))?.value.missed, 4)
})

t.test('a schedule that a person enables while a process is about to disable it again stays enabled', async t => {
  const server = createServer()
  const documents = createMemoryDocuments()
  const person = createProcess(server, documents)
  let decision = async () => {}
  const frozen = createProcess(server, documents, {
    async beforePlan() {
      const decide = decision
      decision = async () => {}
      await decide()
    }
  })
  await frozen.watch.runOnce()
  await person.schedules.setEnabled(SCHEDULE, false, 'ada')
  // The owner's code enables the schedule, and the process that disables it again is frozen just before that.
  server.set({ plannedAt: 2_000 })
  decision = async () => { await person.schedules.setEnabled(SCHEDULE, true, 'ada') }
  await frozen.watch.runOnce()
  t.equal((await person.books.get(SCHEDULE))?.value.disabled, null)
  t.ok(server.scheduler.plannedAt < 100_000, `it runs at ${server.scheduler.plannedAt}`)
})

t.test('a decision that a person has reverted is not enforced again', async t => {
  const server = createServer()
  const documents = createMemoryDocuments()
  const person = createProcess(server, documents)
  const frozen = createProcess(server, documents)
  await person.schedules.setEnabled(SCHEDULE, false, 'ada')
  const before = (await person.books.get(SCHEDULE))!.value
  server.set({ plannedAt: 2_000 })
  await person.schedules.setEnabled(SCHEDULE, true, 'ada')
  t.equal(await frozen.schedules.settle(server.scheduler, SCHEDULE, before), false)
  t.equal(server.scheduler.plannedAt, 2_000)
})
