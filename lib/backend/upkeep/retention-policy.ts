import type { Store } from '../../stores/store.ts'
import type { RetentionLimits, RetentionPolicy } from '../result-backend.ts'
import { DAY_MS } from '../../time/units.ts'

/** What is kept of the history, the tighter of the two; failures are fewer and asked for longer. */
export interface RetentionSettings {
  success?: RetentionSetting
  failed?: RetentionSetting
}

export interface RetentionSetting {
  /** Days that an execution is kept after it finished, 0.01 to 36,500. */
  days?: number
  /** Executions that are kept, 1 to 1,000,000,000. */
  count?: number
}

export const RETENTION_DAYS = { min: 0.01, max: 36_500 } as const
export const RETENTION_COUNT = { min: 1, max: 1_000_000_000 } as const

/** Redis holds all of it in memory, about 0.5 GB at a million; the embedded store in the memory of this process, or in its folder. */
const DEFAULTS: Record<Store['kind'], RetentionPolicy> = {
  redis: { success: limits(7, 1_000_000), failed: limits(30, 200_000) },
  postgres: { success: limits(30, 10_000_000), failed: limits(90, 1_000_000) },
  embedded: { success: limits(7, 100_000), failed: limits(30, 50_000) }
}

/** The settings, checked already, over the defaults of a kind of store. */
export function toRetentionPolicy({ success, failed }: RetentionSettings, kind: Store['kind']): RetentionPolicy {
  const defaults = DEFAULTS[kind]
  return { success: withDefaults(success, defaults.success), failed: withDefaults(failed, defaults.failed) }
}

function withDefaults(setting: RetentionSetting = {}, defaults: RetentionLimits): RetentionLimits {
  return {
    maxAgeMs: setting.days === undefined ? defaults.maxAgeMs : Math.round(setting.days * DAY_MS),
    maxCount: setting.count ?? defaults.maxCount
  }
}

function limits(days: number, maxCount: number): RetentionLimits {
  return { maxAgeMs: days * DAY_MS, maxCount }
}
