import { Type, type Static } from '@sinclair/typebox'
import {
  Count, ErrorGroup, ErrorGroupInput, ExecutionId, HourlyCounts, Nullable, Ref, StringEnum, TaskName, TaskNameInput, Timestamp,
  TimestampInput, named
} from './common.ts'
import { MAX_NOTE_LENGTH, PRINTABLE_LINES } from './limits.ts'
import { PageOf, PageQuery } from './page.ts'

export const FAILURE_GROUP_STATES = ['open', 'resolved', 'regressed'] as const
export type FailureGroupState = (typeof FAILURE_GROUP_STATES)[number]

export const FAILURE_DECISIONS = ['resolve', 'reopen'] as const
/** `open` includes regressed groups. */
export const FAILURE_STATE_FILTERS = [...FAILURE_GROUP_STATES, 'all'] as const
export type FailureStateFilter = (typeof FAILURE_STATE_FILTERS)[number]

/** Failures with the same cause, judging by type, message and stack. */
export const FailureGroup = named('FailureGroup', Type.Object({
  error_group: ErrorGroup,
  type: Type.String({ description: 'Class of the error' }),
  message: Type.String({ description: 'Message of the last occurrence' }),
  frame: Nullable(Type.String(), {
    description: 'Function and file of the innermost stack frame in the application\'s own code; null if none'
  }),
  count: Type.Integer({ minimum: 0, description: 'Failed executions in the requested range and task' }),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  is_new: Type.Boolean({ description: 'First seen in the last 24 hours' }),
  tasks: Type.Array(Type.Object({ name: TaskName, count: Count }, { additionalProperties: false }), {
    description: 'Tasks it occurs in, over all time, most failures first, at most 20'
  }),
  last_execution_id: ExecutionId,
  trend: HourlyCounts('Failures in each of the last 24 hours up to now, oldest first'),
  state: StringEnum(FAILURE_GROUP_STATES, {
    description: 'resolved: someone resolved it, or each failure was retried successfully, and nothing failed with it since. regressed: ' +
      'it failed again after that. open: neither'
  }),
  decision: Nullable(Type.Object({
    action: StringEnum(FAILURE_DECISIONS),
    at: Timestamp,
    by: Nullable(Type.String(), { description: 'The name of the signed-in user; null if unknown' }),
    note: Nullable(Type.String(), { description: 'From the last person who wrote one, if the group was then resolved automatically' }),
    automatic: Type.Boolean({ description: 'It was resolved by itself, because each of its failures was retried successfully' })
  }, { additionalProperties: false }), {
    description: 'What was decided last: to resolve or to reopen it; null if nothing was'
  }),
  decidable: Type.Boolean({
    description: 'Whether it can be resolved and reopened: not if it also occurs in tasks that you cannot see, because it is one for all'
  })
}, { additionalProperties: false }))
export type FailureGroup = Static<typeof FailureGroup>

export const FailureGroupPage = named('FailureGroupPage', PageOf(Ref(FailureGroup)))
export type FailureGroupPage = Static<typeof FailureGroupPage>

export const FailureListQuery = Type.Object({
  task_name: Type.Optional(TaskNameInput),
  error_group: Type.Optional(ErrorGroupInput),
  from: Type.Optional(TimestampInput),
  to: Type.Optional(TimestampInput),
  state: Type.Optional(StringEnum(FAILURE_STATE_FILTERS, {
    description: 'Default all. `open` lists what is not resolved: regressed groups, too'
  })),
  ...PageQuery
}, { additionalProperties: false })
export type FailureListQuery = Static<typeof FailureListQuery>

export const FailureGroupParams = Type.Object({ group: ErrorGroupInput }, { additionalProperties: false })

export const FailureDecisionInput = named('FailureDecisionInput', Type.Object({
  note: Type.Optional(Type.String({
    maxLength: MAX_NOTE_LENGTH, pattern: PRINTABLE_LINES, description: 'Kept with the group until the next decision'
  }))
}, { additionalProperties: false }))
export type FailureDecisionInput = Static<typeof FailureDecisionInput>

export const FailureResolveInput = named('FailureResolveInput', Type.Object({
  ...FailureDecisionInput.properties,
  if_last_seen_at: Type.Optional(Type.String({
    ...TimestampInput,
    description: 'The `last_seen_at` that you know: if the group has failed again since, it is not resolved, and the answer is 409'
  }))
}, { additionalProperties: false }))
export type FailureResolveInput = Static<typeof FailureResolveInput>
