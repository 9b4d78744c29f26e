import {
  createPostgresBackend, Queue, type BackendFactory, type PostgresConnectionOptions, type PostgresQueueBackend
} from 'bullmq'
import pg from 'pg'
import t, { type Test } from 'tap'
import { QueueApp } from '../../../../lib/index.ts'
import { postgresOfQueue } from '../../../../lib/queue-app/observing/sources/postgres-of-queue.ts'
import { observe } from '../../../support/observe.ts'
import { openQueue, untilStored } from '../../../support/programs/owners-of-queues.ts'
import { postgresUrl, redisUrl } from '../../../support/servers/stores.ts'
import { waitFor } from '../../../support/wait-for.ts'

/** As the documentation of BullMQ types such a queue. */
type PostgresQueue = Queue<unknown, unknown, string, unknown, unknown, string, PostgresQueueBackend, PostgresConnectionOptions>

function open(t: Test, name: string, connection: PostgresConnectionOptions): PostgresQueue {
  const backend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = createPostgresBackend
  const queue: PostgresQueue = new Queue(name, { connection }, backend)
  queue.on('error', () => {})
  t.teardown(() => queue.close())
  return queue
}

async function namesOf({ monitoring }: QueueApp): Promise<string[]> {
  return await waitFor('the queues', async () => {
    const names = (await monitoring.queues()).map(({ name }) => name)
    return names.length > 0 && names
  })
}

