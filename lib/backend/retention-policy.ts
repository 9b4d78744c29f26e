import type { AuditLimits } from '../stores/audit/audit.ts'
import type { Store } from '../stores/store.ts'
import { DAY_MS } from '../time/units.ts'

/** How much history is kept: days or count, whichever is reached first. Failures are rarer and needed for longer. */
export interface RetentionSettings {
  success?: RetentionSetting
  failed?: FailedRetentionSetting
  /** The audit log: this many writes, and a fifth as many refused writes in addition. */
  audit?: RetentionSetting
}

export interface RetentionSetting {
  /** Days to keep an execution after it finished, or an entry of the audit log, 0.01 to 36,500. */
  days?: number
  /** Number to keep, 1 to 1,000,000,000. */
  count?: number
}

export interface FailedRetentionSetting extends RetentionSetting {
  /** Arguments of a failed execution are kept whole up to this many bytes as JSON, 65,536 to 524,288. Default 65,536. */
  argsBytes?: number
}

/** Per status: executions beyond the age or the count are removed, oldest first. Cancelled ones have the limits of successes. */
export interface RetentionPolicy {
  readonly success: RetentionLimits
  readonly failed: RetentionLimits
}

export interface RetentionLimits { readonly maxAgeMs: number; readonly maxCount: number }

export const RETENTION_DAYS = { min: 0.01, max: 36_500 } as const
export const RETENTION_COUNT = { min: 1, max: 1_000_000_000 } as const

/** Redis holds all of it in memory, about 0.5 GB per million. The embedded store holds it in this process's memory, or in its folder. */
const DEFAULTS: Record<Store['kind'], RetentionPolicy> = {
  redis: { success: limits(7, 1_000_000), failed: limits(30, 200_000) },
  postgres: { success: limits(30, 10_000_000), failed: limits(90, 1_000_000) },
  embedded: { success: limits(7, 100_000), failed: limits(30, 50_000) }
}

const AUDIT_DEFAULTS: Record<Store['kind'], RetentionLimits> = {
  redis: limits(365, 20_000), postgres: limits(365, 100_000), embedded: limits(365, 20_000)
}
/** Refused writes have a limit of their own, so that they do not push out writes that were made. */
const REFUSALS_PER_WRITE = 0.2

export function toAuditLimits(setting: RetentionSetting | undefined, kind: Store['kind']): AuditLimits {
  const { maxAgeMs, maxCount } = withDefaults(setting, AUDIT_DEFAULTS[kind])
  return { maxAgeMs, maxCount: { write: maxCount, refusal: Math.ceil(maxCount * REFUSALS_PER_WRITE) } }
}

/** Merges validated settings over the defaults for the kind of store. */
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
