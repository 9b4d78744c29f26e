/**
 * Stops a process that was replaced from writing. The processes that do a piece of work take turns, and each one writes this document when
 * it takes over, so the document's version tells them apart. A write that carries the version of its process succeeds only if no one has
 * taken over since. The store checks that in the same step. A lease alone cannot do this: a process that was frozen for longer than its
 * lease continues as if it still had it.
 */
export interface Fence {
  readonly collection: string
  readonly id: string
  readonly version: number
  /**
   * What this process wrote; no other process writes the same value. The version alone is not enough, because a store that lost its data or
   * was restored can give out a version twice.
   */
  readonly value: unknown
}

/** The fence of a write. Throws a SupersededError if this process has none. */
export function heldOf(fence: Fence | null): Fence {
  if (fence === null) throw new SupersededError()
  return fence
}

/** Another process does the work by now, so nothing was written. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError'
  constructor() {
    super('Another process has taken over this work')
  }
}
