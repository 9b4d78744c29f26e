import type { RedisStore } from '../../stores/store.ts'
import { toStorable } from '../storable-text.ts'

/**
 * The keys of the ledger. All begin with the store's prefix, whose hash tag keeps them in one slot of a cluster.
 *
 * Execution ids are packed (packed-id.ts) but in names of keys.
 *
 * | key | what |
 * |---|---|
 * | `executions` | hash: execution id → what lists show, and a small payload (item.ts) |
 * | `payloads` | hash: execution id → the rest, where it is not small |
 * | `attempts:<id>` | hash: attempt → JSON; expires unless the execution is recorded |
 * | `by:<status>` · `by-task:<status>:<task>` | sorted sets of execution ids by finish; a list of all statuses merges two of them |
 * | `by-schedule:<status>:<schedule>:<task>` | the same, of the executions that a schedule made |
 * | `schedule-tasks:<schedule>` | set: the tasks a schedule ever ran, in practice one |
 * | `totals` · `task-totals` · `schedule-totals` | hashes: all-time counters |
 * | `minute:<n>` · `hour:<n>` | roll-ups: a string over all tasks · a hash, a field a task and one over all |
 * | `watermarks` | hash: task → how far the reconciler got |
 */
export function ledgerKeys(store: RedisStore) {
  const prefix = `${store.keyPrefix}:~`
  return {
    prefix,
    executions: `${prefix}executions`,
    payloads: `${prefix}payloads`,
    attempts: (executionId: string) => `${prefix}attempts:${toStorable(executionId)}`,
    byStatus: (status: string) => `${prefix}by:${status}`,
    byTask: (status: string, taskName: string) => `${prefix}by-task:${status}:${toStorable(taskName)}`,
    bySchedule: (status: string, scheduleId: string, storedTaskName: string) => {
      const schedule = toStorable(scheduleId)
      // With its length in bytes, as Lua counts, so that no two pairs of names make one key.
      return `${prefix}by-schedule:${status}:${Buffer.byteLength(schedule)}:${schedule}:${storedTaskName}`
    },
    scheduleTasks: (scheduleId: string) => `${prefix}schedule-tasks:${toStorable(scheduleId)}`,
    totals: `${prefix}totals`,
    taskTotals: `${prefix}task-totals`,
    scheduleTotals: `${prefix}schedule-totals`,
    minute: (minute: number) => `${prefix}minute:${minute}`,
    hour: (hour: number) => `${prefix}hour:${hour}`,
    watermarks: `${prefix}watermarks`
  } as const
}

export type LedgerKeys = ReturnType<typeof ledgerKeys>
