import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createResultBackend } from '../../../lib/backend/create-result-backend.ts'
import { QueueApp } from '../../../lib/index.ts'
import { grants, migrationScript } from '../../../lib/queue-app/migration/migration-script.ts'
import { createStore } from '../../../lib/stores/create-store.ts'
import { makeExecution } from '../../backend/make-execution.ts'
import { EXTENSION, LOADER } from '../../support/loader.ts'
import { startPgbouncer } from '../../support/servers/pgbouncer.ts'
import { ROOT } from '../../support/source-files.ts'
import { startPostgres } from '../../support/servers/stores.ts'
import { isSoak } from '../../support/soak.ts'
import { waitFor } from '../../support/wait-for.ts'

const run = promisify(execFile)
const server = await startPostgres(t)
const owner = new pg.Pool({ connectionString: server.url, max: 2 })
// The server may end before the last idle connection does.
owner.on('error', () => {})
t.teardown(() => owner.end())

/** A database, and a role that may only connect. */
async function database(
  t: Test, { suffix = '', settings = '' } = {}
): Promise<{ name: string; role: string; sql(text: string): Promise<pg.QueryResult>; url(role?: string): string }> {
  const name = `d${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const role = `${name}_app`
  await owner.query(`CREATE DATABASE ${name} ${suffix}`)
  await owner.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`)
  await owner.query(`CREATE ROLE ${role} LOGIN`)
  await owner.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`)
  if (settings !== '') await owner.query(`ALTER DATABASE ${name} SET ${settings}`)
  const url = (user = role): string => server.url.replace('tasks@', `${user}@`).replace(/\/postgres$/, `/${name}`)
  const pool = new pg.Pool({ connectionString: url('tasks'), max: 1 })
  pool.on('error', () => {})
  t.teardown(() => pool.end())
  return { name, role, sql: text => pool.query(text), url }
}

async function startAndStop(url: string): Promise<void> {
  const queueApp = QueueApp.fromUrls({ broker: url, onError() {} })
  try {
    await queueApp.start()
  } finally {
    await queueApp.stop()
  }
}

/** Uses everything a queue app does and a dashboard reads. Also fails on any background error. */
async function workThrough(t: Test, url: string): Promise<void> {
  const errors: Error[] = []
  const queueApp = QueueApp.fromUrls({ broker: url, onError: error => errors.push(error) })
  const ran: string[] = []
  const succeed = queueApp.task('mail:send', async (to: string) => { ran.push(to) })
  const fail = queueApp.task('mail:lose', async (to: string) => { throw new Error(`no route to ${to}`) }, { retries: 1, retryDelayMs: 10 })
  await queueApp.createScheduler().scheduleInterval(succeed, 1_000, 'often', { args: ['scheduled'] })
  await queueApp.start()
  try {
    await queueApp.enqueue(succeed, ['one'])
    await queueApp.enqueue(succeed, ['two'], { delayMs: 50 })
    await queueApp.enqueueMany(succeed, Array.from({ length: 20 }, (_, index) => [`many ${index}`]))
    const failed = await queueApp.enqueue(fail, ['nowhere'])
    const { monitoring, operations } = queueApp
    await waitFor('all to be recorded', async () => {
      const { executions } = await monitoring.statistics()
      return executions.success >= 23 && executions.failed === 1 && ran.includes('scheduled') && ran.includes('two')
    })
    t.equal((await monitoring.executions({ status: 'failed' })).executions[0]!.executionId, failed)
    t.match(await monitoring.execution(failed), { error: { message: 'no route to nowhere' }, attempts: { length: 2 } })
    t.equal((await monitoring.failureGroups({})).groups.length, 1)
    t.ok((await monitoring.executions({ search: 'nowhere' })).executions.length > 0)
    t.equal((await monitoring.tasks()).length, 2)
    const [schedule] = await monitoring.schedules()
    await operations.setScheduleEnabled(schedule!.scheduleId, false)
    await operations.deleteSchedule(schedule!.scheduleId)
    t.match(await monitoring.health(), { components: { broker: { healthy: true }, backend: { healthy: true } } })
  } finally {
    await queueApp.stop()
  }
  t.same(errors.map(error => error.message), [])

  const store = createStore(url, { namespace: 'tasks', role: 'broker', onError() {} })
  await store.start()
  try {
    const backend = createResultBackend(store)
    await backend.start()
    const finishedAt = Date.now() - 3_600_000
    await backend.record([makeExecution({ finishedAt }), makeExecution({ finishedAt, status: 'failed' })])
    const limits = { maxAgeMs: 60_000, maxCount: 1_000 }
    const bounds = { nowMs: Date.now(), keepAfterMs: Date.now() - 60_000, brokerHasAfterMs: finishedAt - 1, limit: 100 }
    const { removed } = await backend.prune({ success: limits, failed: limits }, bounds)
    t.equal(removed, 2, 'retention works')
    await backend.stop()
  } finally {
    await store.stop()
  }
}

t.test('a role with the documented rights can do everything on tables that a DBA created', async t => {
  const { role, sql, url } = await database(t)
  const { stdout } = await run(
    process.execPath, [...LOADER, join(ROOT, `lib/cli/main${EXTENSION}`), 'migrate', '--print', '--role', role], { maxBuffer: 10_000_000 }
  )
  await sql(stdout)
  await sql(stdout)
  await workThrough(t, url())
  const { rows } = await sql(`SELECT count(*)::int AS count FROM pg_class WHERE pg_get_userbyid(relowner) = '${role}'`)
  t.equal(rows[0].count, 0, 'it created nothing')
})

t.test('the documentation prints these rights', async t => {
  const page = await readFile(join(ROOT, 'docs/your-store.md'), 'utf8')
  for (const grant of grants('tasks', 'app').slice(0, 4)) t.ok(page.includes(`${grant};`), grant)
  t.match(page, 'GRANT TEMPORARY ON DATABASE app TO "app";')
})

t.test('start() names each missing right with the GRANT that restores it', async t => {
  const { name, role, sql, url } = await database(t)
  await sql(await migrationScript('tasks', role))
  await startAndStop(url())
  const ownGrants = (await sql(`SELECT nspname || '.' || quote_ident(relname) AS name, nspname FROM pg_class
    JOIN pg_namespace n ON n.oid = relnamespace
    WHERE nspname IN ('tasks', 'tasks_queue') AND relkind = 'r' AND relname NOT LIKE 'relay%' AND relname NOT LIKE 'migration%'
      ORDER BY relname`)).rows as Array<{ name: string }>
  const taken: Array<[right: string, named: RegExp]> = [
    ['USAGE ON SCHEMA tasks', /GRANT USAGE ON SCHEMA "tasks" TO/],
    ['USAGE ON SCHEMA tasks_queue', /GRANT USAGE ON SCHEMA "tasks_queue" TO/],
    [`TEMPORARY ON DATABASE ${name}`, /GRANT TEMPORARY ON DATABASE/],
    ['SELECT ON tasks.migrations', /GRANT SELECT ON TABLE "tasks"\.migrations TO/],
    ['SELECT ON tasks_queue.migration', /GRANT SELECT ON TABLE "tasks_queue"\.migration TO/],
    ['USAGE ON SEQUENCE tasks_queue.job_seq', /GRANT USAGE ON SEQUENCE "tasks_queue"\.job_seq TO/],
    ['USAGE ON ALL SEQUENCES IN SCHEMA tasks_queue', /GRANT USAGE ON /],
    ['DELETE ON ALL TABLES IN SCHEMA tasks', /GRANT DELETE ON ALL TABLES IN SCHEMA "tasks" TO/],
    // Every third table gets each of the four rights in turn, as all tables do.
    ...ownGrants.filter((_grant, index) => isSoak || index % 3 === 0).map(({ name: table }, index): [string, RegExp] => {
      const right = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'][index % 4]!
      return [`${right} ON ${table}`, new RegExp(`GRANT ${right} ON TABLE "\\w+"\\.${table.split('.')[1]!} TO`)]
    })
  ]
  for (const [right, named] of taken) {
    await sql(`REVOKE ${right} FROM ${role}`)
    const failure = await startAndStop(url()).catch((error: Error) => error)
    t.match(failure, { code: 'STORE_UNSUITABLE', message: named }, right)
    for (const grant of grants('tasks', role)) await sql(grant)
  }
  // By default everybody may execute a function.
  await sql(`REVOKE EXECUTE ON FUNCTION tasks_queue.extend_lock FROM PUBLIC, ${role}`)
  const failure = await startAndStop(url()).catch((error: Error) => error)
  const message = failure instanceof Error ? failure.message : ''
  t.match(message, /GRANT EXECUTE ON FUNCTION "tasks_queue"\.extend_lock\(/)
  const grant = /GRANT EXECUTE[^;]*/.exec(message)![0]
  await sql(grant)
  await t.resolves(startAndStop(url()), 'the GRANT from the message works')
})

t.test('without tables and the right to create them, start() names the command for the DBA', async t => {
  const { name, role, sql, url } = await database(t)
  const failure = await startAndStop(url()).catch((error: Error) => error)
  t.match(failure, { code: 'STORE_UNSUITABLE' })
  t.match((failure as Error).message, `npx fastify-task-dashboard migrate --print --role ${role}`)
  const { rows } = await sql(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'tasks%'`)
  t.same(rows, [], 'nothing was left half done')

  await sql('CREATE SCHEMA tasks')
  await t.rejects(
    startAndStop(url()), { code: 'STORE_UNSUITABLE', message: /may not create the missing schemas and tables/ }, 'one schema is not enough'
  )
  await sql('CREATE SCHEMA tasks_queue')
  await sql(`GRANT USAGE, CREATE ON SCHEMA tasks, tasks_queue TO ${role}`)
  await sql(`GRANT TEMPORARY ON DATABASE ${name} TO ${role}`)
  await workThrough(t, url())
})

