import type { ObservedServer } from './observed-server.ts'
import type { QueuePlace } from './queue-place.ts'

/** An existing queue. Its server can only be read. */
export interface ObservedQueue extends QueuePlace {
  readonly server: ObservedServer
}
