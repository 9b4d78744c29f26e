import { CATCH_UP_POLICIES, INTERVAL_MIN_MS, MAX_DESCRIPTION_LENGTH, OVERLAP_POLICIES } from '../../../schemas/schedule.ts'
import {
  MAX_ARGS, MAX_ARGS_BYTES, MAX_INTERVAL_MS, MAX_JITTER_MS, MAX_PRIORITY, MAX_TASK_NAME_LENGTH, TASK_NAME_PATTERN
} from '../../../schemas/limits.ts'
import { createTaskDashboardError, isTaskDashboardError, TaskDashboardError, type InputFault } from '../../errors.ts'
import { readSentArguments } from '../../json/sent-arguments.ts'
import { hasAtMost } from '../../input/has-at-most.ts'
import { parseCron } from '../timing/cron.ts'
import type { ScheduleInput, ScheduleSettings, ScheduleTiming } from '../schedules.ts'
import { checkTimezone } from '../timing/time-zone.ts'

/** A validated input with defaults filled in. `args` are plain JSON. */
export interface ScheduleDefinition extends ScheduleSettings {
  readonly timing: ScheduleTiming
}

/**
 * @param more errors found earlier
 * @param toPointer converts a field's pointer to the caller's naming; default: as in the API
 * @throws INVALID_CRON, INVALID_SCHEDULE, either with every error in `errors`
 */
export function toScheduleDefinition(
  input: ScheduleInput, more: readonly InputFault[] = [], toPointer = (pointer: string) => pointer
): ScheduleDefinition {
  const {
    taskName, description = null, args = [], enabled = true, priority = 0, overlap = 'allow', catchUp = 'none', jitterMs = 0,
    startAt = null, endAt = null
  } = input
  const { json, problems } = readSentArguments(args, { maxItems: MAX_ARGS, maxBytes: MAX_ARGS_BYTES })
  const faults = [
    fault('/task_name', isTaskName(taskName), `must be 1 to ${MAX_TASK_NAME_LENGTH} printable characters`),
    fault(
      '/description', description === null || (typeof description === 'string' && hasAtMost(description, MAX_DESCRIPTION_LENGTH)),
      `must be text of at most ${MAX_DESCRIPTION_LENGTH} characters`
    ),
    ...problems.map(message => ({ pointer: '/args', message })),
    fault('/enabled', typeof enabled === 'boolean', 'must be true or false'),
    fault('/priority', isIntegerWithin(priority, 0, MAX_PRIORITY), `must be a whole number from 0 to ${MAX_PRIORITY}`),
    fault('/overlap', OVERLAP_POLICIES.includes(overlap), `must be one of ${OVERLAP_POLICIES.join(', ')}`),
    fault('/catch_up', CATCH_UP_POLICIES.includes(catchUp), `must be one of ${CATCH_UP_POLICIES.join(', ')}`),
    fault('/jitter_ms', isIntegerWithin(jitterMs, 0, MAX_JITTER_MS), `must be a whole number of milliseconds from 0 to ${MAX_JITTER_MS}`),
    fault(
      '/start_at', startAt === null || isIntegerWithin(startAt, FROM_MIN, MAX_FROM), 'must be an instant within the years 1970 to 8999'
    ),
    fault('/end_at', endAt === null || isIntegerWithin(endAt, FROM_MIN, MAX_FROM), 'must be an instant within the years 1970 to 8999'),
    fault('/end_at', startAt === null || endAt === null || endAt > startAt, 'must be after start_at')
  ].filter(found => found !== null)
  const wrongTiming = timingError(input.timing)
  const ofTiming = wrongTiming?.code === 'INVALID_CRON' ? [] : wrongTiming?.errors ?? []
  const all = [...[...ofTiming, ...faults].map(found => ({ ...found, pointer: toPointer(found.pointer) })), ...more]
  if (wrongTiming?.code === 'INVALID_CRON') throw withFaults(wrongTiming, all)
  if (all.length > 0) throw invalidSchedule(all)
  return {
    taskName, timing: input.timing, description, args: JSON.parse(json!) as unknown[], enabled, priority, overlap, catchUp, jitterMs,
    startAt, endAt
  }
}

/** Years in which calendars and offsets are reliable, and a hundred runs still have four-digit years. */
const FROM_MIN = 0
const MAX_FROM = Date.UTC(9000, 0)
const MAX_RUNS = 1000

/** @throws INVALID_SCHEDULE */
export function checkRunsAsked(from: number, count: number): void {
  const faults = [
    fault('/from', Number.isFinite(from) && from >= FROM_MIN && from <= MAX_FROM, 'must be within the years 1970 to 8999'),
    fault('/count', isIntegerWithin(count, 1, MAX_RUNS), `must be a whole number from 1 to ${MAX_RUNS}`)
  ].filter(found => found !== null)
  if (faults.length > 0) throw invalidSchedule(faults)
}

/** @throws INVALID_CRON, INVALID_SCHEDULE */
export function checkTiming(timing: ScheduleTiming): void {
  if ('cron' in timing) {
    parseCron(timing.cron, timing.timezone)
    return
  }
  checkTimezone(timing.timezone)
  const wrong = fault(
    '/interval_ms', isIntegerWithin(timing.intervalMs, INTERVAL_MIN_MS, MAX_INTERVAL_MS),
    `must be a whole number of milliseconds from ${INTERVAL_MIN_MS} to ${MAX_INTERVAL_MS}`
  )
  if (wrong) throw invalidSchedule([wrong])
}

function timingError(timing: ScheduleTiming): TaskDashboardError | null {
  try {
    checkTiming(timing)
    return null
  } catch (error) {
    if (isTaskDashboardError(error)) return error
    throw error
  }
}

function withFaults(error: TaskDashboardError, faults: readonly InputFault[]): TaskDashboardError {
  if (faults.length === 0) return error
  return new TaskDashboardError(error.code, `${error.message}; ${joinFaults(faults)}`, { errors: [...error.errors ?? [], ...faults] })
}

export function invalidSchedule(errors: ReadonlyArray<{ pointer: string; message: string }>) {
  return createTaskDashboardError('INVALID_SCHEDULE', [joinFaults(errors)], { errors })
}

function joinFaults(errors: ReadonlyArray<{ pointer: string; message: string }>): string {
  return errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`.trim()).join('; ')
}

function fault(pointer: string, isRight: boolean, message: string) {
  return isRight ? null : { pointer, message }
}

const PRINTABLE_NAME = new RegExp(TASK_NAME_PATTERN, 'u')

function isTaskName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && hasAtMost(value, MAX_TASK_NAME_LENGTH) && PRINTABLE_NAME.test(value)
}

function isIntegerWithin(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max
}
