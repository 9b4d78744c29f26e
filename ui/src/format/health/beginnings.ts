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
