import type { DocumentStore } from '../../stores/documents/documents.ts'
import { HOUR_MS } from '../../time/units.ts'
import { digestOfJson } from '../../json/digest.ts'

export type SharedLists<Item> = ReturnType<typeof createSharedLists<Item>>

/**
 * A list is written again once a minute while a process uses it. A document that refers to a list lives at most an hour without being
 * renewed.
 */
const LIST_TTL_MS = 2 * HOUR_MS
/** How many decoded lists are kept even if the last read did not need them. */
const MAX_KEPT = 32

/**
 * Long lists that many processes share. Each is stored once, under a fingerprint of its content, and read once. So a document that refers
 * to one costs the same for one item as for thousands.
 */
export function createSharedLists<Item>(documents: DocumentStore, collection: string) {
  const lists = new Map<string, readonly Item[]>()
  let written: string | undefined
  let last: { readonly list: readonly Item[]; readonly id: string } | undefined

  return {
    /** @returns the id by which to refer to the list */
    async write(list: readonly Item[]): Promise<string> {
      // Several writes of a heartbeat refer to the same list.
      last = last?.list === list ? last : { list, id: digestOfJson(list) }
      const { id } = last
      if (id !== written) {
        await documents.put(collection, id, list, { ttlMs: LIST_TTL_MS })
        lists.set(id, list)
        written = id
      }
      return id
    },

    /** Reads the lists of `wanted` that are not known yet. The same list is the same array every time. */
    async read(wanted: ReadonlySet<string>): Promise<void> {
      const unread = [...wanted].filter(id => !lists.has(id))
      const found = unread.length === 0 ? [] : await documents.getMany<readonly Item[]>(collection, unread)
      for (const [index, id] of unread.entries()) {
        const list = found[index]?.value
        if (list) lists.set(id, list)
      }
      if (lists.size <= MAX_KEPT) return
      for (const id of lists.keys()) if (!wanted.has(id) && id !== written) lists.delete(id)
    },

    /** Undefined if the broker lost it. Its process writes it again with its next heartbeat. */
    get: (id: string): readonly Item[] | undefined => lists.get(id),

    /** Makes the next `write` store the list again. */
    renew(): void { written = undefined }
  }
}
