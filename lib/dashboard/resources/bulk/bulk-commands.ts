import type { FastifyRequest } from 'fastify'
import type { BulkInput, BulkOperation } from '../../../../schemas/bulk.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import { reasonOf } from '../../audit/audit-writes.ts'
import { reasonsRequiredBy } from '../../decorators.ts'
import type { Operation } from '../../http/idempotency.ts'
import type { Write } from '../writing.ts'
import { ITEM_ACTIONS, requireTasks, tasksToTouch } from './bulk-tasks.ts'
import { filterFrom, toBulkOperation } from './to-bulk.ts'

export type BulkCommands = ReturnType<typeof createBulkCommands>

type Verb = 'suspend' | 'resume' | 'abort' | 'undo'

export function createBulkCommands(monitoring: Monitoring, operations: Operations, write: Write) {
  return {
    /** Rejects as `BulkWrites.create`, and with FORBIDDEN and REASON_REQUIRED. */
    async create(
      request: FastifyRequest, { action, filter: wanted, token, reason, rate }: BulkInput, by: string | null,
      operation: Operation | undefined
    ): Promise<BulkOperation> {
      const filter = filterFrom(wanted)
      const why = reason ?? reasonOf(request) ?? undefined
      const itemAction = ITEM_ACTIONS[action]
      if (why === undefined && reasonsRequiredBy(request).includes(itemAction))
        throw createTaskDashboardError('REASON_REQUIRED', [itemAction])
      const tasks = await tasksToTouch(request, monitoring, action, filter)
      return toBulkOperation(await write(() => operations.bulk.create({
        action, filter, ...tasks, by, ...token !== undefined && { token }, ...why !== undefined && { reason: why },
        ...rate !== undefined && { rate }
      }, operation)))
    },

    /** Rejects as `BulkWrites.suspend` and the others, and with FORBIDDEN. */
    async change(verb: Verb, request: FastifyRequest, operationId: string, by: string | null): Promise<BulkOperation> {
      const found = await monitoring.bulk.find(operationId)
      if (found === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      await requireTasks(request, found.action, found.taskNames)
      return toBulkOperation(await write(() => operations.bulk[verb](operationId, { by })))
    }
  }
}
