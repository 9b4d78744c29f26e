/**
 * Who uses a connection. Workers take executions, renew locks and report on theirs. Reads are what somebody looks at. The rest enqueues,
 * records, keeps schedules and heartbeats.
 */
export type Lane = 'workers' | 'rest' | 'reads'

/** Connections that one lane, or several together, may have at a time, and who has or wants them. */
export interface Share {
  readonly limit: number
  taken: number
  waiting: number
}

/**
 * Divides `max` connections so that nobody can take those of another lane: slow reads wait for each other, and a worker finds its own free.
 * Of two, one is for reads; of one, all wait for each other.
 */
export function shareOut(max: number): { readonly lanes: Record<Lane, Share>; readonly shares: readonly Share[] } {
  const share = (limit: number): Share => ({ limit, taken: 0, waiting: 0 })
  const side = Math.max(1, Math.floor((max + 1) / 4))
  const workers = share(Math.max(1, max - 2 * side))
  const rest = max < 3 ? workers : share(side)
  const reads = max < 2 ? workers : share(side)
  return { lanes: { workers, rest, reads }, shares: [...new Set([workers, rest, reads])] }
}
