import type {
  ExecutionDetail, ExecutionListQuery, ExecutionPage, SearchCompletionQuery, SearchCompletions
} from '../../../../schemas/execution.ts'
import type { ExecutionJob } from '../../../../schemas/execution-job.ts'
import type { ExecutionWhy } from '../../../../schemas/why.ts'
import { createMissingExecutionError } from '../../../errors.ts'
import type { ExecutionQuery } from '../../../queue-app/monitoring/executions/execution-page.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import { instantFrom } from '../instant.ts'
import type { Snapshots } from '../snapshots.ts'
import { toExecution, toExecutionDetail } from './to-execution.ts'
import { toExecutionJob } from './to-execution-job.ts'
import { toWhy } from './to-why.ts'

export type ExecutionReader = ReturnType<typeof createExecutionReader>

/** @param traceUrl see the option `interface.traceUrl` */
export function createExecutionReader(monitoring: Monitoring, snapshots: Snapshots, traceUrl: string | null = null) {
  return {
    /** Rejects with INVALID_INPUT, INVALID_SEARCH and INVALID_CURSOR. */
    async list(query: ExecutionListQuery): Promise<ExecutionPage> {
      const wanted = toExecutionQuery(query)
      return snapshots.read(`executions ${JSON.stringify(wanted)}`, async () => {
        const page = await answerOf(monitoring, () => monitoring.executions(wanted))
        const { executions, retries, nextCursor, total, scanned, complete, missing } = page
        return {
          items: executions.map(execution => toExecution(execution, retries?.get(execution.executionId))),
          next_cursor: nextCursor, total: { value: total.value, relation: total.relation }, scanned,
          complete, ...missing !== undefined && { missing: missing === 'inFlight' ? 'in_flight' as const : missing }
        }
      })
    },

    /** Rejects with EXECUTION_NOT_FOUND, EXECUTION_PRUNED and EXECUTION_DELETED. */
    get(executionId: string): Promise<ExecutionDetail> {
      // In sequence, but within the deadline of one response.
      return answerOf(monitoring, async () => {
        const [execution, retries] = await Promise.all([monitoring.execution(executionId), monitoring.retriesOf(executionId)])
        if (execution) {
          const standing = execution.status === 'failed' ? await monitoring.standingRetryOf(execution) : null
          const isListed = retries.some(retry => retry.executionId === standing?.executionId)
          return toExecutionDetail(execution, standing === null || isListed ? retries : [standing, ...retries])
        }
        throw createMissingExecutionError(executionId, await monitoring.removalOf(executionId))
      })
    },

    /**
     * For the audit log, which sets the deadline. The fields that a change can affect, as they are right now; null if there is no such
     * execution.
     */
    async standing(executionId: string): Promise<StandingExecution | null> {
      const execution = await monitoring.execution(executionId)
      if (execution === null) return null
      const { task_name, status, state, priority, next_attempt_at } = toExecution(execution)
      return { task_name, status, state, priority, next_attempt_at }
    },

    /** For the audit log too: everything that a deletion removes. */
    async standingDetail(executionId: string): Promise<ExecutionDetail | null> {
      const execution = await monitoring.execution(executionId)
      return execution && toExecutionDetail(execution, [])
    },

    /**
     * Rejects with EXECUTION_NOT_FOUND, EXECUTION_PRUNED and EXECUTION_DELETED.
     * @param maySeePauses whether to tell who paused the queue of a task, and why
     */
    async why(executionId: string, maySeePauses: (taskName: string) => Promise<boolean>): Promise<ExecutionWhy> {
      const why = await snapshots.read(`why ${executionId}`, () => answerOf(monitoring, async () => {
        const found = await monitoring.why(executionId)
        if (found) return found
        throw createMissingExecutionError(executionId, await monitoring.removalOf(executionId))
      }))
      const { taskName } = why
      const isPaused = why.facts.some(({ kind }) => kind === 'paused')
      return toWhy(why, !isPaused || taskName === null || await maySeePauses(taskName))
    },

    /** Rejects with EXECUTION_NOT_FOUND, EXECUTION_PRUNED and EXECUTION_DELETED. */
    async job(executionId: string): Promise<ExecutionJob> {
      return snapshots.read(`job ${executionId}`, () => answerOf(monitoring, async () => {
        const found = await monitoring.jobOf(executionId)
        if (found) return toExecutionJob(executionId, found, traceUrl)
        throw createMissingExecutionError(executionId, await monitoring.removalOf(executionId))
      }))
    },

    async completions({ search, position }: SearchCompletionQuery): Promise<SearchCompletions> {
      return snapshots.read(`completions ${position} ${search}`, async () => {
        const { from, to, items } = await answerOf(monitoring, () =>
          monitoring.searchCompletions(search, Math.min(position, search.length)))
        return { from, to, items: items.map(({ text, description }) => ({ text, description })) }
      })
    }
  }
}

type StandingExecution = Pick<ExecutionDetail, 'task_name' | 'status' | 'state' | 'priority' | 'next_attempt_at'>

function toExecutionQuery(query: ExecutionListQuery): ExecutionQuery {
  return {
    ...(query.status && { status: query.status }),
    ...(query.task_name && { taskName: query.task_name }),
    ...(query.schedule_id && { scheduleId: query.schedule_id }),
    ...(query.worker_id && { workerId: query.worker_id }),
    ...(query.error_group && { errorGroup: query.error_group }),
    ...(query.min_duration_ms !== undefined && { minDurationMs: query.min_duration_ms }),
    ...(query.search && { search: query.search }),
    ...(query.from && { from: instantFrom(query.from, 'from') }),
    ...(query.to && { to: instantFrom(query.to, 'to') }),
    ...(query.order && { order: query.order }),
    ...(query.limit && { limit: query.limit }),
    ...(query.cursor && { cursor: query.cursor }),
    ...(query.partial && { partial: true })
  }
}
