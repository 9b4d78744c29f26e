import type { Redis, RedisOptions } from 'ioredis'
import { createTaskDashboardError } from '../../../errors.ts'
import { SENTINELS_ASKED_MS } from '../../../time/budgets.ts'
import { failureReason } from '../../failures/failure-reason.ts'
import type { StoreOptions } from '../../store.ts'
import type { RedisSource } from './redis-source.ts'
import { withoutCommand } from '../clients/without-command.ts'

const SWITCHED = '+switch-master'
/** How often a sentinel is asked if the user may not subscribe. */
const ASKED_EVERY_MS = 1_000

export interface SentinelWatch {
  /** Never rejects. */
  stop(): void
}

type Sentinel = NonNullable<RedisOptions['sentinels']>[number]

export interface KnowingSentinels {
  /** Sentinels that know the primary come first, because the client asks the first one first and it must not hang. */
  readonly sentinels: Sentinel[]
  /** The primary's address according to each of them. */
  readonly primaries: ReadonlyMap<Sentinel, string>
}

/**
 * Asks all sentinels at once for the primary. Throws STORE_UNSUITABLE if they do not know it or are not sentinels, STORE_UNREACHABLE if
 * none answers.
 */
export async function askSentinels(
  RedisClass: typeof Redis, { label, options }: RedisSource, role: StoreOptions['role']
): Promise<KnowingSentinels> {
  const name = options.name!
  const primaries = new Map<Sentinel, string>()
  const answers = await Promise.all(options.sentinels!.map(sentinel => ask(RedisClass, options, sentinel, async redis => {
    const address = await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name) as [string, string] | null
    if (address === null) return await watchedNames(redis)
    primaries.set(sentinel, addressIn(...address))
    return null
  })))
  const isKnowing = (sentinel: Sentinel): boolean => primaries.has(sentinel)
  if (primaries.size > 0) {
    const sentinels = [...options.sentinels!.filter(isKnowing), ...options.sentinels!.filter(sentinel => !isKnowing(sentinel))]
    return { sentinels, primaries }
  }
  const refuse = (reason: string): never => { throw createTaskDashboardError('STORE_UNSUITABLE', [role, label, reason]) }
  const names = answers.find(answer => Array.isArray(answer))
  if (names)
    refuse(
      'its sentinels know no primary named ' +
        `"${name}"${names.length > 0 ? `, but ${names.slice(0, 10).map(each => `"${each}"`).join(', ')}` : ''}`
    )
  const errors = answers.filter(answer => answer instanceof Error)
  if (errors.some(({ message }) => /unknown command/i.test(message)))
    refuse('the URL names a Redis server instead of a sentinel: write redis://host:port, or use the port of the sentinels, usually 26379')
  const error = errors.find(({ name }) => name === 'ReplyError') ?? errors[0]!
  throw createTaskDashboardError(
    'STORE_UNREACHABLE', [role, label, `no sentinel answers: ${failureReason(error)}`], { cause: withoutCommand(error) }
  )
}

/** Names of the primaries that a sentinel monitors. */
export async function watchedNames(redis: Redis): Promise<string[]> {
  const primaries = await redis.call('SENTINEL', 'MASTERS') as string[][]
  return primaries.map(fields => fields[fields.indexOf('name') + 1] ?? '')
}

/**
 * Learns about a new primary from the sentinels. An old primary that hangs, or that only the sentinels have lost contact with, keeps its
 * connections open, and writes to it are lost.
 * @param primaries the address that each sentinel gave before anybody connected to it
 * @param moved called with the new primary's address, once per sentinel that reports it
 */
export function watchSentinels(
  RedisClass: typeof Redis, options: RedisOptions, primaries: KnowingSentinels['primaries'], moved: (host: string, port: number) => void
): SentinelWatch {
  const clients = options.sentinels!.map(sentinel => {
    const client = new RedisClass({
      ...optionsOf(options, sentinel), retryStrategy: times => Math.min(times * 500, 5_000), maxRetriesPerRequest: null,
      // Subscribed below instead: with RESP2, no other command can be sent after it.
      autoResubscribe: false
    })
    let known = primaries.get(sentinel) ?? null
    let heard = 0
    let isAsking = false
    let timer: NodeJS.Timeout | undefined
    const tell = (host: string, port: string): void => {
      const address = addressIn(host, port)
      if (known !== address && (known !== null || heard > 0)) moved(host, Number(port))
      known = address
    }
    const askForPrimary = (): void => {
      // Do not send a sentinel that hangs more and more requests.
      if (isAsking) return
      isAsking = true
      const heardBefore = heard
      const asked = client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', options.name!) as Promise<[string, string] | null>
      asked.then(address => { if (address !== null && heard === heardBefore) tell(...address) })
        .catch(() => {})
        .finally(() => { isAsking = false })
    }
    client.on('error', () => {})
    client.on('message', (_channel: string, message: string) => {
      const [name, , , host, port] = message.split(' ')
      if (name !== options.name || host === undefined || port === undefined) return
      heard++
      tell(host, port)
    })
    // Asks about changes before the subscription. Both commands are sent together, so no change is missed in between.
    client.on('ready', () => {
      askForPrimary()
      // Redis' documentation recommends rights for clients of sentinels that do not include SUBSCRIBE.
      client.subscribe(SWITCHED).catch(() => {
        if (client.status === 'ready') timer = setInterval(askForPrimary, ASKED_EVERY_MS).unref()
      })
    })
    client.on('close', () => {
      clearInterval(timer)
      isAsking = false
    })
    void client.connect().catch(() => {})
    return client
  })
  return {
    stop() { for (const client of clients) client.disconnect() }
  }
}

async function ask<Result>(
  RedisClass: typeof Redis, options: RedisOptions, sentinel: Sentinel, work: (redis: Redis) => Promise<Result>
): Promise<Result | Error> {
  const once = { retryStrategy: null, connectTimeout: SENTINELS_ASKED_MS, commandTimeout: SENTINELS_ASKED_MS, maxRetriesPerRequest: 0 }
  const redis = new RedisClass({ ...optionsOf(options, sentinel), ...once })
  let said: Error | undefined
  redis.on('error', (error: Error) => { if (said?.name !== 'ReplyError') said = error })
  try {
    await redis.connect()
    return await work(redis)
  } catch (error) {
    return said ?? error as Error
  } finally {
    redis.disconnect()
  }
}

function addressIn(host: string, port: string): string {
  return `${host} ${port}`
}

function optionsOf(
  { sentinelUsername, sentinelPassword, sentinelTLS, family }: RedisOptions, { host, port }: Sentinel
): Omit<RedisOptions, 'replyMapping'> {
  return {
    host: host ?? 'localhost', port: port ?? 26_379, lazyConnect: true, enableReadyCheck: false,
    ...(sentinelUsername && { username: sentinelUsername }), ...(sentinelPassword && { password: sentinelPassword }),
    ...(sentinelTLS && { tls: sentinelTLS }), ...(family !== undefined && { family })
  }
}
