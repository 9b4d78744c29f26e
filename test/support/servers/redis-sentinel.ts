import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { findRedisServer } from './binaries.ts'
import type { Certificates } from './certificates.ts'
import type { TestServer } from './child-server.ts'
import { freePort } from './free-port.ts'
import { createRedisServer, type RedisServerOptions } from './redis-server.ts'
import type { TestScope } from './stores.ts'
import { startTemporaryServer } from './temporary-server.ts'
import { waitFor } from '../wait-for.ts'

const SENTINELS = 3
const QUORUM = 2

export interface SentinelOptions {
  /** Password of the Redis servers. */
  password?: string
  /** Password of the sentinels themselves. */
  sentinelPassword?: string
  /** For servers and sentinels alike. */
  certificates?: Certificates
  /** How long a server may not respond before a sentinel considers it down, in milliseconds. Default 1,000. */
  downAfterMs?: number
  /** More arguments of the Redis servers. */
  args?: RedisServerOptions['args']
}

export interface SentinelGroup {
  /** The name of the primary in the sentinels' configuration. */
  readonly name: string
  /** The first is the primary at the start. */
  readonly servers: ReadonlyArray<TestServer>
  readonly sentinels: ReadonlyArray<TestServer>
  /** The server that the sentinels consider the primary now. */
  primary(): Promise<TestServer>
  /** Makes the sentinels replace a healthy primary, as before maintenance. Resolves once they have begun. */
  failover(): Promise<void>
}

/** A primary and a replica watched by three sentinels; removed when the test ends. */
export async function startRedisSentinels(t: TestScope, options: SentinelOptions = {}): Promise<SentinelGroup> {
  const { password, sentinelPassword, certificates, downAfterMs = 1_000, args = [] } = options
  const shared: RedisServerOptions = {
    ...(password !== undefined && { password }),
    ...(certificates && { tls: { certificates } }),
    args: [...password === undefined ? [] : ['--masterauth', password], '--repl-diskless-sync-delay', '0', ...args]
  }
  const primary = await createRedisServer(shared)
  const replica = await createRedisServer({ ...shared, args: [...shared.args!, '--replicaof', '127.0.0.1', String(primary.port)] })
  for (const each of [primary, replica]) t.teardown(each.remove)
  const servers = [primary, replica]
  await connected(replica.port, password, async redis => {
    await waitFor('the replica to follow', async () =>
      (await redis.info('replication')).includes('master_link_status:up'))
  })

  const details = { primaryPort: primary.port, password, sentinelPassword, certificates, downAfterMs }
  const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(t, details)))
  await Promise.all(sentinels.map(sentinel => connected(sentinel.port, sentinelPassword, async redis => {
    await waitFor('the sentinel to know the others and the replica', async () => {
      const [, ...found] = await Promise.all([
        redis.ping(), redis.call('SENTINEL', 'SENTINELS', NAME), redis.call('SENTINEL', 'REPLICAS', NAME)
      ]) as [string, unknown[], unknown[]]
      return found[0].length === SENTINELS - 1 && found[1].length === 1
    })
  })))

  async function connected<Result>(port: number, secret: string | undefined, work: (redis: Redis) => Promise<Result>): Promise<Result> {
    const redis = connect(port, secret, certificates)
    try {
      return await work(redis)
    } finally {
      redis.disconnect()
    }
  }

  return {
    name: NAME,
    servers,
    sentinels,
    primary: async () => {
      const [, port] = await connected(sentinels[0]!.port, sentinelPassword, redis =>
        redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as [string, string]
      return servers.find(server => server.port === Number(port))!
    },
    failover: async () => { await connected(sentinels[0]!.port, sentinelPassword, redis => redis.call('SENTINEL', 'FAILOVER', NAME)) }
  }
}

const NAME = 'mymaster'

interface SentinelDetails {
  readonly primaryPort: number
  readonly password: string | undefined
  readonly sentinelPassword: string | undefined
  readonly certificates: Certificates | undefined
  readonly downAfterMs: number
}

async function startSentinel(
  t: TestScope, { primaryPort, password, sentinelPassword, certificates, downAfterMs }: SentinelDetails
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tasks-sentinel-'))
  const port = await freePort()
  const { ca, serverCert, serverKey } = certificates?.files ?? {}
  const file = join(folder, 'sentinel.conf')
  await writeFile(file, [
    ...certificates
      ? [
        'port 0', `tls-port ${port}`, `tls-cert-file ${serverCert}`, `tls-key-file ${serverKey}`, `tls-ca-cert-file ${ca}`,
        'tls-auth-clients optional', 'tls-replication yes'
      ]
      : [`port ${port}`],
    'bind 127.0.0.1',
    `dir ${folder}`,
    ...(sentinelPassword === undefined ? [] : [`requirepass ${sentinelPassword}`]),
    `sentinel monitor ${NAME} 127.0.0.1 ${primaryPort} ${QUORUM}`,
    ...(password === undefined ? [] : [`sentinel auth-pass ${NAME} ${password}`]),
    `sentinel down-after-milliseconds ${NAME} ${downAfterMs}`,
    `sentinel failover-timeout ${NAME} 6000`,
    `sentinel parallel-syncs ${NAME} 1`,
    ''
  ].join('\n'))
  const server = await startTemporaryServer(t, folder, {
    command: findRedisServer()!,
    args: [file, '--sentinel'],
    isReady: () => answersPing(port, sentinelPassword, certificates)
  })
  return { ...server, port, url: `${certificates ? 'rediss' : 'redis'}://127.0.0.1:${port}` }
}

function connect(port: number, password: string | undefined, certificates: Certificates | undefined): Redis {
  const redis = new Redis({
    host: '127.0.0.1',
    port,
    retryStrategy: () => 100,
    maxRetriesPerRequest: null,
    ...(password !== undefined && { password }),
    ...(certificates && { tls: { ca: certificates.ca, cert: certificates.client.cert, key: certificates.client.key } })
  })
  redis.on('error', () => {})
  return redis
}

async function answersPing(...parameters: Parameters<typeof connect>): Promise<boolean> {
  const redis = connect(...parameters)
  try {
    return await Promise.race([redis.ping().then(() => true, () => false), sleep(500, false, { ref: false })])
  } finally {
    redis.disconnect()
  }
}
