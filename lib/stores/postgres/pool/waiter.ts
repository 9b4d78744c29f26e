import type { Share } from './shares.ts'

/** A caller that waits for a connection of a share. */
export interface Waiter<Connection> {
  readonly share: Share
  readonly resolve: (connection: Connection) => void
  readonly reject: (error: Error) => void
}

export function createWaiter<Connection>(share: Share): { promise: Promise<Connection>; waiter: Waiter<Connection> } {
  let waiter: Waiter<Connection> | undefined
  const promise = new Promise<Connection>((resolve, reject) => { waiter = { share, resolve, reject } })
  return { promise, waiter: waiter! }
}
