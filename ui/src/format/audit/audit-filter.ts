import { AUDIT_ACTIONS, AUDIT_OUTCOME_NAMES, type AuditOutcome } from './audit-words.ts'
import { withParameters, type AddressChange } from '../places/address.ts'
import type { TimeRange } from '../time/time-range.ts'

/** Which entries of the audit log a reader wants; null means any. */
export interface AuditFilter {
  readonly actor: string | null
  readonly action: string | null
  readonly outcome: AuditOutcome | null
  readonly taskName: string | null
  readonly scheduleId: string | null
  readonly executionId: string | null
  readonly range: TimeRange | null
}

/** Removes every filter from the address. */
export const NO_AUDIT_FILTER: AddressChange = {
  actor: null, action: null, outcome: null, task: null, schedule: null, execution: null, range: null, from: null, to: null
}

export function isAuditFiltered(filter: AuditFilter): boolean {
  return Object.values(filter).some(value => value !== null)
}

export function outcomeFrom(text: string | null): AuditOutcome | null {
  return AUDIT_OUTCOME_NAMES.find(name => name === text) ?? null
}

/** The actions to choose from, and the current one even if this version does not know it. */
export function actionsToOffer(current: string | null): readonly string[] {
  return current === null || AUDIT_ACTIONS.includes(current) ? AUDIT_ACTIONS : [current, ...AUDIT_ACTIONS]
}

/** The audit page with only these filters. */
export function auditHref(change: AddressChange): string {
  return `/audit${withParameters('', change)}`
}
