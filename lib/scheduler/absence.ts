export type Absence = ReturnType<typeof createAbsence>

/**
 * Notes when the broker was away from this process, and when the process itself was: stopped, asleep with its machine, or its
 * clock put forward. Nothing that was due meanwhile could be taken by it.
 * @param silenceMs a process that sees nothing for longer than this was away itself
 */
export function createAbsence(now: () => number, silenceMs: number) {
  let isBrokerAway = false
  let brokerBackAt: number | null = null
  let awakeSince: number | null = null
  let seenAt: number | null = null

  return {
    /** When the broker was found back last, milliseconds since the epoch; null when it was never away. */
    get brokerBackAt() {
      return brokerBackAt
    },

    /** When this process was found back last; null when it was never away. */
    get awakeSince() {
      return awakeSince
    },

    /** Say each time whether the broker answered. */
    sawBroker(isThere: boolean): void {
      if (!isThere) {
        isBrokerAway = true
        return
      }
      if (isBrokerAway) brokerBackAt = now()
      else if (seenAt !== null && now() - seenAt > silenceMs) awakeSince = now()
      isBrokerAway = false
      seenAt = now()
    }
  }
}
