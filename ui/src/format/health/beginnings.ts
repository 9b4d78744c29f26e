/** Older answers do not prove that the problem began after them: there may have been no requests in between. */
const ASKED_WITHIN_MS = 60_000

export interface Beginnings {
  /**
   * When the current problem began, milliseconds since the epoch; null if it existed at the first look.
   * @param wellAt when it was last seen not to be there; null if never
   */
  since(trouble: string, now: number, wellAt: number | null): number | null
  end(trouble: string): void
}

/** Remembers problems for all views of the page, so that they agree. */
export function createBeginnings(): Beginnings {
  const known = new Map<string, { readonly since: number | null; seenAt: number }>()
  return {
    since(trouble, now, wellAt) {
      const before = known.get(trouble)
      if (before && now - before.seenAt <= ASKED_WITHIN_MS) {
        before.seenAt = now
        return before.since
      }
      const since = wellAt !== null && now - wellAt <= ASKED_WITHIN_MS ? now : null
      known.set(trouble, { since, seenAt: now })
      return since
    },
    end(trouble) { known.delete(trouble) }
  }
}

/** The store refuses one command. Another view needs others, so that its answers say nothing about this one. */
const OF_ONE_VIEW = new Set(['STORE_REFUSED'])

/** What one view of the page knows: of troubles that all views have, what any of them saw; of others, only what it saw itself. */
export function beginningsOfView(shared: Beginnings): Beginnings {
  const own = createBeginnings()
  const of = (trouble: string): Beginnings => (OF_ONE_VIEW.has(trouble) ? own : shared)
  return {
    since: (trouble, now, wellAt) => of(trouble).since(trouble, now, wellAt),
    end(trouble) { of(trouble).end(trouble) }
  }
}
