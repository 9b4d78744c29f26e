import { Type, type Static } from '@sinclair/typebox'
import { Nullable, Ref, StringEnum, Timestamp, named } from './common.ts'

export const FINDING_LEVELS = ['ok', 'warning', 'error'] as const
export type FindingLevel = (typeof FINDING_LEVELS)[number]

export const FINDING_CHECKS = [
  'prefix', 'proxy', 'broker', 'backend', 'scheduler', 'workers', 'eviction', 'persistence', 'versions'
] as const
export type FindingCheck = (typeof FINDING_CHECKS)[number]

/** The result of one check. */
export const Finding = named('Finding', Type.Object({
  check: StringEnum(FINDING_CHECKS),
  level: StringEnum(FINDING_LEVELS),
  message: Type.String(),
  fix: Nullable(Type.String(), {
    description: 'The line of configuration that fixes it; null if nothing is wrong, or if only others can fix it'
  })
}, { additionalProperties: false }))
export type Finding = Static<typeof Finding>

/** The mount seen from inside. The command `doctor` adds the checks from outside. */
export const Doctor = named('Doctor', Type.Object({
  timestamp: Timestamp,
  version: Type.String(),
  request: Type.Object({
    host: Nullable(Type.String(), { description: 'The Host header as it arrived' }),
    path: Type.String({ description: 'The path as it arrived at the host' }),
    forwarded: Type.Array(Type.String(), { description: 'Names of the forwarding headers that arrived' })
  }, { additionalProperties: false, description: 'This request as the server saw it' }),
  findings: Type.Array(Ref(Finding))
}, { additionalProperties: false }))
export type Doctor = Static<typeof Doctor>
