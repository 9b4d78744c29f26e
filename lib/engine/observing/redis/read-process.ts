import type { ReadClient } from '../../../stores/redis/observing/read-client.ts'
import { SECOND_MS } from '../../../time/units.ts'
import type { ServerProcess } from '../observed-server.ts'

/** Null if the user may not run INFO, or the server leaves one of these out. */
export async function readProcess(client: Pick<ReadClient, 'info'>, at: number): Promise<ServerProcess | null> {
  const [runId, replicationId, replicationIdBefore, seconds] =
    await client.info('run_id', 'master_replid', 'master_replid2', 'uptime_in_seconds')
  if (!runId || !replicationId || !replicationIdBefore || !seconds) return null
  return { runId, replicationId, replicationIdBefore, startedAt: at - Number(seconds) * SECOND_MS }
}
