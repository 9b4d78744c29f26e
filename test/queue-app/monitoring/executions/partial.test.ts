import t from 'tap'
import { createTaskDashboardError, type ErrorCode } from '../../../../lib/errors.ts'
import type { Execution, FinishedExecution } from '../../../../lib/execution.ts'
import { createExecutionHistory } from '../../../../lib/queue-app/monitoring/executions/executions.ts'
import { toExecutions } from './create-history-over.ts'

const all = toExecutions([
  { status: 'running', taskName: 'a', at: 90 }, { status: 'failed', taskName: 'a', at: 80 }, { status: 'success', taskName: 'a', at: 70 }
])
const [running, finished] = [all.slice(0, 1), all.slice(1)]

function historyWithout(broker: ErrorCode | null, backend: ErrorCode | null) {
  const orElse = <Answer>(code: ErrorCode | null, answer: Answer) => async () => {
    if (code !== null) throw createTaskDashboardError(code, ['broker', 'why', 'what'])
    return answer
  }
  return createExecutionHistory({
    taskNames: orElse(broker, ['a']),
    engine: {
      inFlight: orElse(broker, {
        executions: running, next: null, after: () => 'unasked', held: 1, scanned: 1, skipped: 0
      }),
      counts: orElse(broker, new Map([['a', { pending: 0, running: 1 }]])), find: async () => null
    },
    backend: {
      list: orElse(backend, {
        executions: finished as FinishedExecution[], next: null, total: { value: 2, relation: 'exact' as const }, scanned: null,
        complete: true
      }),
      find: async () => null, attemptsOf: async () => []
    }
  })
}

const idsOf = (executions: readonly Execution[]) => executions.map(({ executionId }) => executionId)

t.test('a partial list has what the available store knows, and says what is missing', async t => {
  for (const code of ['BROKER_UNAVAILABLE', 'STORE_REFUSED'] as const) {
    const page = await historyWithout(code, null).list({ partial: true })
    t.same(idsOf(page.executions), idsOf(finished), code)
    t.match(page, { missing: 'inFlight', nextCursor: null, total: { value: 2, relation: 'at_least' } }, code)
  }
  const page = await historyWithout(null, 'BACKEND_UNAVAILABLE').list({ partial: true })
  t.same(idsOf(page.executions), idsOf(running))
  t.match(page, { missing: 'finished', nextCursor: null, total: { value: 1, relation: 'at_least' } })
  t.match(await historyWithout('BROKER_UNAVAILABLE', null).list({ partial: true, taskName: 'a' }), { missing: 'inFlight' }, 'of one task')
})

t.test('the pages after a partial one lack the same part and say so, whether or not the store is back', async t => {
  const [first, second] = finished as [FinishedExecution, FinishedExecution]
  for (const order of ['newest', 'oldest'] as const) {
    let away = true
    const history = createExecutionHistory({
      taskNames: async () => ['a'],
      engine: {
        inFlight: async () => {
          if (away) throw createTaskDashboardError('BROKER_UNAVAILABLE')
          return { executions: running, next: null, after: () => 'unasked', held: 1, scanned: 1, skipped: 0 }
        },
        counts: async () => { throw createTaskDashboardError('BROKER_UNAVAILABLE') }, find: async () => null
      },
      backend: {
        list: async ({ after }) => ({
          executions: [after === undefined ? first : second], next: after === undefined ? first : null,
          total: { value: 2, relation: 'exact' as const }, scanned: null, complete: true
        }),
        find: async () => null, attemptsOf: async () => []
      }
    })
    const page = await history.list({ partial: true, limit: 1, order })
    t.match(page, { missing: 'inFlight', total: { relation: 'at_least' } })
    for (const isAway of [true, false]) {
      away = isAway
      const next = await history.list({ limit: 1, order, cursor: page.nextCursor! })
      t.same(idsOf(next.executions), [second.executionId])
      t.match(next, { missing: 'inFlight', nextCursor: null, total: { relation: 'at_least' } })
    }
  }
})

t.test('a complete list does not mention anything missing', async t => {
  const page = await historyWithout(null, null).list({ partial: true })
  t.same(idsOf(page.executions), idsOf([...running, ...finished]))
  t.notOk('missing' in page)
  t.same(page.total, { value: 3, relation: 'exact' })
})

t.test('if a list cannot be partial, it fails', async t => {
  const unavailable = { code: 'BROKER_UNAVAILABLE' }
  await t.rejects(historyWithout('BROKER_UNAVAILABLE', null).list({}), unavailable, 'partial was not requested')
  await t.rejects(
    historyWithout('BROKER_UNAVAILABLE', null).list({ partial: true, status: 'running' }), unavailable, 'only one store has it'
  )
  await t.rejects(
    historyWithout('BROKER_UNAVAILABLE', 'BACKEND_UNAVAILABLE').list({ partial: true }), { code: 'BACKEND_UNAVAILABLE' }, 'both are away'
  )
  await t.rejects(historyWithout('INTERNAL', null).list({ partial: true }), { code: 'INTERNAL' }, 'a defect is not an outage')
})
