import { Type, type Static } from '@sinclair/typebox'
import { DurationMs, Ref, StringEnum, Timestamp, named } from './common.ts'

/** `degraded`: it works, but something needs attention (for example no worker); still 200. `unhealthy`: 503. */
export const HEALTH_STATUSES = ['healthy', 'degraded', 'unhealthy'] as const
export type HealthStatus = (typeof HEALTH_STATUSES)[number]

export const HealthComponent = named('HealthComponent', Type.Object({
  healthy: Type.Boolean(),
  message: Type.String(),
  latency_ms: Type.Optional(DurationMs)
}, { additionalProperties: false }))
export type HealthComponent = Static<typeof HealthComponent>

export const HEALTH_COMPONENTS = ['app', 'broker', 'backend', 'scheduler', 'workers'] as const
export type HealthComponentName = (typeof HEALTH_COMPONENTS)[number]

export const Health = named('Health', Type.Object({
  healthy: Type.Boolean(),
  status: StringEnum(HEALTH_STATUSES),
  timestamp: Timestamp,
  version: Type.String(),
  uptime_ms: DurationMs,
  components: Type.Object({
    app: Ref(HealthComponent),
    broker: Ref(HealthComponent),
    backend: Ref(HealthComponent),
    scheduler: Ref(HealthComponent),
    workers: Ref(HealthComponent)
  }, { additionalProperties: false })
}, { additionalProperties: false }))
export type Health = Static<typeof Health>
