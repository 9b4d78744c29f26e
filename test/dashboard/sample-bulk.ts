import { createTaskDashboardError } from '../../lib/errors.ts'
import type { BulkDetail, BulkReads, BulkWrites } from '../../lib/queue-app/bulk/bulk.ts'

/** Two bulk operations: `b-1` runs, `b-2` is done. */
export function sampleBulk(nowMs: number, taskNames: readonly string[]): { readonly reads: BulkReads; readonly writes: BulkWrites } {
  const operations = new Map<string, BulkDetail>([
    ['b-1', sample({ operationId: 'b-1', state: 'running' })], ['b-2', sample({ operationId: 'b-2', state: 'done', finishedAt: nowMs })]
  ])

  function sample(fields: Partial<BulkDetail>): BulkDetail {
    return {
      operationId: 'b', action: 'retry', state: 'running', waitingFor: null, problem: null, executionCount: null,
      areExecutionsChecked: null, executionsLeftOut: null,
      filter: { status: 'failed', search: '</script>', from: nowMs - 1000, to: nowMs },
      before: nowMs, taskNames, taskCount: taskNames.length, tasksLeftOut: 0, count: { value: 12, relation: 'exact' },
      progress: { done: 3, skipped: 1, failed: 1, undone: 0 }, rate: 10, reason: '<b>why</b>', createdAt: nowMs, createdBy: 'ada',
      changedAt: null, changedBy: null, finishedAt: null, expiresAt: nowMs + 604_800_000, isUndoable: false, isCapped: false, ...fields
    }
  }

  function found(operationId: string): BulkDetail {
    const operation = operations.get(operationId)
    if (operation === undefined) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
    return operation
  }

  const page = <Item>(items: readonly Item[], cursor: string | undefined) => {
    if (cursor !== undefined && cursor !== 'next') throw createTaskDashboardError('INVALID_CURSOR')
    return { items, nextCursor: null, total: items.length }
  }

  return {
    reads: {
      taskNames: async ({ filter: { taskName } }) => taskName === undefined ? taskNames : [taskName],
      preview: async () => ({ count: { value: 12, relation: 'exact' }, sample: [], taskCount: taskNames.length, token: 'token' }),
      executions: async ({ filter: { executionIds = [] } }) => executionIds.map(executionId => ({ executionId, taskName: taskNames[0]! })),
      list: async ({ cursor } = {}) => page([...operations.values()], cursor),
      find: async operationId => operations.get(operationId) ?? null,
      async items(operationId, { cursor } = {}) {
        found(operationId)
        return page([
          { taskName: taskNames[0]!, executionId: 'e-1', errorGroup: null, outcome: 'done', code: null, madeExecutionId: 'e-2' },
          { taskName: null, executionId: '<i>', errorGroup: null, outcome: 'failed', code: 'EXECUTION_PRUNED', madeExecutionId: null }
        ], cursor)
      }
    },
    writes: {
      create: async ({ action, filter, rate = null, reason = null, by = null }) =>
        sample({ operationId: 'b-3', action, filter, rate, reason, createdBy: by }),
      suspend: async operationId => ({ ...found(operationId), state: 'suspended' }),
      resume: async operationId => ({ ...found(operationId), state: 'running' }),
      abort: async operationId => ({ ...found(operationId), state: 'aborted' }),
      undo: async operationId => ({ ...found(operationId), state: 'undoing' })
    }
  }
}
