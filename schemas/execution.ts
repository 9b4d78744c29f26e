import { Type, type Static } from '@sinclair/typebox'
import {
  Count, DurationMs, ErrorGroupInput, ExecutionId, Nullable, Ref, ScheduleId, ScheduleIdInput, StringEnum,
  TaskName, TaskNameInput, Timestamp, TimestampInput, WorkerIdInput, named
} from './common.ts'
import { SentArguments } from './arguments.ts'
import { MAX_ACTION_REASON_LENGTH, MAX_DURATION_FILTER_MS, MAX_PRIORITY, MAX_SEARCH_LENGTH, PRINTABLE } from './limits.ts'
import { PageOf, PageQuery } from './page.ts'

/** The values of the status filter. */
export const EXECUTION_STATUSES = ['pending', 'running', 'success', 'failed', 'cancelled'] as const
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

/** The exact state. There are several for each status. */
export const EXECUTION_STATES = [
  'waiting', 'delayed', 'prioritized', 'waiting_children', 'paused', 'active', 'retrying', 'stalled', 'completed', 'failed', 'cancelled'
] as const
export type ExecutionState = (typeof EXECUTION_STATES)[number]

export const EXECUTION_ORDERS = ['newest', 'oldest'] as const
export type ExecutionOrder = (typeof EXECUTION_ORDERS)[number]

/** Lists cut error messages at this many characters. `ExecutionDetail` has the whole message. */
export const MAX_LIST_ERROR_MESSAGE_LENGTH = 500

export const ExecutionError = Type.Object({
  type: Type.String({ description: 'Class of the error, for example TypeError' }),
  message: Type.String()
}, { additionalProperties: false })

const executionFields = {
  execution_id: ExecutionId,
  task_name: TaskName,
  queue: Type.String({ description: 'Name of the BullMQ queue' }),
  status: StringEnum(EXECUTION_STATUSES),
  state: StringEnum(EXECUTION_STATES),
  attempt: Type.Integer({ minimum: 0, description: 'Attempts started; 0 before the first' }),
  max_attempts: Type.Integer({ minimum: 1 }),
  priority: Type.Integer({
    minimum: 0, maximum: MAX_PRIORITY, description: '0 is no priority and runs first, then 1 (most urgent) upward'
  }),
  schedule_id: Nullable(ScheduleId, { description: 'The schedule that enqueued it, or null' }),
  retry_of: Nullable(ExecutionId, { description: 'The execution it repeats, or null' }),
  worker_id: Nullable(Type.String(), { description: 'The last process that ran it' }),
  submitted_at: Timestamp,
  planned_at: Nullable(Timestamp, {
    description: 'When its schedule planned it, jitter included; null if it was not planned, such as a run that someone started'
  }),
  started_at: Nullable(Timestamp, { description: 'Start of the last attempt' }),
  finished_at: Nullable(Timestamp),
  next_attempt_at: Nullable(Timestamp, { description: 'When its next attempt is due; null unless its `state` is `delayed` or `retrying`' }),
  cancelling_since: Nullable(Timestamp, {
    description: 'Since when its handler has been asked to stop; null unless it was, and has not finished'
  }),
  wait_ms: Nullable(DurationMs, {
    description: 'Time from when it was due (submitted, or the end of its delay) to its first start; null if unknown'
  }),
  duration_ms: Nullable(DurationMs, { description: 'How long the last attempt ran' }),
  progress: Type.Unknown({ description: 'The last value the handler reported; null if none' }),
  error_group: Nullable(Type.String(), {
    description: 'Its failure group (see /api/failures); null unless it failed with no attempts left'
  })
}

export const Execution = named('Execution', Type.Object({
  ...executionFields,
  error: Nullable(ExecutionError, { description: `Message cut at ${MAX_LIST_ERROR_MESSAGE_LENGTH} characters` }),
  retry: Type.Optional(Type.Object({
    execution_id: ExecutionId, status: StringEnum(EXECUTION_STATUSES)
  }, {
    additionalProperties: false,
    description: 'The execution that /retry or a bulk operation made of this failed one. Absent if none is known, and outside of lists'
  }))
}, { additionalProperties: false }))
export type Execution = Static<typeof Execution>

export const ExecutionAttempt = named('ExecutionAttempt', Type.Object({
  attempt: Type.Integer({ minimum: 1 }),
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  worker_id: Nullable(Type.String()),
  error: Nullable(Type.Object(
    { type: Type.String(), message: Type.String(), stack: Nullable(Type.String()) }, { additionalProperties: false }
  ))
}, { additionalProperties: false }))
export type ExecutionAttempt = Static<typeof ExecutionAttempt>

