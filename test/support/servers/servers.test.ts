import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { createCertificates } from './certificates.ts'
import { startHaproxy } from './haproxy.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { startRedisSentinels } from './redis-sentinel.ts'
import { startPostgres, startRedis } from './stores.ts'
import { waitFor } from '../wait-for.ts'

t.test('Redis with TLS requires a client certificate, and its certificate is trusted only with its own authority', async t => {
  const certificates = await createCertificates(t)
  const server = await startRedis(t, { tls: { certificates, requireClient: true } })
  const connect = (tls: object): Redis => {
    const redis = new Redis(server.url, { tls, lazyConnect: true, retryStrategy: () => null })
    redis.on('error', () => {})
    t.teardown(() => redis.disconnect())
    return redis
  }
  t.equal(await connect({ ca: certificates.ca, ...certificates.client }).ping(), 'PONG')
  await t.rejects(connect({ ca: certificates.otherCa, ...certificates.client }).ping())
  await t.rejects(connect({ ca: certificates.ca }).ping())
})

t.test('three sentinels replace the primary', async t => {
  const group = await startRedisSentinels(t, { password: 'secret', sentinelPassword: 'guard' })
  t.equal(await group.primary(), group.servers[0])
  await group.failover()
  t.equal(await waitFor('the replica to be the primary', async () => await group.primary() === group.servers[1]), true)
})

t.test('PostgreSQL with TLS, a standby, PgBouncer and HAProxy answer', async t => {
  const certificates = await createCertificates(t)
  const server = await startPostgres(t, { certificates })
  const ask = async (config: string | pg.ClientConfig, text: string): Promise<unknown> => {
    const client = new pg.Client(config)
    await client.connect()
    try {
      return Object.values((await client.query<object>(text)).rows[0]!)[0]
    } finally {
      await client.end()
    }
  }
  t.equal(
    await ask({ connectionString: server.url, ssl: { ca: certificates.ca } }, 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'),
    true
  )
  await t.rejects(ask({ connectionString: server.url, ssl: { ca: certificates.otherCa } }, 'SELECT 1'))
  t.equal(
    await ask({ host: server.socketFolder, port: server.port, user: 'tasks', database: 'postgres' }, 'SELECT inet_client_addr()'), null
  )

  const standby = await startPostgres(t, { standbyOf: server.url })
  t.equal(await ask(standby.url, 'SELECT pg_is_in_recovery()'), true)

  const pgbouncer = await startPgbouncer(t, server.url)
  t.equal(await ask(pgbouncer.url, 'SELECT 1'), 1)

  const haproxy = await startHaproxy(t, server.url, { idleMs: 200 })
  const idle = new pg.Client(haproxy.url)
  const ended = new Promise(resolve => { idle.on('error', resolve).on('end', () => resolve(null)) })
  await idle.connect()
  t.same((await idle.query('SELECT 1 AS one')).rows, [{ one: 1 }])
  await ended
  t.pass('HAProxy cuts an idle connection')
})
