import { parseCron, nextCronRuns } from './cron.ts'
import { describeTiming } from './describe-timing.ts'
import { nextIntervalRuns } from './next-runs.ts'
import type { SchedulerEffects } from './schedule-effects.ts'
import type { ScheduleStore, StoredSchedule, StoredTiming } from './schedule-store.ts'
import type { ScheduleRecord } from './scheduler.ts'

/** A run that no worker took for so long is worth a warning. */
const OVERDUE_AFTER_MS = 60_000

interface ScheduleReaderDependencies {
  readonly store: ScheduleStore
  readonly effects: SchedulerEffects
  readonly now: () => number
}

export function createScheduleReader({ store, effects, now }: ScheduleReaderDependencies) {
  return {
    /** Ordered by creation, then id. */
    async list(): Promise<ScheduleRecord[]> {
      const schedules = await store.list()
      const records = await toRecords(schedules)
      return records.sort((one, other) => one.createdAt - other.createdAt || (one.scheduleId < other.scheduleId ? -1 : 1))
    },

    async get(scheduleId: string): Promise<ScheduleRecord | null> {
      const schedule = await store.get(scheduleId)
      return schedule && (await toRecords([schedule]))[0]!
    }
  }

  async function toRecords(schedules: readonly StoredSchedule[]): Promise<ScheduleRecord[]> {
    const taskNames = new Set(schedules.filter(({ value }) => value.enabled).map(({ value }) => value.taskName))
    const [standing, missed] = await Promise.all([
      Promise.all([...taskNames].map(taskName => effects.listSchedulers(taskName))),
      store.missed(schedules.map(({ id }) => id))
    ])
    const planned = new Map(standing.flat().map(({ scheduleId, nextRunAt }) => [scheduleId, nextRunAt]))
    return schedules.map((schedule, index) => toRecord(schedule, planned.get(schedule.id) ?? null, missed[index] ?? 0, now()))
  }
}

function toRecord({ id, value }: StoredSchedule, planned: number | null, missed: number, at: number): ScheduleRecord {
  const { timing, taskName, description, args, enabled, priority, overlap, source, createdAt, updatedAt } = value
  const isPlanned = enabled && planned !== null
  return {
    scheduleId: id,
    scheduleType: 'cron' in timing ? 'cron' : 'interval',
    taskName,
    cron: 'cron' in timing ? timing.cron : null,
    intervalMs: 'cron' in timing ? null : timing.intervalMs,
    timezone: timing.timezone,
    description,
    human: describeTiming(timing),
    args, enabled, priority, overlap, source, createdAt, updatedAt,
    nextRunAt: !enabled ? null : isPlanned && planned > at ? planned : nextRunAfter(timing, at),
    overdue: isPlanned && planned < at - OVERDUE_AFTER_MS,
    missed
  }
}

function nextRunAfter(timing: StoredTiming, at: number): number | null {
  const [next] = 'cron' in timing
    ? nextCronRuns(parseCron(timing.cron, timing.timezone), at, 1)
    : nextIntervalRuns(timing.intervalMs, timing.anchorAt, at, 1)
  return next ?? null
}
