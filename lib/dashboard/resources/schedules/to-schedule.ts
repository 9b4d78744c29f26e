import type { Schedule, ScheduleAgenda, ScheduleMiss, SchedulePreview } from '../../../../schemas/schedule.ts'
import type { Monitoring, ScheduleOverview } from '../../../queue-app/monitoring/monitoring.ts'
import { toTimestamp, toTimestampOrNull } from '../wire-values.ts'

export function toSchedule(schedule: ScheduleOverview): Schedule {
  return {
    schedule_id: schedule.scheduleId,
    schedule_type: schedule.scheduleType,
    task_name: schedule.taskName,
    cron: schedule.cron,
    interval_ms: schedule.intervalMs,
    timezone: schedule.timezone,
    description: schedule.description,
    human: schedule.human,
    args: [...schedule.args],
    enabled: schedule.enabled,
    priority: schedule.priority,
    overlap: schedule.overlap,
    catch_up: schedule.catchUp,
    jitter_ms: schedule.jitterMs,
    start_at: toTimestampOrNull(schedule.startAt),
    end_at: toTimestampOrNull(schedule.endAt),
    source: schedule.source,
    version: schedule.version,
    task_registered: schedule.taskRegistered,
    overdue: schedule.overdue,
    wins: schedule.wins,
    drift: schedule.drift.length === 0 ? null : { fields: schedule.drift.map(toDriftField) },
    created_at: toTimestamp(schedule.createdAt),
    updated_at: toTimestamp(schedule.updatedAt),
    next_run_at: toTimestampOrNull(schedule.nextRunAt),
    last_run_at: toTimestampOrNull(schedule.lastRunAt),
    last_status: schedule.lastStatus,
    changes: schedule.changes,
    note: schedule.note,
    stats: {
      runs: schedule.runs,
      success: schedule.success,
      failed: schedule.failed,
      missed: schedule.missed,
      late: schedule.late,
      avg_duration_ms: schedule.avgDurationMs
    }
  }
}

export function toScheduleMiss(miss: Awaited<ReturnType<Monitoring['scheduleMisses']>>[number]): ScheduleMiss {
  return {
    kind: miss.kind,
    reason: miss.reason,
    first_due_at: toTimestamp(miss.firstDueAt),
    last_due_at: toTimestamp(miss.lastDueAt),
    count: miss.count,
    recorded_at: toTimestamp(miss.recordedAt),
    late_by_ms: miss.lateMs,
    execution_id: miss.executionId
  }
}

export function toScheduleAgenda(
  { hours, totals, schedules }: Awaited<ReturnType<Monitoring['scheduleAgenda']>>, from: number, to: number
): ScheduleAgenda {
  return {
    from: toTimestamp(from),
    to: toTimestamp(to),
    hours: hours.map(toTimestamp),
    totals: [...totals],
    schedules: schedules.map(({ scheduleId, taskName, description, total, counts }) =>
      ({ schedule_id: scheduleId, task_name: taskName, description, total, counts: counts as number[] }))
  }
}

export function toSchedulePreview({ description, timezone, runs }: ReturnType<Monitoring['previewSchedule']>): SchedulePreview {
  return { description, timezone, runs: runs.map(({ at, local, offset, note }) => ({ at: toTimestamp(at), local, offset, note })) }
}

function toDriftField({ field, code, live, since, by }: ScheduleOverview['drift'][number]) {
  const isInstant = field === 'startAt' || field === 'endAt'
  const value = (one: unknown) => isInstant && typeof one === 'number' ? toTimestamp(one) : one
  return {
    field: field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`), code: value(code), live: value(live),
    since: toTimestampOrNull(since), by
  }
}
