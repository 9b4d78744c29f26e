import { v7 as uuid } from 'uuid'
import type { AuditKind, AuditLimits, AuditPosition, AuditRecord, AuditStore } from '../../stores/audit/audit.ts'
import { withStoreErrors } from '../../stores/failures/unavailable.ts'
import { fromCursor, toCursor } from '../../input/cursor.ts'
import { SCAN_MS } from '../../time/budgets.ts'
import { createRepeatedSteps } from '../../time/repeated-steps.ts'
import { MINUTE_MS } from '../../time/units.ts'
import { toAuditEntry, type AuditEntry, type AuditOutcome, type AuditQuery, type WriteDescription } from './audit-entry.ts'

/** Who changed what, in the result backend. Entries are written before the change, so that no change goes unrecorded. */
export interface AuditLog {
  /**
   * Records that a write is about to be made, and returns the id of its entry. If it rejects (BACKEND_UNAVAILABLE or STORE_REFUSED), the
   * write must not be made.
   */
  begin(write: WriteDescription): Promise<string>
  /** Records the outcome of a write. Never rejects: without an outcome, the entry says that it is unknown. */
  settle(entryId: string, outcome: AuditOutcome): Promise<void>
  /**
   * Records a write that was refused before it began. Never rejects. At most 60 per minute in each process are listed; the next entry says
   * how many were not.
   */
  refuse(write: WriteDescription, outcome: AuditOutcome): Promise<void>
}

export interface AuditEntriesPage {
  readonly entries: AuditEntry[]
  /** Null on the last page. */
  readonly nextCursor: string | null
  /** False if the filter left a long scan unfinished: there may be more at `nextCursor`. */
  readonly complete: boolean
  readonly kept: { readonly maxAgeMs: number; readonly maxCount: number }
}

interface AuditDependencies {
  readonly store: AuditStore
  readonly limits: AuditLimits
  /** The result backend's clock. */
  now(): Promise<number>
  onError(error: Error): void
  /** Default 10 minutes. */
  readonly pruneEveryMs?: number
}

export const MAX_REFUSALS_PER_MINUTE = 60
/** Entries read in one call while a filter is applied: few, because one can have 320 KiB. */
const CHUNK = 100
const PRUNE_EVERY_MS = 10 * MINUTE_MS

export function createAuditLog({ store, limits, now, onError, pruneEveryMs = PRUNE_EVERY_MS }: AuditDependencies) {
  const kept = { maxAgeMs: limits.maxAgeMs, maxCount: limits.maxCount.write }
  let minute = 0
  let refusals = 0
  let notListed = 0

  async function append(kind: AuditKind, write: WriteDescription, outcome?: AuditOutcome): Promise<string> {
    const entryId = uuid()
    const omitted = notListed
    notListed = 0
    try {
      await withStoreErrors(() => store.append({
        id: entryId, kind, entry: JSON.stringify({ ...write, notListed: omitted }), ...(outcome && { outcome: JSON.stringify(outcome) })
      }), 'result backend')
      return entryId
    } catch (error) {
      notListed += omitted
      throw error
    }
  }

  function mayListRefusal(): boolean {
    const current = Math.floor(Date.now() / MINUTE_MS)
    if (current !== minute) {
      minute = current
      refusals = 0
    }
    return ++refusals <= MAX_REFUSALS_PER_MINUTE
  }

  const pruning = createRepeatedSteps({ everyMs: pruneEveryMs, startsAtOnce: true, step: () => store.prune(limits), onError })

  return {
    begin: (write: WriteDescription) => append('write', write),
    async settle(entryId: string, outcome: AuditOutcome) {
      await store.settle(entryId, JSON.stringify(outcome)).catch(onError)
    },
    async refuse(write: WriteDescription, outcome: AuditOutcome) {
      if (!mayListRefusal()) {
        notListed++
        return
      }
      await append('refusal', write, outcome).catch((error: unknown) => {
        notListed++
        onError(error as Error)
      })
    },

    /** Newest first. Rejects with INVALID_CURSOR. */
    async list({ cursor, limit = 50, from, to, isShown, ...filter }: AuditQuery): Promise<AuditEntriesPage> {
      let after = cursor === undefined ? undefined : fromCursor(cursor, positionFrom)
      const nowMs = await withStoreErrors(now, 'result backend')
      const startedAt = performance.now()
      const entries: AuditEntry[] = []
      // Entries can be large. Without a filter, reading one more than requested shows whether there is a next page.
      const chunk = isShown !== undefined || Object.values(filter).some(value => value !== undefined) ? CHUNK : limit + 1
      for (;;) {
        const records = await withStoreErrors(() => store.list({
          ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(after && { after }), limit: chunk
        }), 'result backend')
        for (const record of records) {
          const entry = toAuditEntry(record, nowMs)
          if (!matches(entry, filter) || isShown?.(entry) === false) continue
          if (entries.length === limit) return { entries, nextCursor: cursorAfter(entries.at(-1)!), complete: true, kept }
          // The number of entries that are not listed is only known for all users together.
          entries.push(isShown === undefined ? entry : { ...entry, notListed: null })
        }
        if (records.length < chunk) return { entries, nextCursor: null, complete: true, kept }
        after = positionOf(records.at(-1)!)
        if (performance.now() > startedAt + SCAN_MS) {
          // The last entry that was read may be hidden from this user. Then the rest of its millisecond is read again.
          const last = entries.at(-1)
          const shown = isShown === undefined || last?.entryId === after.id
            ? after
            : last?.at === after.at ? { at: last.at, id: last.entryId } : { at: after.at, id: AFTER_ALL }
          return { entries, nextCursor: toCursor([shown.at, shown.id]), complete: false, kept }
        }
      }
    },

    start: pruning.start,
    stop: pruning.stop
  }
}

/** Sorts after every id. */
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function cursorAfter({ at, entryId }: AuditEntry): string {
  return toCursor([at, entryId])
}

function matches(entry: AuditEntry, filter: Omit<AuditQuery, 'cursor' | 'limit' | 'from' | 'to' | 'isShown'>): boolean {
  const { actor, action, outcome, taskName, scheduleId, executionId } = filter
  const { resource } = entry
  return (actor === undefined || entry.actor === actor) && (action === undefined || entry.action === action) &&
    (outcome === undefined || entry.outcome === outcome) && (taskName === undefined || resource.taskName === taskName) &&
    (scheduleId === undefined || resource.scheduleId === scheduleId) &&
    (executionId === undefined || resource.executionId === executionId || entry.madeExecutionId === executionId)
}

function positionOf({ at, id }: AuditRecord): AuditPosition {
  return { at, id }
}

function positionFrom([at, id]: readonly unknown[]): AuditPosition | null {
  return Number.isSafeInteger(at) && typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) ? { at: at as number, id } : null
}
