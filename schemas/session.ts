import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, TaskNameInput, named } from './common.ts'

export const SEARCH_SUPPORT = ['indexed', 'scanned'] as const

export const SessionQuery = Type.Object({
  task_name: Type.Optional(TaskNameInput)
}, { additionalProperties: false })

/** The user and what they may do. The interface hides the rest; the server refuses it too. */
export const Session = named('Session', Type.Object({
  user: Nullable(Type.String(), { description: 'The signed-in user, from `identify` or else basic authentication; null if unknown' }),
  sign_in_url: Nullable(Type.String(), {
    description: 'Where to sign in; `{return}` is replaced by the percent-encoded path of a page. Null if not configured'
  }),
  actions: Type.Array(Type.String(), { description: 'What this request may do, for example schedules:enable' }),
  varies_by_task: Type.Boolean({ description: 'Whether `actions` may differ for a task: ask again with its `task_name`' }),
  read_only: Type.Boolean(),
  reason_required: Type.Array(Type.String(), { description: 'Actions that need a reason, in the header `Audit-Reason`' }),
  title: Type.String(),
  environment: Nullable(Type.String(), { description: 'Shown as a badge, for example production' }),
  logo: Nullable(Type.String(), { description: 'Address of a picture to show before the title: a path, or an http or https URL' }),
  back_link: Nullable(Type.Object({ href: Type.String(), text: Type.String() }, { additionalProperties: false }), {
    description: 'A link to show before the title; `href` is a path, or an http or https URL'
  }),
  version: Type.String(),
  broker: Type.String({ description: 'Kind of broker: redis, postgres or embedded' }),
  backend: Type.String({ description: 'Kind of result backend: redis, postgres or embedded' }),
  history_ends: Type.Boolean({ description: 'The history is in memory and ends with the process, because no result backend was named' }),
  supports: Type.Object({
    search: StringEnum(SEARCH_SUPPORT, {
      description: 'How text is searched: with an index, or by scanning what the other filters leave, for a limited time per page'
    }),
    changes: Type.Boolean({
      description: 'Whether executions, queues and schedules can be changed, with `task_name` those of that task; false if they ' +
        'are in existing queues that are only observed'
    })
  }, { additionalProperties: false })
}, { additionalProperties: false }))
export type Session = Static<typeof Session>
