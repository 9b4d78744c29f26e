import type { Release, Statement } from './messages.ts'

/** A request is followed by another one so many times, then work has its turn: a flood of requests does not stop it. */
const REQUESTS_IN_A_ROW = 4

/**
 * The order of statements on the one session there is: as they came, requests ahead of work. While a client holds the session,
 * from BEGIN to COMMIT, its own alone.
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

    /** Takes out what did not run yet. */
    withdraw(id: number): void {
      for (const entries of [requests, work]) {
        const index = entries.findIndex(entry => entry.kind === 'statement' && entry.id === id)
        if (index >= 0) entries.splice(index, 1)
      }
    },

    /** Undefined when nothing waits, or nothing of the client that holds the session. */
    next(): Statement | Release | undefined {
      if (holder !== null) return nextOfHolder()
      const isTurnOfWork = requestsInARow >= REQUESTS_IN_A_ROW && work.length > 0
      const request = isTurnOfWork ? undefined : requests.shift()
      requestsInARow = request === undefined ? 0 : requestsInARow + 1
      return request ?? work.shift()
    },

    /** The client whose transaction is open; null when there is none. */
    get holder(): number | null { return holder },
    set holder(client) { holder = client }
  }
}
