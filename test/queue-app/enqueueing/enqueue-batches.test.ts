import t from 'tap'
import { fixedDelay } from '../../../lib/time/backoff.ts'
import type { EnqueueRequest } from '../../../lib/engine/engine.ts'
import { createTaskDashboardError, type TaskDashboardError } from '../../../lib/errors.ts'
import { createEnqueueBatches, enqueueAll } from '../../../lib/queue-app/enqueueing/enqueue-batches.ts'

const NONE: ReadonlyMap<string, string> = new Map()

function requestOf(executionId: string): EnqueueRequest {
  return {
    executionId, taskName: 'a', args: [], maxAttempts: 1, backoff: fixedDelay(0), delayMs: 0, priority: 0, scheduleId: null, retryOf: null
  }
}

t.test('concurrent enqueue() calls are sent together in order, up to a thousand per round trip, one trip at a time', async t => {
  const sent: string[][] = []
  let under = 0
  const enqueue = createEnqueueBatches({
    async enqueue(requests) {
      t.equal(++under, 1, 'one at a time')
      await new Promise(resolve => setImmediate(resolve))
      sent.push(requests.map(request => request.executionId))
      under--
      return NONE
    }
  })
  await Promise.all(Array.from({ length: 2500 }, (_, index) => enqueue([requestOf(String(index))])))
  t.same(sent.map(batch => batch.length), [1000, 1000, 500])
  t.same(sent.flat(), Array.from({ length: 2500 }, (_, index) => String(index)))
  await enqueue([requestOf('later')])
  t.same(sent.at(-1), ['later'])
})

t.test('a broker failure rejects all queued calls, and marks those not yet sent; ' +
  'later calls are tried again', async t => {
  let calls = 0
  const enqueue = createEnqueueBatches({
    async enqueue(requests) {
      if (++calls === 1)
        throw createTaskDashboardError('UNCONFIRMED', [], {
          cause: new Error('silent'), enqueuedIds: [], unconfirmedIds: requests.map(({ executionId }) => executionId)
        })
      return NONE
    }
  })
  const codes = await Promise.all(Array.from({ length: 1001 }, (_, index) =>
    enqueue([requestOf(String(index))]).catch((error: TaskDashboardError) => error)))
  t.match(codes[0], { code: 'UNCONFIRMED', unconfirmedIds: ['0'], enqueuedIds: [] })
  t.match(codes[999], { code: 'UNCONFIRMED', unconfirmedIds: ['999'] })
  t.match(codes[1000], { code: 'BROKER_UNAVAILABLE', unconfirmedIds: [] }, 'it was still queued')
  t.equal(calls, 1)
  await t.resolves(enqueue([requestOf('later')]))
})

t.test('each caller of a failed batch learns only about its own executions: added, unconfirmed or not sent', async t => {
  const enqueue = createEnqueueBatches({
    async enqueue(requests) {
      if (requests[0]!.taskName === 'broken') throw new TypeError('a defect')
      if (requests[0]!.taskName === 'a')
        throw createTaskDashboardError('UNCONFIRMED', [], { enqueuedIds: ['1', '2'], unconfirmedIds: ['3'] })
      return NONE
    }
  })
  const codeOf = (...requests: EnqueueRequest[]) => enqueue(requests).then(() => 'added', (error: unknown) => error)
  const [added, unclear, not, defect, other] = await Promise.all([
    codeOf(requestOf('1')), codeOf(requestOf('2'), requestOf('3'), requestOf('4')), codeOf(requestOf('5')),
    codeOf({ ...requestOf('6'), taskName: 'broken' }), codeOf({ ...requestOf('7'), taskName: 'b' })
  ])
  t.equal(added, 'added')
  t.match(unclear, { code: 'UNCONFIRMED', enqueuedIds: ['2'], unconfirmedIds: ['3'] })
  t.match(not, { code: 'BROKER_UNAVAILABLE', enqueuedIds: [], unconfirmedIds: [] })
  t.match(defect, { name: 'TypeError' })
  t.equal(other, 'added')
})

t.test('each caller learns which earlier execution replaced its own', async t => {
  const enqueue = createEnqueueBatches({ enqueue: async () => new Map([['2', 'earlier']]) })
  t.same(await Promise.all([enqueue([requestOf('1')]), enqueue([requestOf('2'), requestOf('3')])]), [['1'], ['earlier', '3']])
  t.same(await enqueueAll([requestOf('1'), requestOf('2')], enqueue), ['1', 'earlier'])
})

t.test('a duplicate in an earlier thousand is not among the added ids', async t => {
  const requests = Array.from({ length: 1500 }, (_, index) => requestOf(String(index)))
  let calls = 0
  const enqueue = createEnqueueBatches({
    async enqueue() {
      if (++calls === 2) throw createTaskDashboardError('BROKER_UNAVAILABLE')
      return new Map([['0', 'earlier']])
    }
  })
  await t.rejects(enqueueAll(requests, enqueue), {
    code: 'BROKER_UNAVAILABLE', enqueuedIds: requests.slice(1, 1000).map(({ executionId }) => executionId)
  })
})

t.test('when a later thousand fails, the error has the ids that were added before and those that may have been added', async t => {
  const requests = Array.from({ length: 2500 }, (_, index) => requestOf(String(index)))
  const ids = requests.map(request => request.executionId)
  const cause = new Error('away')
  for (const [failing, enqueuedIds] of [[1, []], [2, ids.slice(0, 1000)], [3, ids.slice(0, 2000)]] as const) {
    for (const code of ['BROKER_UNAVAILABLE', 'UNCONFIRMED'] as const) {
      let calls = 0
      let unconfirmedIds: string[] = []
      const enqueue = createEnqueueBatches({
        async enqueue(batch) {
          if (++calls < failing) return NONE
          if (code === 'UNCONFIRMED') unconfirmedIds = batch.map(({ executionId }) => executionId)
          throw createTaskDashboardError(code, [], { cause, unconfirmedIds })
        }
      })
      const error: unknown = await enqueueAll(requests, enqueue).catch((error: unknown) => error)
      t.match(error, { code, cause, enqueuedIds })
      t.same((error as TaskDashboardError).unconfirmedIds, unconfirmedIds)
      t.equal(calls, failing, 'nothing is sent after it')
    }
  }
  t.same(await enqueueAll(requests, createEnqueueBatches({ enqueue: async () => NONE })), ids)
})
