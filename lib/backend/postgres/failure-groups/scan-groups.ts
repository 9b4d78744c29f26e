import { MAX_TASKS_PER_GROUP } from '../../../../schemas/limits.ts'
import type { FailureGroupState } from '../../../../schemas/failure.ts'
import type { SqlStore } from '../../../stores/store.ts'
import { GROUPS_READ_MS, type HoursAsked, TREND_HOURS, hoursAsked } from '../../counting/failure-hours.ts'
import type { FailureGroupPage, FailureGroupPosition, FailureGroupQuery } from '../../result-backend.ts'
import { fromStorable, toStorable } from '../../entry/storable-text.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { type Parameters, createParameters } from '../parameters.ts'
import type { LedgerTables } from '../schema.ts'

const MAX_COUNTED = 1_000
const MAX_SLICE = 1_000

export interface GroupRow {
  error_group: string
  type: string
  message: string
  frame: string | null
  /** Within the range and task. */
  count: string | number
  first_seen_at: string | number
  last_seen_at: string | number
  last_execution_id: string
  resolved_through: string | number | null
  resolved_count: string | number | null
  counted_at: string | number | null
  decided_at: string | number | null
  decided_by: string | null
  note: string | null
  operation_id: string | null
  operation_at: string | number | null
  /** Highest first; null when there are none. */
  tasks: Array<[taskName: string, count: number]> | null
  /** Hours of the trend with failures; null when there are none. */
  trend: Array<[hour: number, count: number]> | null
  of_all: string | number
  of_time: string | number
}

/** Reads groups in growing slices, and adds up their hours where needed, until the page is full, the groups end or the time is up. */
export async function scanGroups(
  store: SqlStore, tables: LedgerTables, query: FailureGroupQuery, trendFrom: number
): Promise<{ rows: GroupRow[]; next: FailureGroupPosition | null; total: FailureGroupPage['total'] }> {
  const hours = hoursAsked(query, Date.now())
  if (hours !== null && hours.end <= hours.first) return { rows: [], next: null, total: { value: 0, relation: 'exact' } }
  const deadline = performance.now() + GROUPS_READ_MS
  // Without a filter every group in the slice matches, so counting needs no hours.
  const isFiltered = hours !== null && (query.to !== undefined || query.taskName !== undefined || query.taskNames !== undefined)
  const counting = isFiltered ? null : countGroups(store, tables, query, hours)
  // Awaited later. Avoid an unhandled rejection if the scan fails first.
  counting?.catch(() => {})
  const rows: GroupRow[] = []
  let after = query.after
  for (let size = query.limit + 1; ; size = Math.min(MAX_SLICE, size * 4)) {
    const slice = await readSlice(store, tables, { query, hours, after, size, trendFrom, wanted: query.limit - rows.length })
    rows.push(...slice.rows)
    if (slice.last !== null) after = slice.last
    const isEnd = slice.looked < size
    if (rows.length <= query.limit && !isEnd && performance.now() < deadline) continue
    const next = rows.length > query.limit ? positionOf(rows[query.limit - 1]!) : isEnd ? null : after ?? null
    const counted = await counting
    // The count comes from a separate statement, which may see more or fewer groups. If the page itself shows the number, use that.
    const isAll = next === null && query.after === undefined
    const seen = Math.min(rows.length, query.limit + 1)
    const total = isAll || counted === null
      ? { value: seen, relation: isAll ? 'exact' : 'at_least' } as const
      : { ...counted, value: Math.max(counted.value, seen) }
    return { rows: rows.slice(0, query.limit), next, total }
  }
}

interface SliceAsked {
  readonly query: FailureGroupQuery
  readonly hours: HoursAsked | null
  readonly after: FailureGroupPosition | undefined
  readonly size: number
  /** First hour of the trend. */
  readonly trendFrom: number
  /**
   * How many matching groups to return with tasks and trend. They are read in the same statement so that counts agree while failures
   * arrive.
   */
  readonly wanted: number
}

