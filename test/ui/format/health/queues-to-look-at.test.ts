import t from 'tap'
import type { Queue, Stats } from '../../../../schemas/index.ts'
import { isAnythingWaiting, toQueuesToLookAt } from '../../../../ui/src/format/health/queues-to-look-at.ts'

const queue = (task: string, fields: Partial<Queue>): Queue =>
  ({ task_name: task, pause: null, pending: 0, workers: 1, oldest_pending_ms: null, ...fields }) as Queue
const pause = { since: null, by: null, reason: null, until: null }

t.test('a queue needs attention if its waiting executions do not start by themselves', async t => {
  t.strictSame(toQueuesToLookAt([
    queue('busy', { pending: 3, oldest_pending_ms: 600_000 }),
    queue('idle', { workers: 0 }),
    queue('later', { pending: 3, workers: 0 }),
    queue('unattended', { pending: 3, workers: 0, oldest_pending_ms: 0 }),
    queue('of others', { pending: 3, workers: null, oldest_pending_ms: 600_000 }),
    queue('paused', { pause, pending: 4, oldest_pending_ms: 600_000 }),
    queue('paused without a worker', { pause, pending: 5, workers: 0, oldest_pending_ms: 600_000 }),
    queue('paused and empty', { pause, workers: 0 })
  ]), { paused: { queues: 2, waiting: 9 }, withoutWorker: ['unattended'] })
})

t.test('only due executions count as waiting', async t => {
  const waiting = (oldestMs: number | null) => isAnythingWaiting({ oldest_pending_ms: oldestMs } as Stats)
  t.strictSame([waiting(null), waiting(5_000), waiting(5_001), isAnythingWaiting(undefined)], [false, false, true, false])
})
