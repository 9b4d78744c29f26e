import type { Release, Statement } from './messages.ts'

/** After this many requests in a row, a worker's statement runs, so that a flood of requests does not starve workers. */
const REQUESTS_IN_A_ROW = 4

/**
 * Orders statements on the single session: in arrival order, requests before workers. While a client holds the session from BEGIN to
 * COMMIT, only its own statements run.
 */
export function createStatementQueue() {
  const requests: Statement[] = []
  const work: Array<Statement | Release> = []
  let holder: number | null = null
  let requestsInARow = 0

  function nextOfHolder(): Statement | Release | undefined {
    const index = work.findIndex(entry => entry.client === holder)
    return index < 0 ? undefined : work.splice(index, 1)[0]
  }

  return {
    add(entry: Statement | Release): void {
      if (entry.kind === 'statement' && entry.urgency === 'request' && entry.client === null) requests.push(entry)
      else work.push(entry)
    },

    /** Removes a statement that has not started. */
    withdraw(id: number): void {
      for (const entries of [requests, work]) {
        const index = entries.findIndex(entry => entry.kind === 'statement' && entry.id === id)
        if (index >= 0) entries.splice(index, 1)
      }
    },

    /** Undefined if nothing is waiting, or nothing of the client that holds the session. */
    next(): Statement | Release | undefined {
      if (holder !== null) return nextOfHolder()
      const isTurnOfWork = requestsInARow >= REQUESTS_IN_A_ROW && work.length > 0
      const request = isTurnOfWork ? undefined : requests.shift()
      requestsInARow = request === undefined ? 0 : requestsInARow + 1
      return request ?? work.shift()
    },

    /** The client with an open transaction; null if there is none. */
    get holder(): number | null { return holder },
    set holder(client) { holder = client }
  }
}
