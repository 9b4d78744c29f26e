import { useEffect } from 'react'
import type { Execution } from '../../../../schemas/index.ts'
import { executionQuery } from '../../api/executions.ts'
import { queryClient } from '../../api/query-client.ts'

const AFTER_MS = 150
const FRESH_MS = 15_000

/** Loads the executions next to the open one, so that j and k open them at once. */
export function useNeighboursAhead(executions: readonly Execution[], openId: string | null): void {
  const at = openId === null ? -1 : executions.findIndex(({ execution_id: id }) => id === openId)
  const [next, before] = at === -1 ? [] : [executions[at + 1]?.execution_id, executions[at - 1]?.execution_id]
  useEffect(() => {
    // Entries that are only passed on the way are not loaded.
    const timer = setTimeout(() => {
      for (const id of [next, before]) {
        if (id !== undefined) queryClient.prefetchQuery({ ...executionQuery(id), staleTime: FRESH_MS }).catch(() => {})
      }
    }, AFTER_MS)
    return () => clearTimeout(timer)
  }, [next, before])
}
