import type { DocumentStore } from '../../stores/documents/documents.ts'
import { HOUR_MS } from '../../time/units.ts'

/** How far the clock of a process may be off without losing or double-counting executions. */
export const CLOCK_SKEW_MS = HOUR_MS

/** The sweeper's progress, kept in the broker's store for other processes. */
export interface BrokerMark {
  /**
   * Everything that finished at or before this was removed from the broker. It never moves back, even if a sweeper that was frozen saves
   * late. Otherwise ids already forgotten would be counted again.
   * @param nowMs the broker's clock; a mark in its future was saved while the clock was wrong, and is replaced
   */
  save(sweptBeforeMs: number, nowMs: number): Promise<void>
  /**
   * The broker may still have executions that finished after this, by their worker's clock. It is one hour before the last sweep's limit,
   * because a worker's clock may be slow. -Infinity before the first sweep.
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
