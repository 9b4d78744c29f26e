import { mutationOptions } from '@tanstack/react-query'
import type {
  ExecutionCancel, ExecutionChanges, ExecutionDeleted, ExecutionDetail, ExecutionRetry, Queue, QueueLimitsInput, TaskRun, TaskRunInput
} from '../../../schemas/index.ts'
import { executionPath } from './executions.ts'
import { carryOut } from './intentions.ts'
import { readAgain } from './query-client.ts'
import { request, segment } from './request.ts'

export interface Retry {
  readonly executionId: string
  /** Sent instead of the execution's own arguments. */
  readonly args?: readonly unknown[]
  readonly reason?: string | undefined
}

/** Names what `carryOut` sends. */
export function retryIntention({ executionId, args }: Retry): string {
  return `retry ${executionId} ${JSON.stringify(args ?? null)}`
}

export const retryExecution = mutationOptions({
  mutationFn: (retry: Retry) => carryOut(retryIntention(retry), retry.reason, async sent => (await request<ExecutionRetry>(
    `${executionPath(retry.executionId)}/retry`, { method: 'POST', ...sent, ...retry.args && { body: { args: retry.args } } }
  )).data),
  onSettled: () => readAgain({ queryKey: ['executions'] })
})

export interface Cancel {
  readonly executionId: string
  readonly reason: string | undefined
}

/** Needs no key: repeating it changes nothing. */
export const cancelExecution = mutationOptions({
  mutationFn: async ({ executionId, reason }: Cancel) => (await request<ExecutionCancel>(
    `${executionPath(executionId)}/cancel`, { method: 'POST', reason, body: { ...reason !== undefined && { reason } } }
  )).data,
  onSettled: (cancelled, _error, { executionId }) => readAgain({
    queryKey: ['executions'],
    // A cancelled job of an observed queue becomes an execution with a new id. The old id no longer exists, so it is not read again.
    predicate: ({ queryKey }) => (cancelled?.execution_id ?? executionId) === executionId || !queryKey.includes(executionId)
  })
})

/** Needs no key: repeating it changes nothing. */
export const deleteExecution = mutationOptions({
  mutationFn: async ({ executionId, reason }: Cancel) => (await request<ExecutionDeleted>(
    executionPath(executionId), { method: 'DELETE', reason }
  )).data,
  onSettled: () => readAgain({ queryKey: ['executions'] })
})

export interface Change {
  readonly executionId: string
  readonly changes: ExecutionChanges
  readonly reason: string | undefined
}

/** Needs no key: repeating it changes nothing. */
export const changeExecution = mutationOptions({
  mutationFn: async ({ executionId, changes, reason }: Change) => (await request<ExecutionDetail>(
    executionPath(executionId), { method: 'PATCH', reason, body: changes }
  )).data,
  onSettled: () => readAgain({ queryKey: ['executions'] })
})

export interface Run {
  readonly taskName: string
  readonly input: TaskRunInput
  readonly reason?: string | undefined
}

/** Names what `carryOut` sends. */
export function runTaskIntention({ taskName, input }: Run): string {
  return `task ${taskName} ${JSON.stringify(input)}`
}

export const runTask = mutationOptions({
  mutationFn: (run: Run) => carryOut(runTaskIntention(run), run.reason, async sent => (await request<TaskRun>(
    `api/tasks/${segment(run.taskName)}/run`, { method: 'POST', ...sent, body: run.input }
  )).data),
  onSettled: () => readAgain({ queryKey: ['executions'] })
})

export interface QueueLimit {
  /** The name of the queue: a task could have the name of another queue. */
  readonly queueName: string
  readonly limits: Pick<QueueLimitsInput, 'concurrency' | 'rate'>
  readonly reason: string | undefined
}

/** Needs no key: repeating it changes nothing. */
export const limitQueue = mutationOptions({
  mutationFn: async ({ queueName, limits, reason }: QueueLimit) => (await request<Queue>(
    `api/queues/${segment(queueName)}/limits`, { method: 'PUT', reason, body: { ...limits, ...reason !== undefined && { reason } } }
  )).data,
  onSettled: () => readAgain({ queryKey: ['queues'] })
})

export interface QueueSwitch {
  /** The name of the queue: a task could have the name of another queue. */
  readonly queueName: string
  readonly isPaused: boolean
  readonly reason: string | undefined
  /** RFC 3339: when a paused queue resumes by itself; null for never. */
  readonly until: string | null
}

/** Needs no key: repeating it changes nothing. */
export const switchQueue = mutationOptions({
  mutationFn: async ({ queueName, isPaused, reason, until }: QueueSwitch) => (await request<Queue>(
    `api/queues/${segment(queueName)}/${isPaused ? 'pause' : 'resume'}`,
    { method: 'PUT', reason, ...isPaused && { body: { until, ...reason !== undefined && { reason } } } }
  )).data,
  onSettled: () => readAgain({ queryKey: ['queues'] })
})
