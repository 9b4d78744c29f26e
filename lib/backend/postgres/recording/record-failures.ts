import type { SqlStore } from '../../../stores/store.ts'
import type { LedgerEntry } from '../../entry/ledger-entry.ts'
import { toStorable } from '../../entry/storable-text.ts'
import { HOURS_KEPT_MS } from '../../counting/tally.ts'
import { HOUR_MS } from '../../../time/units.ts'
import type { LedgerTables } from '../schema.ts'

interface Failures { readonly errorGroup: string; count: number; firstSeenAt: number; last: LedgerEntry }

export async function addToFailureGroups(query: SqlStore['query'], tables: LedgerTables, entries: readonly LedgerEntry[]): Promise<void> {
  const groups = new Map<string, Failures>()
  const byTask = new Map<string, { key: [errorGroup: string, taskName: string]; count: number }>()
  const byHour = new Map<string, { key: [errorGroup: string, hour: number, taskName: string]; count: number }>()
  const hoursKeptFrom = Date.now() - HOURS_KEPT_MS
  for (const entry of entries) {
    const { status, errorGroup, taskName, finishedAt } = entry.execution
    if (status !== 'failed' || errorGroup === null) continue
    const group = groups.get(errorGroup) ?? { errorGroup, count: 0, firstSeenAt: finishedAt, last: entry }
    group.count++
    group.firstSeenAt = Math.min(group.firstSeenAt, finishedAt)
    // Entries come by id, as in totals.
    if (finishedAt >= group.last.execution.finishedAt) group.last = entry
    groups.set(errorGroup, group)
    countOne(byTask, [errorGroup, taskName])
    if (finishedAt > hoursKeptFrom) countOne(byHour, [errorGroup, Math.floor(finishedAt / HOUR_MS), taskName])
  }
  if (groups.size === 0) return
  await addGroups(query, tables, inOrder(groups))
  const tasks = inOrder(byTask)
  await query(
    `INSERT INTO ${tables.failureGroupTasks} AS stored (error_group, task_name, count) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (error_group, task_name) DO UPDATE SET count = stored.count + excluded.count`,
    [tasks.map(({ key: [group] }) => toStorable(group)), tasks.map(({ key: [, task] }) => toStorable(task)), tasks.map(each => each.count)]
  )
  const hours = inOrder(byHour)
  if (hours.length === 0) return
  await query(
    `INSERT INTO ${tables.failureGroupHours} AS stored (error_group, hour, task_name, count) SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[])
     ON CONFLICT (error_group, hour, task_name) DO UPDATE SET count = stored.count + excluded.count`,
    [
      hours.map(({ key: [group] }) => toStorable(group)), hours.map(({ key: [, hour] }) => hour), hours.map(({ key: [, , task] }) => toStorable(task)),
      hours.map(each => each.count)
    ]
  )
}

async function addGroups(query: SqlStore['query'], tables: LedgerTables, groups: readonly Failures[]): Promise<void> {
  const last = groups.map(group => group.last)
  await query(
    `INSERT INTO ${tables.failureGroups} AS stored (error_group, type, message, frame, count, first_seen_at, last_seen_at, last_execution_id)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[])
     ON CONFLICT (error_group) DO UPDATE SET
       count = stored.count + excluded.count,
       first_seen_at = least(stored.first_seen_at, excluded.first_seen_at),
       (type, message, frame, last_seen_at, last_execution_id) = (
         SELECT CASE WHEN newer THEN excluded.type ELSE stored.type END,
                CASE WHEN newer THEN excluded.message ELSE stored.message END,
                CASE WHEN newer THEN excluded.frame ELSE stored.frame END,
                CASE WHEN newer THEN excluded.last_seen_at ELSE stored.last_seen_at END,
                CASE WHEN newer THEN excluded.last_execution_id ELSE stored.last_execution_id END
         FROM (SELECT (excluded.last_seen_at, excluded.last_execution_id) > (stored.last_seen_at, stored.last_execution_id) AS newer) compared)`,
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

function countOne<Key extends ReadonlyArray<string | number>>(counts: Map<string, { key: Key; count: number }>, key: Key): void {
  const text = JSON.stringify(key)
  const entry = counts.get(text)
  if (entry === undefined) counts.set(text, { key, count: 1 })
  else entry.count++
}

/** An order that all writers share. */
function inOrder<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => a < b ? -1 : 1).map(([, value]) => value)
}
