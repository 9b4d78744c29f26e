import { createTaskDashboardError } from '../../errors.ts'
import type { BulkOverview, BulkReads, BulkWrites } from '../bulk/bulk.ts'
import type { Scope } from './scope.ts'

/** Bulk operations that touch tasks of a scope only, as if there were no others. */
export function bulkWithinScope(bulk: BulkReads & BulkWrites, { sees }: Scope): BulkReads & BulkWrites {
  const isSeen = ({ taskNames }: BulkOverview): boolean => taskNames.length > 0 && taskNames.every(sees)

  async function find(operationId: string): Promise<BulkOverview | null> {
    const found = await bulk.find(operationId)
    return found !== null && isSeen(found) ? found : null
  }

  async function check(operationId: string): Promise<void> {
    if (await find(operationId) === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
  }

  const change = (verb: 'suspend' | 'resume' | 'abort' | 'undo'): BulkWrites['suspend'] => async (operationId, options) => {
    await check(operationId)
    return bulk[verb](operationId, options)
  }

  return {
    async taskNames(request) { return (await bulk.taskNames(request)).filter(sees) },
    preview: async request => bulk.preview({ ...request, taskNames: request.taskNames.filter(sees), isNarrowed: true }),
    list: query => bulk.list({ ...query, isShown: isSeen }),
    find,
    async items(operationId, query) {
      await check(operationId)
      return bulk.items(operationId, query)
    },
    create: async (start, operation) => bulk.create({ ...start, taskNames: start.taskNames.filter(sees), isNarrowed: true }, operation),
    suspend: change('suspend'),
    resume: change('resume'),
    abort: change('abort'),
    undo: change('undo')
  }
}
