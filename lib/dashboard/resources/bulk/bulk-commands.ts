import type { BulkInput, BulkOperation } from '../../../../schemas/bulk.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import type { Write } from '../writing.ts'
import { requireTasks, tasksToTouch, type MayDo } from './touched-tasks-reader.ts'
import { filterFrom, toBulkOperation } from './to-bulk.ts'

export type BulkCommands = ReturnType<typeof createBulkCommands>

type Operation = Parameters<Operations['bulk']['create']>[1]
type Verb = 'suspend' | 'resume' | 'abort' | 'undo'

export function createBulkCommands(monitoring: Monitoring, operations: Operations, write: Write) {
  return {
    /** Rejects as `BulkWrites.create`, and with FORBIDDEN. */
    async create(
      mayDo: MayDo, { action, filter: wanted, token, reason, rate }: BulkInput, by: string | null, operation: Operation
    ): Promise<BulkOperation> {
      const filter = filterFrom(wanted)
      const tasks = await tasksToTouch(mayDo, monitoring, action, filter)
      return toBulkOperation(await write(() => operations.bulk.create({
        action, filter, ...tasks, by, ...token !== undefined && { token }, ...reason !== undefined && { reason },
        ...rate !== undefined && { rate }
      }, operation)))
    },

    /** Rejects as `BulkWrites.suspend` and the others, and with FORBIDDEN. */
    async change(verb: Verb, mayDo: MayDo, operationId: string, by: string | null): Promise<BulkOperation> {
      const found = await monitoring.bulk.find(operationId)
      if (found === null) throw createTaskDashboardError('BULK_NOT_FOUND', [operationId])
      if (found.action !== null) await requireTasks(mayDo, found.action, found.taskNames, verb === 'undo')
      return toBulkOperation(await write(() => operations.bulk[verb](operationId, { by })))
    }
  }
}
