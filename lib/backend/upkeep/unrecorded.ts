import type { ResultBackend } from '../result-backend.ts'

/**
 * Filters executions missing from the history to those that were never recorded. Retention remembers removed ids for as long as the broker
 * may have them, so `missing` already excludes those. But the broker may hold older executions than it should (a task that was unregistered
 * for a while). Of these, only executions newer than the last pruned one are certain; any other might be counted twice.
 */
export function createUnrecorded(backend: Pick<ResultBackend, 'kept'>, brokerHasAfter: () => Promise<number>) {
  return async <T extends { readonly finishedAt: number }>(missing: readonly T[]): Promise<readonly T[]> => {
    if (missing.length === 0) return missing
    const rememberedAfter = await brokerHasAfter()
    if (missing.every(each => each.finishedAt > rememberedAfter)) return missing
    const { prunedBefore } = await backend.kept()
    return missing.filter(each => each.finishedAt > rememberedAfter || prunedBefore === null || each.finishedAt > prunedBefore)
  }
}
