import type { Fence } from './fence.ts'

/**
 * Small JSON documents in named collections, and leases. This is all that schedules, the task registry and heartbeats need of a datastore,
 * so they are written once instead of once per datastore. Collections are small (thousands, not millions).
 *
 * Every call has a timeout and rejects with the datastore's own error; the caller says which store failed.
 */
export interface DocumentStore {
  get<T>(collection: string, id: string): Promise<StoredDocument<T> | null>
  /** Documents in the order of `ids`; null where there is none. */
  getMany<T>(collection: string, ids: readonly string[]): Promise<Array<StoredDocument<T> | null>>
  /** All documents of the collection that have not expired, ordered by id. */
  list<T>(collection: string): Promise<Array<StoredDocument<T>>>
  /**
   * Writes a document. With `ifVersion`, only if the stored version matches (0: only if there is none).
   * @returns the new version (1, 2, …), or null if `ifVersion` or `ifFewerThan` prevented the write
   */
  put<T>(collection: string, id: string, value: T, options?: PutOptions): Promise<number | null>
  /**
   * Writes many documents with distinct ids, in bounded chunks. If it rejects, each document was written either completely or not at all.
   * Rejects with a SupersededError if `onlyWhile` does not hold.
   */
  putMany<T>(
    collection: string, documents: ReadonlyArray<{ readonly id: string; readonly value: T }>,
    options?: Pick<PutOptions, 'ttlMs'> & { readonly onlyWhile?: Fence }
  ): Promise<void>
  /**
   * Writes many documents with distinct ids, each only if its stored version is `ifVersion` (0: if there is none). Each write adds to the
   * document's counter in the same step. Works in bounded chunks.
   * @returns for each, whether it was written
   */
  replaceMany<T>(collection: string, documents: ReadonlyArray<Replacement<T>>, options: { readonly counters: string }): Promise<boolean[]>
  /** @returns whether there was one */
  delete(collection: string, id: string, options?: Pick<PutOptions, 'increments'>): Promise<boolean>
  /**
   * Adds to a numeric counter of a collection, atomically, and returns the new value (created at 0). Counters are separate from the
   * documents and not listed with them.
   */
  increment(collection: string, id: string, by: number): Promise<number>
  /** Counter values in the order of `ids`; 0 where there is none. */
  counters(collection: string, ids: readonly string[]): Promise<number[]>
  deleteCounter(collection: string, id: string): Promise<void>

  /**
   * Takes or renews a lease, by the datastore's clock.
   * @returns true if `holder` now has it, for `ttlMs`
   */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean>
  /** Releases the lease; does nothing if another holder has it. */
  releaseLease(name: string, holder: string): Promise<void>
}

export interface StoredDocument<T> {
  readonly id: string
  /** 1 when created, plus one with every write. */
  readonly version: number
  readonly value: T
}

export interface Replacement<T> {
  readonly id: string
  readonly value: T
  readonly ifVersion: number
  /** Added to the counter of this id. */
  readonly adds: number
}

export interface PutOptions {
  ifVersion?: number
  /** Milliseconds until the document expires, by the datastore's clock. Default: never. */
  ttlMs?: number
  /** Creates a document only if the collection has fewer. Concurrent creations may exceed it by a few. Default: no limit. */
  ifFewerThan?: number
  /** Counters to change in the same step, if something was written or deleted. */
  increments?: readonly Increment[]
}

export interface Increment {
  readonly collection: string
  readonly id: string
  readonly by: number
}
