import type { Redis } from 'ioredis'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import { REDIS_START_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import { loadPackage } from '../../load-package.ts'
import { answerInfo } from '../checks/answer-info.ts'
import { checkServer } from '../checks/check-server.ts'
import { connectClient, createClient } from '../clients/create-client.ts'
import { HASTY } from '../clients/open-clients.ts'
import { withoutCommand } from '../clients/without-command.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { guardClient } from './guard-client.ts'

/**
 * Connects to a server of others. Rejects within 5 s with STORE_UNREACHABLE or STORE_UNSUITABLE, and leaves nothing open then.
 * @param mayRun the scripts that may be sent besides commands that read
 */
export async function openObserved(
  source: RedisSource, onError: (error: Error) => void, mayRun: ReadonlySet<string> = new Set()
): Promise<Redis> {
  const { label } = source
  const { Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
  let isOpen = false
  let lastError: Error | undefined
  const client = createClient(Redis, source, HASTY) as Redis
  guardClient(client, mayRun)
  answerInfo(client)
  client.on('error', (error: Error) => {
    lastError = withoutCommand(error)
    if (isOpen) onError(error)
  })
  try {
    await withDeadline(connectClient(client), REDIS_START_MS, 'no answer')
    const kind = await checkServer(client, source, { namespace: '', role: 'broker', onError })
    if (kind === 'cluster') {
      const reason = 'it is a Redis Cluster, where queues of other code cannot be observed yet'
      throw createTaskDashboardError('STORE_UNSUITABLE', ['broker', label, reason])
    }
    isOpen = true
    return client
  } catch (error) {
    if (isTaskDashboardError(error)) throw error
    const cause = lastError ?? withoutCommand(error as Error)
    throw createTaskDashboardError('STORE_UNREACHABLE', ['broker', label, failureReason(cause)], { cause })
  } finally {
    if (!isOpen) client.disconnect()
  }
}