t.test('tables of an older version that the role does not own must be migrated by the DBA', async t => {
  const { role, sql, url } = await database(t)
  const script = await migrationScript('tasks', role)
  await sql(script)
  await sql(`DELETE FROM tasks.migrations WHERE component = 'result-backend' AND step >= 6`)
  await sql('ALTER TABLE tasks.execution_totals DROP COLUMN timed, DROP COLUMN last_began_at')
  await sql(
    'ALTER TABLE tasks.failure_groups DROP COLUMN resolved_through, DROP COLUMN decided_at, DROP COLUMN decided_by, DROP COLUMN note, ' +
      'DROP COLUMN resolved_count, DROP COLUMN counted_at, DROP COLUMN operation_id, DROP COLUMN operation_at'
  )
  for (const list of ['finish', 'task', 'schedule', 'worker', 'group']) await sql(`DROP INDEX tasks.executions_cancelled_by_${list}`)
  await t.rejects(startAndStop(url()), { code: 'STORE_UNSUITABLE', message: /may not create or change the tables .* migrate --print/ })
  await sql(script)
  await t.resolves(startAndStop(url()))
  await sql(
    'CREATE OR REPLACE FUNCTION tasks_queue.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint LANGUAGE ' +
      'sql AS \'SELECT 1::bigint\''
  )
  await t.rejects(startAndStop(url()), { code: 'STORE_UNSUITABLE', message: /may not create or change the tables .* migrate --print/ })
  await sql(script)
  await t.resolves(startAndStop(url()))
})

