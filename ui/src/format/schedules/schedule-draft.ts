import { parseArguments } from '../executions/sent-arguments.ts'
import type { CronScheduleInput, IntervalScheduleInput, Schedule, ScheduleChanges } from '../../../../schemas/index.ts'
import { MAX_INTERVAL_MS, MAX_JITTER_MS, MAX_PRIORITY } from '../../../../schemas/limits.ts'
import type { Call } from '../places/snippet.ts'
import { instantOfInput, isInUtc, toLocalInput } from '../time/time.ts'
import { scheduleTexts } from '../../texts/schedules.ts'
import { SECOND_MS } from '../time/units.ts'

/** What is typed into the form of a schedule. */
export interface ScheduleDraft {
  readonly taskName: string
  readonly timing: 'cron' | 'interval'
  readonly cron: string
  readonly everySeconds: string
  readonly timezone: string
  readonly description: string
  readonly args: string
  readonly isEnabled: boolean
  readonly priority: string
  readonly overlap: Schedule['overlap']
  readonly catchUp: 'none' | 'one'
  readonly jitterSeconds: string
  /** As typed into the input, in UTC or in the reader's zone; empty means none. */
  readonly startAt: string
  readonly endAt: string
  readonly isUtc: boolean
}

export const emptyDraft: ScheduleDraft = {
  taskName: '', timing: 'cron', cron: '0 9 * * 1-5', everySeconds: '300', timezone: 'UTC', description: '', args: '', isEnabled: true,
  priority: '0', overlap: 'allow',
  catchUp: 'none', jitterSeconds: '0', startAt: '', endAt: '', isUtc: false
}

export type DraftProblems = Partial<Record<keyof ScheduleDraft, string>>

export function isEmpty(problems: DraftProblems): boolean {
  return Object.keys(problems).length === 0
}

interface Composed {
  /** null while a field is not valid, or nothing differs. */
  readonly call: Call | null
  readonly problems: DraftProblems
}

/** The call that creates the schedule, without values that are the default anyway. */
export function toScheduleCall(draft: ScheduleDraft): Composed {
  const { values, problems } = read(draft)
  if (Object.keys(problems).length > 0) return { call: null, problems }
  const { cron, intervalMs, timezone, description, args, priority, overlap, catchUp, jitterMs, startAt, endAt } = values
  const common = {
    ...(timezone && timezone !== 'UTC' ? { timezone } : {}),
    ...(description === null ? {} : { description }),
    ...(args.length > 0 ? { args } : {}),
    ...(draft.isEnabled ? {} : { enabled: false }),
    ...(priority === 0 ? {} : { priority }),
    ...(overlap === 'allow' ? {} : { overlap }),
    ...(catchUp === 'none' ? {} : { catch_up: catchUp }),
    ...(jitterMs === 0 ? {} : { jitter_ms: jitterMs }),
    ...(startAt === null ? {} : { start_at: startAt }),
    ...(endAt === null ? {} : { end_at: endAt })
  }
  const call: Call = draft.timing === 'cron'
    ? { method: 'POST', path: 'api/schedules/cron', body: { task_name: draft.taskName, cron, ...common } satisfies CronScheduleInput }
    : {
      method: 'POST', path: 'api/schedules/interval',
      body: { task_name: draft.taskName, interval_ms: intervalMs, ...common } satisfies IntervalScheduleInput
    }
  return { call, problems }
}

export function draftFrom(schedule: Schedule): ScheduleDraft {
  return {
    taskName: schedule.task_name,
    timing: schedule.schedule_type,
    cron: schedule.cron ?? '',
    everySeconds: String((schedule.interval_ms ?? 0) / 1000),
    timezone: schedule.timezone,
    description: schedule.description ?? '',
    args: schedule.args.length === 0 ? '' : JSON.stringify(schedule.args),
    isEnabled: schedule.enabled,
    priority: String(schedule.priority),
    overlap: schedule.overlap,
    catchUp: schedule.catch_up,
    jitterSeconds: String(schedule.jitter_ms / 1000),
    startAt: schedule.start_at === null ? '' : toLocalInput(Date.parse(schedule.start_at)),
    endAt: schedule.end_at === null ? '' : toLocalInput(Date.parse(schedule.end_at)),
    isUtc: isInUtc()
  }
}

