import type { ExecutionDetail, ExecutionListQuery, ExecutionPage } from '../../../schemas/execution.ts'
import { createTaskDashboardError } from '../../errors.ts'
import type { ExecutionQuery, Monitoring } from '../../queue-app/monitoring.ts'
import { answerOf } from './answer.ts'
import { instantFrom } from './instant.ts'
import type { Snapshots } from './snapshots.ts'
import { toExecution, toExecutionDetail } from './to-wire.ts'

export type ExecutionReader = ReturnType<typeof createExecutionReader>

export function createExecutionReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    /** Rejects with INVALID_INPUT and INVALID_CURSOR. */
    async list(query: ExecutionListQuery): Promise<ExecutionPage> {
      const wanted = toExecutionQuery(query)
      return snapshots.read(`executions ${JSON.stringify(wanted)}`, async () => {
        const { executions, nextCursor, total } = await answerOf(() => monitoring.executions(wanted))
        return { items: executions.map(toExecution), next_cursor: nextCursor, total: { value: total.value, relation: total.relation } }
      })
    },

    /** Rejects with EXECUTION_NOT_FOUND. */
    async get(executionId: string): Promise<ExecutionDetail> {
      const execution = await answerOf(() => monitoring.execution(executionId))
      if (!execution) throw createTaskDashboardError('EXECUTION_NOT_FOUND', [executionId])
      return toExecutionDetail(execution)
    }
  }
}

function toExecutionQuery(query: ExecutionListQuery): ExecutionQuery {
  return {
    ...(query.status && { status: query.status }),
    ...(query.task_name && { taskName: query.task_name }),
    ...(query.schedule_id && { scheduleId: query.schedule_id }),
    ...(query.from && { from: instantFrom(query.from, 'from') }),
    ...(query.to && { to: instantFrom(query.to, 'to') }),
    ...(query.order && { order: query.order }),
    ...(query.limit && { limit: query.limit }),
    ...(query.cursor && { cursor: query.cursor })
  }
}
