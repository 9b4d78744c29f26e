import {
  MAX_AGENDA_MS, MAX_SCHEDULE_LIST_LIMIT, type Schedule, type ScheduleAgenda, type ScheduleAgendaQuery, type ScheduleListQuery,
  type ScheduleMissPage,
  type SchedulePreview, type SchedulePreviewQuery
} from '../../../../schemas/schedule.ts'
import { createTaskDashboardError } from '../../../errors.ts'
import type { Monitoring } from '../../../queue-app/monitoring/monitoring.ts'
import { answerOf } from '../answer.ts'
import { instantFrom } from '../instant.ts'
import { cursorAfter, positionFrom } from './schedule-cursor.ts'
import type { Snapshots } from '../snapshots.ts'
import { toSchedule, toScheduleAgenda, toScheduleMiss, toSchedulePreview } from './to-schedule.ts'
import { DAY_MS, HOUR_MS } from '../../../time/units.ts'

type ScheduleTiming = Parameters<Monitoring['previewSchedule']>[0]

export type ScheduleReader = ReturnType<typeof createScheduleReader>

export function createScheduleReader(monitoring: Monitoring, snapshots: Snapshots) {
  return {
    /** One page and the cursor of the next, null on the last page. Rejects with INVALID_CURSOR and INVALID_INPUT. */
    async list(query: ScheduleListQuery): Promise<{ items: Schedule[]; nextCursor: string | null }> {
      if (query.order === 'next_run' && query.cursor !== undefined) {
        const message = 'cannot be combined with order=next_run, which has a single page'
        throw createTaskDashboardError(
          'INVALID_INPUT', [`The query parameter "cursor" ${message}`], { errors: [{ pointer: '/cursor', message }] }
        )
      }
      return snapshots.read(`schedules ${JSON.stringify(query)}`, async () => {
        const limit = query.limit ?? MAX_SCHEDULE_LIST_LIMIT
        // One more than requested, to know whether there is a next page.
        const found = await answerOf(monitoring, () => monitoring.schedules({ ...toQuery(query), limit: limit + 1 }))
        const page = found.slice(0, limit)
        return {
          items: page.map(toSchedule), nextCursor: found.length > limit && query.order !== 'next_run' ? cursorAfter(page.at(-1)!) : null
        }
      })
    },

    /** Rejects with SCHEDULE_NOT_FOUND. */
    get(scheduleId: string): Promise<Schedule> {
      return snapshots.read(`schedule ${scheduleId}`, async () => {
        const schedule = await answerOf(monitoring, () => monitoring.schedule(scheduleId))
        if (!schedule) throw createTaskDashboardError('SCHEDULE_NOT_FOUND', [scheduleId])
        return toSchedule(schedule)
      })
    },

    /** As it is right now, not in a snapshot; null if there is none. The audit log sets the deadline. */
    async standing(scheduleId: string): Promise<Schedule | null> {
      const schedule = await monitoring.schedule(scheduleId)
      return schedule && toSchedule(schedule)
    },

    /** Rejects with SCHEDULE_NOT_FOUND. All stored entries fit on one page. */
    misses(scheduleId: string): Promise<ScheduleMissPage> {
      return snapshots.read(`misses ${scheduleId}`, async () => {
        const items = (await answerOf(monitoring, () => monitoring.scheduleMisses(scheduleId))).map(toScheduleMiss)
        return { items, next_cursor: null, total: { value: items.length, relation: 'exact' } }
      })
    },

    /** Rejects with INVALID_INPUT. */
    async agenda(query: ScheduleAgendaQuery): Promise<ScheduleAgenda> {
      const from = wholeHour(query.from === undefined ? Date.now() : instantFrom(query.from, 'from'))
      const to = query.to === undefined ? from + DAY_MS : instantFrom(query.to, 'to')
      if (to <= from || to - from > MAX_AGENDA_MS) {
        const message = 'must be at most seven days after "from"'
        throw createTaskDashboardError('INVALID_INPUT', [`The query parameter "to" ${message}`], { errors: [{ pointer: '/to', message }] })
      }
      return snapshots.read(`agenda ${from} ${to}`, async () =>
        toScheduleAgenda(await answerOf(monitoring, () => monitoring.scheduleAgenda(from, to)), from, to))
    },

    /** Rejects with INVALID_INPUT, INVALID_CRON, INVALID_SCHEDULE. */
    async preview({ cron, interval_ms: intervalMs, timezone = 'UTC', count, from }: SchedulePreviewQuery): Promise<SchedulePreview> {
      if ((cron === undefined) === (intervalMs === undefined))
        throw createTaskDashboardError('INVALID_INPUT', ['Give exactly one of cron and interval_ms'])
      const timing: ScheduleTiming = cron === undefined ? { intervalMs: intervalMs!, timezone } : { cron, timezone }
      const options = { ...(count && { count }), ...(from && { from: instantFrom(from, 'from') }) }
      return toSchedulePreview(monitoring.previewSchedule(timing, options))
    }
  }
}

function toQuery(
  { enabled_only: enabledOnly, task_name: taskName, search, cursor, order }: ScheduleListQuery
): NonNullable<Parameters<Monitoring['schedules']>[0]> {
  return {
    ...(enabledOnly && { enabledOnly }),
    ...(taskName !== undefined && { taskName }),
    ...(search !== undefined && { search }),
    ...(order === 'next_run' && { order: 'nextRun' as const }),
    ...(cursor !== undefined && { after: positionFrom(cursor) })
  }
}

function wholeHour(at: number): number {
  return Math.floor(at / HOUR_MS) * HOUR_MS
}
