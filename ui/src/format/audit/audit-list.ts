import type { AuditEntry } from '../../../../schemas/index.ts'

interface Page {
  readonly items: readonly AuditEntry[]
  readonly next_cursor: string | null
}

export interface AuditEntries {
  /** All rows loaded so far, each once, in its newest version. */
  readonly entries: readonly AuditEntry[]
  /** The number of entries of the newest page that are not among them. There are more if `hasMoreNews`. */
  readonly news: number
  readonly hasMoreNews: boolean
}

/** @param head the newest page, requested after the others */
export function toAuditEntries(pages: readonly Page[], head: Page | undefined): AuditEntries {
  const newest = new Map(head?.items.map(entry => [entry.entry_id, entry]))
  const listed = new Map(pages.flatMap(({ items }) => items).map(entry => [entry.entry_id, newest.get(entry.entry_id) ?? entry]))
  const news = head?.items.filter(({ entry_id: id }) => !listed.has(id)).length ?? 0
  return {
    entries: [...listed.values()], news,
    hasMoreNews: head !== undefined && head.next_cursor !== null && news === head.items.length
  }
}

/** When an entry was made, from its id (UUIDv7), in milliseconds; null if the id holds no time. */
export function timeOfEntryId(entryId: string): number | null {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(entryId) ?? []
  return high === undefined || low === undefined ? null : parseInt(high + low, 16)
}
