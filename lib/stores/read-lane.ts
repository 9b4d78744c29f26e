import { AsyncLocalStorage } from 'node:async_hooks'

const reading = new AsyncLocalStorage<true>()

/**
 * Marks `work`, and everything it calls, as a dashboard read. PostgreSQL reserves connections for these, so that slow reads only block each
 * other and not workers, heartbeats or records.
 */
export function asRead<Result>(work: () => Result): Result {
  return reading.run(true, work)
}

export function isRead(): boolean {
  return reading.getStore() === true
}
