import { Type, type Static } from '@sinclair/typebox'
import {
  Count, ErrorGroup, ErrorGroupInput, ExecutionId, ExecutionIdInput, Nullable, Ref, ScheduleId, ScheduleIdInput, StringEnum, TaskName,
  TaskNameInput, Timestamp, TimestampInput, WorkerIdInput, named
} from './common.ts'
import { EXECUTION_STATUSES, Execution, SearchText } from './execution.ts'
import {
  MAX_BULK_SAMPLE, MAX_ACTION_REASON_LENGTH, MAX_BULK_EXECUTIONS, MAX_BULK_ID_LENGTH, MAX_BULK_ITEMS, MAX_BULK_OPERATIONS, MAX_BULK_RATE,
  MAX_BULK_TOKEN_LENGTH, MAX_DURATION_FILTER_MS, PRINTABLE
} from './limits.ts'
import { PageOf, PageQuery, Total } from './page.ts'

export const BULK_ACTIONS = ['retry', 'cancel', 'delete', 'resolve'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

export const BULK_STATES = ['running', 'suspended', 'aborted', 'done', 'undoing', 'undone', 'unsupported'] as const
export type BulkState = (typeof BULK_STATES)[number]

/** `undone`: it was done and then undone. */
export const BULK_OUTCOMES = ['done', 'skipped', 'failed', 'undone'] as const
export type BulkOutcome = (typeof BULK_OUTCOMES)[number]

/** What an operation can wait for. */
export const BULK_WAITS = ['broker', 'result_backend'] as const
export type BulkWait = (typeof BULK_WAITS)[number]

const ofFinished = 'Only finished executions whose last attempt ran at least this long'

export const BulkFilterInput = named('BulkFilterInput', Type.Object({
  status: Type.Optional(StringEnum(EXECUTION_STATUSES)),
  task_name: Type.Optional(TaskNameInput),
  schedule_id: Type.Optional(ScheduleIdInput),
  worker_id: Type.Optional(WorkerIdInput),
  error_group: Type.Optional(ErrorGroupInput),
  min_duration_ms: Type.Optional(Type.Number({ minimum: 0, maximum: MAX_DURATION_FILTER_MS, description: ofFinished })),
  search: Type.Optional(SearchText),
  from: Type.Optional(TimestampInput),
  to: Type.Optional(TimestampInput),
  execution_ids: Type.Optional(Type.Array(ExecutionIdInput, {
    minItems: 1, maxItems: MAX_BULK_EXECUTIONS, uniqueItems: true, description: 'Only these executions'
  }))
}, { description: 'As in `GET /api/executions`, and `execution_ids`; all of them must match', additionalProperties: false }))

export const BulkFilter = named('BulkFilter', Type.Object({
  status: Type.Optional(StringEnum(EXECUTION_STATUSES)),
  task_name: Type.Optional(TaskName),
  schedule_id: Type.Optional(ScheduleId),
  worker_id: Type.Optional(Type.String()),
  error_group: Type.Optional(ErrorGroup),
  min_duration_ms: Type.Optional(Type.Number({ minimum: 0, description: ofFinished })),
  search: Type.Optional(Type.String()),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  execution_ids: Type.Optional(Type.Array(ExecutionId, { description: 'Only these executions' }))
}, { description: 'The filter of a bulk operation', additionalProperties: false }))
export type BulkFilter = Static<typeof BulkFilter>

export const BulkInput = named('BulkInput', Type.Object({
  action: StringEnum(BULK_ACTIONS, {
    description: 'retry: failed executions. cancel: pending and running ones. delete: finished ones. resolve: the open failure groups ' +
      'of failed ones; its filter takes only a task, a group, and times, to the hour'
  }),
  filter: Ref(BulkFilterInput),
  dry_run: Type.Boolean({ description: 'true: changes nothing, and answers what would be done' }),
  token: Type.Optional(Type.String({
    minLength: 1, maxLength: MAX_BULK_TOKEN_LENGTH,
    description: 'From a dry run: nothing starts if the filter matches another number by now. Without one, it starts whatever matches'
  })),
  reason: Type.Optional(Type.String({ maxLength: MAX_ACTION_REASON_LENGTH, description: 'Kept with the operation' })),
  rate: Type.Optional(Type.Integer({
    minimum: 1, maximum: MAX_BULK_RATE,
    description: 'Items per second at most; somewhat fewer while the stores are slow. Absent: as fast as the stores allow'
  }))
}, { additionalProperties: false }))
export type BulkInput = Static<typeof BulkInput>

const ofTasks = {
  task_count: Type.Integer({
    minimum: 0,
    description: 'How many tasks it may touch: those that you may use this action on; 0 if nothing matches. With `execution_ids`, those ' +
      'of what matches; if looking them up took too long, at most this many, and `count` is at_least'
  }),
  tasks_left_out: Type.Integer({
    minimum: 0,
    description: 'Tasks that the filter covers, but that you may not use this action on. With `execution_ids`, those of which nothing is ' +
      'left'
  })
}

export const BulkPreview = named('BulkPreview', Type.Object({
  action: StringEnum(BULK_ACTIONS),
  count: Type.Object(Total.properties, {
    description: 'What the filter matches now: executions, or failure groups to resolve. at_least 0: counting takes too long',
    additionalProperties: false
  }),
  ...ofTasks,
  executions_left_out: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Of `execution_ids`, those that you may not use this action on; null without them'
  }),
  sample: Type.Array(Ref(Execution), {
    description: `The newest of them, at most ${MAX_BULK_SAMPLE}, none if reading takes too long; for resolve, the last failure of each`
  }),
  token: Type.String({ description: 'Send it to start the operation only if the count has not changed' }),
  max_items: Type.Integer({ description: `An operation ends after this many items: ${MAX_BULK_ITEMS}` })
}, { additionalProperties: false }))
export type BulkPreview = Static<typeof BulkPreview>

