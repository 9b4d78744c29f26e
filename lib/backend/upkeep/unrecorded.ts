import type { ResultBackend } from '../result-backend.ts'

/**
 * Of what the ledger lacks and the broker has, what was never recorded. Ids that retention removed are remembered as long as the broker may
 * have them, so `missing` knows. Where the broker has what it should not have any more (a task that nobody knew for a while), only what
 * finished after the latest that was ever removed is certain: anything else might be counted a second time.
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
