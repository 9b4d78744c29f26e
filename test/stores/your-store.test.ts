import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import t from 'tap'
import { QueueApp, type AnyTasks } from '../../lib/index.ts'
import { grants } from '../../lib/queue-app/migration/migration-script.ts'
import { createCertificates } from '../support/servers/certificates.ts'
import { paths, ports } from '../support/programs/example-machine.ts'
import { startPgbouncer } from '../support/servers/pgbouncer.ts'
import { startRedisCluster } from '../support/servers/redis-cluster.ts'
import { startRedisSentinels } from '../support/servers/redis-sentinel.ts'
import { createReaderProject, readSnippets } from '../support/programs/snippets.ts'
import { readText } from '../support/source-files.ts'
import { resultOf } from '../support/result-of.ts'
import { startPostgres, startRedis } from '../support/servers/stores.ts'

t.setTimeout(300_000)

const snippets = readSnippets(['docs/your-store.md'])
const project = await createReaderProject(snippets)
t.teardown(project.remove)

/** The queue apps that a page of the documentation creates, in order. */
const made: QueueApp[] = []
const { fromUrls } = QueueApp
QueueApp.fromUrls = ((...parameters: Parameters<typeof fromUrls>) => {
  const queueApp = fromUrls<AnyTasks>(...parameters)
  made.push(queueApp)
  return queueApp
}) as typeof fromUrls

t.test('every snippet of docs/your-store.md runs a task on the store it describes', async t => {
  await startServers(t)
  t.ok(snippets.length >= 8, 'the page has its snippets')
  for (const { where, compiled } of snippets) {
    await t.test(where, async t => {
      made.length = 0
      await import(pathToFileURL(join(project.folder, compiled)).href)
      t.equal(made.length, 1, 'it creates a queue app')
      const queueApp = made[0]!
      const double = queueApp.task('numbers:double', async (number: number) => number * 2)
      await queueApp.start()
      t.teardown(() => queueApp.stop())
      const result = await resultOf(queueApp, await queueApp.enqueue(double, [21]))
      t.match(result, { status: 'success', result: 42 })
    })
  }
})

t.test('the rights listed in docs/your-store.md are those that migrate grants', async t => {
  const [block] = /(?<=^```sql\n)[^`]*/m.exec(readText('docs/your-store.md'))!
  const listed = block.trim().split(';\n').map(statement => statement.replace(/;$/, ''))
  const granted = grants('tasks', 'app').map(statement =>
    statement.startsWith('DO ') ? 'GRANT TEMPORARY ON DATABASE app TO "app"' : statement)
  t.same(listed, granted)
})

/** Starts the servers that the page calls `redis.internal:6380` and so on. */
async function startServers(t: Parameters<typeof startRedis>[0]): Promise<void> {
  const certificates = await createCertificates(t, { hosts: 'DNS:redis.internal,DNS:db.internal,DNS:localhost,IP:127.0.0.1' })
  const { files } = certificates
  const [plain, encrypted, sentinels, cluster, postgres] = await Promise.all([
    startRedis(t),
    startRedis(t, { tls: { certificates, requireClient: true } }),
    startRedisSentinels(t, { password: 'secret', sentinelPassword: 'guard' }),
    startRedisCluster(t),
    startPostgres(t, { certificates })
  ])
  const client = new pg.Client(postgres.url)
  await client.connect()
  await client.query('CREATE DATABASE app')
  await client.end()
  const pgbouncer = await startPgbouncer(t, postgres.url)
  for (const [named, { port }] of [
    [6379, plain], [6380, encrypted], [7000, cluster[0]!], [5432, postgres], [6432, pgbouncer],
    [26379, sentinels.sentinels[0]!], [26380, sentinels.sentinels[1]!], [26381, sentinels.sentinels[2]!]
  ] as const) ports.set(named, port)
  paths.set('/run/redis/redis.sock', plain.socket)
  paths.set('/var/run/postgresql/.s.PGSQL.5432', join(postgres.socketFolder, `.s.PGSQL.${postgres.port}`))
  Object.assign(process.env, {
    REDIS_CA: files.ca, REDIS_CERT: files.clientCert, REDIS_KEY: files.clientKey, DB_CA: files.ca, SENTINEL_PASSWORD: 'guard'
  })
  Object.assign(globalThis, { tokenFor: async () => 'token' })
}
