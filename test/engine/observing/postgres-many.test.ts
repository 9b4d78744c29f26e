import t from 'tap'
import { createObservedEngine } from '../../../lib/engine/observing/observed-engine.ts'
import type { ObservedQueue } from '../../../lib/engine/observing/observed-queue.ts'
import { createObservedPostgres } from '../../../lib/engine/observing/postgres/postgres-server.ts'
import type { ReadDatabase } from '../../../lib/stores/postgres/observing/read-database.ts'

t.test('reading the content and the settings of a thousand queues takes one statement each', async t => {
  const names = Array.from({ length: 1_000 }, (_, index) => `q${index}`)
  let statements = 0
  const database = {
    async read(text: string) {
      statements++
      if (text.includes('.meta')) return [{ queue: 'q7', field: 'paused', value: '1' }, { queue: 'q8', field: 'concurrency', value: '3' }]
      if (text.includes('AS held')) return names.map(queue => ({ queue, waiting: '1', prioritized: '0', delayed: '0', active: '2' }))
      return [{
        queue: 'q7', id: '1', job_state: 'waiting', added_at_ms: '1000', delay_ms: '0', priority: 0, attempts_made: 0, unread: [],
        opts: null, process_at_ms: null, processed_at_ms: null, finished_at_ms: null, scheduler_id: null
      }]
    }
  } as unknown as ReadDatabase
  const server = createObservedPostgres(database)
  const queueOf = (taskName: string): ObservedQueue => ({ taskName, name: taskName, prefix: 'bullmq', server })
  const engine = createObservedEngine(queueOf)
  const queues = await engine.queues(names)
  t.equal(statements, 3)
  t.equal(queues.size, 1_000)
  t.match(queues.get('q7'), { pending: 1, running: 2, oldestPendingMs: Number, pause: Object, limits: null })
  t.match(queues.get('q8'), { pending: 1, oldestPendingMs: null, pause: null, limits: { concurrency: 3 } })
  statements = 0
  t.match(await engine.summary(names), { pending: 1_000, running: 2_000, oldestPendingMs: Number })
  t.equal(statements, 2)
})
