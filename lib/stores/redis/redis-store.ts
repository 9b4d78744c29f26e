import { createTaskDashboardError } from '../../errors.ts'
import { withDeadline } from '../../time/deadline.ts'
import { createRedisAnswers } from '../answers/redis-answers.ts'
import { createRedisAudit } from '../audit/redis-audit.ts'
import { createRedisDocuments } from '../documents/redis-documents.ts'
import { openStore } from '../open-store.ts'
import type { RedisStore, StoreOptions } from '../store.ts'
import { SERVER_PATIENCE_MS } from '../../time/budgets.ts'
import { openClients, type Clients } from './clients/open-clients.ts'
import type { RedisSource } from './source/redis-source.ts'

/** Redis, Valkey and compatible servers, 6.2 or newer. The URL of one node stands for its whole cluster. */
export function createRedisStore(source: RedisSource, options: StoreOptions): RedisStore {
  const { label } = source
  const keyPrefix = `{${options.namespace}}`
  let clients: Clients | undefined
  let starting: Promise<void> | undefined
  let isStopped = false

  const opened = (): Clients => {
    if (clients === undefined) throw createTaskDashboardError('NOT_STARTED')
    return clients
  }

  async function open(): Promise<void> {
    clients = await openClients(source, options, keyPrefix)
  }

  return {
    kind: 'redis',
    label,
    patienceMs: SERVER_PATIENCE_MS,
    keyPrefix,
    get client() { return opened().client },
    get patientClient() { return opened().patientClient },
    documents: createRedisDocuments(() => opened().client, keyPrefix),
    answers: createRedisAnswers(() => opened().client, keyPrefix),
    audit: createRedisAudit(() => opened().client, keyPrefix),
    start() {
      if (isStopped) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= openStore(open, () => isStopped))
    },
    async stop() {
      isStopped = true
      await starting?.catch(() => {})
      await clients?.close()
    },
    async ping(timeoutMs = SERVER_PATIENCE_MS) {
      const start = performance.now()
      // Uses a key, because in a cluster our node must be available.
      await withDeadline(opened().client.exists(keyPrefix), timeoutMs, 'no answer')
      return performance.now() - start
    },
    async now() {
      // A script with a key, because TIME alone goes to any node of a cluster.
      const [seconds, microseconds] = await withDeadline(
        opened().client.eval(TIME, 1, keyPrefix) as Promise<[string, string]>, SERVER_PATIENCE_MS, 'no answer'
      )
      return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    }
  }
}

const TIME = "return redis.call('TIME')"
