import type { Cluster, Redis } from 'ioredis'
import { REDIS_START_MS, SERVER_PATIENCE_MS } from '../../../time/budgets.ts'
import { withDeadline } from '../../../time/deadline.ts'
import { createTaskDashboardError, isTaskDashboardError } from '../../../errors.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import { loadPackage } from '../../load-package.ts'
import type { RedisClient, StoreOptions } from '../../store.ts'
import { answerInfo, loadingReason } from '../checks/answer-info.ts'
import { checkServer } from '../checks/check-server.ts'
import { createClusterClient } from './cluster-client.ts'
import { declareAbsentKey } from './declare-absent-key.ts'
import { connectClient, createClient, SELECT_REFUSED, type ClientOptions } from './create-client.ts'
import { followSentinels, withKnowingSentinels } from './follow-sentinels.ts'
import { checkRights } from '../checks/check-rights.ts'
import { probedReason } from '../checks/probe-server.ts'
import type { RedisSource } from '../source/redis-source.ts'
import { withoutCommand } from './without-command.ts'

export interface Clients {
  readonly client: RedisClient
  readonly patientClient: RedisClient
  /** Lets sent commands finish if the server still answers. Never rejects. */
  close(): Promise<void>
}

/** For commands that serve a request. */
export const HASTY: ClientOptions = {
  retryStrategy, enableOfflineQueue: false, commandTimeout: SERVER_PATIENCE_MS, maxRetriesPerRequest: 1, socketTimeout: 3_000
}
const PATIENT: ClientOptions = { retryStrategy, enableOfflineQueue: true, maxRetriesPerRequest: null, socketTimeout: 8_000 }
/** Duplicates are for blocking commands; BullMQ's block for at most 10 s. */
const BLOCKED_SOCKET_TIMEOUT_MS = 15_000

/** Throws STORE_UNREACHABLE or STORE_UNSUITABLE, and leaves nothing open. */
export async function openClients(source: RedisSource, options: StoreOptions, keyPrefix: string): Promise<Clients> {
  const { Cluster: ClusterClass, Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
  const open = new Set<RedisClient>()
  let isOpen = false
  let lastError: Error | undefined
  const listened = <Client extends RedisClient>(client: Client): Client => {
    answerInfo(client)
    if (client.isCluster) declareAbsentKey(client as Cluster, keyPrefix)
    open.add(client)
    client.on('error', (error: Error) => {
      withoutCommand(error)
      // A reply from the server says more than the end of its connection.
      if (lastError?.name !== 'ReplyError') lastError = error
      if (isOpen) options.onError(error)
    })
    return client
  }
  const startedAt = performance.now()
  const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
    withDeadline(work, Math.max(REDIS_START_MS - (performance.now() - startedAt), 1), 'no answer')

  try {
    const followed = await withKnowingSentinels(Redis, source, options.role)
    const { from } = followed
    const first = listened(createClient(Redis, from, HASTY))
    await inTime(connectClient(first))
    const kind = await checkServer(first, source, options)
    // The patient client waits forever, so it connects only after the other one has accepted the server.
    const create = kind === 'single' || first.isCluster
      ? (wanted: ClientOptions) => wanted === HASTY ? first : listened(createClient(Redis, from, wanted))
      : (wanted: ClientOptions) => listened(createClusterClient(ClusterClass, first as Redis, wanted))
    const [client, patientClient] = [create(HASTY), create(PATIENT)]
    if (client !== first) {
      first.disconnect()
      open.delete(first)
    }
    await inTime(connectToOurs(client))
    await inTime(checkRights(client, keyPrefix, options, source.label))
    await inTime(connectToOurs(patientClient))
    const duplicates = keepDuplicates(patientClient, keyPrefix)
    const watch = followSentinels(Redis, followed, () => [client, patientClient, ...duplicates])
    isOpen = true
    return {
      client,
      patientClient,
      async close() {
        watch?.stop()
        for (const each of [client, patientClient]) {
          // QUIT lets sent commands finish; a server that is gone gets one second.
          await withDeadline(each.status === 'ready' ? each.quit() : Promise.resolve('OK'), 1_000, 'no answer').catch(() => {})
          each.disconnect()
        }
        for (const duplicate of duplicates) duplicate.disconnect()
      }
    }
  } catch (error) {
    if (isTaskDashboardError(error)) throw error
    if (lastError !== undefined && 'code' in lastError && lastError.code === SELECT_REFUSED) throw await databaseRefused(Redis, lastError)
    const cause = lastError ?? withoutCommand(error as Error)
    const reason = loadingReason(open) ?? await probedReason(source, cause, startedAt) ?? failureReason(cause)
    throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, source.label, reason], { cause })
  } finally {
    if (!isOpen) for (const client of open) client.disconnect()
  }

  /** A sentinel and a cluster have no databases, but their error does not say so. */
  async function databaseRefused(RedisClass: typeof Redis, cause: Error): Promise<Error> {
    try {
      const withoutDatabase = listened(createClient(RedisClass, { ...source, options: { ...source.options, db: 0 } }, HASTY))
      await inTime(connectClient(withoutDatabase))
      await checkServer(withoutDatabase, source, { ...options, onError() {} })
    } catch (error) {
      if (isTaskDashboardError(error)) return error
    }
    const { db } = source.options
    const reason = /out of range/.test(cause.message)
      ? `it has no database ${db ?? 'of the number that the function chose'}: use a lower number, or database 0 and the option ` +
        '`namespace` to keep queue apps apart'
      : `it refuses to select database ${db}: grant its user +select, or leave the number out and use the option ` +
        '`namespace` to keep queue apps apart'
    return createTaskDashboardError('STORE_UNSUITABLE', [options.role, source.label, reason], { cause })
  }

  /** A cluster client connects to a node only for the first key there, and no timeout applies to that. */
  async function connectToOurs(client: RedisClient): Promise<void> {
    await connectClient(client)
    if (client.isCluster) await client.exists(keyPrefix)
  }
}

/**
 * Before it closes a duplicate, BullMQ waits until it has been ready. With the server gone, it would reconnect forever and keep the process
 * alive.
 */
function keepDuplicates(client: RedisClient, keyPrefix: string): ReadonlySet<RedisClient> {
  const duplicates = new Set<RedisClient>()
  const make = (client.duplicate as (...parameters: unknown[]) => RedisClient).bind(client)
  client.duplicate = (...parameters: unknown[]) => {
    const duplicate = make(...parameters)
    answerInfo(duplicate)
    if (duplicate.isCluster) declareAbsentKey(duplicate as Cluster, keyPrefix)
    duplicates.add(duplicate)
    Object.assign(
      'redisOptions' in duplicate.options ? duplicate.options.redisOptions! : duplicate.options,
      { socketTimeout: BLOCKED_SOCKET_TIMEOUT_MS }
    )
    duplicate.once('end', () => duplicates.delete(duplicate))
    return duplicate as never
  }
  return duplicates
}

/** The first retry is immediate: a proxy may have cut an idle connection while the server is still there. */
function retryStrategy(times: number): number {
  return times === 1 ? 10 : Math.min(50 * 2 ** Math.min(times, 5), 1_000)
}