interface Slice { readonly rows: GroupRow[]; readonly looked: number; readonly last: FailureGroupPosition | null }

async function readSlice(
  store: SqlStore, tables: LedgerTables, { query, hours, after, size, trendFrom, wanted }: SliceAsked
): Promise<Slice> {
  const parameters = createParameters()
  const { from, conditions } = candidates(tables, query, hours, parameters)
  if (after)
    conditions.push(
      `(last_seen_at, groups.error_group) < (${parameters.add(after.lastSeenAt)}::bigint, ` +
        `${parameters.add(toStorable(after.errorGroup))}::text COLLATE "C")`
    )
  const ofTasks = query.taskNames === undefined ? '' : `AND task_name = ANY(${parameters.add(query.taskNames.map(toStorable))}::text[])`
  const { rows } = await store.query<GroupRow & { at: number }>(
    `WITH slice AS MATERIALIZED (
       SELECT groups.error_group, type, message, frame, groups.count AS of_all,
         ${query.taskName === undefined && query.taskNames === undefined ? 'groups' : 'tasks'}.count AS of_time,
              first_seen_at, last_seen_at, last_execution_id, resolved_through, resolved_count, counted_at,
              decided_at, decided_by, note, operation_id, operation_at
       FROM ${from} WHERE ${['true', ...conditions].join(' AND ')} ORDER BY last_seen_at DESC,
         groups.error_group DESC LIMIT ${parameters.add(size)}
     ), counted AS MATERIALIZED (
       SELECT slice.*, ${countIn(tables, query, hours, parameters)} AS count, (row_number() OVER (ORDER BY last_seen_at DESC,
         error_group DESC))::integer AS at FROM slice
     ), told AS MATERIALIZED (
       SELECT error_group AS told_group FROM counted WHERE count > 0 ORDER BY at LIMIT ${parameters.add(wanted)}
     )
     SELECT counted.*, tasks, trend FROM counted LEFT JOIN told ON told_group = error_group
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_array(task_name, most.count) ORDER BY most.count DESC, task_name) AS tasks FROM (
         SELECT task_name, count FROM ${tables.failureGroupTasks} WHERE error_group = told_group ${ofTasks}
           ORDER BY count DESC, task_name LIMIT ${MAX_TASKS_PER_GROUP}
       ) AS most
     ) AS of_tasks ON told_group IS NOT NULL
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_array(hour, in_hour)) AS trend FROM (
         SELECT hour, sum(count) AS in_hour FROM ${tables.failureGroupHours} AS of_trend
         WHERE error_group = told_group ${ofTasks}
           AND hour >= ${parameters.add(trendFrom)} AND hour < ${parameters.add(trendFrom + TREND_HOURS)}
           GROUP BY hour
       ) AS hourly
     ) AS of_hours ON told_group IS NOT NULL
     WHERE counted.count > 0 OR at = (SELECT count(*) FROM slice) ORDER BY at`,
    parameters.values
  )
  const last = rows.at(-1)
  return { rows: rows.filter(row => Number(row.count) > 0), looked: last?.at ?? 0, last: last === undefined ? null : positionOf(last) }
}

