import { AsyncLocalStorage } from 'node:async_hooks'

const reading = new AsyncLocalStorage<true>()

/**
 * Does `work` on behalf of somebody who looks, whatever it calls in turn: PostgreSQL keeps connections apart for it, so that slow
 * reads wait for each other and take nothing that workers, heartbeats and records need.
 */
export function asRead<Result>(work: () => Result): Result {
  return reading.run(true, work)
}

export function isRead(): boolean {
  return reading.getStore() === true
}
