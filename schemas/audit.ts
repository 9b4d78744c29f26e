import { Type, type Static } from '@sinclair/typebox'
import {
  Count, ErrorGroup, ExecutionId, ExecutionIdInput, Nullable, Ref, ScheduleId, ScheduleIdInput, StringEnum, TaskName, TaskNameInput,
  Timestamp, TimestampInput, named
} from './common.ts'
import { MAX_ACTION_REASON_LENGTH, MAX_ACTOR_LENGTH, PRINTABLE } from './limits.ts'
import { PageQuery } from './page.ts'

export const AUDIT_OUTCOMES = ['done', 'refused', 'failed', 'unknown', 'in_progress'] as const
export type AuditOutcomeName = (typeof AUDIT_OUTCOMES)[number]

const OUTCOME_DESCRIPTION = 'done: the change was made. refused: it was not allowed, not valid or not possible. failed: a datastore was ' +
  'out of reach or the server failed, and nothing was changed. unknown: it may have been made. in_progress: it has no outcome yet'

export const AuditEntry = named('AuditEntry', Type.Object({
  entry_id: Type.String(),
  at: Timestamp,
  actor: Nullable(Type.String(), { description: 'Who: the name of the signed-in user, and the id if it differs; null if unknown' }),
  address: Nullable(Type.String(), { description: 'From where: the address of the client; null if the host does not tell it' }),
  action: Type.String({ description: 'What, for example schedules:delete' }),
  resource: Type.Object({
    task_name: Nullable(TaskName),
    schedule_id: Nullable(ScheduleId),
    execution_id: Nullable(ExecutionId),
    error_group: Nullable(ErrorGroup)
  }, {
    description: 'On what: the task, schedule, execution and failure group that the request named or created', additionalProperties: false
  }),
  method: Type.String(),
  path: Type.String({ description: 'Path below the dashboard, without the query' }),
  request_id: Type.String({ description: 'As in the log of the server' }),
  reason: Nullable(Type.String(), { description: 'Why, from the header `Audit-Reason`; null if none was given' }),
  outcome: StringEnum(AUDIT_OUTCOMES, { description: OUTCOME_DESCRIPTION }),
  status: Nullable(Type.Integer(), { description: 'HTTP status of the answer; null if there is no outcome' }),
  code: Nullable(Type.String(), { description: 'Error code of the answer; null if it was no error' }),
  before: Type.Unknown({ description: 'The resource before the change, redacted; null if the write does not change one' }),
  after: Type.Unknown({ description: 'The answer to the write; null if the change was not made' }),
  truncated: Type.Array(Type.String(), { description: '`/before` and `/after` if they were too large to keep' }),
  not_listed: Nullable(Type.Integer({ minimum: 0 }), {
    description: 'Refused writes before this entry that are not listed: each process lists at most 60 per minute. Null if you may not ' +
      'see the writes of all tasks'
  })
}, { description: 'A requested write', additionalProperties: false }))
export type AuditEntry = Static<typeof AuditEntry>

export const AuditPage = named('AuditPage', Type.Object({
  items: Type.Array(Ref(AuditEntry)),
  next_cursor: Nullable(Type.String(), { description: 'Pass it as `cursor` for the next page; null on the last one' }),
  complete: Type.Boolean({
    description: 'false: the filter left a long scan unfinished, and the page has fewer entries than `limit`. There may be more at ' +
      '`next_cursor`'
  }),
  kept: Type.Object({ days: Type.Number(), count: Count }, {
    description: 'How much is kept: the last days and at most this many entries', additionalProperties: false
  })
}, { additionalProperties: false }))
export type AuditPage = Static<typeof AuditPage>

export const AuditQuery = Type.Object({
  ...PageQuery,
  actor: Type.Optional(Type.String({
    minLength: 1, maxLength: MAX_ACTOR_LENGTH, pattern: PRINTABLE, description: 'Exactly as in the entries'
  })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: PRINTABLE, description: 'For example schedules:delete' })),
  outcome: Type.Optional(StringEnum(AUDIT_OUTCOMES)),
  task_name: Type.Optional(TaskNameInput),
  schedule_id: Type.Optional(ScheduleIdInput),
  execution_id: Type.Optional(Type.String({
    ...ExecutionIdInput, description: 'Writes about this execution, and the write that created it'
  })),
  from: Type.Optional(TimestampInput),
  to: Type.Optional(TimestampInput)
}, { additionalProperties: false })
export type AuditQuery = Static<typeof AuditQuery>

/** On every write. */
export const AuditHeaders = Type.Object({
  'audit-reason': Type.Optional(Type.String({
    minLength: 1,
    // A character of three bytes takes nine when encoded.
    maxLength: MAX_ACTION_REASON_LENGTH * 9,
    pattern: '^[\\x20-\\x7e]+$',
    description:
      `Why, for the audit log: 1 to ${MAX_ACTION_REASON_LENGTH} characters, percent-encoded UTF-8 (\`encodeURIComponent\`)`
  }))
})
