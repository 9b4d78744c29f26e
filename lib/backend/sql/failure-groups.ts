import type { SqlStore } from '../../stores/store.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupQuery } from '../result-backend.ts'
import { fromStorable, toStorable } from '../storable-text.ts'
import { HOURS_KEPT_MS, HOUR_MS, spansTouched } from '../tally.ts'
import { type Parameters, createParameters } from './scans.ts'
import type { LedgerTables } from './schema.ts'

const COUNTED_AT_MOST = 1_000
const TASKS_SHOWN = 20
const TREND_HOURS = 24

interface GroupRow {
  error_group: string
  type: string
  message: string
  frame: string | null
  count: string | number
  first_seen_at: string | number
  last_seen_at: string | number
  last_execution_id: string
}

export async function readFailureGroups(store: SqlStore, tables: LedgerTables, query: FailureGroupQuery): Promise<FailureGroupPage> {
  const [rows, counted] = await Promise.all([readGroups(store, tables, query), countGroups(store, tables, query)])
  const shown = rows.slice(0, query.limit)
  const keys = shown.map(row => row.error_group)
  const [tasks, trends] = await Promise.all([readTasks(store, tables, keys), readTrends(store, tables, keys)])
  const groups = shown.map((row): FailureGroup => ({
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
  const last = groups.at(-1)
  return {
    groups,
    next: rows.length > query.limit && last ? { lastSeenAt: last.lastSeenAt, errorGroup: last.errorGroup } : null,
    total: counted > COUNTED_AT_MOST ? { value: COUNTED_AT_MOST, relation: 'at_least' } : { value: counted, relation: 'exact' }
  }
}

async function readGroups(store: SqlStore, tables: LedgerTables, query: FailureGroupQuery): Promise<GroupRow[]> {
  const parameters = createParameters()
  const { count, conditions } = countIn(tables, query, parameters)
  if (query.after) conditions.push(`(last_seen_at, error_group) < (${parameters.add(query.after.lastSeenAt)}::bigint, ${parameters.add(toStorable(query.after.errorGroup))}::text COLLATE "C")`)
  const { rows } = await store.query<GroupRow>(
    `SELECT groups.error_group, type, message, frame, counted.count, first_seen_at, last_seen_at, last_execution_id
     FROM ${tables.failureGroups} AS groups CROSS JOIN LATERAL (${count}) AS counted
     WHERE ${['counted.count > 0', ...conditions].join(' AND ')} ORDER BY last_seen_at DESC, error_group DESC LIMIT ${parameters.add(query.limit + 1)}`,
    parameters.values
  )
  return rows
}

async function countGroups(store: SqlStore, tables: LedgerTables, query: FailureGroupQuery): Promise<number> {
  const parameters = createParameters()
  const { occurs, conditions } = countIn(tables, query, parameters)
  const { rows } = await store.query<{ counted: number }>(
    `SELECT count(*)::integer AS counted FROM (
       SELECT 1 FROM ${tables.failureGroups} AS groups WHERE ${[occurs, ...conditions].join(' AND ')} ORDER BY last_seen_at DESC, error_group DESC LIMIT ${COUNTED_AT_MOST + 1}) AS capped`,
    parameters.values
  )
  return rows[0]!.counted
}

interface CountIn {
  /** A subquery that counts a group in the range and of the task. */
  readonly count: string
  /** Whether there is any to count, which takes less. */
  readonly occurs: string
  /** Leave out groups before that. */
  readonly conditions: string[]
}

function countIn(tables: LedgerTables, { from, to, taskName }: FailureGroupQuery, { add }: Parameters): CountIn {
  const task = taskName === undefined ? '' : `AND task_name = ${add(toStorable(taskName))}::text`
  if (from === undefined && to === undefined) {
    if (taskName === undefined) return { count: 'SELECT groups.count', occurs: 'true', conditions: [] }
    const ofTask = `FROM ${tables.failureGroupTasks} WHERE error_group = groups.error_group ${task}`
    return { count: `SELECT count ${ofTask}`, occurs: `EXISTS (SELECT ${ofTask})`, conditions: [] }
  }
  // Up to the hour after this one, which a clock ahead of ours may be in: what is asked for beyond it must not shorten the range at its start.
  const { first, end } = spansTouched(from ?? 0, Math.min(to ?? Infinity, Date.now() + HOUR_MS), HOUR_MS, HOURS_KEPT_MS)
  const conditions: string[] = []
  if (from !== undefined) conditions.push(`last_seen_at >= ${add(first * HOUR_MS)}::bigint`)
  if (to !== undefined && to <= Date.now()) conditions.push(`first_seen_at < ${add(end * HOUR_MS)}::bigint`)
  const inRange = `FROM ${tables.failureGroupHours}
    WHERE error_group = groups.error_group AND hour >= ${add(first)}::bigint AND hour < ${add(end)}::bigint ${task}`
  return { count: `SELECT sum(count) AS count ${inRange}`, occurs: `EXISTS (SELECT ${inRange})`, conditions }
}

async function readTasks(store: SqlStore, tables: LedgerTables, groups: readonly string[]): Promise<Map<string, FailureGroup['tasks']>> {
  if (groups.length === 0) return new Map()
  const { rows } = await store.query<{ error_group: string; task_name: string; count: string | number }>(
    `SELECT given.error_group, tasks.task_name, tasks.count FROM unnest($1::text[]) AS given (error_group) CROSS JOIN LATERAL (
       SELECT task_name, count FROM ${tables.failureGroupTasks} WHERE error_group = given.error_group ORDER BY count DESC, task_name LIMIT ${TASKS_SHOWN}
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