/** The fields that an execution rebuilt from events can lack. */
export const MISSING_FIELDS = ['args', 'logs', 'stack', 'priority', 'max_attempts', 'submitted_at', 'started_at', 'job_name'] as const

/** What happened to an execution, in order of time. */
export const TIMELINE_EVENTS = [
  'submitted', 'due', 'started', 'lost', 'handed_back', 'attempt_failed', 'cancel_requested', 'succeeded', 'failed', 'cancelled'
] as const

export const ExecutionDetail = named('ExecutionDetail', Type.Object({
  ...executionFields,
  error: Nullable(Type.Object(
    { type: Type.String(), message: Type.String(), stack: Nullable(Type.String()) }, { additionalProperties: false }
  )),
  args: Nullable(Type.Array(Type.Unknown()), { description: 'Positional arguments, as enqueued' }),
  cancellation: Nullable(Type.Object({
    requested_at: Timestamp,
    requested_by: Nullable(Type.String(), { description: 'Who cancelled it; null if unknown' }),
    reason: Nullable(Type.String())
  }, { additionalProperties: false }), {
    description: 'That someone cancelled it, or tried: a handler can succeed regardless. Null if no one did'
  }),
  result: Type.Unknown({ description: 'The return value of the handler; null if none' }),
  result_problem: Nullable(Type.String(), {
    description:
      'Why `result` is not the handler\'s return value: JSON cannot represent it (`result` is null), or it is too large (`result` is the ' +
        'start of its JSON, as text). Otherwise null'
  }),
  attempts: Type.Array(Ref(ExecutionAttempt), { description: 'Attempts that ended, oldest first' }),
  logs: Type.Array(Type.String(), { description: 'Lines the handler logged, oldest first' }),
  timeline: Type.Array(Type.Object({
    at: Timestamp,
    event: StringEnum(TIMELINE_EVENTS),
    attempt: Nullable(Count)
  }, { additionalProperties: false })),
  truncated: Type.Array(Type.String(), {
    description: 'Fields that were cut, because they exceed the size limit or JSON cannot represent them, for example "/args"'
  }),
  job_name: Nullable(Type.String(), { description: 'The name that other code gave its job; null for a task of this queue app' }),
  missing: Type.Array(StringEnum(MISSING_FIELDS), {
    description: 'What is not known, because the job was gone before it could be read and this was rebuilt from the events of its queue, ' +
      'or because its job does not have it. Fields named here are null, empty or estimated. Empty if nothing is missing'
  }),
  retried_by: Type.Array(Type.Object({
    execution_id: ExecutionId,
    status: StringEnum(EXECUTION_STATUSES),
    finished_at: Nullable(Timestamp)
  }, { additionalProperties: false }),
  {
    description: 'Executions that repeat this one (their `retry_of`), newest first: at most 20 finished ones, and a retry made with ' +
      '/retry that has not finished, unless the broker is out of reach'
  })
}, { additionalProperties: false }))
export type ExecutionDetail = Static<typeof ExecutionDetail>

export const ExecutionRetryInput = named('ExecutionRetryInput', Type.Object({
  // Without the type, its declaration would need names that TypeBox does not export.
  args: Type.Optional<typeof SentArguments>({
    ...SentArguments, description: `${SentArguments.description}; absent: those of the original`
  })
}, { additionalProperties: false }))
export type ExecutionRetryInput = Static<typeof ExecutionRetryInput>

export const ExecutionRetry = named('ExecutionRetry', Type.Object({
  execution_id: ExecutionId,
  task_name: TaskName,
  retry_of: ExecutionId,
  args: Nullable(Type.Array(Type.Unknown()), {
    description: 'The arguments that were sent, without what redaction hides; null if it runs with those of the original'
  })
}, { additionalProperties: false }))
export type ExecutionRetry = Static<typeof ExecutionRetry>

export const ExecutionCancelInput = named('ExecutionCancelInput', Type.Object({
  reason: Type.Optional(Type.String({ maxLength: MAX_ACTION_REASON_LENGTH, description: 'Kept with the execution' }))
}, { additionalProperties: false }))
export type ExecutionCancelInput = Static<typeof ExecutionCancelInput>

