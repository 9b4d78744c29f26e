import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import pg from 'pg'
import { currentExecution, dashboardPlugin, QueueApp } from '../../../lib/index.ts'
import { findPostgresFolder } from '../../support/servers/binaries.ts'
import { createPostgresServer } from '../../support/servers/postgres-server.ts'
import { createRedisServer } from '../../support/servers/redis-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import { dumpRedis } from './redis-dump.ts'

/**
 * Writes a history and schedules with the current code, and saves them with what the API says about them. Run it on the last commit before
 * the storage format changes, and commit what it writes: `npx tsx test/end-to-end/older-version/write-data.ts`.
 */
const FOLDER = import.meta.dirname

const redis = await createRedisServer()
await writeHistory(redis.url, 'redis')
await keep('redis.json.gz', JSON.stringify(await dumpRedis(redis.url)))
await redis.remove()

const postgres = await createPostgresServer()
const database = new URL(postgres.url)
database.pathname = '/shop'
const client = new pg.Client(postgres.url)
await client.connect()
await client.query('CREATE DATABASE shop')
await client.end()
await writeHistory(database.href, 'postgres')
const { stdout } = await promisify(execFile)(
  join(findPostgresFolder()!, 'pg_dump'), ['--inserts', '--no-owner', '--no-privileges', database.href], { maxBuffer: 2 ** 26 }
)
// Newer releases of pg_dump add psql commands around the SQL.
await keep('postgres.sql.gz', stdout.split('\n').filter(line => !line.startsWith('\\')).join('\n'))
await postgres.remove()

async function writeHistory(url: string, kind: string): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: url, namespace: 'shop', redact: { paths: ['args.1.password'] } })
  const send = queueApp.task('email:send', async (to: string, _options: object) => {
    await currentExecution().log(`sent to ${to}`)
    return { to, accepted: true }
  }, { description: 'Sends one email' })
  const deliver = queueApp.task(
    'webhooks/deliver', async (target: string) => { throw new TypeError(`connection to ${target} refused`) },
    { retries: 1, retryDelay: 0.05 }
  )
  queueApp.task('日報', async () => 'ok')
  const scheduler = queueApp.createScheduler()
  await scheduler.scheduleCron('email:send', '0 6 1 1 *', 'New Year', { args: ['all@example.com', {}], timezone: 'Europe/Berlin' })
  await scheduler.scheduleInterval('日報', 1000, 'Every second')
  await queueApp.start()
  const server = fastify()
  await server.register(dashboardPlugin, { prefix: '/tasks', queueApp })
  const api = async (path: string, method: 'GET' | 'POST' | 'PUT' = 'GET', body?: object) => {
    const response = await server.inject({
      method, url: `/tasks/api/${path}`, ...body && { payload: body }, headers: { 'sec-fetch-site': 'same-origin' }
    })
    if (response.statusCode >= 400) throw new Error(`${method} ${path}: ${response.body}`)
    return response.json()
  }

  const made =
    await api('schedules/cron', 'POST', { task_name: 'webhooks/deliver', cron: '30 2 * * 1', description: 'Weekly', args: ['https://example.com/weekly'] })
  await api(`schedules/${encodeURIComponent(made.schedule_id)}/disable`, 'PUT')
  await queueApp.enqueueMany(
    send, Array.from({ length: 30 }, (_, index): [string, object] => [`user-${index}@example.com`, { password: 'secret', index }])
  )
  await queueApp.enqueueMany(deliver, Array.from({ length: 10 }, (_, index): [string] => [`https://example.com/${index}`]))
  await waitFor('the history', async () => {
    const stats = await api('stats')
    return stats.executions.failed === 10 && stats.executions.success >= 33
  })
  // These are due by the time the data is opened again.
  await queueApp.enqueueMany(
    send, Array.from({ length: 5 }, (_, index): [string, object] => [`later-${index}@example.com`, {}]), { delayMs: 600_000 }
  )
  await server.close()
  await queueApp.stop()

  // Read by an app that runs nothing, so that nothing changes.
  const reader = QueueApp.fromUrls({ broker: url, namespace: 'shop' })
  await reader.start()
  const readerServer = fastify()
  await readerServer.register(dashboardPlugin, { prefix: '/tasks', queueApp: reader })
  const read = async (path: string) => (await readerServer.inject(`/tasks/api/${path}`)).json()
  const failed = await read('executions?status=failed&limit=200')
  const succeeded = await read('tasks/email%3Asend/executions?status=success&limit=200')
  const facts = {
    failed, succeeded,
    details: await Promise.all([failed.items[0], succeeded.items[0]].map((
      { execution_id: id }: { execution_id: string }
    ) => read(`executions/${encodeURIComponent(id)}`))),
    failures: await read('failures'),
    schedules: await read('schedules'),
    tasks: await read('tasks')
  }
  await writeFile(join(FOLDER, `${kind}-facts.json`), `${JSON.stringify(facts, null, 1)}\n`)
  await readerServer.close()
  await reader.stop()
}

async function keep(name: string, text: string): Promise<void> {
  await writeFile(join(FOLDER, name), gzipSync(text, { level: 9 }))
}
