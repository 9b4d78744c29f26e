import type { Redis } from 'ioredis'
import { createTaskDashboardError } from '../errors.ts'
import { withDeadline } from '../deadline.ts'
import { createRedisDocuments } from './documents/redis-documents.ts'
import { failureReason } from './failure-reason.ts'
import { loadPackage } from './load-package.ts'
import type { RedisStore, StoreOptions } from './store.ts'
import type { ServerUrl } from './store-url.ts'

/** Redis, Valkey and what speaks their protocol; 6.2 or newer. */
export function createRedisStore(storeUrl: ServerUrl<'redis'>, options: StoreOptions): RedisStore {
  const { label } = storeUrl
  const keyPrefix = `{${options.namespace}}`
  let clients: Clients | undefined
  let starting: Promise<void> | undefined
  let isStopped = false

  const opened = (): Clients => {
    if (clients === undefined) throw createTaskDashboardError('NOT_STARTED')
    return clients
  }

  async function open(): Promise<void> {
    const { Redis } = await loadPackage(() => import('ioredis'), 'ioredis', storeUrl.scheme)
    let isOpen = false
    let lastError: Error | undefined
    const connect = (extra: ClientOptions): Redis => {
      const client = new Redis(toRedisUrl(storeUrl), { lazyConnect: true, connectTimeout: 2_000, retryStrategy, ...extra })
      client.on('error', error => {
        lastError = withoutCommand(error)
        if (isOpen) options.onError(error)
      })
      return client
    }
    // The patient client waits for ever, so it connects only after the other has found the server fit.
    const client = connect({ enableOfflineQueue: false, commandTimeout: REQUEST_TIMEOUT_MS, maxRetriesPerRequest: 1 })
    const patientClient = connect({ maxRetriesPerRequest: null })
    clients = { client, patientClient }
    try {
      await withDeadline(client.connect(), START_TIMEOUT_MS, 'no answer')
      checkServer(await client.info(), options, label)
      await withDeadline(patientClient.connect(), START_TIMEOUT_MS, 'no answer')
      isOpen = true
    } catch (error) {
      await close()
      if (error instanceof Error && 'code' in error && error.code === 'STORE_UNSUITABLE') throw error
      const cause = lastError ?? withoutCommand(error as Error)
      throw createTaskDashboardError('STORE_UNREACHABLE', [options.role, label, failureReason(cause)], { cause })
    }
  }

  async function close(): Promise<void> {
    if (clients === undefined) return
    for (const client of [clients.client, clients.patientClient]) {
      // QUIT lets what was sent finish; a server that is gone gets no second.
      await withDeadline(client.status === 'ready' ? client.quit() : Promise.resolve('OK'), 1_000, 'no answer').catch(() => {})
      client.disconnect()
    }
  }

  return {
    kind: 'redis',
    label,
    keyPrefix,
    get client() { return opened().client },
    get patientClient() { return opened().patientClient },
    documents: createRedisDocuments(() => opened().client, keyPrefix),
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
      await withDeadline(opened().client.ping(), timeoutMs, 'no answer')
      return performance.now() - start
    }
  }
}

interface Clients { client: Redis; patientClient: Redis }
interface ClientOptions { enableOfflineQueue?: boolean; commandTimeout?: number; maxRetriesPerRequest: number | null }

const REQUEST_TIMEOUT_MS = 1_500
const START_TIMEOUT_MS = 2_200

function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 5), 1_000)
}

function toRedisUrl(storeUrl: ServerUrl<'redis'>): string {
  return storeUrl.url.replace(/^valkeys:/, 'rediss:').replace(/^valkey:/, 'redis:')
}

/** ioredis puts the refused command into its errors: with AUTH and HELLO that is the password. */
function withoutCommand(error: Error & { command?: unknown }): Error {
  delete error.command
  return error
}

/** Refuses a server that is too old, warns of one that may forget keys. */
function checkServer(info: string, options: StoreOptions, label: string): void {
  const field = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const version = field('redis_version') ?? '0'
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < 6 || (major === 6 && minor < 2)) {
    throw createTaskDashboardError('STORE_UNSUITABLE', [options.role, label, `it is version ${version}; 6.2 or newer is needed`])
  }
  if (field('cluster_enabled') === '1') return
  const policy = field('maxmemory_policy')
  if (policy !== undefined && policy !== 'noeviction') {
    options.onError(new Error(`The ${options.role} at ${label} has the eviction policy ${policy} and may drop executions when its memory is full: set maxmemory-policy to noeviction`))
  }
}
