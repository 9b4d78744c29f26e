import t from 'tap'
import fc from 'fast-check'
import { createExecutionHistory } from '../../lib/queue-app/executions.ts'
import type { Execution, ExecutionDetail } from '../../lib/execution.ts'
import type { ExecutionOrder, ExecutionStatus } from '../../schemas/execution.ts'

// The merge is pure but for what it reads: engine and backend are played by sorted arrays with the same page rules.
function createHistoryOver(all: readonly Execution[]) {
  const timeOf = (execution: Execution) => execution.finishedAt ?? (execution.status === 'running' ? execution.startedAt! : execution.submittedAt)
  const sorted = (executions: Execution[], order: ExecutionOrder) => executions.sort((a, b) => {
    const byTime = timeOf(a) - timeOf(b) || (a.executionId < b.executionId ? -1 : 1)
    return order === 'newest' ? -byTime : byTime
  })
  return createExecutionHistory({
    taskNames: async () => ['a', 'b'],
    engine: {
      async inFlight({ status, taskNames, order, limit, cursor }) {
        const start = Number(cursor ?? 0)
        const matching = sorted(all.filter(execution => execution.status === status && taskNames.includes(execution.taskName)), order)
        const end = start + limit
        return { executions: matching.slice(start, end), next: end < matching.length ? String(end) : null }
      },
      async counts(names) {
        const count = (name: string, status: ExecutionStatus) => all.filter(execution => execution.taskName === name && execution.status === status).length
        return new Map(names.map(name => [name, { pending: count(name, 'pending'), running: count(name, 'running') }]))
      },
      find: async (_, id) => all.find(execution => execution.executionId === id) as ExecutionDetail | undefined ?? null
    },
    backend: {
      async list({ status, taskName, order, limit, after }) {
        const matching = sorted(all.filter(execution => execution.finishedAt !== null &&
          (!status || execution.status === status) && (!taskName || execution.taskName === taskName)), order)
        const start = after ? matching.findIndex(execution => execution.executionId === after.executionId) + 1 : 0
        const executions = matching.slice(start, start + limit)
        const last = executions.at(-1)
        const next = last && start + limit < matching.length ? { finishedAt: last.finishedAt!, executionId: last.executionId } : null
        return { executions, next, total: { value: matching.length, relation: 'exact' }, scanned: null, complete: true }
      },
      find: async () => null,
      attemptsOf: async () => [{ attempt: 1, startedAt: 1, finishedAt: 2, workerId: 'w', error: null }]
    }
  })
}

const execution = fc.record({
  status: fc.constantFrom<ExecutionStatus>('pending', 'running', 'success', 'failed'),
  taskName: fc.constantFrom('a', 'b'),
  at: fc.integer({ min: 1, max: 50 })
})

function toExecutions(drawn: Array<{ status: ExecutionStatus; taskName: string; at: number }>): Execution[] {
  return drawn.map(({ status, taskName, at }, index) => ({
    executionId: `e${String(index).padStart(4, '0')}`, taskName, queue: taskName, status, state: 'waiting', attempt: 1, maxAttempts: 1, priority: 0, scheduleId: null,
    retryOf: null, workerId: null, submittedAt: status === 'pending' ? at : 0, startedAt: status === 'pending' ? null : at,
    finishedAt: status === 'success' || status === 'failed' ? at : null, waitMs: null, durationMs: null, progress: null, error: null, errorGroup: null
  }))
}

t.test('pages of every filter and order together are each execution once, in order of time, with the true total', async t => {
  await t.resolves(fc.assert(fc.asyncProperty(
    fc.array(execution, { maxLength: 40 }), fc.integer({ min: 1, max: 7 }), fc.constantFrom<ExecutionOrder>('newest', 'oldest'),
    fc.constantFrom<ExecutionStatus | undefined>(undefined, 'pending', 'running', 'success', 'failed'),
    fc.constantFrom<string | undefined>(undefined, 'a'),
    async (drawn, limit, order, status, taskName) => {
      const all = toExecutions(drawn)
      const history = createHistoryOver(all)
      const wanted = all.filter(one => (!status || one.status === status) && (!taskName || one.taskName === taskName))
      const seen: Execution[] = []
      let cursor: string | undefined
      for (let pages = 0; ; pages++) {
        if (pages > 100) throw new Error('the pages do not end')
        const page = await history.list({ order, limit, ...(status && { status }), ...(taskName && { taskName }), ...(cursor && { cursor }) })
        if (page.total.value !== wanted.length) throw new Error(`total ${page.total.value}, not ${wanted.length}`)
        if (page.executions.length > limit) throw new Error('a page is over its limit')
        seen.push(...page.executions)
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      const times = seen.map(one => one.finishedAt ?? one.startedAt ?? one.submittedAt)
      const inOrder = times.every((time, index) => index === 0 || (order === 'newest' ? times[index - 1]! >= time : times[index - 1]! <= time))
      if (!inOrder) throw new Error('not in order of time')
      const ids = seen.map(one => one.executionId).sort()
      if (JSON.stringify(ids) !== JSON.stringify(wanted.map(one => one.executionId).sort())) throw new Error('an execution is missing or there twice')
    }
  ), { numRuns: 300 }))
})

t.test('a cursor that is not ours is refused', async t => {
  const history = createHistoryOver([])
  for (const cursor of ['x', '%%%', Buffer.from('{}').toString('base64url'), Buffer.from('["",""]').toString('base64url'), Buffer.from('["-","-","nonsense"]').toString('base64url')]) {
    await t.rejects(history.list({ cursor }), { code: 'INVALID_CURSOR' }, cursor)
  }
})

t.test('an execution in flight has the attempts that were recorded', async t => {
  const all = toExecutions([{ status: 'running', taskName: 'a', at: 5 }])
  const found = await createHistoryOver(all).find('e0000')
  t.equal(found?.attempts.length, 1)
  t.equal(await createHistoryOver(all).find('nothing'), null)
})
