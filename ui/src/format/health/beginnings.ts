/** Answers older than this do not show that the trouble began after them: nobody may have asked in between. */
const ASKED_WITHIN_MS = 60_000

export interface Beginnings {
  /**
   * When a trouble that is seen now began, milliseconds since the epoch; null if it was there when somebody first looked.
   * @param wellAt when it was last seen not to be there; null if never
   */
  since(trouble: string, now: number, wellAt: number | null): number | null
  end(trouble: string): void
}

/** Remembers troubles for all views of the page, so that each says the same of one. */
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
