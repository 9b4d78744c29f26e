import { isDeepStrictEqual } from 'node:util'
import { SupersededError } from '../../lib/stores/documents/fence.ts'
import type { DocumentStore, StoredDocument } from '../../lib/stores/documents/documents.ts'

/** Documents in memory, for tests that control the clock. Without a clock nothing expires; leases are always granted. */
export function createMemoryDocuments(now: () => number = () => 0): DocumentStore {
  const stored = new Map<string, StoredDocument<unknown>>()
  const expiries = new Map<string, number>()
  const documents = {
    [Symbol.iterator]: () => [...stored].filter(([key]) => (expiries.get(key) ?? Infinity) > now())[Symbol.iterator](),
    get: (key: string) => (expiries.get(key) ?? Infinity) > now() ? stored.get(key) : undefined,
    set(key: string, document: StoredDocument<unknown>, ttlMs = Infinity) {
      stored.set(key, document)
      expiries.set(key, now() + ttlMs)
    },
    delete: (key: string) => stored.delete(key)
  }
  const counters = new Map<string, number>()
  const keyOf = (collection: string, id: string) => JSON.stringify([collection, id])
  const get = <T>(collection: string, id: string) =>
    structuredClone(documents.get(keyOf(collection, id)) ?? null) as StoredDocument<T> | null
  return {
    async get(collection, id) { return get(collection, id) },
    async getMany<T>(collection: string, ids: readonly string[]) { return ids.map(id => get<T>(collection, id)) },
    async list<T>(collection: string) {
      return [...documents].filter(([key]) => (JSON.parse(key) as string[])[0] === collection).map(([, { id }]) => get<T>(collection, id)!)
    },
    async put(collection, id, value, { ifVersion, ttlMs, increments = [] } = {}) {
      const version = documents.get(keyOf(collection, id))?.version ?? 0
      if (ifVersion !== undefined && ifVersion !== version) return null
      documents.set(keyOf(collection, id), { id, version: version + 1, value: structuredClone(value) }, ttlMs)
      for (const each of increments) await this.increment(each.collection, each.id, each.by)
      return version + 1
    },
    async putMany(collection, written, { onlyWhile, ...options } = {}) {
      if (onlyWhile) {
        const standing = documents.get(keyOf(onlyWhile.collection, onlyWhile.id))
        if (standing?.version !== onlyWhile.version || !isDeepStrictEqual(standing.value, onlyWhile.value)) throw new SupersededError()
      }
      for (const { id, value } of written) await this.put(collection, id, value, options)
    },
    async replaceMany(collection, replacements, { counters: counted }) {
      const answers: boolean[] = []
      for (const { id, value, ifVersion, adds } of replacements) {
        const isWritten = await this.put(collection, id, value, { ifVersion }) !== null
        if (isWritten) await this.increment(counted, id, adds)
        answers.push(isWritten)
      }
      return answers
    },
    async delete(collection, id) { return documents.delete(keyOf(collection, id)) },
    async increment(collection, id, by) {
      const value = (counters.get(keyOf(collection, id)) ?? 0) + by
      counters.set(keyOf(collection, id), value)
      return value
    },
    async counters(collection, ids) { return ids.map(id => counters.get(keyOf(collection, id)) ?? 0) },
    async deleteCounter(collection, id) { counters.delete(keyOf(collection, id)) },
    async acquireLease() { return true },
    async releaseLease() {}
  }
}
