import type { DocumentStore } from '../../stores/documents/documents.ts'
import { HOUR_MS } from '../../time/units.ts'

/** How wrong the clock of a process may be, so that nothing is lost or counted twice. */
export const CLOCK_SKEW_MS = HOUR_MS

/** What the sweeper leaves in the broker's store for the others: how far it got. */
export interface BrokerMark {
  /**
   * All that finished at or before this was removed from the broker. It never goes back, or ids that were forgotten by it would be counted
   * again: a sweeper that was frozen may come late.
   * @param nowMs the broker's clock; a mark beyond it was saved while that clock was wrong, and is replaced
   */
  save(sweptBeforeMs: number, nowMs: number): Promise<void>
  /**
   * What finished after it, by the clock of its worker, the broker may still have: what was not swept yet, and an hour for the worker,
   * whose clock may be behind. -Infinity before the first sweep.
   */
  brokerHasAfter(): Promise<number>
}

export function createBrokerMark(documents: Pick<DocumentStore, 'get' | 'put'>): BrokerMark {
  return {
    async save(sweptBeforeMs, nowMs) {
      for (let isSaved = false; !isSaved;) {
        const stored = await documents.get<Mark>('ledger', 'swept')
        const standing = stored?.value.sweptBeforeMs ?? -Infinity
        if (standing >= sweptBeforeMs && standing <= nowMs) return
        isSaved = await documents.put<Mark>('ledger', 'swept', { sweptBeforeMs }, { ifVersion: stored?.version ?? 0 }) !== null
      }
    },
    async brokerHasAfter() {
      const stored = await documents.get<Mark>('ledger', 'swept')
      return stored === null ? -Infinity : stored.value.sweptBeforeMs - CLOCK_SKEW_MS
    }
  }
}

interface Mark { readonly sweptBeforeMs: number }
