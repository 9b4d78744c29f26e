import t from 'tap'
import type { EnqueueRequest } from '../../lib/engine/engine.ts'
import { createTaskDashboardError } from '../../lib/errors.ts'
import { createEnqueueBatches, enqueueAll } from '../../lib/queue-app/enqueue-batches.ts'

function requestOf(executionId: string): EnqueueRequest {
  return { executionId, taskName: 'a', args: [], maxAttempts: 1, retryDelayMs: 0, delayMs: 0, priority: 0, scheduleId: null, retryOf: null }
}

t.test('what is enqueued at once is sent together, in order, at most a thousand a round trip, one after the other', async t => {
  const sent: string[][] = []
  let under = 0
  const enqueue = createEnqueueBatches({
    async enqueue(requests) {
      t.equal(++under, 1, 'one at a time')
      await new Promise(resolve => setImmediate(resolve))
      sent.push(requests.map(request => request.executionId))
      under--
    }
  })
  await Promise.all(Array.from({ length: 2500 }, (_, index) => enqueue([requestOf(String(index))])))
  t.same(sent.map(batch => batch.length), [1000, 1000, 500])
  t.same(sent.flat(), Array.from({ length: 2500 }, (_, index) => String(index)))
  await enqueue([requestOf('later')])
  t.same(sent.at(-1), ['later'])
})

t.test('a failure reaches everybody in line at once, and what is enqueued later is tried', async t => {
  let calls = 0
  const enqueue = createEnqueueBatches({
    async enqueue() {
      if (++calls === 1) throw new Error('away')
    }
  })
  const outcomes = await Promise.allSettled(Array.from({ length: 1001 }, (_, index) => enqueue([requestOf(String(index))])))
  t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1001)
  t.equal(calls, 1)
  await t.resolves(enqueue([requestOf('later')]))
})

t.test('when a later thousand fails, the error has the ids of those before it', async t => {
  const requests = Array.from({ length: 2500 }, (_, index) => requestOf(String(index)))
  const ids = requests.map(request => request.executionId)
  const cause = new Error('away')
  for (const [failing, enqueuedIds] of [[1, []], [2, ids.slice(0, 1000)], [3, ids.slice(0, 2000)]] as const) {
    let calls = 0
    const enqueue = createEnqueueBatches({
      async enqueue() {
        if (++calls === failing) throw createTaskDashboardError('BROKER_UNAVAILABLE', [], { cause })
      }
    })
    await t.rejects(enqueueAll(requests, enqueue), { code: 'BROKER_UNAVAILABLE', cause, enqueuedIds })
    t.equal(calls, failing, 'nothing is sent after it')
  }
  t.same(await enqueueAll(requests, createEnqueueBatches({ async enqueue() {} })), ids)
})
