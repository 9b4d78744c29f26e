import type {
  CronScheduleInput, IntervalScheduleInput, Schedule, ScheduleChanges, ScheduleDeleted, ScheduleRun
} from '../../../../schemas/schedule.ts'
import type { Operations } from '../../../queue-app/operations/operations.ts'
import { instantFrom } from '../instant.ts'
import type { Write } from '../writing.ts'
import { toSchedule } from './to-schedule.ts'

type ScheduleInput = Parameters<Operations['createSchedule']>[0]
type Operation = NonNullable<Parameters<Operations['createSchedule']>[1]>
type Changes = Parameters<Operations['updateSchedule']>[1]

export type ScheduleCommands = ReturnType<typeof createScheduleCommands>

export function createScheduleCommands(operations: Operations, write: Write) {
  return {
    /** Rejects with INVALID_CRON, INVALID_SCHEDULE, TASK_NOT_REGISTERED. */
    async create(input: CronScheduleInput | IntervalScheduleInput, operation: Operation | undefined): Promise<Schedule> {
      return toSchedule(await write(() => operations.createSchedule(toScheduleInput(input), operation)))
    },

    /** Rejects with SCHEDULE_NOT_FOUND. */
    async setEnabled(scheduleId: string, enabled: boolean, by: string | null): Promise<Schedule> {
      return toSchedule(await write(() => operations.setScheduleEnabled(scheduleId, enabled, by)))
    },

    /** Rejects with SCHEDULE_NOT_FOUND, INVALID_CRON, INVALID_SCHEDULE, CONFLICT. */
    async update(scheduleId: string, changes: ScheduleChanges, by: string | null, ifVersion: string | undefined): Promise<Schedule> {
      const options = { by, ...(ifVersion !== undefined && { ifVersion }) }
      return toSchedule(await write(() => operations.updateSchedule(scheduleId, toChanges(changes), options)))
    },

    /** Rejects with SCHEDULE_NOT_FOUND, CONFLICT. */
    async run(scheduleId: string, operation: Operation | undefined): Promise<ScheduleRun> {
      return { execution_id: await write(() => operations.runSchedule(scheduleId, operation)) }
    },

    /** Rejects with SCHEDULE_NOT_FOUND. */
    async delete(scheduleId: string): Promise<ScheduleDeleted> {
      await write(() => operations.deleteSchedule(scheduleId))
      return { schedule_id: scheduleId, deleted: true }
    }
  }
}

function toScheduleInput(input: CronScheduleInput | IntervalScheduleInput): ScheduleInput {
  const timezone = input.timezone ?? 'UTC'
  return {
    taskName: input.task_name,
    timing: 'cron' in input ? { cron: input.cron, timezone } : { intervalMs: input.interval_ms, timezone },
    ...toCommonFields(input)
  }
}

function toChanges(changes: ScheduleChanges): Changes {
  const { cron, interval_ms: intervalMs, timezone, wins } = changes
  return {
    ...toCommonFields(changes),
    ...(cron !== undefined && { cron }),
    ...(intervalMs !== undefined && { intervalMs }),
    ...(timezone !== undefined && { timezone }),
    ...(wins !== undefined && { wins })
  }
}

function toCommonFields(input: CronScheduleInput | IntervalScheduleInput | ScheduleChanges) {
  return {
    ...(input.description !== undefined && { description: input.description }),
    ...(input.args && { args: input.args }),
    ...(input.enabled !== undefined && { enabled: input.enabled }),
    ...(input.priority !== undefined && { priority: input.priority }),
    ...(input.overlap && { overlap: input.overlap }),
    ...(input.catch_up && { catchUp: input.catch_up }),
    ...(input.jitter_ms !== undefined && { jitterMs: input.jitter_ms }),
    ...(input.start_at !== undefined && { startAt: boundFrom(input.start_at, 'start_at') }),
    ...(input.end_at !== undefined && { endAt: boundFrom(input.end_at, 'end_at') })
  }
}

function boundFrom(text: string | null, field: string): number | null {
  return text === null ? null : instantFrom(text, field)
}
