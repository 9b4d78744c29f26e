import { Type, type Static } from '@sinclair/typebox'
import { Nullable, StringEnum, named } from './common.ts'

export const SEARCH_SUPPORT = ['indexed', 'scanned'] as const

/** Who is asking and what they may do: the SPA leaves out what is not allowed, the server refuses it all the same. */
export const Session = named('Session', Type.Object({
  user: Nullable(Type.String(), { description: 'Who is signed in: by `identify`, else the user name of basic auth; null when not known' }),
  sign_in_url: Nullable(Type.String(), {
    description: 'Where to sign in; `{return}` in it stands for the percent-encoded path of a page. Null when there is none'
  }),
  actions: Type.Array(Type.String(), { description: 'What this request may do, for example schedules:enable' }),
  read_only: Type.Boolean(),
  title: Type.String(),
  environment: Nullable(Type.String(), { description: 'Shown as a badge, for example production' }),
  version: Type.String(),
  broker: Type.String({ description: 'Kind of broker: redis, postgres or embedded' }),
  backend: Type.String({ description: 'Kind of result backend: redis, postgres or embedded' }),
  supports: Type.Object({
    search: StringEnum(SEARCH_SUPPORT, {
      description: 'How text is found: by an index, or by looking through what the other filters leave, for a while a page'
    })
  }, { additionalProperties: false })
}, { additionalProperties: false }))
export type Session = Static<typeof Session>
