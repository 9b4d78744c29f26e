/**
 * Who uses a connection. `workers` take executions, renew locks and report outcomes. `reads` are for dashboards. `rest` enqueues, records,
 * and maintains schedules and heartbeats.
 */
export type Lane = 'workers' | 'rest' | 'reads'

/** A limit on connections for one lane, or for several together, with the current users and waiters. */
export interface Share {
  readonly limit: number
  taken: number
  waiting: number
}

/**
 * Divides `max` connections so that no lane can take another's: slow reads only block each other, and workers always find theirs free. Of
 * two connections, one is for reads. With a single one, everyone shares it.
 */
export function shareOut(max: number): { readonly lanes: Record<Lane, Share>; readonly shares: readonly Share[] } {
  const share = (limit: number): Share => ({ limit, taken: 0, waiting: 0 })
  const side = Math.max(1, Math.floor((max + 1) / 4))
  const workers = share(Math.max(1, max - 2 * side))
  const rest = max < 3 ? workers : share(side)
  const reads = max < 2 ? workers : share(side)
  return { lanes: { workers, rest, reads }, shares: [...new Set([workers, rest, reads])] }
}