export const ExecutionCancel = named('ExecutionCancel', Type.Object({
  execution_id: ExecutionId,
  task_name: TaskName,
  status: StringEnum(EXECUTION_STATUSES, { description: '`cancelled`, or `running` while its handler has not ended' }),
  state: StringEnum(EXECUTION_STATES),
  cancelling_since: Nullable(Timestamp)
}, { additionalProperties: false }))
export type ExecutionCancel = Static<typeof ExecutionCancel>

export const ExecutionChanges = named('ExecutionChanges', Type.Object({
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_PRIORITY, description: '0 runs first, then 1 (most urgent) upward' })),
  due_at: Type.Optional(Type.String({
    format: 'date-time', maxLength: 40, description: 'RFC 3339 instant, at most a year from now; in the past means now'
  }))
}, { additionalProperties: false }))
export type ExecutionChanges = Static<typeof ExecutionChanges>

export const ExecutionDeleted = named('ExecutionDeleted', Type.Object({
  execution_id: ExecutionId,
  task_name: TaskName,
  deleted: Type.Literal(true)
}, { additionalProperties: false }))
export type ExecutionDeleted = Static<typeof ExecutionDeleted>

/** An execution is either unfinished (waiting or running) and read from the broker, or finished and read from the result backend. */
export const EXECUTION_PARTS = ['in_flight', 'finished'] as const

export const ExecutionPage = named('ExecutionPage', PageOf(Ref(Execution), {
  scanned: Nullable(Count, { description: 'Executions scanned for this page; null if indexes answered' }),
  complete: Type.Boolean({
    description:
      'false: the scan reached its limit before the page was full. Continue with `next_cursor`, even if there are no items'
  }),
  missing: Type.Optional(StringEnum(EXECUTION_PARTS, {
    description: 'Only with `partial`, and on the pages that follow: what could not be read when the list began to lack it'
  }))
}))
export type ExecutionPage = Static<typeof ExecutionPage>

export const SearchText = Type.String({
  maxLength: MAX_SEARCH_LENGTH, pattern: PRINTABLE,
  description: 'In the search language: words of errors and arguments, and filters such as `status:failed took:>5s`'
})

const listFilters = {
  status: Type.Optional(StringEnum(EXECUTION_STATUSES)),
  schedule_id: Type.Optional(ScheduleIdInput),
  worker_id: Type.Optional(WorkerIdInput),
  error_group: Type.Optional(ErrorGroupInput),
  min_duration_ms: Type.Optional(Type.Number({
    minimum: 0, maximum: MAX_DURATION_FILTER_MS, description: 'Only finished executions whose last attempt ran at least this long'
  })),
  search: Type.Optional(SearchText),
  from: Type.Optional(TimestampInput),
  to: Type.Optional(TimestampInput),
  order: Type.Optional(StringEnum(EXECUTION_ORDERS, {
    default: 'newest', description: 'By the time of the last change: finished, started or submitted'
  })),
  ...PageQuery
}

export const ExecutionListQuery = Type.Object({
  ...listFilters,
  task_name: Type.Optional(TaskNameInput),
  partial: Type.Optional(Type.Boolean({
    default: false, description: 'Instead of an error while one of the two stores is unavailable, a list of what the other one has'
  }))
}, { additionalProperties: false })
export type ExecutionListQuery = Static<typeof ExecutionListQuery>

const { schedule_id: _scheduleId, ...filtersOfSchedule } = listFilters
export const ScheduleExecutionListQuery = Type.Object(filtersOfSchedule, { additionalProperties: false })
export type ScheduleExecutionListQuery = Static<typeof ScheduleExecutionListQuery>

export const TaskExecutionListQuery = Type.Object(listFilters, { additionalProperties: false })
export type TaskExecutionListQuery = Static<typeof TaskExecutionListQuery>

export const SearchCompletionQuery = Type.Object({
  search: SearchText,
  position: Type.Integer({
    minimum: 0, maximum: MAX_SEARCH_LENGTH, description: 'Caret position in UTF-16 code units; values past the end mean the end'
  })
}, { additionalProperties: false })
export type SearchCompletionQuery = Static<typeof SearchCompletionQuery>

export const SearchCompletions = named('SearchCompletions', Type.Object({
  from: Type.Integer({ minimum: 0, description: 'Start of the text that an item replaces, in UTF-16 code units' }),
  to: Type.Integer({ minimum: 0, description: 'End of that text, exclusive' }),
  items: Type.Array(Type.Object({ text: Type.String(), description: Type.String() }, { additionalProperties: false }))
}, { additionalProperties: false }))
export type SearchCompletions = Static<typeof SearchCompletions>
