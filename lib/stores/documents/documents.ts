/**
 * Small JSON documents in named collections, and leases: all that schedules, the task registry and heartbeats need of a
 * datastore, so that they are written once and not once a datastore. Collections are small (thousands, not millions).
 *
 * Every call has a timeout and rejects with the datastore's own error; the caller says what was out of reach.
 */
export interface DocumentStore {
  get<T>(collection: string, id: string): Promise<StoredDocument<T> | null>
  /** Documents in the order of `ids`; null where there is none. */
  getMany<T>(collection: string, ids: readonly string[]): Promise<Array<StoredDocument<T> | null>>
  /** All documents of the collection that have not expired, ordered by id. */
  list<T>(collection: string): Promise<Array<StoredDocument<T>>>
  /**
   * Writes a document. With `ifVersion` only when the stored version is that one (0: only when there is none).
   * @returns the new version (1, 2, …), or null when `ifVersion` or `ifFewerThan` forbade it and nothing was written.
   */
  put<T>(collection: string, id: string, value: T, options?: PutOptions): Promise<number | null>
  /** Writes many, each id once, a bounded number at a time; each of them is written whole, or not at all when it rejects. */
  putMany<T>(
    collection: string, documents: ReadonlyArray<{ readonly id: string; readonly value: T }>, options?: Pick<PutOptions, 'ttlMs'>
  ): Promise<void>
  /**
   * Writes many, each id once and only where the stored version is its `ifVersion` (0: where there is none), and adds to the counter of
   * each that is written, in the same step; a bounded number at a time.
   * @returns for each whether it was written
   */
  replaceMany<T>(collection: string, documents: ReadonlyArray<Replacement<T>>, options: { readonly counters: string }): Promise<boolean[]>
  /** @returns whether there was one. */
  delete(collection: string, id: string, options?: Pick<PutOptions, 'increments'>): Promise<boolean>
  /**
   * Adds to a numeric counter of a collection, atomically, and returns its new value (created at 0). Counters live beside the
   * documents and are not listed with them.
   */
  increment(collection: string, id: string, by: number): Promise<number>
  /** Counter values in the order of `ids`; 0 where there is none. */
  counters(collection: string, ids: readonly string[]): Promise<number[]>
  deleteCounter(collection: string, id: string): Promise<void>

  /**
   * Takes or renews a lease by the datastore's clock.
   * @returns true when `holder` has it now, for `ttlMs` from now.
   */
  acquireLease(name: string, holder: string, ttlMs: number): Promise<boolean>
  /** Gives the lease back; does nothing when another holder has it. */
  releaseLease(name: string, holder: string): Promise<void>
}

export interface StoredDocument<T> {
  readonly id: string
  /** 1 when created, one more with every write. */
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
  /** Milliseconds after which the document is gone, by the datastore's clock. Default: never. */
  ttlMs?: number
  /** Creates a document only where the collection holds fewer; several creations at once may pass it by a few. Default: no bound. */
  ifFewerThan?: number
  /** Counters that change in the same step, when there was something to write or delete. */
  increments?: readonly Increment[]
}

export interface Increment {
  readonly collection: string
  readonly id: string
  readonly by: number
}