/** The same instants in the zone that is shown now, because the reader may have switched to UTC or back since they were typed. */
export function inZoneNow(draft: ScheduleDraft): ScheduleDraft {
  const isUtc = isInUtc()
  if (draft.isUtc === isUtc) return draft
  const moved = (text: string): string => {
    const instant = text === '' ? null : instantOfInput(text, draft.isUtc)
    return instant === null ? text : toLocalInput(Date.parse(instant))
  }
  return { ...draft, startAt: moved(draft.startAt), endAt: moved(draft.endAt), isUtc }
}

/** The call that changes only the edited fields, and only if the schedule still has the version that was read. */
export function toChangesCall(schedule: Schedule, draft: ScheduleDraft): Composed {
  const { values, problems } = read(draft)
  if (Object.keys(problems).length > 0) return { call: null, problems }
  const before = draftFrom(schedule)
  const differs = (field: keyof ScheduleDraft): boolean => draft[field] !== before[field]
  const body: ScheduleChanges = {
    ...(draft.timing === 'cron' && differs('cron') ? { cron: values.cron } : {}),
    ...(draft.timing === 'interval' && differs('everySeconds') ? { interval_ms: values.intervalMs } : {}),
    ...(differs('timezone') ? { timezone: values.timezone } : {}),
    ...(differs('description') ? { description: values.description } : {}),
    ...(differs('args') ? { args: values.args } : {}),
    ...(differs('isEnabled') ? { enabled: draft.isEnabled } : {}),
    ...(differs('priority') ? { priority: values.priority } : {}),
    ...(differs('overlap') ? { overlap: values.overlap } : {}),
    ...(differs('catchUp') ? { catch_up: values.catchUp } : {}),
    ...(differs('jitterSeconds') ? { jitter_ms: values.jitterMs } : {}),
    ...(differs('startAt') ? { start_at: values.startAt } : {}),
    ...(differs('endAt') ? { end_at: values.endAt } : {})
  }
  return { call: Object.keys(body).length === 0 ? null : toPatchCall(schedule, body), problems }
}

export function toPatchCall({ schedule_id: id, version }: Pick<Schedule, 'schedule_id' | 'version'>, body: ScheduleChanges): Call {
  return {
    method: 'PATCH', path: `api/schedules/${encodeURIComponent(id)}`, pattern: { path: '/api/schedules/{id}', parameters: { id } },
    ifMatch: version, body
  }
}

function read(draft: ScheduleDraft) {
  const problems: DraftProblems = {}
  const values = {
    cron: draft.cron.trim(),
    intervalMs: Math.round(Number(draft.everySeconds) * 1000),
    timezone: draft.timezone,
    description: draft.description.trim() || null,
    args: parseArguments(draft.args) ?? [],
    priority: Number(draft.priority),
    overlap: draft.overlap,
    catchUp: draft.catchUp,
    jitterMs: Math.round(Number(draft.jitterSeconds) * 1000),
    startAt: draft.startAt === '' ? null : instantOfInput(draft.startAt),
    endAt: draft.endAt === '' ? null : instantOfInput(draft.endAt)
  }
  if (!draft.taskName) problems.taskName = scheduleTexts.problems.task
  if (draft.timing === 'cron' && values.cron.split(/\s+/).length !== 5)
    problems.cron = scheduleTexts.problems.cron
  if (draft.timing === 'interval' && !isWithin(draft.everySeconds, 1, MAX_INTERVAL_MS / SECOND_MS))
    problems.everySeconds = scheduleTexts.problems.interval
  if (!Number.isInteger(values.priority) || !isWithin(draft.priority, 0, MAX_PRIORITY))
    problems.priority = scheduleTexts.priorityProblem(MAX_PRIORITY)
  if (!parseArguments(draft.args)) problems.args = scheduleTexts.problems.args
  if (!isWithin(draft.jitterSeconds, 0, MAX_JITTER_MS / SECOND_MS)) problems.jitterSeconds = scheduleTexts.problems.jitter
  if (draft.startAt !== '' && values.startAt === null) problems.startAt = scheduleTexts.problems.time
  if (draft.endAt !== '' && values.endAt === null) problems.endAt = scheduleTexts.problems.time
  if (values.startAt !== null && values.endAt !== null && values.endAt < values.startAt) problems.endAt = scheduleTexts.problems.end
  return { values, problems }
}

function isWithin(text: string, from: number, to: number): boolean {
  const value = Number(text)
  return text.trim() !== '' && value >= from && value <= to
}
