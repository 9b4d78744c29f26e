import type { Cluster, Redis } from 'ioredis'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import { REDIS_START_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import { loadPackage } from '../../load-package.ts'
import { answerInfo, loadingReason } from '../checks/answer-info.ts'
import { checkServer } from '../checks/check-server.ts'
import { OLDEST_OBSERVED } from '../checks/info.ts'
import { probedReason } from '../checks/probe-server.ts'
import { createClusterClient } from '../clients/cluster-client.ts'
import { connectClient, createClient } from '../clients/create-client.ts'
import { followSentinels, withKnowingSentinels } from '../clients/follow-sentinels.ts'
import { HASTY } from '../clients/open-clients.ts'
import { withoutCommand } from '../clients/without-command.ts'
import type { RedisClient } from '../../store.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { guardClient } from './guard-client.ts'

/**
 * Connects to someone else's server, or to the cluster that it belongs to. Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE,
 * and then leaves nothing open.
 * @param mayRun scripts that may be sent, besides commands that only read
 */
export async function openObserved(
  source: RedisSource, onError: (error: Error) => void, mayRun: ReadonlySet<string> = new Set()
): Promise<RedisClient> {
  const { label } = source
  const { Cluster: ClusterClass, Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
  const startedAt = performance.now()
  let isOpen = false
  let lastError: Error | undefined
  // If the response to a change was lost, ioredis would send the change again and return the second response.
  const isSentOnce = mayRun.size > 0
  const options = isSentOnce ? { ...HASTY, autoResendUnfulfilledCommands: false } : HASTY
  const guarded = <Client extends RedisClient>(client: Client): Client => {
    guardClient(client, mayRun)
    if (isSentOnce && client.isCluster) Object.assign(client.options, { retryDelayOnFailover: 0 })
    answerInfo(client)
    client.on('error', (error: Error) => {
      withoutCommand(error)
      // A reply from the server says more than the end of its connection.
      if (lastError?.name !== 'ReplyError') lastError = error
      if (isOpen) onError(error)
    })
    return client
  }
  const followed = await withKnowingSentinels(Redis, source, 'broker')
  const first = guarded(createClient(Redis, followed.from, options))
  let client: RedisClient = first
  try {
    await withDeadline(connectClient(first), REDIS_START_MS, 'no answer')
    const kind = await checkServer(first, source, { namespace: '', role: 'broker', onError }, OLDEST_OBSERVED)
    if (kind === 'cluster' && !first.isCluster) {
      client = guarded(createClusterClient(ClusterClass, first as Redis, options))
      await withDeadline(connectClient(client), REDIS_START_MS, 'no answer')
      first.disconnect()
    }
    if (client.isCluster) await withDeadline(connectNodes(client as Cluster), REDIS_START_MS, 'no answer').catch(() => {})
    isOpen = true
    const watch = followSentinels(Redis, followed, () => [client])
    if (watch !== null) onDisconnect(client, watch.stop)
    return client
  } catch (error) {
    if (isTaskDashboardError(error)) throw error
    const cause = lastError ?? withoutCommand(error as Error)
    const reason = loadingReason([first, client]) ?? await probedReason(source, cause, startedAt) ?? failureReason(cause)
    throw createTaskDashboardError('STORE_UNREACHABLE', ['broker', label, reason], { cause })
  } finally {
    if (!isOpen) for (const each of [first, client]) each.disconnect()
  }
}

/** A client that is between two connections when it is disconnected emits no event. */
function onDisconnect(client: RedisClient, listener: () => void): void {
  const disconnect = client.disconnect.bind(client)
  client.disconnect = (reconnect?: boolean) => {
    if (!reconnect) listener()
    disconnect(reconnect)
  }
}

/**
 * Without this, the first command to each node would wait for the connection while its own timeout runs. A node that cannot be reached is
 * ignored.
 */
async function connectNodes(cluster: Cluster): Promise<void> {
  await Promise.allSettled(cluster.nodes('master').map(connectClient))
}
