import type { AuditOutcomeName } from '../../../schemas/audit.ts'
import type { AuditRecord } from '../../stores/audit/audit.ts'
import { MINUTE_MS } from '../../time/units.ts'

/** A write as it was requested. */
export interface WriteDescription {
  /** The user's label; null if unknown. */
  readonly actor: string | null
  /** The client's address; null if unknown. */
  readonly address: string | null
  /** `resource:verb`. */
  readonly action: string
  readonly resource: WriteResource
  readonly method: string
  /** The URL path without the query, below the dashboard's prefix. */
  readonly path: string
  readonly requestId: string
  /** The reason that the user gave; null if none. */
  readonly reason: string | null
  /** The resource before the change; null if there was none, or if the write only creates something. */
  readonly before: unknown
  /** Set if `before` was too large to keep. */
  readonly truncated?: true
}

export interface WriteResource {
  readonly taskName?: string
  readonly scheduleId?: string
  readonly executionId?: string
  readonly errorGroup?: string
}

/** The outcome of a write. */
export interface AuditOutcome {
  readonly outcome: Exclude<AuditOutcomeName, 'in_progress'>
  /** HTTP status of the response. */
  readonly status: number
  /** Error code; null if there was none. */
  readonly code: string | null
  /** The response to a write that was done. */
  readonly after: unknown
  /** Set if `after` was too large to keep. */
  readonly truncated?: true
  /** What the response adds to the resource, such as the id of a new schedule. */
  readonly resource?: WriteResource
}

export interface AuditEntry extends Omit<WriteDescription, 'truncated'> {
  readonly entryId: string
  readonly at: number
  readonly outcome: AuditOutcomeName
  readonly status: number | null
  readonly code: string | null
  readonly after: unknown
  /** Which of `before` and `after` were too large to keep. */
  readonly truncated: ReadonlyArray<'before' | 'after'>
  /** An execution that the write made. */
  readonly madeExecutionId: string | null
  /** How many refused writes before this one are not listed, because there were too many; null if only some entries are shown. */
  readonly notListed: number | null
}

export interface AuditQuery {
  readonly actor?: string
  readonly action?: string
  readonly outcome?: AuditOutcomeName
  readonly taskName?: string
  readonly scheduleId?: string
  /** Executions that a write was about or that it made. */
  readonly executionId?: string
  /** `from` is inclusive, `to` exclusive. Milliseconds since the epoch. */
  readonly from?: number
  readonly to?: number
  /** Default 50. */
  readonly limit?: number
  readonly cursor?: string
  /** Entries for which this is false are left out. */
  readonly isShown?: (entry: AuditEntry) => boolean
}

/** Longer than any write takes. An entry without an outcome after this is from a process that died or lost the result backend. */
const SETTLED_WITHIN_MS = MINUTE_MS

export function toAuditEntry({ id, at, entry, outcome }: AuditRecord, nowMs: number): AuditEntry {
  const written = JSON.parse(entry) as WriteDescription & { readonly notListed: number }
  const settled = outcome === null ? null : JSON.parse(outcome) as AuditOutcome
  const pending = at > nowMs - SETTLED_WITHIN_MS ? 'in_progress' : 'unknown'
  return {
    ...written,
    entryId: id,
    at,
    outcome: settled?.outcome ?? pending,
    status: settled?.status ?? null,
    code: settled?.code ?? null,
    after: settled?.after ?? null,
    truncated: [...written.truncated ? ['before' as const] : [], ...settled?.truncated ? ['after' as const] : []],
    // The resource in the request takes precedence: the response to a retry contains the new execution.
    resource: { ...settled?.resource, ...written.resource },
    madeExecutionId: settled?.resource?.executionId ?? null
  }
}
