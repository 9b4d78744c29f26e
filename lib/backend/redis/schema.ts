import { randomBytes } from 'node:crypto'
import type { RedisStore } from '../../stores/store.ts'
import { OVERALL, type RollupSpan } from '../counting/tally.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import { toStorable } from '../entry/storable-text.ts'

/**
 * The names of the keys. All start with the store's prefix, whose hash tag keeps them in one slot of a cluster. A script often finds out
 * which keys it touches only while it runs. If it touches a key without declaring it, it also declares `absent` (absent-key.ts).
 *
 * Execution ids are packed (packed-id.ts) wherever they stand alone.
 *
 * | key | contents |
 * |---|---|
 * | `format` | version of the data (prepare-ledger.ts) |
 * | `executions` | hash: execution id → what lists show, and a small payload (item.ts) |
 * | `payloads` | hash: execution id → the payload, if it is not small |
 * | `attempts:<id>` | hash: attempt → JSON; expires unless the execution is recorded |
 * | `by:<status>:<class>` | sorted sets of execution ids by finish time, one per duration class (duration-class.ts); lists merge them |
 * | `by-task:<status>:<class>:<task>` | the same for one task |
 * | `by-group:<group>` | a single list for a failure group, which contains only failures |
 * | `by-schedule:<status>:<schedule>:<task>` | a single list of the runs of a schedule |
 * | `by-origin:<id>` | a single list of the retries of an execution |
 * | `schedule-tasks:<schedule>` | set: the tasks that a schedule ran, usually just one |
 * | `worker:<worker>` | hash: day → one bit per minute in which the worker finished something; `<day>:failed` → the same for failures |
 * | `workers` | sorted set of the workers with such a hash, by their last day |
 * | `totals` · `task-totals` · `schedule-totals` | hashes: all-time counters |
 * | `minute:<n>` · `task-minute:<n>` · `hour:<n>` · `day:<n>` | roll-ups: hashes with a version, a field per task and one for all tasks
 * (rollup-lines.ts) |
 * | `groups` | sorted set of failure groups by when they were last seen |
 * | `group:<group>` | hash: the group's fields, a field `task:<task>` for each count, and the last decision |
 * | `group-hours:<month>:<group>` | hash: hour → count, `<hour>:<task>` → count |
 * | `pruned` | sorted set of ids that were removed and the broker may still have, by finish time; of those that a person deleted, by when |
 * | `watermarks` | hash: task → how far the reconciler got |
 */
export const KEY_NAMES = {
  format: 'format',
  executions: 'executions',
  payloads: 'payloads',
  attempts: 'attempts:',
  byStatus: 'by:',
  byTask: 'by-task:',
  byGroup: 'by-group:',
  bySchedule: 'by-schedule:',
  byOrigin: 'by-origin:',
  scheduleTasks: 'schedule-tasks:',
  worker: 'worker:',
  workers: 'workers',
  totals: 'totals',
  taskTotals: 'task-totals',
  scheduleTotals: 'schedule-totals',
  groups: 'groups',
  group: 'group:',
  groupHours: 'group-hours:',
  pruned: 'pruned',
  watermarks: 'watermarks'
} as const

/** The keys of one history. Scripts that build keys themselves get `prefix` and take the name from `KEY_NAMES`. */
export function ledgerKeys(store: RedisStore) {
  const prefix = `${store.keyPrefix}:~`
  const name = (key: keyof typeof KEY_NAMES) => `${prefix}${KEY_NAMES[key]}`
  return {
    prefix,
    absent: absentKey(store.keyPrefix),
    format: name('format'),
    executions: name('executions'),
    payloads: name('payloads'),
    attempts: (packedId: Buffer) => Buffer.concat([Buffer.from(name('attempts')), packedId]),
    byStatus: (status: string, durationClass: number) => `${name('byStatus')}${status}:${durationClass}`,
    byTask: (status: string, durationClass: number, taskName: string) =>
      `${name('byTask')}${status}:${durationClass}:${toStorable(taskName)}`,
    byGroup: (errorGroup: string) => `${name('byGroup')}${toStorable(errorGroup)}`,
    bySchedule: (status: string, scheduleId: string, taskName: string) => {
      const schedule = toStorable(scheduleId)
      // Includes the length, so that no two pairs of names give the same key.
      return `${name('bySchedule')}${status}:${schedule.length}:${schedule}:${toStorable(taskName)}`
    },
    byOrigin: (executionId: string) => `${name('byOrigin')}${toStorable(executionId)}`,
    scheduleTasks: (scheduleId: string) => `${name('scheduleTasks')}${toStorable(scheduleId)}`,
    worker: (workerId: string) => `${name('worker')}${toStorable(workerId)}`,
    workers: name('workers'),
    totals: name('totals'),
    taskTotals: name('taskTotals'),
    scheduleTotals: name('scheduleTotals'),
    rollup: (series: RollupSeries, number: number | '') => `${prefix}${series}:${number}`,
    groups: name('groups'),
    group: (errorGroup: string) => `${name('group')}${toStorable(errorGroup)}`,
    groupHours: (month: number, errorGroup: string) => `${name('groupHours')}${month}:${toStorable(errorGroup)}`,
    pruned: name('pruned'),
    watermarks: name('watermarks')
  } as const
}

export type LedgerKeys = ReturnType<typeof ledgerKeys>

export type RollupSeries = RollupSpan | 'task-minute'

/** Per-task minutes are in separate hashes, because they are kept for less time and a hash expires as a whole. */
export function rollupSeries(span: RollupSpan, taskName: string): RollupSeries {
  return span === 'minute' && taskName !== OVERALL ? 'task-minute' : span
}

/**
 * The version of a hash of roll-ups: eight bytes that change with every write. Random instead of a counter, so that data that was lost and
 * recorded again never looks the same. No storable name equals this field. Hashes written by format 1 have no version until they are
 * written again.
 */
export const VERSION_FIELD = '\u0001'

export function newVersion(): Buffer {
  return randomBytes(VERSION_BYTES)
}

export const VERSION_BYTES = 8

/** Prefix of the per-task counts in the hash of a group. */
export const GROUP_TASK_FIELD = 'task:'

/** Thirty days: `group-hours` expire by month. */
export const HOURS_PER_MONTH = 30 * 24
