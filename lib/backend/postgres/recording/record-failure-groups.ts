import type { SqlStore } from '../../../stores/store.ts'
import type { FailureGroupAddition } from '../../counting/summarize-batch.ts'
import { toStorable } from '../../entry/storable-text.ts'
import type { LedgerTables } from '../schema.ts'
import { inLockOrder } from './lock-order.ts'
import { takenFromNewer } from './taken-from-newer.ts'

export async function addToFailureGroups(
  query: SqlStore['query'], tables: LedgerTables, groups: readonly FailureGroupAddition[]
): Promise<void> {
  if (groups.length === 0) return
  await addGroups(query, tables, inLockOrder(groups, group => group.errorGroup))
  const byTask = groups.flatMap(({ errorGroup, tasks }) =>
    Array.from(tasks, ([taskName, count]) => ({ key: [errorGroup, taskName] as const, count })))
  const tasks = inLockOrder(byTask, ({ key }) => JSON.stringify(key))
  await query(
    `INSERT INTO ${tables.failureGroupTasks} AS stored (error_group, task_name, count) SELECT *
      FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (error_group, task_name) DO UPDATE SET count = stored.count + excluded.count`,
    [tasks.map(({ key: [group] }) => toStorable(group)), tasks.map(({ key: [, task] }) => toStorable(task)), tasks.map(each => each.count)]
  )
  const byHour = groups.flatMap(({ errorGroup, hours }) => Array.from(hours, ([hour, tasks]) =>
    Array.from(tasks, ([taskName, count]) => ({ key: [errorGroup, hour, taskName] as const, count }))).flat())
  const hours = inLockOrder(byHour, ({ key }) => JSON.stringify(key))
  if (hours.length === 0) return
  await query(
    `INSERT INTO ${tables.failureGroupHours} AS stored (error_group, hour, task_name, count) SELECT *
      FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
     ON CONFLICT (error_group, hour, task_name) DO UPDATE SET count = stored.count + excluded.count`,
    [
      hours.map(({ key: [group] }) => toStorable(group)), hours.map(({ key: [, hour] }) => hour),
      hours.map(({ key: [, , task] }) => toStorable(task)),
      hours.map(each => each.count)
    ]
  )
}

async function addGroups(query: SqlStore['query'], tables: LedgerTables, groups: readonly FailureGroupAddition[]): Promise<void> {
  const last = groups.map(group => group.last)
  await query(
    `INSERT INTO ${tables.failureGroups} AS stored (error_group, type, message, frame, count, first_seen_at, last_seen_at,
      last_execution_id)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
     ON CONFLICT (error_group) DO UPDATE SET
       count = stored.count + excluded.count,
       first_seen_at = least(stored.first_seen_at, excluded.first_seen_at),
       ${takenFromNewer(['type', 'message', 'frame', 'last_seen_at', 'last_execution_id'], ['last_seen_at', 'last_execution_id'])}`,
    [
      groups.map(group => toStorable(group.errorGroup)),
      last.map(({ execution }) => toStorable(execution.error?.type ?? 'Error')),
      last.map(({ execution }) => toStorable(execution.error?.message ?? '')),
      last.map(({ frame }) => frame === null ? null : toStorable(frame)),
      groups.map(group => group.count), groups.map(group => group.firstSeenAt),
      last.map(({ execution }) => execution.finishedAt), last.map(({ execution }) => toStorable(execution.executionId))
    ]
  )
}
