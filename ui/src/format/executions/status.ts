import type { Execution, ExecutionStatus } from '../../../../schemas/index.ts'
import { rowTexts } from '../../texts/execution-rows.ts'

export const STATUSES: readonly ExecutionStatus[] = ['pending', 'running', 'success', 'failed', 'cancelled']

export function statusWord(status: ExecutionStatus): string {
  return rowTexts.statuses[status]
}

export function isStatus(value: string | null): value is ExecutionStatus {
  return STATUSES.some(status => status === value)
}

/** What the state adds to the status; null if nothing. */
export function stateWord(state: Execution['state']): string | null {
  const states: Partial<Record<Execution['state'], string>> = rowTexts.states
  return states[state] ?? null
}

/** The task name behind a queue, which is percent-encoded in the name of the queue. */
export function queueTitle(queue: string): string {
  try {
    return decodeURIComponent(queue)
  } catch {
    return queue
  }
}

/** How a mark is drawn; a shape as well as a colour. */
export type Mark = ExecutionStatus | 'warning' | 'off' | 'unknown'
