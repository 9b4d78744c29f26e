import { createTaskDashboardError } from '../../errors.ts'
import { withDeadline } from '../../deadline.ts'
import { createRedisAnswers } from '../answers/redis-answers.ts'
import { createClusterClient } from './cluster-client.ts'
import { createRedisDocuments } from '../documents/redis-documents.ts'
import { failureReason } from '../failure-reason.ts'
import { loadPackage } from '../load-package.ts'
import type { RedisClient, RedisStore, StoreOptions } from '../store.ts'
import type { RedisSource } from './redis-source.ts'
import { withoutCommand } from './without-command.ts'

/** Redis, Valkey and what speaks their protocol; 6.2 or newer. The URL of one node stands for its whole cluster. */
export function createRedisStore(source: RedisSource, options: StoreOptions): RedisStore {
  const { label } = source
  const keyPrefix = `{${options.namespace}}`
  let clients: Clients | undefined
  const duplicates = new Set<RedisClient>()
  let starting: Promise<void> | undefined
  let isStopped = false

  const opened = (): Clients => {
    if (clients === undefined) throw createTaskDashboardError('NOT_STARTED')
    return clients
  }

  async function open(): Promise<void> {
    const { Cluster, Redis } = await loadPackage(() => import('ioredis'), 'ioredis', source.scheme)
    let isOpen = false
    let lastError: Error | undefined
    const listened = <Client extends RedisClient>(client: Client): Client => {
      client.on('error', (error: Error) => {
        lastError = withoutCommand(error)
        if (isOpen) options.onError(error)
      })
      return client
    }
    const connect = (extra: ClientOptions) =>
      listened(new Redis(toRedisUrl(source), { lazyConnect: true, connectTimeout: 2_000, ...extra }))
    // The patient client waits for ever, so it connects only after the other has found the server fit.
    const node = connect(HASTY)
    clients = { client: node, patientClient: connect(PATIENT) }
    try {
      await withDeadline(node.connect(), START_TIMEOUT_MS, 'no answer')
      if (checkServer(await node.info(), source, options) === 'cluster') {
        const connectCluster = (extra: ClientOptions) => listened(createClusterClient(Cluster, node, extra))
        await close()
        clients = { client: connectCluster(HASTY), patientClient: connectCluster(PATIENT) }
        await withDeadline(connectToOurs(clients.client), START_TIMEOUT_MS, 'no answer')
      }
      await withDeadline(clients.patientClient.connect(), START_TIMEOUT_MS, 'no answer')
      keepDuplicates(clients.patientClient, duplicates)
      isOpen = true
    } catch (error) {
      await close()
      if (error instanceof Error && 'code' in error && error.code === 'STORE_UNSUITABLE') throw error
      const cause = lastError ?? withoutCommand(error as Error)
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(cause)], { cause })
    }
  }

  /** A cluster's client connects to a node when it is first asked for a key there, and for so long no timeout holds. */
  async function connectToOurs(client: RedisClient): Promise<void> {
    await client.connect()
    await client.exists(keyPrefix)
  }

  async function close(): Promise<void> {
    if (clients === undefined) return
    for (const client of [clients.client, clients.patientClient]) {
      // QUIT lets what was sent finish; a server that is gone gets no second.
      await withDeadline(client.status === 'ready' ? client.quit() : Promise.resolve('OK'), 1_000, 'no answer').catch(() => {})
      client.disconnect()
    }
    for (const duplicate of duplicates) duplicate.disconnect()
  }

  return {
    kind: 'redis',
    label,
    patienceMs: REQUEST_TIMEOUT_MS,
    keyPrefix,
    get client() { return opened().client },
    get patientClient() { return opened().patientClient },
    documents: createRedisDocuments(() => opened().client, keyPrefix),
    answers: createRedisAnswers(() => opened().client, keyPrefix),
    start() {
      if (isStopped) return Promise.reject(createTaskDashboardError('ALREADY_STOPPED'))
      return (starting ??= open())
    },
    async stop() {
      isStopped = true
      await starting?.catch(() => {})
      await close()
    },
    async ping(timeoutMs = REQUEST_TIMEOUT_MS) {
      const start = performance.now()
      // A key, because in a cluster it matters whether the node of ours is there.
      await withDeadline(opened().client.exists(keyPrefix), timeoutMs, 'no answer')
      return performance.now() - start
    },
    async now() {
      // A script with a key, because TIME alone asks any node of a cluster.
      const [seconds, microseconds] = await withDeadline(opened().client.eval(TIME, 1, keyPrefix) as Promise<[string, string]>, REQUEST_TIMEOUT_MS, 'no answer')
      return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000)
    }
  }
}

const TIME = "return redis.call('TIME')"

interface Clients { client: RedisClient; patientClient: RedisClient }

/** How long a client tries; the same of one server and of a cluster. */
export interface ClientOptions {
  readonly retryStrategy: (times: number) => number
  readonly enableOfflineQueue: boolean
  readonly commandTimeout?: number
  readonly maxRetriesPerRequest: number | null
  /** A connection on which a command got no answer for so long is taken for cut off, and made anew. */
  readonly socketTimeout: number
}

/** BullMQ waits for a duplicate that has not been ready before it hangs up; with the server gone it would connect again for ever, and hold the process. */
function keepDuplicates(client: RedisClient, duplicates: Set<RedisClient>): void {
  const make = (client.duplicate as (...parameters: unknown[]) => RedisClient).bind(client)
  client.duplicate = (...parameters: unknown[]) => {
    const duplicate = make(...parameters)
    duplicates.add(duplicate)
    Object.assign('redisOptions' in duplicate.options ? duplicate.options.redisOptions! : duplicate.options, { socketTimeout: BLOCKED_SOCKET_TIMEOUT_MS })
    duplicate.once('end', () => duplicates.delete(duplicate))
    return duplicate as never
  }
}

const REQUEST_TIMEOUT_MS = 1_500
const START_TIMEOUT_MS = 2_200
const HASTY: ClientOptions = { retryStrategy, enableOfflineQueue: false, commandTimeout: REQUEST_TIMEOUT_MS, maxRetriesPerRequest: 1, socketTimeout: 3_000 }
const PATIENT: ClientOptions = { retryStrategy, enableOfflineQueue: true, maxRetriesPerRequest: null, socketTimeout: 8_000 }
/** Duplicates are for commands that wait, of BullMQ 10 s at most. */
const BLOCKED_SOCKET_TIMEOUT_MS = 15_000

function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 5), 1_000)
}

function toRedisUrl(source: RedisSource): string {
  return source.url.replace(/^valkeys:/, 'rediss:').replace(/^valkey:/, 'redis:')
}

/** Refuses a server that is too old, warns of one that may forget keys. */
function checkServer(info: string, { url, label }: RedisSource, options: StoreOptions): 'cluster' | 'single' {
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const refuse = (reason: string): never => { throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, reason]) }
  const version = field('redis_version') ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 6 || (major === 6 && minor < 2)) refuse(`it is version ${version}; 6.2 or newer is needed`)
  const policy = field('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    options.onError(new Error(`The ${options.role} at ${label} has the eviction policy ${policy} and may drop executions when its memory is full: set maxmemory-policy to noeviction`))
  }
  if (field('cluster_enabled') !== '1') return 'single'
  if (Number(new URL(url).pathname.slice(1)) > 0) refuse('a cluster has database 0 alone: leave the number out of the URL, and use `namespace` to keep queue apps apart')
  return 'cluster'
}
