import type { ScheduleDefinition } from './schedule-input.ts'
import type { ScheduleDocument, StoredTiming } from './schedule-store.ts'
import type { ScheduleTiming } from './scheduler.ts'

export function toApiDocument(definition: ScheduleDefinition, at: number): ScheduleDocument {
  return { ...definition, timing: toStoredTiming(definition.timing, null, at), source: 'api', createdAt: at, updatedAt: at, code: null }
}

/**
 * A declaration of code that is new or differs from the last one. `enabled` follows the code only while nobody chose otherwise.
 */
export function toCodeDocument(definition: ScheduleDefinition, current: ScheduleDocument | null, at: number): ScheduleDocument {
  const wasChosen = current !== null && current.enabled !== current.code?.enabled
  return {
    ...definition,
    timing: toStoredTiming(definition.timing, current?.timing ?? null, at),
    enabled: wasChosen ? current.enabled : definition.enabled,
    source: 'code',
    createdAt: current?.createdAt ?? at,
    updatedAt: at,
    code: definition
  }
}

function toStoredTiming(timing: ScheduleTiming, current: StoredTiming | null, at: number): StoredTiming {
  if ('cron' in timing) return { cron: timing.cron, timezone: timing.timezone }
  const isUnchanged = current !== null && 'intervalMs' in current && current.intervalMs === timing.intervalMs
  return { intervalMs: timing.intervalMs, timezone: timing.timezone, anchorAt: isUnchanged ? current.anchorAt : at }
}
