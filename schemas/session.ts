import { Type, type Static } from '@sinclair/typebox'
import { Nullable, named } from './common.ts'

/** Who is asking and what they may do: the SPA leaves out what is not allowed, the server refuses it all the same. */
export const Session = named('Session', Type.Object({
  user: Nullable(Type.String(), { description: 'User name of basic auth; null when there is none' }),
  actions: Type.Array(Type.String(), { description: 'What this request may do, for example schedules:enable' }),
  read_only: Type.Boolean(),
  title: Type.String(),
  environment: Nullable(Type.String(), { description: 'Shown as a badge, for example production' }),
  version: Type.String(),
  broker: Type.String({ description: 'Kind of broker: redis, postgres or embedded' }),
  backend: Type.String({ description: 'Kind of result backend: redis, postgres or embedded' })
}, { additionalProperties: false }))
export type Session = Static<typeof Session>
