import type {
  BulkInput, BulkItemPage, BulkItemsQuery, BulkListQuery, BulkOperation, BulkPage, BulkPreview
} from '../../../../schemas/bulk.ts'
import { MAX_BULK_ITEMS } from '../../../../schemas/limits.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import { toExecution } from '../executions/to-execution.ts'
import { tasksToTouch, type MayDo } from './touched-tasks-reader.ts'
import { filterFrom, toBulkItem, toBulkOperation } from './to-bulk.ts'

export type BulkReader = ReturnType<typeof createBulkReader>

export function createBulkReader(monitoring: Monitoring) {
  const { bulk } = monitoring
  return {
    /** Rejects with INVALID_INPUT, INVALID_SEARCH, FORBIDDEN. */
    async preview(mayDo: MayDo, { action, filter: wanted }: BulkInput): Promise<BulkPreview> {
      const filter = filterFrom(wanted)
      return await answerOf(monitoring, async () => {
        const tasks = await tasksToTouch(mayDo, monitoring, action, filter)
        const { count, sample, taskCount, token } = await bulk.preview({ action, filter, ...tasks })
        return {
          action, count: { value: count.value, relation: count.relation }, task_count: taskCount,
          tasks_left_out: tasks.tasksLeftOut, executions_left_out: tasks.executionsLeftOut ?? null,
          sample: sample.map(execution => toExecution(execution)), token, max_items: MAX_BULK_ITEMS
        }
      })
    },

    /** Rejects with INVALID_CURSOR. */
    async list(query: BulkListQuery): Promise<BulkPage> {
      const { items, nextCursor, total } = await answerOf(monitoring, () => bulk.list(query))
      return { items: items.map(toBulkOperation), next_cursor: nextCursor, total: { value: total, relation: 'exact' } }
    },

    /** Rejects with BULK_NOT_FOUND. */
    async get(operationId: string): Promise<BulkOperation> {
      const found = await answerOf(monitoring, () => bulk.find(operationId))
      if (found === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      return toBulkOperation(found)
    },

    /** Rejects with BULK_NOT_FOUND and INVALID_CURSOR. */
    async items(operationId: string, query: BulkItemsQuery): Promise<BulkItemPage> {
      const { items, nextCursor, total } = await answerOf(monitoring, () => bulk.items(operationId, query))
      return {
        items: items.map(toBulkItem), next_cursor: nextCursor,
        total: { value: total, relation: 'exact' }
      }
    },

    /** As it is now, for the audit log; null if there is none. */
    async standing(operationId: string): Promise<BulkOperation | null> {
      const found = await bulk.find(operationId)
      return found && toBulkOperation(found)
    }
  }
}