t.test('the printed SQL creates the same tables as start()', async t => {
  const [printed, started, migrated] = [await database(t), await database(t), await database(t)]
  await printed.sql(await migrationScript('tasks', null))
  await startAndStop(started.url('tasks'))
  const { stdout } = await run(
    process.execPath, [...LOADER, join(ROOT, `lib/cli/main${EXTENSION}`), 'migrate', migrated.url('tasks'), '--role', migrated.role]
  )
  t.match(stdout, /up to date/)
  const made = await describe(started.sql)
  t.ok(made.length > 200, 'there is something to compare')
  t.same(await describe(printed.sql), made)
  t.same(await describe(migrated.sql), made)
  await t.resolves(startAndStop(migrated.url()), 'the role has its rights')
  await printed.sql(await migrationScript('tasks', null))
  t.same(await describe(printed.sql), made, 'the script can run twice')
})

async function describe(sql: (text: string) => Promise<pg.QueryResult>): Promise<string[]> {
  const { rows } = await sql(`
    SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default, collation_name) AS line
      FROM information_schema.columns WHERE table_schema IN ('tasks', 'tasks_queue')
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname IN ('tasks', 'tasks_queue')
    UNION ALL SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = 'tasks_queue'
    UNION ALL SELECT pg_get_triggerdef(tg.oid) FROM pg_trigger tg JOIN pg_class c ON c.oid = tgrelid
      JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'tasks_queue' AND NOT tgisinternal
    UNION ALL SELECT component || ' ' || step FROM tasks.migrations UNION ALL SELECT version || ' ' || name || ' ' || min_client_version
      FROM tasks_queue.migration
    UNION ALL SELECT sequencename || ' ' || start_value FROM pg_sequences WHERE schemaname IN ('tasks', 'tasks_queue') ORDER BY 1`)
  return (rows as Array<{ line: string }>).map(row => row.line)
}

