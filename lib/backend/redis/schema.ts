import { randomBytes } from 'node:crypto'
import type { RedisStore } from '../../stores/store.ts'
import { toStorable } from '../entry/storable-text.ts'

/**
 * The keys of the ledger. All begin with the store's prefix, whose hash tag keeps them in one slot of a cluster. Scripts rely on that: they declare
 * a key of it and touch others too, since which ones often shows only while they run.
 *
 * Execution ids are packed (packed-id.ts) wherever they stand alone.
 *
 * | key | what |
 * |---|---|
 * | `format` | version of what stands here (format.ts) |
 * | `executions` | hash: execution id → what lists show, and a small payload (item.ts) |
 * | `payloads` | hash: execution id → the rest, where it is not small |
 * | `attempts:<id>` | hash: attempt → JSON; expires unless the execution is recorded |
 * | `by:<status>:<class>` | sorted sets of execution ids by finish, one a class of durations (duration-class.ts); lists merge them |
 * | `by-task:<status>:<class>:<task>` | the same, of a task |
 * | `by-group:<group>` | the same in one list, of an error group, which has failures only |
 * | `by-schedule:<status>:<schedule>:<task>` | the same in one list, of the executions that a schedule made |
 * | `by-origin:<id>` | the same in one list, of the executions that repeat this one |
 * | `schedule-tasks:<schedule>` | set: the tasks that a schedule ran, in practice one |
 * | `worker:<worker>` | hash: day → a bit for each of its minutes in which the worker finished something, `<day>:failed` → those in which that failed |
 * | `workers` | sorted set of the workers that have one, by their last day |
 * | `totals` · `task-totals` · `schedule-totals` | hashes: all-time counters |
 * | `minute:<n>` · `task-minute:<n>` · `hour:<n>` · `day:<n>` | roll-ups: hashes, a field a task and one over all (rollup-lines.ts), and their version |
 * | `groups` | sorted set of error groups by when they were last seen |
 * | `group:<group>` | hash: what is known of it, and a field `task:<task>` for each count |
 * | `group-hours:<month>:<group>` | hash: hour → count, `<hour>:<task>` → count |
 * | `pruned` | sorted set by finish: ids that retention removed and the broker may still have |
 * | `watermarks` | hash: task → how far the reconciler got |
 */
export function ledgerKeys(store: RedisStore) {
  const prefix = `${store.keyPrefix}:~`
  return {
    prefix,
    format: `${prefix}format`,
    executions: `${prefix}executions`,
    payloads: `${prefix}payloads`,
    attempts: (packedId: Buffer) => Buffer.concat([Buffer.from(`${prefix}attempts:`), packedId]),
    byStatus: (status: string, durationClass: number) => `${prefix}by:${status}:${durationClass}`,
    byTask: (status: string, durationClass: number, taskName: string) => `${prefix}by-task:${status}:${durationClass}:${toStorable(taskName)}`,
    byGroup: (errorGroup: string) => `${prefix}by-group:${toStorable(errorGroup)}`,
    bySchedule: (status: string, scheduleId: string, taskName: string) => {
      const schedule = toStorable(scheduleId)
      // With its length, so that no two pairs of names make one key.
      return `${prefix}by-schedule:${status}:${schedule.length}:${schedule}:${toStorable(taskName)}`
    },
    byOrigin: (executionId: string) => `${prefix}by-origin:${toStorable(executionId)}`,
    scheduleTasks: (scheduleId: string) => `${prefix}schedule-tasks:${toStorable(scheduleId)}`,
    worker: (workerId: string) => `${prefix}worker:${toStorable(workerId)}`,
    workers: `${prefix}workers`,
    totals: `${prefix}totals`,
    taskTotals: `${prefix}task-totals`,
    scheduleTotals: `${prefix}schedule-totals`,
    rollup: (span: 'minute' | 'task-minute' | 'hour' | 'day', number: number | '') => `${prefix}${span}:${number}`,
    groups: `${prefix}groups`,
    group: (errorGroup: string) => `${prefix}group:${toStorable(errorGroup)}`,
    groupHours: (month: number, errorGroup: string) => `${prefix}group-hours:${month}:${toStorable(errorGroup)}`,
    pruned: `${prefix}pruned`,
    watermarks: `${prefix}watermarks`
  } as const
}

export type LedgerKeys = ReturnType<typeof ledgerKeys>

/**
 * In a hash of roll-ups: eight bytes, others with each write. At random, not counted on: what a datastore lost and got again in another form
 * must not look the same. No storable name is this. Those written by format 1 have none until they are written again.
 */
export const VERSION_FIELD = '\u0001'

export function newVersion(): Buffer {
  return randomBytes(VERSION_BYTES)
}

export const VERSION_BYTES = 8

/** Thirty days: `group-hours` expire by months. */
export const HOURS_A_MONTH = 30 * 24
