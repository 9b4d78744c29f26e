import fc from 'fast-check'
import { matchesText, searchableOf } from '../../../../lib/backend/search/searchable.ts'
import type { Execution, ExecutionDetail, FinishedExecution } from '../../../../lib/execution.ts'
import { isWithin, lastChangeOf } from '../../../../lib/queue-app/monitoring/executions/execution-filter.ts'
import { createExecutionHistory } from '../../../../lib/queue-app/monitoring/executions/executions.ts'
import type { ExecutionPage, ExecutionQuery } from '../../../../lib/queue-app/monitoring/executions/execution-page.ts'
import type { ExecutionOrder, ExecutionStatus } from '../../../../schemas/execution.ts'

/** Finished executions scanned for a page of a text search. */
const SCANNED_PER_PAGE = 5

/** Merging is pure, apart from its reads. Sorted arrays with the same page rules stand in for engine and backend. */
export function createHistoryOver(
  all: readonly Execution[], argsOf: (execution: Execution) => readonly unknown[] = () => [], now = () => 100
) {
  const sorted = (executions: Execution[], order: ExecutionOrder) => executions.sort((a, b) => {
    const byTime = lastChangeOf(a) - lastChangeOf(b) || (a.executionId < b.executionId ? -1 : 1)
    return order === 'newest' ? -byTime : byTime
  })
  const history = createExecutionHistory({
    taskNames: async () => ['a', 'b'],
    now,
    engine: {
      async inFlight({ status, taskNames, scheduleId, from = -Infinity, to = Infinity, order, limit, cursor, isWanted }) {
        const matching = sorted(all.filter(execution => isInFlight(execution, status) && taskNames.includes(execution.taskName) &&
          (scheduleId === undefined || execution.scheduleId === scheduleId) && lastChangeOf(execution) >= from &&
          lastChangeOf(execution) < to &&
          (isWanted === undefined || isWanted(execution, argsOf(execution)))), order)
        const start = cursor === undefined ? 0 : matching.findIndex(execution => isAfter(execution, cursor, order))
        const ahead = start < 0 ? [] : matching.slice(start)
        const executions = ahead.slice(0, limit)
        return {
          executions, next: executions.length < ahead.length ? positionOf(executions.at(-1)!) : null,
          after: count => positionOf(executions[count - 1]!),
          held: all.filter(execution => isInFlight(execution, status) && taskNames.includes(execution.taskName)).length,
          scanned: matching.length, skipped: 0
        }
      },
      async counts(names) {
        const count = (name: string, status: ExecutionStatus) =>
          all.filter(execution => execution.taskName === name && execution.status === status).length
        return new Map(names.map(name => [name, { pending: count(name, 'pending'), running: count(name, 'running') }]))
      },
      find: async (_, id) => asDetail(all.find(execution => execution.executionId === id && execution.finishedAt === null))
    },
    backend: {
      async list({ order, limit, after, text = [], ...filter }) {
        const indexed = sorted(
          all.filter(execution => execution.finishedAt !== null && isWithin({ ...filter, text: [] }, execution, [])), order
        )
        const mark = after && `${after.finishedAt}:${after.executionId ?? ''}`
        const first = mark ? indexed.findIndex(execution => isAfter(execution, mark, order)) : 0
        const start = first < 0 ? indexed.length : first
        const executions: Execution[] = []
        let at = start
        const bound = text.length > 0 ? start + SCANNED_PER_PAGE : Infinity
        for (; at < Math.min(indexed.length, bound) && executions.length < limit; at++) {
          if (text.length === 0 || matchesText(searchableOf(indexed[at]!, argsOf(indexed[at]!)), text)) executions.push(indexed[at]!)
        }
        const isEnd = at === indexed.length
        const last = indexed[at - 1]
        return {
          executions,
          next: isEnd || !last ? null : { finishedAt: last.finishedAt!, executionId: last.executionId },
          total: text.length > 0 ? { value: executions.length, relation: 'at_least' } : { value: indexed.length, relation: 'exact' },
          scanned: text.length > 0 ? at - start : null,
          complete: isEnd || executions.length === limit
        }
      },
      find: async id =>
        asDetail(all.find(execution => execution.executionId === id && execution.finishedAt !== null)) as FinishedExecution | null,
      attemptsOf: async () => [{ attempt: 1, startedAt: 1, finishedAt: 2, workerId: 'w', error: null }]
    }
  })
  const asDetail = (execution: Execution | undefined): ExecutionDetail | null =>
    execution ? { ...execution, args: argsOf(execution), result: null, attempts: [], logs: [], truncated: [] } : null

  /** All pages of a query. */
  async function pagesOf(query: ExecutionQuery, between = () => {}): Promise<ExecutionPage[]> {
    const pages: ExecutionPage[] = []
    for (let cursor: string | null = null; ;) {
      if (pages.length > 200) throw new Error('the pages do not end')
      const page: ExecutionPage = await history.list({ ...query, ...(cursor !== null && { cursor }) })
      pages.push({ ...page, executions: page.executions.map(each => ({ ...each })) })
      if (page.executions.length > query.limit!) throw new Error('a page is over its limit')
      cursor = page.nextCursor
      if (cursor === null) return pages
      between()
    }
  }
  return { ...history, pagesOf }
}

function isInFlight(execution: Execution, status: 'pending' | 'running' | undefined): boolean {
  return status === undefined ? execution.finishedAt === null : execution.status === status
}

function positionOf(execution: Execution): string {
  return `${lastChangeOf(execution)}:${execution.executionId}`
}

function isAfter(execution: Execution, position: string, order: ExecutionOrder): boolean {
  const colon = position.indexOf(':')
  const [at, id] = [Number(position.slice(0, colon)), position.slice(colon + 1)]
  const byTime = lastChangeOf(execution) - at || (execution.executionId < id ? -1 : execution.executionId > id ? 1 : 0)
  return order === 'newest' ? byTime < 0 : byTime > 0
}

export const execution = fc.record({
  status: fc.constantFrom<ExecutionStatus>('pending', 'running', 'success', 'failed'),
  taskName: fc.constantFrom('a', 'b'),
  at: fc.integer({ min: 1, max: 50 })
})

export function toExecutions(drawn: Array<{ status: ExecutionStatus; taskName: string; at: number }>): Execution[] {
  return drawn.map(({ status, taskName, at }, index) => ({
    executionId: `e${String(index).padStart(4, '0')}`, taskName, queue: taskName, status, state: 'waiting', attempt: 1, maxAttempts: 1,
    priority: 0, scheduleId: null,
    retryOf: null, workerId: null, submittedAt: status === 'pending' ? at : 0, startedAt: status === 'pending' ? null : at,
    finishedAt: status === 'success' || status === 'failed' ? at : null, waitMs: null, durationMs: null, progress: null, error: null,
    errorGroup: null
  }))
}