t.test('a database whose encoding cannot store all text is refused', async t => {
  for (const encoding of ['LATIN1', 'SQL_ASCII']) {
    const { url } = await database(t, { suffix: `ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0` })
    await t.rejects(startAndStop(url('tasks')), {
      code: 'STORE_UNSUITABLE', message: new RegExp(`encoding .* is ${encoding}.*CREATE DATABASE tasks ENCODING 'UTF8'`)
    })
  }
  const { sql } = await database(t)
  await sql(`CREATE DATABASE copied_${Date.now()} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`)
})

t.test('a role whose transactions are read-only is refused', async t => {
  const { sql, role, url } = await database(t)
  await sql(await migrationScript('tasks', role))
  await sql(`ALTER ROLE ${role} SET default_transaction_read_only = on`)
  const failure = await startAndStop(url()).catch((error: Error) => error)
  t.match(failure, { code: 'STORE_UNSUITABLE', message: /ALTER ROLE .* SET default_transaction_read_only = off/ })
  await sql(/ALTER ROLE .*$/.exec((failure as Error).message)![0])
  await t.resolves(startAndStop(url()), 'the SQL from the message works')
})

const STARTS = isSoak ? 30 : 12

t.test(`${STARTS} processes can start at once on an empty database`, async t => {
  const { url } = await database(t)
  const { url: serializable } = await database(t, { settings: `default_transaction_isolation = 'serializable'` })
  for (const [where, count] of [[url('tasks'), STARTS], [serializable('tasks'), STARTS / 3]] as const) {
    const starts = await Promise.allSettled(Array.from({ length: count }, () => startAndStop(where)))
    t.same(starts.flatMap(start => start.status === 'rejected' ? [String(start.reason)] : []), [])
  }
})

t.test('a default isolation level of serializable has no effect on us, and is refused behind a pooler', async t => {
  const { url, name } = await database(t, { settings: `default_transaction_isolation = 'serializable'` })
  const store = createStore(url('tasks'), { namespace: 'tasks', role: 'broker', onError() {} })
  await store.start()
  if (store.kind !== 'postgres') throw new Error('unexpected')
  const levels = await Promise.all(Array.from({ length: 8 }, () =>
    store.query<{ level: string }>(`SELECT current_setting('transaction_isolation') AS level, pg_sleep(0.2)`)))
  t.same([...new Set(levels.map(({ rows }) => rows[0]!.level))], ['read committed'], 'on every connection')
  await store.stop()
  await workThrough(t, url('tasks'))

  const pooler = await startPgbouncer(t, server.url)
  const failure = await startAndStop(pooler.url.replace(/\/postgres$/, `/${name}`)).catch((error: Error) => error)
  t.match(failure, { code: 'STORE_UNSUITABLE', message: /default_transaction_isolation is serializable.*ALTER ROLE "tasks" IN DATABASE/ })
})
