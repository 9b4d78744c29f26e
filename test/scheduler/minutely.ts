import type { TaskDashboardError } from '../../lib/errors.ts'
import type { ScheduleInput } from '../../lib/scheduler/schedules.ts'

export const MINUTE = 60_000
export const MINUTELY: ScheduleInput = { taskName: 'report', timing: { intervalMs: MINUTE, timezone: 'UTC' } }

export const codeOf = (work: Promise<unknown>) => work.then(() => 'done', (error: TaskDashboardError) => error.code)
