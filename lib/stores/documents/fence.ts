/**
 * A document whose versions number the processes that do a piece of work one after the other: whoever takes over writes it. A write that
 * carries the version of its process happens only as long as nobody has taken over since, which the store decides in the same step. A lease
 * alone cannot do that: a process that is frozen for longer than its lease goes on as if it still had it.
 */
export interface Fence {
  readonly collection: string
  readonly id: string
  readonly version: number
  /** What was written, which no other process writes: a store that lost its data, or was restored, gives out a version a second time. */
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
