import { createTaskDashboardError } from '../../errors.ts'
import type { BulkDetail, BulkOverview, BulkReads, BulkWrites } from '../bulk/bulk.ts'
import type { Scope } from './scope.ts'

/** Bulk operations that touch only tasks of a scope, as if there were no others. */
export function bulkWithinScope(bulk: BulkReads & BulkWrites, { sees }: Scope): BulkReads & BulkWrites {
  const isSeen = ({ taskNames }: Pick<BulkDetail, 'taskNames'>): boolean => taskNames.length > 0 && taskNames.every(sees)
  // Removes the counts of hidden tasks and of their executions.
  const shown = <Operation extends BulkOverview>(operation: Operation): Operation =>
    ({ ...operation, tasksLeftOut: 0, ...'executionsLeftOut' in operation && { executionsLeftOut: null } })

  async function find(operationId: string): Promise<BulkDetail | null> {
    const found = await bulk.find(operationId)
    return found !== null && isSeen(found) ? shown(found) : null
  }

  async function check(operationId: string): Promise<void> {
    if (await find(operationId) === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
  }

  const change = (verb: 'suspend' | 'resume' | 'abort' | 'undo'): BulkWrites['suspend'] => async (operationId, options) => {
    await check(operationId)
    return shown(await bulk[verb](operationId, options))
  }

  return {
    async taskNames(request) {
      const [names, known] = [await bulk.taskNames(request), await bulk.taskNames({ action: request.action, filter: {} })]
      // A filter may name a task that does not exist. It is treated like a hidden one.
      return names.filter(name => known.includes(name) && sees(name))
    },
    async executions(request) {
      return (await bulk.executions(request)).filter(({ taskName }) => sees(taskName))
    },
    preview: async request => bulk.preview({ ...request, taskNames: request.taskNames.filter(sees), isNarrowed: true }),
    async list(query) {
      const page = await bulk.list({ ...query, isShown: isSeen })
      return { ...page, items: page.items.map(shown) }
    },
    find,
    async items(operationId, query) {
      await check(operationId)
      return bulk.items(operationId, query)
    },
    async create(start, operation) {
      if (operation?.isRepeated) {
        const standing = await bulk.find(operation.id)
        if (standing !== null && !isSeen(standing)) throw createTaskDashboardError('IDEMPOTENCY_KEY_REUSED')
        if (standing !== null) return shown(standing)
      }
      return shown(await bulk.create({ ...start, taskNames: start.taskNames.filter(sees), isNarrowed: true }, operation))
    },
    suspend: change('suspend'),
    resume: change('resume'),
    abort: change('abort'),
    undo: change('undo')
  }
}