export const BulkProgress = Type.Object({
  items: Type.Integer({ minimum: 0, description: 'Items with an outcome: the sum of the following' }),
  done: Count,
  skipped: Type.Integer({ minimum: 0, description: 'Nothing was left to do, such as a retry that someone else made' }),
  failed: Type.Integer({ minimum: 0, description: 'It could not be done; the item has the code' }),
  undone: Type.Integer({ minimum: 0, description: 'Taken back' })
}, { additionalProperties: false })

export const BulkOperation = named('BulkOperation', Type.Object({
  operation_id: Type.String(),
  action: Nullable(StringEnum(BULK_ACTIONS), { description: 'null if it is unsupported' }),
  state: StringEnum(BULK_STATES, {
    description: 'running: it continues, in any process. suspended: until it is resumed. aborted: it ended early; at most one step that ' +
      'had begun is completed. done: every item has an outcome. undoing, undone: what it did is taken back where that is possible. ' +
      'unsupported: another version of this package started it, and continues it; this one does not change it'
  }),
  waiting_for: Nullable(StringEnum(BULK_WAITS), {
    description: 'A store that is unavailable or refuses: the operation continues once the store responds. null if it waits for none'
  }),
  problem: Nullable(Type.String(), {
    description: 'Why it does not go on, if that does not pass by itself: the store that it waits for refuses, or it is unsupported'
  }),
  filter: Nullable(Ref(BulkFilter), { description: 'null if it is unsupported. Lists leave out its `execution_ids`' }),
  execution_count: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'How many executions it is limited to: those of its `execution_ids` that matched when it was accepted. At most so many ' +
      'if `executions_checked` is false; null if its filter names none'
  }),
  executions_checked: Nullable(Type.Boolean(), {
    description: 'false: looking them up took too long, so `execution_count` is how many were named, and fewer may match. null if its ' +
      'filter names none'
  }),
  executions_left_out: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Of its `execution_ids`, those that whoever started it may not use this action on. null if its filter names none, in ' +
      'lists, within a scope, and if it is not known'
  }),
  before: Type.String({
    ...Timestamp, description: 'When it was accepted, or the token counted: nothing later is touched, unless the filter names it'
  }),
  ...ofTasks,
  count: Type.Object(Total.properties, { description: 'What the filter matched when it was accepted', additionalProperties: false }),
  progress: Nullable(BulkProgress, { description: 'null if it is unsupported' }),
  rate: Nullable(Type.Integer(), { description: 'Items per second; null: as fast as the stores allow' }),
  reason: Nullable(Type.String()),
  created_at: Timestamp,
  created_by: Nullable(Type.String(), { description: 'Who started it; null if unknown' }),
  changed_at: Nullable(Timestamp, { description: 'When it was last suspended, resumed, aborted or undone; null if never' }),
  changed_by: Nullable(Type.String()),
  finished_at: Nullable(Timestamp, { description: 'null while it is running, suspended or undoing' }),
  expires_at: Timestamp,
  undoable: Type.Boolean({ description: 'Whether it can be undone now: it has ended, and something it did could be taken back' }),
  capped: Type.Boolean({ description: `It ended because it had ${MAX_BULK_ITEMS} items; more may match` })
}, {
  description: 'An action on everything that matched a filter. It is kept for 7 days after it was created, at most ' +
    `${MAX_BULK_OPERATIONS} at a time`,
  additionalProperties: false
}))
export type BulkOperation = Static<typeof BulkOperation>

export const BulkPage = named('BulkPage', PageOf(Ref(BulkOperation)))
export type BulkPage = Static<typeof BulkPage>

export const BulkItem = named('BulkItem', Type.Object({
  task_name: Nullable(TaskName, { description: 'null for a failure group' }),
  execution_id: Nullable(ExecutionId, { description: 'null for a failure group' }),
  error_group: Nullable(ErrorGroup, { description: 'null unless the action is resolve' }),
  outcome: StringEnum(BULK_OUTCOMES),
  code: Nullable(Type.String(), {
    description: 'Why it was skipped, failed or not taken back, as the error of the single action; otherwise null'
  }),
  made_execution_id: Nullable(ExecutionId, { description: 'The retry; null unless this operation made one' })
}, { additionalProperties: false }))
export type BulkItem = Static<typeof BulkItem>

export const BulkItemPage = named('BulkItemPage', PageOf(Ref(BulkItem)))
export type BulkItemPage = Static<typeof BulkItemPage>

export const BulkIdParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: MAX_BULK_ID_LENGTH, pattern: PRINTABLE, description: 'Id of a bulk operation' })
}, { additionalProperties: false })

export const BulkListQuery = Type.Object({ ...PageQuery }, { additionalProperties: false })
export type BulkListQuery = Static<typeof BulkListQuery>

export const BulkItemsQuery = Type.Object({
  outcome: Type.Optional(StringEnum(BULK_OUTCOMES, {
    description: 'Only these. A page may then have fewer items than `limit` although there are more: go on with `next_cursor`'
  })),
  ...PageQuery
}, { additionalProperties: false })
export type BulkItemsQuery = Static<typeof BulkItemsQuery>
