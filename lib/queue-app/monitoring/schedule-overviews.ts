import type { ResultBackend, TaskTotals } from '../../backend/result-backend.ts'
import type { ScheduleRecord } from '../../scheduler/schedules.ts'
import type { ScheduleOverview } from './monitoring.ts'

/** Schedules with their run statistics from the result backend. */
export async function readOverviews(
  backend: Pick<ResultBackend, 'scheduleTotals'>, records: readonly ScheduleRecord[]
): Promise<ScheduleOverview[]> {
  const totals = await backend.scheduleTotals(records.map(record => record.scheduleId))
  return records.map(record => toScheduleOverview(record, totals.get(record.scheduleId)))
}

/** @param total undefined if it has not run */
export function toScheduleOverview(record: ScheduleRecord, total: TaskTotals | undefined): ScheduleOverview {
  const runs = (total?.success ?? 0) + (total?.failed ?? 0)
  return {
    ...record,
    lastRunAt: total?.last?.beganAt ?? null,
    lastStatus: total?.last?.status ?? null,
    runs,
    success: total?.success ?? 0,
    failed: total?.failed ?? 0,
    avgDurationMs: total && total.timed > 0 ? total.totalDurationMs / total.timed : null
  }
}
