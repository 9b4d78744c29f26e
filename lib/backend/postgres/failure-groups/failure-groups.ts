import type { SqlStore } from '../../../stores/store.ts'
import { TREND_HOURS } from '../../counting/failure-hours.ts'
import type { FailureGroup, FailureGroupPage, FailureGroupQuery } from '../../result-backend.ts'
import { decisionOf, stateOf, type StoredDecision } from '../../entry/failure-decision.ts'
import { fromStorable } from '../../entry/storable-text.ts'
import { HOUR_MS } from '../../../time/units.ts'
import { type GroupRow, scanGroups } from './scan-groups.ts'
import type { LedgerTables } from '../schema.ts'
import { storedNumber } from '../../../json/stored-number.ts'

export async function readFailureGroups(store: SqlStore, tables: LedgerTables, query: FailureGroupQuery): Promise<FailureGroupPage> {
  const trendFrom = Math.floor(Date.now() / HOUR_MS) - TREND_HOURS + 1
  const { rows, next, total } = await scanGroups(store, tables, query, trendFrom)
  const groups = rows.map(row => toGroup(row, query, trendFrom))
  return { groups, next, total }
}

function toGroup(row: GroupRow, query: FailureGroupQuery, trendFrom: number): FailureGroup {
  const decision: StoredDecision = {
    resolvedThrough: storedNumber(row.resolved_through),
    resolvedCount: storedNumber(row.resolved_count),
    countedAt: storedNumber(row.counted_at),
    decidedAt: storedNumber(row.decided_at),
    decidedBy: row.decided_by === null ? null : fromStorable(row.decided_by),
    note: row.note === null ? null : fromStorable(row.note),
    operationId: row.operation_id,
    operationAt: storedNumber(row.operation_at)
  }
  return {
    errorGroup: fromStorable(row.error_group),
    type: fromStorable(row.type),
    message: fromStorable(row.message),
    frame: row.frame === null ? null : fromStorable(row.frame),
    count: Number(row.count),
    firstSeenAt: Number(row.first_seen_at),
    lastSeenAt: Number(row.last_seen_at),
    tasks: (row.tasks ?? []).map(([taskName, count]) => ({ taskName: fromStorable(taskName), count })),
    lastExecutionId: fromStorable(row.last_execution_id),
    trend: toTrend(row.trend ?? [], trendFrom),
    state: stateOf({ lastSeenAt: Number(row.last_seen_at), count: Number(row.of_all) }, decision),
    decision: decisionOf(decision),
    isShared: query.taskNames !== undefined && query.taskName === undefined && Number(row.of_time) < Number(row.of_all)
  }
}

function toTrend(counts: GroupRow['trend'] & object, from: number): number[] {
  const trend = Array.from({ length: TREND_HOURS }, () => 0)
  for (const [hour, count] of counts) trend[hour - from] = count
  return trend
}
