import t from 'tap'
import { createTaskDashboardError } from '../../../lib/errors.ts'
import type { ExecutionDetail } from '../../../lib/execution.ts'
import type { Acting } from '../../../lib/queue-app/bulk/acting.ts'
import { resolveFilter } from '../../../lib/queue-app/bulk/matching/bulk-filter.ts'
import type { BulkOrder } from '../../../lib/queue-app/bulk/bulk-order.ts'
import type { PlannedItem } from '../../../lib/queue-app/bulk/bulk-records.ts'
import { createBulkOfExistingQueues, type ExistingQueuesInBulk } from '../../../lib/queue-app/bulk/bulk-of-existing-queues.ts'
import type { Operations } from '../../../lib/queue-app/operations/operations.ts'

const FAILED_AT = 1_000

/** The current time of failure of each job: unchanged, a later one, or null while it runs. Other jobs do not exist. */
const JOBS: Readonly<Record<string, number | null>> = { same: FAILED_AT, again: FAILED_AT + 5, running: null, 'odd@5': null }
const item = (name: string): PlannedItem => [`emails:${name}@${FAILED_AT}`, 0]
const waiting = (name: string): PlannedItem => [`emails:${name}`, 0]

function acting(isFirstAttempt: boolean, action: BulkOrder['action'] = 'retry'): Acting {
  const order = { action, by: 'ada', reason: 'twice', others: 'managed' } as BulkOrder
  return { order, operationId: 'o', taskNames: ['emails'], executionIds: null, isFirstAttempt, stillHeld: async () => {} }
}

const HERE = {}
const THERE = {}

/** A queue in which every change has the given result. */
function answering(change: () => Promise<unknown>, calls: string[] = []): Omit<ExistingQueuesInBulk, 'answers'> {
  const called = async (id: string) => {
    calls.push(id)
    return await change() as never
  }
  return {
    has: () => true, serverOf: () => undefined,
    changes: { retryExecution: called, cancelExecution: called } satisfies Pick<Operations, 'retryExecution' | 'cancelExecution'>,
    async find(executionId) {
      const name = executionId.slice('emails:'.length)
      return name in JOBS ? { executionId, finishedAt: JOBS[name] } as ExecutionDetail : null
    }
  }
}

const refused = (code: Parameters<typeof createTaskDashboardError>[0]) => async () => { throw createTaskDashboardError(code, ['x']) }

t.test('each result of a change in a queue becomes an outcome', async t => {
  for (const [action, answer, first, later] of [
    ['retry', async () => {}, ['done'], ['done']],
    ['retry', refused('ALREADY_RETRIED'), ['skipped', 'ALREADY_RETRIED'], ['done']],
    ['retry', refused('NOT_RETRYABLE'), ['failed', 'NOT_RETRYABLE'], ['failed', 'NOT_RETRYABLE']],
    ['retry', refused('CONFLICT'), ['failed', 'CONFLICT'], ['failed', 'CONFLICT']],
    ['retry', async () => { throw new RangeError('no') }, ['failed', 'INTERNAL'], ['failed', 'INTERNAL']],
    ['cancel', refused('NOT_CANCELLABLE'), ['skipped', 'NOT_CANCELLABLE'], ['skipped', 'NOT_CANCELLABLE']],
    ['cancel', refused('EXECUTION_NOT_FOUND'), ['skipped', 'EXECUTION_NOT_FOUND'], ['done']],
    ['delete', async () => {}, ['failed', 'OBSERVED_ONLY'], ['failed', 'OBSERVED_ONLY']]
  ] as const) {
    const others = createBulkOfExistingQueues(answering(answer))
    const planned = action === 'cancel' ? waiting('running') : item('same')
    t.same(await others.settle(acting(true, action), [planned]), [[...planned, ...first]], `${action} ${first.join(' ')}`)
    t.same(await others.settle(acting(false, action), [planned]), [[...planned, ...later]], `${action} ${first.join(' ')}, taken over`)
  }
})

t.test('after a takeover, a job that ran again or was removed since counts as done', async t => {
  const others = createBulkOfExistingQueues(answering(refused('CONFLICT')))
  const outcomes = await others.settle(acting(false), ['same', 'again', 'running', 'gone'].map(item))
  t.same(outcomes.map(([, , outcome]) => outcome), ['failed', 'done', 'done', 'done'])
})