t.test('queues on PostgreSQL can be passed as they are, beside queues on Redis, and their connections stay as they were', async t => {
  const url = await postgresUrl(t)
  const { hostname, port, username, password, pathname } = new URL(url)
  const parts = { host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) }
  await untilStored(openQueue(t, 6, 'first', url))
  // The owner of a pool chooses the schema with the search path.
  const pool = new pg.Pool({ ...parts, options: '-c search_path=bullmq', max: 3, application_name: 'owner' })
  t.teardown(() => pool.end())
  const ofPool = open(t, 'of-pool', pool as unknown as PostgresConnectionOptions)
  const queues = [
    open(t, 'of-parts', { ...parts, schema: 'other', migrate: true }), ofPool, open(t, 'of-url', { connectionString: url }),
    openQueue(t, 6, 'on-redis', await redisUrl(t))
  ]
  for (const queue of queues) await untilStored(queue as never)
  const { totalCount } = pool
  const queueApp = await observe(t, queues, { manage: true, onError: error => t.fail(error.message) })
  t.same((await namesOf(queueApp)).sort(), ['of-parts', 'of-pool', 'of-url', 'on-redis'])
  await ofPool.upsertJobScheduler('daily', { pattern: '0 3 * * *', tz: 'UTC' }, { name: 'report' })
  t.match(await waitFor('its scheduler', () => queueApp.monitoring.schedule('of-pool:daily')), { enabled: true })
  t.match(await queueApp.operations.setScheduleEnabled('of-pool:daily', false), { enabled: false })
  await queueApp.operations.pauseQueue('of-parts')
  t.equal(await queues[0]!.isPaused(), true)
  t.equal(pool.totalCount, totalCount, 'the pool of the owner is not used')
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`)
  t.ok(rows.some(({ name }) => name === 'fastify-task-dashboard'))
  await queueApp.stop()
  t.equal(await ofPool.getDelayedCount(), 1, 'the pool is still open')
})

t.test('a connection that cannot be copied is refused with what to pass instead', async t => {
  const queue = (connection: unknown) => ({ name: 'emails', qualifiedName: 'emails', opts: { connection } })
  for (const [connection, reason] of [
    [new pg.Pool({ Client: class extends pg.Client {} }), /its own `Client`/],
    [{ stream: () => {}, schema: 'own' }, /its own `stream`/],
    [{ connect() {}, query() {}, end() {} }, /its pool is not one of pg/], ['mysql://one', /not a postgres: URL/], [undefined, /no options/],
    ['postgres://user:secret@one/db?target_session_attrs=any', /target_session_attrs/]
  ] as const) {
    t.throws(() => QueueApp.fromQueues(queue(connection)), { code: 'INVALID_OPTIONS', message: reason })
    const { message } = catchError(() => QueueApp.fromQueues([queue(connection)]))
    t.match(message, /^Invalid options: source\[0\] \(the queue "emails"\) .*: use \{ broker: 'postgres:\/\/…', prefix: "(bullmq|own)", queues/)
    t.notMatch(message, /secret/)
  }
  t.throws(() => QueueApp.fromQueues({ name: 'emails', qualifiedName: 'other/emails', opts: {} }), { message: /a server that is not known/ })
})

t.test('the copied connection reaches the same server, as the same user, with the same encryption', t => {
  const keyed = { rejectUnauthorized: false, ca: undefined, passphrase: 'hidden' }
  const password = () => 'token'
  for (const [connection, expected, schema] of [
    ['postgres://ada:s%40@db:5433/jobs', { host: 'db', port: 5433, user: 'ada', password: 's@', database: 'jobs', ssl: false }, 'bullmq'],
    [{ host: 'DB', port: '5433', user: 'a/b', password: '@:?', database: 'x y', schema: 'own' },
      { host: 'db', port: 5433, user: 'a/b', password: '@:?', database: 'x y', ssl: false }, 'own'],
    [{ host: '/run/postgres', user: 'ada' }, { host: '/run/postgres', user: 'ada', ssl: false }, 'bullmq'],
    [{}, { ssl: false }, 'bullmq'],
    [{ host: 'db', ssl: keyed }, { host: 'db', ssl: { rejectUnauthorized: false, passphrase: 'hidden' } }, 'bullmq'],
    [{ host: 'db', ssl: true, options: 'endpoint=one', max: 50 }, { host: 'db', ssl: {}, options: 'endpoint=one' }, 'bullmq'],
    // pg reads these modes in its own way, and takes the URL before the options.
    ['postgres://db/jobs?sslmode=require', { host: 'db', database: 'jobs', ssl: {} }, 'bullmq'],
    ['postgres://db/jobs?sslmode=require&uselibpqcompat=true', { host: 'db', database: 'jobs', ssl: { rejectUnauthorized: false } }, 'bullmq'],
    [{ connectionString: 'postgres://db?sslmode=no-verify', ssl: false }, { host: 'db', ssl: { rejectUnauthorized: false } }, 'bullmq'],
    [{ connectionString: 'postgres://ada:x@db', password: 'other', host: 'none' }, { host: 'db', user: 'ada', password: 'x', ssl: false },
      'bullmq'],
    [new pg.Pool({ host: 'db', password: 'x', options: '-c role=ada -c search_path="Own", public' }),
      { host: 'db', password: 'x', options: '-c role=ada -c search_path="Own", public', ssl: false }, 'Own'],
    [new pg.Pool({ connectionString: 'postgres://db' }), { host: 'db', ssl: false }, 'bullmq']
  ] as const) {
    const found = postgresOfQueue(connection)
    t.strictSame('source' in found && [{ ...found.source.config }, found.schema], [expected, schema])
  }
  const hidden = Object.defineProperty({ rejectUnauthorized: true }, 'key', { value: 'none', enumerable: false })
  t.match(postgresOfQueue({ host: 'db', ssl: hidden }), { problem: /tls\.key/ }, 'the key that pg hides is copied too')
  const found = postgresOfQueue({ host: 'db', password })
  t.type('source' in found && found.source.config.password, 'function')
  const [one, other] = ['endpoint=one', 'endpoint=two'].map(options => postgresOfQueue({ host: 'db', options }))
  t.not('source' in one! && one.source.identity, 'source' in other! && other.source.identity)
  t.end()
})

t.test('the schema of a pool is the first of its search path, read as PostgreSQL reads it', t => {
  for (const [options, schema] of [
    ['-c search_path=jobs', 'jobs'], ['-csearch_path=jobs,public', 'jobs'], ['--search_path=jobs', 'jobs'], ['--search-path=jobs', 'jobs'],
    ['-c Search_Path=Jobs', 'jobs'], ['-c search_path="Jobs"', 'Jobs'], ['-c search_path="the\\ \"\"jobs\"\""', 'the "jobs"'],
    ['-c search_path=one -c search_path=two', 'two'], ['-c search_path=jobs\\ ,\\ public', 'jobs'], ['-c role=search_path', 'bullmq'],
    ['-c application_name=my\\ search_path=jobs', 'bullmq']
  ] as const) t.equal(postgresOfQueue(new pg.Pool({ host: 'db', options })).schema, schema, options)
  t.end()
})

function catchError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('did not throw')
}
