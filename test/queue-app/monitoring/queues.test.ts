import t from 'tap'
import { createQueueOverviews, type QueueOverviewsDependencies } from '../../../lib/queue-app/monitoring/queues.ts'

t.test('executions from before a task was first seen do not raise its throughput', async t => {
  const now = Date.UTC(2026, 10, 20, 9, 30)
  // The broker lost its data a moment ago, so the task is new to it. The history is older.
  const task = { name: 'email:send', rateLimit: null, firstSeenAt: now - 10_000 }
  const reader = createQueueOverviews({
    engine: { queues: async () => new Map(), queueOf: (name: string) => name, rateLimitedUntil: async () => new Map() },
    backend: {
      windowByTask: async () => new Map([[task.name, { success: 170, failed: 10, duration: null, wait: null }]]),
      hoursByTask: async () => new Map()
    },
    registry: {
      tasks: async () => [task], taskNames: async () => [task.name], workers: async () => [], workersByTask: async () => new Map()
    },
    now: () => now
  } as unknown as QueueOverviewsDependencies)
  const [queue] = await reader.list()
  t.equal(queue?.throughputPerMinute, 2, '180 in the 90 minutes since the start of the previous hour')
  t.same(queue?.trend, Array.from({ length: 24 }, () => 0), 'nothing has finished in the last 24 hours')
})