/** Groups that may match, before their hours are counted. */
function candidates(
  tables: LedgerTables, { from, to, taskName, taskNames, errorGroup, state }: FailureGroupQuery, hours: HoursAsked | null,
  { add }: Parameters
): { from: string; conditions: string[] } {
  const conditions: string[] = []
  if (errorGroup !== undefined) conditions.push(`groups.error_group = ${add(toStorable(errorGroup))}::text`)
  if (hours !== null && from !== undefined) conditions.push(`last_seen_at >= ${add(hours.first * HOUR_MS)}::bigint`)
  if (hours !== null && to !== undefined) conditions.push(`first_seen_at < ${add(hours.end * HOUR_MS)}::bigint`)
  if (state !== undefined) conditions.push(OF_STATE[state])
  const groups = `${tables.failureGroups} AS groups`
  if (taskName === undefined && taskNames === undefined) return { from: groups, conditions }
  if (taskName === undefined) {
    return {
      from:
        `${groups} JOIN (SELECT error_group, sum(count) AS count FROM ${tables.failureGroupTasks} ` +
          `WHERE task_name = ANY(${add(taskNames!.map(toStorable))}::text[]) GROUP BY error_group) AS tasks ` +
          'ON tasks.error_group = groups.error_group',
      conditions
    }
  }
  return {
    from:
      `${groups} JOIN ${tables.failureGroupTasks} AS tasks ON tasks.error_group = groups.error_group AND tasks.task_name = ` +
        `${add(toStorable(taskName))}::text`,
    conditions
  }
}

/** SQL for `ownCountOf`: how many failures the last decision covers; null if it has no such limit. */
export const OWN_COUNT = '(CASE WHEN coalesce(counted_at, decided_at) = decided_at THEN resolved_count END)'
/** Null without a decision, or after it was reopened. */
const IS_COVERED = `(last_seen_at <= resolved_through AND groups.count <= coalesce(${OWN_COUNT}, groups.count))`
/** SQL for `stateOf`, on a row of the table `groups`. */
export const OF_STATE: Readonly<Record<FailureGroupState, string>> = {
  open: `${IS_COVERED} IS NOT TRUE`,
  resolved: IS_COVERED,
  regressed: `(resolved_through IS NOT NULL AND NOT ${IS_COVERED})`
}

/** Implements `hoursAsked`. If all failures of a group belong to one task, the first and last times of the group apply to that task too. */
function countIn(tables: LedgerTables, { taskName, taskNames }: FailureGroupQuery, hours: HoursAsked | null, { add }: Parameters): string {
  if (hours === null) return 'of_time'
  const isFirstIn = `first_seen_at >= ${add(hours.first * HOUR_MS)}::bigint`
  const isLastIn = `last_seen_at < ${add(hours.end * HOUR_MS)}::bigint`
  const inRange = `(SELECT coalesce(sum(count), 0) FROM ${tables.failureGroupHours} AS hours WHERE hours.error_group = slice.error_group
    AND hour >= ${add(Math.max(hours.first, hours.keptFrom))}::bigint AND hour < ${add(hours.end)}::bigint
    ${taskName === undefined ? '' : `AND task_name = ${add(toStorable(taskName))}::text`}
    ${taskName !== undefined || taskNames === undefined ? '' : `AND task_name = ANY(${add(taskNames.map(toStorable))}::text[])`})`
  return `CASE WHEN ${isFirstIn} AND ${isLastIn} THEN of_time
    WHEN of_time = of_all AND (${isFirstIn} OR ${isLastIn}) THEN greatest(1, ${inRange}) ELSE ${inRange} END`
}

async function countGroups(
  store: SqlStore, tables: LedgerTables, query: FailureGroupQuery, hours: HoursAsked | null
): Promise<FailureGroupPage['total']> {
  const parameters = createParameters()
  const { from, conditions } = candidates(tables, query, hours, parameters)
  const { rows } = await store.query<{ counted: number }>(
    `SELECT count(*)::integer AS counted FROM (SELECT 1 FROM ${from} WHERE ${['true', ...conditions].join(' AND ')} LIMIT ` +
      `${MAX_COUNTED + 1}) AS capped`,
    parameters.values
  )
  const { counted } = rows[0]!
  return counted > MAX_COUNTED ? { value: MAX_COUNTED, relation: 'at_least' } : { value: counted, relation: 'exact' }
}

function positionOf(row: GroupRow): FailureGroupPosition {
  return { lastSeenAt: Number(row.last_seen_at), errorGroup: fromStorable(row.error_group) }
}
