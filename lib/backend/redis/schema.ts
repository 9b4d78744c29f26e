import { randomBytes } from 'node:crypto'
import type { RedisStore } from '../../stores/store.ts'
import { OVERALL, type RollupSpan } from '../counting/tally.ts'
import { absentKey } from '../../stores/redis/absent-key.ts'
import { toStorable } from '../entry/storable-text.ts'

/**
 * The names of the keys. All begin with the store's prefix, whose hash tag keeps them in one slot of a cluster. Which keys a script touches
 * often shows only while it runs. A script that touches a key without declaring it declares `absent` (absent-key.ts) beside another key.
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
 * | `worker:<worker>` | hash: day → a bit for each of its minutes in which the worker finished something, `<day>:failed` → those in which
 * that failed |
 * | `workers` | sorted set of the workers that have one, by their last day |
 * | `totals` · `task-totals` · `schedule-totals` | hashes: all-time counters |
 * | `minute:<n>` · `task-minute:<n>` · `hour:<n>` · `day:<n>` | roll-ups: hashes, a field a task and one over all (rollup-lines.ts), and
 * their version |
 * | `groups` | sorted set of error groups by when they were last seen |
 * | `group:<group>` | hash: what is known of it, and a field `task:<task>` for each count |
 * | `group-hours:<month>:<group>` | hash: hour → count, `<hour>:<task>` → count |
 * | `pruned` | sorted set by finish: ids that retention removed and the broker may still have |
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
