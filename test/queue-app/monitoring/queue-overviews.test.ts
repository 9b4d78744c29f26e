import t from 'tap'
import { createQueueOverviews, type QueueOverviewsDependencies } from '../../../lib/queue-app/monitoring/queue-overviews.ts'

const IDLE = { pending: 0, running: 0, oldestPendingMs: null, pause: null, limits: null }

t.test('executions from before a task was first seen do not raise its throughput', async t => {
  const now = Date.UTC(2026, 10, 20, 9, 30)
  // The broker lost its data a moment ago, so the task is new to it. The history is older.
  const task = { name: 'email:send', rateLimit: null, firstSeenAt: now - 10_000 }
  const hours = new Map<string, number[]>()
  const trend = [...Array.from({ length: 22 }, () => 7), 120, 60]
  const reader = createQueueOverviews({
    engine: {
      queues: async (names: readonly string[]) => new Map(names.map(name => [name, IDLE])), queueOf: (name: string) => name,
      rateLimitedUntil: async () => new Map()
    },
    backend: { hoursByTask: async () => hours },
    registry: {
      tasks: async () => [task], taskNames: async () => [task.name], workers: async () => [], workersByTask: async () => new Map()
    },
    now: () => now
  } as unknown as QueueOverviewsDependencies)
  t.match(await reader.list(), [{ throughputPerMinute: 0, trend: Array.from({ length: 24 }, () => 0) }], 'nothing has finished')
  hours.set(task.name, trend)
  const [queue] = await reader.list()
  t.equal(queue?.throughputPerMinute, 2, '180 in the 90 minutes since the start of the previous hour')
  t.same(queue?.trend, trend)
})
