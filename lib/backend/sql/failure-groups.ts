import type { SqlStore } from '../../stores/store.ts'
import { TASKS_OF_A_GROUP, TREND_HOURS } from '../failure-history.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupQuery } from '../result-backend.ts'
import { fromStorable } from '../storable-text.ts'
import { HOUR_MS } from '../tally.ts'
import { walkGroups } from './failure-walk.ts'
import type { LedgerTables } from './schema.ts'

export async function readFailureGroups(store: SqlStore, tables: LedgerTables, query: FailureGroupQuery): Promise<FailureGroupPage> {
  const { rows, next, total } = await walkGroups(store, tables, query)
  const keys = rows.map(row => row.error_group)
  const [tasks, trends] = await Promise.all([readTasks(store, tables, keys), readTrends(store, tables, keys)])
  const groups = rows.map((row): FailureGroup => ({
    errorGroup: fromStorable(row.error_group),
    type: fromStorable(row.type),
    message: fromStorable(row.message),
    frame: row.frame === null ? null : fromStorable(row.frame),
    count: Number(row.count),
    firstSeenAt: Number(row.first_seen_at),
    lastSeenAt: Number(row.last_seen_at),
    tasks: tasks.get(row.error_group) ?? [],
    lastExecutionId: fromStorable(row.last_execution_id),
    trend: trends.get(row.error_group) ?? Array.from({ length: TREND_HOURS }, () => 0)
  }))
  return { groups, next, total }
}

async function readTasks(store: SqlStore, tables: LedgerTables, groups: readonly string[]): Promise<Map<string, FailureGroup['tasks']>> {
  if (groups.length === 0) return new Map()
  const { rows } = await store.query<{ error_group: string; task_name: string; count: string | number }>(
    `SELECT given.error_group, tasks.task_name, tasks.count FROM unnest($1::text[]) AS given (error_group) CROSS JOIN LATERAL (
       SELECT task_name, count FROM ${tables.failureGroupTasks} WHERE error_group = given.error_group ORDER BY count DESC, task_name LIMIT ${TASKS_OF_A_GROUP}
     ) AS tasks ORDER BY tasks.count DESC, tasks.task_name`,
    [groups]
  )
  const tasks = new Map<string, Array<FailureGroup['tasks'][number]>>()
  for (const row of rows) {
    const ofGroup = tasks.get(row.error_group) ?? []
    ofGroup.push({ taskName: fromStorable(row.task_name), count: Number(row.count) })
    tasks.set(row.error_group, ofGroup)
  }
  return tasks
}

async function readTrends(store: SqlStore, tables: LedgerTables, groups: readonly string[]): Promise<Map<string, number[]>> {
  if (groups.length === 0) return new Map()
  const first = Math.floor(Date.now() / HOUR_MS) - TREND_HOURS + 1
  const { rows } = await store.query<{ error_group: string; hour: string | number; count: string | number }>(
    `SELECT error_group, hour, sum(count) AS count FROM ${tables.failureGroupHours}
     WHERE error_group = ANY($1::text[]) AND hour >= $2 AND hour < $3 GROUP BY error_group, hour`,
    [groups, first, first + TREND_HOURS]
  )
  const trends = new Map<string, number[]>()
  for (const row of rows) {
    const trend = trends.get(row.error_group) ?? Array.from({ length: TREND_HOURS }, () => 0)
    trend[Number(row.hour) - first] = Number(row.count)
    trends.set(row.error_group, trend)
  }
  return trends
}