t.test('an id to cancel that ends like a time is not mistaken for an id with a time', async t => {
  const others = createBulkOfExistingQueues(answering(async () => {}))
  const done = await others.whatWasDone(acting(false, 'cancel'), ['odd@5', 'running', 'gone'].map(waiting))
  t.same(done.map(([id]) => id), ['emails:gone'])
})

t.test('in an interrupted batch, jobs that have changed since count as done', async t => {
  const others = createBulkOfExistingQueues(answering(async () => {}))
  const done = await others.whatWasDone(acting(false), ['same', 'again', 'running', 'gone'].map(item))
  t.same(done.map(([id]) => id).toSorted(), ['again', 'gone', 'running'].map(name => item(name)[0]))
  t.same(await others.whatWasDone(acting(false, 'delete'), [item('again')]), [])
})

t.test('an undo does not wait for an unavailable server: jobs that were sent to it count as done', async t => {
  let code: 'BROKER_UNAVAILABLE' | 'BACKEND_UNAVAILABLE' = 'BROKER_UNAVAILABLE'
  let asked = 0
  const { find, ...here } = answering(async () => {})
  const others = createBulkOfExistingQueues({
    ...here, serverOf: taskName => taskName === 'emails' ? HERE : THERE,
    async find(executionId) {
      if (executionId.startsWith('emails:')) return await find(executionId)
      asked++
      throw createTaskDashboardError(code)
    }
  })
  const sent = Array.from({ length: 30 }, (_, id): PlannedItem => [`orders:${id}@${FAILED_AT}`, 1])
  const wanting = (wanted: BulkOrder['wanted']): Acting => {
    const { order, ...rest } = acting(false)
    return { ...rest, order: { ...order, wanted }, taskNames: ['emails', 'orders'] }
  }
  const items = [item('same'), item('again'), ...sent]
  const done = await others.whatWasDone(wanting('undo'), items)
  t.same(done.map(([id]) => id).toSorted(), [item('again'), ...sent].map(([id]) => id).toSorted())
  t.ok(asked <= 10, `the server is not queried for each job: ${asked} times`)
  await t.rejects(others.whatWasDone(wanting('abort'), items), { code }, 'an abort waits until the server is back')
  code = 'BACKEND_UNAVAILABLE'
  await t.rejects(others.whatWasDone(wanting('undo'), items), { code }, 'without the history nothing can be kept')
})

t.test('an unreachable queue and a stop end the batch, and a queue that is only observed is never changed', async t => {
  const away = createBulkOfExistingQueues(answering(refused('BROKER_UNAVAILABLE')))
  await t.rejects(away.settle(acting(true), [item('same')]), { code: 'BROKER_UNAVAILABLE' })
  const stopping = createBulkOfExistingQueues(answering(refused('ALREADY_STOPPED')))
  await t.rejects(stopping.settle(acting(true), [item('same')]), { name: 'LeaseLostError' }, 'the outcome of the rest is unknown')
  const unconfirmed = createBulkOfExistingQueues(answering(refused('UNCONFIRMED')))
  await t.rejects(unconfirmed.settle(acting(true), [item('same')]), { code: 'UNCONFIRMED' })

  const calls: string[] = []
  const lost = createBulkOfExistingQueues(answering(async () => {}, calls))
  const takenOver = { ...acting(true), stillHeld: async () => { throw new Error('lease lost') } }
  await t.rejects(lost.settle(takenOver, [item('same')]), /lease lost/)
  const observed = createBulkOfExistingQueues({ ...answering(async () => {}, calls), changes: null })
  t.match(await observed.settle(acting(true), [item('same')]), [[item('same')[0], 0, 'failed', 'OBSERVED_ONLY']])
  t.same(await observed.whatWasDone(acting(false), [item('again')]), [])
  t.same(calls, [])
})

t.test('a time that is not a number is refused, because code without types may pass one', async t => {
  for (const at of [new Date(), NaN, '5'])
    t.throws(() => resolveFilter({ action: 'retry', filter: { from: at as number } }, 0), { code: 'INVALID_INPUT' }, String(at))
})
