import type { ServerProcess } from '../../../engine/observing/observed-server.ts'
import { SECOND_MS } from '../../../time/units.ts'

/** The process that answered when a queue was last checked. */
export interface KnownProcess extends Pick<ServerProcess, 'runId' | 'replicationId'> {
  /** When that was, by the server's clock. */
  readonly at: number
}

/** Servers tell their age in whole seconds. */
const AGE_IS_ROUNDED_MS = 2 * SECOND_MS
/**
 * After a failover, clients write to the old primary until it is made a replica. Sentinels wait 8 seconds, and check every 10, so a
 * gap ends later than the failover was noticed.
 */
export const OLD_PRIMARY_LASTS_MS = 30 * SECOND_MS

/**
 * Whether another server has taken over, rather than the same one having restarted: its process is older than the last check of the other
 * one. In a cluster, a queue may also move to another node, which loses nothing. So there, the new one must have been a replica of
 * the other.
 */
export function wasReplaced(known: KnownProcess | undefined, now: ServerProcess | null, isInCluster: boolean): boolean {
  if (known === undefined || now === null || known.runId === now.runId) return false
  if (now.startedAt > known.at - AGE_IS_ROUNDED_MS) return false
  return !isInCluster || now.replicationIdBefore === known.replicationId
}

/** Keeps what is known if the server does not tell. */
export function toKnownProcess(known: KnownProcess | undefined, now: ServerProcess | null, at: number): KnownProcess | undefined {
  return now === null ? known : { runId: now.runId, replicationId: now.replicationId, at }
}
