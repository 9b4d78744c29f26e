/**
 * An append-only log of writes. Every call is one round trip, has a timeout, and rejects with the datastore's own error. Times use the
 * datastore's clock.
 */
export interface AuditStore {
  /** Idempotent by id, because a broken connection sends the call twice. */
  append(entry: NewAuditRecord): Promise<void>
  /** Adds the outcome of an entry. The first outcome stays. Does nothing if the entry no longer exists. */
  settle(id: string, outcome: string): Promise<void>
  /** Newest first. */
  list(query: AuditRecordQuery): Promise<AuditRecord[]>
  /**
   * Removes some entries that exceed the limits, oldest first.
   * @returns how many; 0 if none are left
   */
  prune(limits: AuditLimits): Promise<number>
}

/** Refusals are limited on their own, so that a flood of them does not push out the record of what was done. */
export const AUDIT_KINDS = ['write', 'refusal'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export interface NewAuditRecord {
  readonly id: string
  readonly kind: AuditKind
  /** JSON. */
  readonly entry: string
  /** JSON, if it is known already. */
  readonly outcome?: string
}

export interface AuditRecord {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly entry: string
  /** Null until it is settled. */
  readonly outcome: string | null
}

export interface AuditRecordQuery {
  /** Inclusive, exclusive; milliseconds since the epoch. */
  readonly from?: number
  readonly to?: number
  /** Only entries older than this position. */
  readonly after?: AuditPosition
  readonly limit: number
}

export interface AuditPosition { readonly at: number; readonly id: string }

export interface AuditLimits {
  readonly maxAgeMs: number
  readonly maxCount: Readonly<Record<AuditKind, number>>
}

/** The most entries per kind that one call of `prune` removes. */
export const PRUNED_PER_CALL = 500
